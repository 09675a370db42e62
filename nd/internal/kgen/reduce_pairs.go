package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/order"
)

// pairing is how results are folds of pairs of short lines, all of some with all of others, as
// distances of points are: a thread keeps a line of the others in registers, and folds it with
// pairsEach of some, one after the other. Threads side by side have the same one of those.
type pairing struct {
	some, others int    // outer dimensions
	kept         []bool // operands that are the same for all of some, by number
}

const (
	// pairsEach is how many lines a thread folds its own with, pairsFrom how many results are
	// enough for that to fill a GPU, keptWords how many registers its own takes at most.
	pairsEach, pairsFrom, keptWords = 16, 1 << 18, 64
)

// pairing finds it; false if there is none.
func (w *reduction) pairing(results int) (p pairing, ok bool) {
	if w.columns || w.parts > 1 || len(w.inner.dims) != 1 || w.fold.isArg() || w.fold.twice || len(w.r.Positions) > 0 || results < pairsFrom {
		return p, false
	}
	n, dims := w.inner.dims[0], w.outer.dims
	if order.Lanes(n) > slideLanes || n*w.target.weight(&w.r.Code) > 2*mostWeight {
		return p, false
	}
	p.others = slices.IndexFunc(w.outer.ops[len(w.outer.ops)-1].Strides, func(s int) bool { return s == 1 })
	for p.some = range dims {
		if p.others < 0 || p.some == p.others || dims[p.some] < 2 {
			continue
		}
		p.kept = make([]bool, len(w.r.In))
		words, moving, fits := 0, false, true
		for _, i := range Needed(&w.r.Code, w.factors...) {
			s := w.outer.ops[i].Strides
			if p.kept[i] = s[p.some] == 0; p.kept[i] {
				words += n * ((w.r.In[i].Type.Size() + 3) / 4)
			} else {
				moving, fits = true, fits && s[p.others] == 0
			}
		}
		if fits && moving && words > 0 && words <= keptWords {
			return p, true
		}
	}
	return p, false
}

// pairsKernel makes the kernel of a pairing, and says of how many groups.
func (w *reduction) pairsKernel(p pairing) (*entry, int) {
	e := w.entry("pairs", true)
	e.bind()
	index, some := e.index(), w.outer.dims[p.some]
	// Threads follow each other along others, and then in parts of some.
	var dims, axes []int
	for d, n := range w.outer.dims {
		if d != p.some && d != p.others {
			dims, axes = append(dims, n), append(axes, d)
		}
	}
	dims, axes = append(dims, ceil(some, pairsEach), w.outer.dims[p.others]), append(axes, p.some, p.others)
	job := e.Let("job", e.Group().To(index).Mul(reduceThreads).Add(e.Thread().To(index)))
	e.If(job.Lt(e.size("jobs", ir.Count(dims))), func() {
		outer := make([]build.Val, len(dims))
		for i, v := range e.point("r", job, dims) {
			outer[axes[i]] = v
		}
		from := e.Let("from", outer[p.some].Mul(pairsEach))
		outer[p.some] = from
		lines := make([]build.Val, len(w.r.In))
		for _, i := range Needed(&w.r.Code, w.factors...) {
			if p.kept[i] {
				lines[i] = e.line(i, outer)
			}
		}
		e.For("i", from, e.Let("to", build.Min(from.Add(pairsEach), e.size("some", some))), 1, 1, func(i build.Val) {
			point := slices.Clone(outer)
			point[p.some] = i
			lines := slices.Clone(lines)
			for _, i := range Needed(&w.r.Code, w.factors...) {
				if !p.kept[i] {
					lines[i] = e.line(i, point)
				}
			}
			e.store(point, e.foldLine(func(k int) (x, y Num) {
				v := e.code.at(Leaves{Load: func(slot int) Num { return Get(w.r.In[slot].Type, lines[slot].At(number(k))) }})
				return v[0], v[len(v)-1]
			}))
		})
	})
	return e.entry, ceil(ir.Count(dims), reduceThreads)
}

// line loads the line of operand i at an outer point.
func (e *reduceEntry) line(i int, outer []build.Val) build.Val {
	w, name := e.w, fmt.Sprintf("in%d", i)
	n, t, o, step := w.inner.dims[0], w.r.In[i].Type, w.outer.ops[i], w.inner.ops[i].Strides[0]
	pack := 1
	if step == 1 {
		pack = aligned(min(order.LanesEach, accessBytes/t.Size()), append([]int{n, o.Offset}, o.Strides...)...)
	}
	x := e.Array(fmt.Sprintf("x%d", i), MemoryOf(t), n)
	base := e.Let("base_"+name, e.position(name+"_r", outer, o.Strides))
	for k := 0; k < n; k += pack {
		e.Move(x.At(number(k)), e.in[i].At(base.Add(e.position(name, []build.Val{build.Int(e.index(), int64(k))}, []int{step}))), pack)
	}
	return x
}

// foldLine folds the values of a line that a thread has to itself, of two factors their products, lane
// by lane and then the lanes, in their order.
func (e *reduceEntry) foldLine(value func(k int) (x, y Num)) acc {
	w, n := e.w, e.w.inner.dims[0]
	total := e.none(w.fold, "total", order.Lanes(n))
	for k := range n {
		x, y := value(k)
		total.put(e.Kernel, w.fold.take(e.Kernel, total.at(number(k)), x, y, build.Int(ktree.Long, int64(k))), number(k))
	}
	return e.joined(total)
}
