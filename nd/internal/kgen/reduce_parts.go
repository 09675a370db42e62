package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// reduceEntry is a kernel of a reduction in the making.
type reduceEntry struct {
	*entry
	w    *reduction
	in   []build.Val // pointers of the code's operands, by number
	base []build.Val // where the thread's result begins in them
	post []build.Val // pointers of Post's
	out  build.Val
	code *pointCode
}

func (w *reduction) entry(name string, apart bool) *reduceEntry {
	e := w.target.newEntry(name, reduceThreads, w.fold.wide)
	e.apart = apart
	return &reduceEntry{entry: e, w: w}
}

// thread is where a thread is: its lane among those that share a result, and
// which part of which result they have.
type thread struct {
	x, lane       build.Val // x is the column
	result, piece build.Val
	job           build.Val // the part's number, where parts are of lines
	here          build.Val // there is such a result
}

// partsKernel makes the kernel in which a group of threads folds one part of one
// result.
func (w *reduction) partsKernel(results int) *entry {
	e := w.entry("reduce", true)
	parts := e.bind()
	t := e.partOf(results)
	outer := e.begin(t.result)
	from := e.Let("from", t.piece.Mul(e.size("part", w.part)))
	all := e.Let("all", build.Min(from.Add(e.size("part", w.part)), e.size("inner", ir.Count(w.inner.dims))))
	to := e.Let("to", t.here.Choose(all, from))

	if w.columns {
		total := e.foldRounds(w.fold, t, from, all, to, w.group, w.pack, w.unroll(w.pack, 8), func(sum accs, i build.Val) {
			e.take(i, func(k build.Val) (accs, build.Val, build.Val) { return sum, k, i })
		})
		e.If(t.lane.Eq(0).AndThen(t.here), func() {
			e.Each("k", w.pack, func(k build.Val) {
				if w.parts > 1 {
					parts.put(e.Kernel, total.at(k), t.piece.Mul(e.size("results", results)).Add(t.result).Add(k.To(e.index())))
					return
				}
				if last := len(outer) - 1; w.pack > 1 {
					coords := append([]build.Val(nil), outer...)
					coords[last] = outer[last].Add(k.To(e.index()))
					e.store(coords, total.at(k))
					return
				}
				e.store(outer, total.at(k))
			})
		})
		return e.entry
	}
	total := e.foldLanes(w.fold, e.foldChains(t, from, to), t.lane, w.group, w.pack)
	e.If(t.lane.Eq(0).AndThen(t.here), func() {
		if w.parts > 1 {
			parts.put(e.Kernel, total, t.job)
		} else {
			e.store(outer, total)
		}
	})
	return e.entry
}

// bind declares what a kernel of the parts reads and writes. Parts are scratch, if there are several.
func (e *reduceEntry) bind() (parts accs) {
	w := e.w
	e.in, e.base = make([]build.Val, len(w.outer.ops)), make([]build.Val, len(w.outer.ops))
	numbers, names := w.operands()
	for k, i := range numbers {
		if i < len(w.r.In) {
			e.in[i] = e.pointer(names[k], w.outer.ops[i], read(i))
		}
	}
	if w.parts > 1 {
		parts = e.scratchAccs(w.fold.kinds(), "parts", 0)
	} else {
		e.bindPost()
	}
	e.code = e.entry.code(&w.r.Code, "v", w.factors...)
	return parts
}

// begin finds where a result begins in the operands, and gives its point.
func (e *reduceEntry) begin(result build.Val) []build.Val {
	w := e.w
	outer := e.point("r", result, w.outer.dims)
	numbers, names := w.operands()
	for k, i := range numbers {
		e.base[i] = e.Let("base_"+names[k], e.position(names[k]+"_r", outer, w.outer.ops[i].Strides))
	}
	return outer
}

// partOf finds which part of which result a thread has, and which of its points.
func (e *reduceEntry) partOf(results int) (t thread) {
	w, index := e.w, e.index()
	tid, group := e.Thread().To(ktree.Int), e.Group().To(index)
	if w.columns {
		width := w.width() * w.pack
		tiles := ceil(results, width)
		t.x, t.lane = e.Let("x", tid.Rem(w.width())), e.Let("lane", tid.Div(w.width()))
		t.piece = e.Let("piece", e.quotient(group, "tiles", tiles))
		tile := group.Sub(t.piece.Mul(e.size("tiles", tiles)))
		t.result = e.Let("result", tile.Mul(width).Add(t.x.To(index).Mul(w.pack)))
	} else {
		t.lane = e.Let("lane", tid.Rem(w.group))
		t.job = e.Let("job", group.Mul(reduceThreads/w.group).Add(tid.Div(w.group).To(index)))
		t.result, t.piece = t.job, build.Int(index, 0)
		if w.parts > 1 {
			t.result = e.Let("result", e.quotient(t.job, "per_result", w.parts))
			t.piece = e.Let("piece", t.job.Sub(t.result.Mul(e.size("per_result", w.parts))))
		}
	}
	t.here = e.Let("here", t.result.Lt(e.size("results", results)))
	return t
}

