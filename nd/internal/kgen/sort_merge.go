package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

const (
	mergeThreads = 256
	// mergeItems is how many items a thread merges one after the other.
	mergeItems = 4
	mergeTile  = mergeThreads * mergeItems
)

// mergeKernel merges pairs of runs that cover span elements each. A group makes
// mergeTile items of one pair: it finds where they begin and end in both runs,
// and so does each thread for its own. It returns the groups of a line.
func (s *sorter) mergeKernel(span int, final bool, from, to int) (*entry, int) {
	perPair := ceil(min(s.keep, 2*span), mergeTile)
	groups := ceil(s.n, 2*span) * perPair
	name := "merge"
	if final {
		name = "finish"
	}
	e := s.entry(name, mergeThreads)
	runs := e.itemsFrom(s.items, "runs", from)
	size, keep, cover := e.number("size", s.n), e.number("keep", s.keep), e.number("span", span)
	width := e.number("width", s.width(span))
	pairs, line := e.numberOf("per_pair", perPair, ktree.Uint), e.numberOf("per_line", groups, ktree.Uint)
	var store func(x acc, l, at build.Val)
	var merged accs
	if final {
		store = s.bindStore(e)
	} else {
		merged = e.scratchAccs(s.items.kinds(), "merged", to)
	}
	long := func(v build.Val) build.Val { return v.To(e.at()) }
	short := func(v build.Val) build.Val { return v.To(ktree.Int) }
	x, cut := e.sharedAccs(s.items.kinds(), "x", mergeTile), e.Shared("cut", ktree.Scalar(ktree.Int), 2)
	l := e.Let("l", e.Group().Div(line))
	job := e.Let("job", e.Group().Sub(l.Mul(line)))
	pair := e.Let("pair", job.Div(pairs))
	kept := e.Let("kept", build.Min(keep, cover))
	first := e.Let("first", long(job.Sub(pair.Mul(pairs))).Mul(mergeTile))
	before := e.Let("before", long(pair).Mul(2).Mul(cover)) // elements of earlier pairs
	left := e.Let("left", short(build.Min(kept, build.Max(size.Sub(before), 0))))
	right := e.Let("right", short(build.Min(kept, build.Max(size.Sub(before).Sub(cover), 0))))
	total := e.Let("total", build.Min(keep, long(left.Add(right))))
	count := e.Let("count", short(build.Min(total.Sub(first), mergeTile)))
	e.If(count.Le(0), e.Return)
	aAt := e.Let("a_at", long(l).Mul(width).Add(long(pair).Mul(2).Mul(kept)))
	bAt := e.Let("b_at", aAt.Add(kept))
	// split is how many of the first n of two runs, of so many items, are of the
	// first.
	split := func(n, aCount, bCount build.Val, a, b func(i build.Val) acc) build.Val {
		lo, hi := e.Var("lo", build.Max(n.Sub(bCount), 0)), e.Var("hi", build.Min(n, aCount))
		e.While(lo.Lt(hi), 0, func() {
			mid := e.Let("mid", lo.Add(hi).Div(2))
			own, other := named(e.Kernel, "own", a(mid)), named(e.Kernel, "other", b(n.Sub(1).Sub(mid)))
			e.IfElse(s.items.before(own, other), func() { e.Set(lo, mid.Add(1)) }, func() { e.Set(hi, mid) })
		}, nil)
		return lo
	}
	tid := e.Let("tid", short(e.Thread()))
	e.If(tid.Lt(2), func() {
		n := e.Let("n", short(first).Add(tid.Eq(0).Choose(0, count)))
		e.Set(cut.At(tid), split(n, left, right, func(i build.Val) acc { return runs.at(aAt.Add(long(i))) }, func(i build.Val) acc { return runs.at(bAt.Add(long(i))) }))
	})
	e.Barrier()
	a0 := e.Let("a0", cut.At(0))
	an := e.Let("an", cut.At(1).Sub(a0))
	b0, bn := e.Let("b0", short(first).Sub(a0)), e.Let("bn", count.Sub(an))
	e.For("k", tid, count, mergeThreads, 0, func(k build.Val) {
		from := k.Lt(an).Choose(aAt.Add(long(a0.Add(k))), bAt.Add(long(b0.Add(k).Sub(an))))
		x.put(e.Kernel, runs.at(e.Let("from", from)), k)
	})
	e.Barrier()
	n := e.Let("n", tid.Mul(mergeItems))
	e.If(n.Lt(count), func() {
		i := split(n, an, bn, func(i build.Val) acc { return x.at(i) }, func(i build.Val) acc { return x.at(an.Add(i)) })
		j := e.Var("j", n.Sub(i))
		e.Each("k", mergeItems, func(k build.Val) {
			e.If(n.Add(k).Lt(count), func() {
				of := e.Unset("of_a", ktree.Scalar(ktree.Bool))
				e.Set(of, j.Ge(bn))
				e.If(of.Not().AndThen(i.Lt(an)), func() {
					own, other := named(e.Kernel, "own", x.at(i)), named(e.Kernel, "other", x.at(an.Add(j)))
					e.Set(of, s.items.before(own, other))
				})
				y := named(e.Kernel, "y", x.at(e.Let("next", of.Choose(i, an.Add(j)))))
				e.IfElse(of, func() { e.Set(i, i.Add(1)) }, func() { e.Set(j, j.Add(1)) })
				at := e.Let("at", first.Add(long(n.Add(k))))
				if final {
					store(y, long(l), at)
					return
				}
				place := long(l).Mul(e.number("merged_width", s.width(2*span))).Add(long(pair).Mul(build.Min(keep, cover.Mul(2)))).Add(at)
				merged.put(e.Kernel, y, e.Let("to", place))
			})
		})
	})
	return e, groups
}
