package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// foldRounds folds the rows from..to, which for threads that have columns is up
// to all: each of the threads that share columns folds a chain of rows, by body,
// and the first of them adds those up, chain after chain.
func (e *entry) foldRounds(f fold, t thread, from, all, to build.Val, group, pack, unroll int, body func(sum accs, i build.Val)) accs {
	total := e.none(f, "total", pack)
	var sums accs
	if group > 1 {
		sums = e.sharedAccs(f.kinds(), "sums", group, pack, e.Threads()/group)
	}
	// All threads of a block go round together, those without columns too.
	e.For("start", from, all, group*order.Chain, 0, func(start build.Val) {
		index := start.Kind()
		sum := e.none(f, "sum", pack)
		first := e.Let("first", start.Add(t.lane.To(index).Mul(order.Chain)))
		end := e.Let("end", build.Min(first.Add(order.Chain), to))
		e.For("i", first, end, 1, unroll, func(i build.Val) { body(sum, i) })
		add := func(more func(k build.Val) acc) {
			e.Each("k", pack, func(k build.Val) { total.put(e.Kernel, f.join(e.Kernel, total.at(k), more(k)), k) })
		}
		if group == 1 {
			add(func(k build.Val) acc { return sum.at(k) })
			return
		}
		e.Each("k", pack, func(k build.Val) { sums.put(e.Kernel, sum.at(k), t.lane, k, t.x) })
		e.Barrier()
		e.If(t.lane.Eq(0), func() {
			e.For("j", build.Int(ktree.Int, 0), group, 1, 0, func(j build.Val) {
				e.If(start.Add(j.To(index).Mul(order.Chain)).Ge(to), e.Break)
				add(func(k build.Val) acc { return sums.at(j, k, t.x) })
			})
		})
		e.Barrier()
	})
	return total
}

// foldLanes folds the lanes of a group into what its first thread then has: in
// the order of package order, however lanes are spread over threads.
func (e *entry) foldLanes(f fold, total accs, lane build.Val, group, pack int) acc {
	// each sets the first n totals.
	each := func(n int, v func(k build.Val) acc) {
		e.Each("k", n, func(k build.Val) { total.put(e.Kernel, v(k), k) })
	}
	join := func(a, b acc) acc { return f.join(e.Kernel, a, b) }
	across := func(n, by int) {
		each(n, func(k build.Val) acc {
			a := named(e.Kernel, "own", total.at(k))
			b := lists.Map(a, func(v build.Val) build.Val { return e.Across(ktree.SimdShuffleXor, v, by) })
			return join(a, b)
		})
	}
	halve := func(n int) { each(n, func(k build.Val) acc { return join(total.at(k), total.at(k.Add(n))) }) }

	values, nearest := order.LanesEach, 1 // values of a thread; the distance of neighbours
	if pack == 1 && group > 1 {
		across(values, 1)
		nearest = 2
	} else {
		values /= 2
		each(values, func(k build.Val) acc { return join(total.at(k.Mul(2)), total.at(k.Mul(2).Add(1))) })
	}
	inside := max(pack/2, 1) // of those, how many are neighbours
	for ; values > inside; values /= 2 {
		halve(values / 2)
	}
	if group > 32 {
		tid := e.Thread().To(ktree.Int)
		sums := e.sharedAccs(f.kinds(), "sums", values, e.Threads())
		e.Each("k", values, func(k build.Val) { sums.put(e.Kernel, total.at(k), k, tid) })
		e.Barrier()
		e.If(lane.Lt(32), func() {
			e.Each("k", values, func(k build.Val) {
				v := e.accArray(f.kinds(), "v", group/32)
				e.Each("j", group/32, func(j build.Val) { v.put(e.Kernel, sums.at(k, tid.Add(j.Mul(32))), j) })
				for by := group / 64; by > 0; by /= 2 {
					e.Each("j", by, func(j build.Val) { v.put(e.Kernel, join(v.at(j), v.at(j.Add(by))), j) })
				}
				total.put(e.Kernel, v.at(0), k)
			})
		})
	}
	for by := min(group, 32) / 2; group > nearest && by >= nearest; by /= 2 {
		across(values, by)
	}
	for ; values > 1; values /= 2 {
		halve(values / 2)
	}
	return total.at(0)
}