// foldChains folds the thread's points of the part in chains, one total for each
// lane. Lane number i of a part has every point whose position is i modulo the
// number of lanes; a thread has lanes in packs, and as many packs as it takes.
func (e *reduceEntry) foldChains(t thread, from, to build.Val) accs {
	w, index := e.w, e.index()
	lanes, packs := w.group*order.LanesEach, order.LanesEach/w.pack
	total := e.none(w.fold, "total", order.LanesEach)
	e.For("start", from, to, order.Chain*lanes, 0, func(start build.Val) {
		sum := e.none(w.fold, "sum", order.LanesEach)
		end := e.Let("end", build.Min(start.Add(order.Chain*lanes), to))
		turn := func(base build.Val, guarded bool) {
			e.Each("m", packs, func(m build.Val) {
				i := e.Let("i", base.Add(m.To(index).Mul(w.group*w.pack)).Add(t.lane.To(index).Mul(w.pack)))
				body := func() {
					e.take(i, func(k build.Val) (accs, build.Val, build.Val) {
						return sum, m.Mul(w.pack).Add(k), i.To(ktree.Long).Add(k.To(ktree.Long))
					})
				}
				if guarded {
					e.If(i.Lt(end), body)
				} else {
					body()
				}
			})
		}
		base := e.Var("base", start)
		next := func() { e.Set(base, base.Add(lanes)) }
		if n := w.unroll(order.LanesEach, 8/packs); n > 1 {
			// Whole turns ask nothing, so that the loads of several are under way at once.
			whole := e.Let("whole", start.Add(end.Sub(start).Div(lanes).Mul(lanes)))
			e.While(base.Lt(whole), n, func() { turn(base, false) }, next)
		}
		e.While(base.Lt(end), 0, func() { turn(base, true) }, next)
		e.Each("k", order.LanesEach, func(k build.Val) { total.put(e.Kernel, w.fold.join(e.Kernel, total.at(k), sum.at(k)), k) })
	})
	return total
}

// unroll is how many turns of a loop are written out that folds so many values
// in each.
func (w *reduction) unroll(values, most int) int {
	return min(max(mostWeight/(values*max(w.target.weight(&w.r.Code), 1)), 1), max(most, 1))
}

// take loads a pack at inner point i and takes its values into accumulators: into
// gives, for value k, the array, the place in it, and the value's position.
func (e *reduceEntry) take(i build.Val, into func(k build.Val) (accs, build.Val, build.Val)) {
	w, r := e.w, e.w.r
	numbers, names := w.operands()
	inner := e.point("c", i, w.inner.dims)
	x, at := make([]build.Val, len(r.In)), make([]build.Val, len(r.Positions))
	for k, n := range numbers {
		place := e.base[n].Add(e.position(names[k], inner, w.inner.ops[n].Strides))
		switch {
		case n >= len(r.In):
			at[n-len(r.In)] = e.Let("at_"+names[k], place)
		case w.packed(n):
			x[n] = e.Array(fmt.Sprintf("x%d", n), MemoryOf(r.In[n].Type), w.pack)
			e.Move(x[n].At(0), e.in[n].At(e.Let("from", place)), w.pack)
		default:
			x[n] = e.Let(fmt.Sprintf("x%d", n), e.in[n].At(place))
		}
	}
	along := w.inner
	if w.columns {
		along = w.outer
	}
	last := len(along.dims) - 1
	e.Each("k", w.pack, func(k build.Val) {
		values := e.code.at(Leaves{
			Load: func(slot int) Num {
				if w.packed(slot) {
					return Get(r.In[slot].Type, x[slot].At(k))
				}
				return Get(r.In[slot].Type, x[slot])
			},
			Index: func(slot int) build.Val {
				n := len(r.In) + slot
				v := at[slot].To(ktree.Long)
				if o := w.outer.ops[n]; o.Offset != 0 {
					v = v.Add(e.numberOf(fmt.Sprintf("p%d_from", slot), o.Offset, ktree.Long))
				}
				if w.pack > 1 && along.ops[n].Strides[last] != 0 {
					v = v.Add(k.To(ktree.Long).Mul(e.numberOf(fmt.Sprintf("p%d_step", slot), along.ops[n].Strides[last], ktree.Long)))
				}
				return v
			},
		})
		sums, place, position := into(k)
		sums.put(e.Kernel, w.fold.take(e.Kernel, sums.at(place), values[0], values[len(values)-1], position), place)
	})
}
