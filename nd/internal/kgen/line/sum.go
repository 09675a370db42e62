package line

import (
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// lanes are the lanes of a sum (see package order) in registers. Thread t of the
// first threads has lanes width*t and on, as many as width, and the same
// width*threads further on, and so on.
type lanes struct {
	width, threads int
	values         []kgen.Num // in the order of the lanes
}

// folding is a reduction of values of a type.
type folding struct {
	*kernel
	op ir.ReduceOp
	t  elem.Type
}

func (f folding) join(x, y kgen.Num) kgen.Num { return f.combined(f.op, f.t, x, y) }

func (f folding) none() kgen.Num { return kgen.Identity(f.op, f.t) }

// sum is a reduction along the line in the order that it has as a step of its
// own, as a value that all threads have.
func (k *kernel) sum(i int, s ir.Stage, r *ir.Reduce) kgen.Num {
	f := folding{k, r.Op, summed(r.Instrs[r.Value].Type)}
	n := r.Dims[0]
	if l, ok := f.asRead(i, s, r); ok {
		return f.fold(l)
	}
	part := order.PartOf(n)
	var parts []kgen.Num
	for from := 0; from < n; from += part {
		parts = append(parts, f.fold(f.gathered(s, r, from, min(from+part, n))))
	}
	return f.ofParts(parts)
}

// ofParts adds up the parts of a sum.
func (f folding) ofParts(parts []kgen.Num) kgen.Num {
	if len(parts) == 1 {
		return parts[0]
	}
	for len(parts) < order.Lanes(len(parts)) {
		parts = append(parts, f.none())
	}
	return f.halved(paired(parts, f.join))
}

// gathered adds up the elements from..to, each lane by itself.
func (f folding) gathered(s ir.Stage, r *ir.Reduce, from, to int) lanes {
	n := r.Dims[0]
	all := order.Lanes(n)
	l := lanes{width: 1, threads: f.sumThreads(n)}
	each := all / l.threads
	sums := f.Array("sums", kgen.MemoryOf(f.t), each)
	at := func(m build.Val) kgen.Num { return kgen.Get(f.t, sums.At(m)) }
	put := func(m build.Val, v kgen.Num) { f.Set(sums.At(m), kgen.Put(f.t, v)) }
	f.Each("m", each, func(m build.Val) { put(m, f.none()) })
	f.guard.quietly(func() {
		f.For("base", whole(from), to, all, 0, func(base build.Val) {
			f.Each("m", each, func(m build.Val) {
				i := f.Let("i", base.Add(m.Mul(l.threads)).Add(f.kernel.t))
				there := i.Lt(to)
				if l.threads < f.threads {
					there = f.kernel.t.Lt(l.threads).AndThen(there)
				}
				f.If(there, func() {
					c := one(place{at: f.LetIn("at", i, 0, n-1)})
					v := f.code(&r.Code, func(i int) []kgen.Num { return f.read(s.Reads[i], r.In[i], c) }, c, []ir.ValueID{r.Value})[0][0]
					put(m, f.join(at(m), v))
				})
			})
		})
	})
	l.values = lists.Make(each, func(j int) kgen.Num { return at(whole(j)) })
	return l
}

// sumThreads is how many threads gather the lanes of n elements.
func (k *kernel) sumThreads(n int) int {
	return min(1<<(bits.Len(uint(k.threads))-1), order.Lanes(n))
}

// asRead adds up the elements as a transform that follows reads them, so that
// what both need is loaded once, if those make whole lanes; false if not, or if
// there is no such transform.
func (f folding) asRead(i int, s ir.Stage, r *ir.Reduce) (lanes, bool) {
	n := r.Dims[0]
	x, cells := f.fetches(i, n)
	if len(cells) == 0 {
		return lanes{}, false
	}
	l := lanes{width: cells[0].width, threads: x.split.Threads}
	each := order.Lanes(n) / (l.width * l.threads) // turns until a thread meets a lane again
	if l.threads&(l.threads-1) != 0 || each == 0 || order.PartOf(n) < n {
		return lanes{}, false
	}
	along := make([]int, len(cells)) // the cells' places, less the thread's
	sorted := make([]int, len(cells))
	for j, c := range cells {
		base, add := parted(c.at.at)
		if add%l.threads != 0 || !sameValue(base, f.kernel.t) {
			return lanes{}, false
		}
		along[j], sorted[j] = add, j
	}
	slices.SortFunc(sorted, func(a, b int) int { return along[a] - along[b] })
	f.kept = map[loaded][]kgen.Num{}
	values := make([][]kgen.Num, len(cells))
	for j, c := range cells {
		values[j] = f.code(&r.Code, func(i int) []kgen.Num { return f.readKept(s.Reads[i], r.In[i], c) }, c, []ir.ValueID{r.Value})[0]
	}
	l.values = repeated(f.none(), each*l.width)
	for _, j := range sorted {
		lane := along[j] / l.threads % each * l.width
		for w, v := range values[j] {
			l.values[lane+w] = f.join(l.values[lane+w], v)
		}
	}
	return l, true
}

// fetches lists the cells of a line of n elements in which the next transform
// reads it; none if there is none, or if not every thread has all of its cells.
func (k *kernel) fetches(i, n int) (*transform, []cell) {
	for j := i + 1; j < len(k.p.Stages) && k.p.Stages[j].Each == k.p.Stages[i].Each; j++ {
		x := k.ffts[j]
		if x == nil || k.taken[j] {
			continue
		}
		if !x.direct() || x.f.Kind == ir.FFTRealInverse || x.split.Threads != k.threads || min(x.f.InLen, x.f.InNeeded()) != n {
			return nil, nil
		}
		c := k.newCore(x, x.split, false)
		width := 1
		if x.packed() {
			width = 2
		}
		cells := lists.Map(c.places(0), func(p place) cell { return cell{p, width} })
		if slices.ContainsFunc(cells, func(c cell) bool { return !c.at.ok.IsNil() || c.element(width-1).hi() >= n }) {
			return nil, nil
		}
		return x, cells
	}
	return nil, nil
}

// fold adds up lanes: neighbours, then those half of all pairs apart, a quarter
// and so on. All threads have the result.
func (f folding) fold(l lanes) kgen.Num {
	apart := 1 // threads between those whose values are not yet in one
	switch {
	case l.width == 2 || l.threads == 1:
		l.values = paired(l.values, f.join)
	case f.shuffles(l.threads):
		for j, v := range l.values {
			l.values[j] = f.join(v, f.shuffled(v, 1))
		}
		apart = 2
	default:
		l = f.spread(l)
	}
	v := f.halved(l.values)
	if f.shuffles(l.threads) {
		return f.exchanged(v, apart)
	}
	acc := kgen.Variable(f.Kernel, "sum", v)
	f.tree(l.threads, f.t, acc, build.Val{}, func(y kgen.Num, _ build.Val) { kgen.Assign(f.Kernel, acc, f.join(acc, y)) })
	return acc
}

// paired joins neighbours.
func paired(v []kgen.Num, join func(x, y kgen.Num) kgen.Num) []kgen.Num {
	return lists.Make(len(v)/2, func(j int) kgen.Num { return join(v[2*j], v[2*j+1]) })
}

// halved joins each value with the one half of all on, until there is one.
func (f folding) halved(v []kgen.Num) kgen.Num {
	for n := len(v) / 2; n > 0; n /= 2 {
		for j := range n {
			v[j] = f.join(v[j], v[j+n])
		}
		v = v[:n]
	}
	return v[0]
}

// spread gives threads neighbouring lanes, by way of shared memory, and joins
// them.
func (f folding) spread(l lanes) lanes {
	shared, t := f.scratch(f.t), f.kernel.t
	f.guard.wait() // whoever used it for an exchange
	f.If(t.Lt(l.threads), func() {
		for j, v := range l.values {
			f.put(shared, raised(t, j*l.threads), v)
		}
	})
	f.guard.wait()
	pairs := len(l.values) * l.threads / 2
	out := lanes{width: 1, threads: min(l.threads, pairs)}
	q := f.Let("q", build.Min(t, out.threads-1))
	for j := 0; j < pairs; j += out.threads {
		x, y := f.fetched(shared, raised(q.Mul(2), 2*j)), f.fetched(shared, raised(q.Mul(2), 2*j+1))
		out.values = append(out.values, f.join(x, y))
	}
	f.guard.read[swapped] = true
	return out
}

// exchanged joins a value of every thread of a line with those half of all on, a
// quarter and so on, to as near as apart.
func (f folding) exchanged(v kgen.Num, apart int) kgen.Num {
	if f.threads > 32 {
		shared, t := f.scratch(f.t), f.kernel.t
		f.guard.wait()
		f.put(shared, t, v)
		f.guard.wait()
		list := lists.Make(f.threads/32, func(j int) kgen.Num { return f.fetched(shared, raised(t.Rem(32), 32*j)) })
		f.guard.read[swapped] = true
		v = f.halved(list)
	}
	for d := min(f.threads, 32) / 2; d >= apart; d /= 2 {
		v = f.join(v, f.shuffled(v, d))
	}
	return v
}