// finishers is how many threads fold the parts of one result: for a line as
// many as the most parts have lanes for, of which those past the lanes of fewer
// parts have nothing.
func (w *reduction) finishers() int {
	if w.columns {
		return finishSplit
	}
	return 32
}

// finishKernel makes the kernel that folds the parts of each result.
func (w *reduction) finishKernel(results int) *entry {
	e := w.entry("finish", false)
	e.bindPost()
	parts := e.scratchAccs(w.fold.kinds(), "parts", 0)
	index, group := e.index(), w.finishers()
	tid := e.Thread().To(ktree.Int)
	per, count := e.size("per_result", w.parts), e.size("results", results)
	width := reduceThreads / group
	var t thread
	var total acc
	if w.columns {
		t.x, t.lane = e.Let("x", tid.Rem(width)), e.Let("lane", tid.Div(width))
		t.result = e.Let("result", e.Group().To(index).Mul(width).Add(t.x.To(index)))
		t.here = e.Let("here", t.result.Lt(count))
		zero := build.Int(index, 0)
		total = e.foldRounds(w.fold, t, zero, per, e.Let("to", t.here.Choose(per, zero)), group, 1, 8, func(sum accs, i build.Val) {
			sum.put(e.Kernel, w.fold.join(e.Kernel, sum.at(0), parts.at(i.Mul(count).Add(t.result))), 0)
		}).at(0)
	} else {
		t.lane = e.Let("lane", tid.Rem(group))
		t.result = e.Let("result", e.Group().To(index).Mul(width).Add(tid.Div(group).To(index)))
		t.here = e.Let("here", t.result.Lt(count))
		lanes := e.none(w.fold, "total", order.LanesEach)
		e.If(t.here, func() {
			e.For("p", t.lane.To(index).Mul(order.LanesEach), per, group*order.LanesEach, 0, func(p build.Val) {
				e.Each("k", order.LanesEach, func(k build.Val) {
					at := e.Let("at", p.Add(k.To(index)))
					e.If(at.Lt(per), func() {
						lanes.put(e.Kernel, w.fold.join(e.Kernel, lanes.at(k), parts.at(t.result.Mul(per).Add(at))), k)
					})
				})
			})
		})
		total = e.foldLanes(w.fold, lanes, t.lane, group, order.LanesEach)
	}
	e.If(t.lane.Eq(0).AndThen(t.here), func() { e.store(e.point("r", t.result, w.outer.dims), total) })
	return e.entry
}

// bindPost declares what store uses.
func (e *reduceEntry) bindPost() {
	w, r := e.w, e.w.r
	ops := w.outer.ops[len(r.In)+len(r.Positions):]
	e.post = make([]build.Val, len(r.Post.In))
	for _, i := range Needed(&r.Post, r.Post.Last()) {
		e.post[i] = e.pointer(fmt.Sprintf("post%d", i), ops[i], read(len(r.In)+i))
	}
	e.out = e.pointer("out", ops[len(ops)-1], write(0))
}

// store runs Post on what was folded and stores the last value. All loads come first:
// behind a root or a quotient, which branch, each would be waited for by itself.
func (e *reduceEntry) store(outer []build.Val, total acc) {
	w, r := e.w, e.w.r
	ops := w.outer.ops[len(r.In)+len(r.Positions):]
	out := ops[len(ops)-1]
	loaded := make([]build.Val, len(r.Post.In))
	for _, slot := range Needed(&r.Post, r.Post.Last()) {
		name := fmt.Sprintf("post%d", slot)
		loaded[slot] = e.Let(name+"_x", e.post[slot].At(e.position(name, outer, ops[slot].Strides)))
	}
	code := e.entry.code(&r.Post, "w", r.Post.Last())
	values := code.at(Leaves{
		Load: func(slot int) Num { return Get(ops[slot].Type, loaded[slot]) },
		Index: func(slot int) build.Val {
			name, o := fmt.Sprintf("q%d", slot), ops[len(r.Post.In)+slot]
			return e.position(name, outer, o.Strides).To(ktree.Long).Add(e.numberOf(name+"_from", o.Offset, ktree.Long))
		},
		Acc: w.fold.result(e.Kernel, named(e.Kernel, "t", total)),
	})
	e.Set(e.out.At(e.position("out", outer, out.Strides)), Put(out.Type, values[0]))
}
