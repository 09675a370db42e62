package kgen

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

const (
	scatterThreads = 256
	// scatterAhead is how many updates of an element a thread loads at once.
	scatterAhead = 8
)

// scatterKernels sorts the indices along the axis, stably, so that updates of one
// element follow each other in their order; then a thread adds up each run. An
// index that other dimensions share is sorted once for all of them.
func scatterKernels(s *ir.Scatter, target Target) (*kernels, error) {
	n := s.Dims[s.Axis]
	if int64(n) >= 1<<31 || int64(s.AxisLen) >= math.MaxUint32 {
		return nil, fmt.Errorf("kgen: scatter: %d indices into %d: %w", n, s.AxisLen, device.ErrUnsupported)
	}
	without := func(list []int) []int { return append(append([]int(nil), list[:s.Axis]...), list[s.Axis+1:]...) }
	operand := func(o ir.Operand) ir.Operand {
		o.Strides = without(o.Strides)
		return o
	}
	dims := without(s.Dims)
	for d, size := range dims {
		if size > 1 && operand(s.Out).Strides[d] == 0 {
			return nil, fmt.Errorf("kgen: scatter: dimension %d adds to the same elements: %w", d, device.ErrUnsupported)
		}
	}
	// The dimensions over which indices differ are lines to sort.
	index := operand(s.Index)
	var lineDims []int
	lineIndex := index
	lineIndex.Strides = nil
	for d, size := range dims {
		if size > 1 && index.Strides[d] != 0 {
			lineDims = append(lineDims, size)
			lineIndex.Strides = append(lineIndex.Strides, index.Strides[d])
		}
	}
	number := ir.Contiguous(elem.Int64, lineDims)
	line := ir.Operand{Type: elem.Int64, Strides: make([]int, len(dims))}
	for d, k := 0, 0; d < len(dims); d++ {
		if dims[d] > 1 && index.Strides[d] != 0 {
			line.Strides[d] = number.Strides[k]
			k++
		}
	}

	lines := ir.Count(lineDims)
	kinds := items{t: elem.Uint32, wide: target.Wide}
	sorts := &sorter{items: kinds, target: target, lines: lines, n: n, keep: n, keyBits: bits.Len(uint(s.AxisLen))}
	sorts.bindLoad = func(e *entry) func(l, at build.Val) acc {
		indices := e.pointer("index", lineIndex, read(1))
		step, cell := e.number("index_step", s.Index.Strides[s.Axis]), e.faultCell()
		return func(l, at build.Val) acc {
			from := e.position("index", e.point("index_c", l.To(e.index()), lineDims), lineIndex.Strides).Add(at.Mul(step))
			v := e.Let("v", indices.At(from).To(ktree.Long))
			place := e.inside(v, s.AxisLen)
			e.If(place.Lt(0), func() { e.indexFault(cell, v) })
			// A place far below 0 would be some other place of 32 bits.
			return kinds.item(build.Max(place, -1).To(ktree.Uint), at.To(ktree.Uint))
		}
	}
	sorts.bindStore = func(e *entry) func(x acc, l, at build.Val) {
		sorted := e.scratchAccs(kinds.kinds(), "sorted", 0)
		return func(x acc, l, at build.Val) { sorted.put(e.Kernel, x, l.Mul(e.number("size", n)).Add(at)) }
	}
	sorts.run(len(kinds.kinds()))

	space := newSpace(dims, operand(s.Updates), operand(s.Out), line)
	space.order(1)
	space.join()
	k := sorts.out
	k.add(addsKernel(s, kinds, space, n), ceil(ir.Count(space.dims)*n, scatterThreads))
	sorted := lists.Map(bytesOf(kinds.kinds()), func(bytes int) int { return lines * n * bytes })
	k.scratch = append(sorted, k.scratch...)
	k.fault = indexFault("scatter", s.AxisLen)
	return &k, nil
}

// addsKernel makes the kernel in which the thread at the first of equal indices
// adds all of their updates.
func addsKernel(s *ir.Scatter, kinds items, space *space, n int) *entry {
	updates, out, line := space.ops[0], space.ops[1], space.ops[2]
	t := s.Out.Type
	e := newEntry("add", scatterThreads, kinds.wide)
	e.apart, e.loose = true, true
	from, to := e.pointer("updates", updates, read(0)), e.pointer("out", out, write(0))
	sorted := e.itemsFrom(kinds, "sorted", 0)
	size, others := e.number("size", n), e.number("others", ir.Count(space.dims))
	i := e.first(1).To(e.at())
	p := e.Let("p", i.Div(others))
	e.If(p.Lt(size), func() {
		coords := e.point("c", e.Let("other", i.Sub(p.Mul(others))).To(e.index()), space.dims)
		mine := e.Let("mine", e.position("line", coords, line.Strides).Mul(size))
		key := func(q build.Val) build.Val { return kinds.keyOf(sorted.at(mine.Add(q))) }
		place := e.Let("place", key(p))
		first := place.Ne(build.Int(ktree.Uint, -1)).AndThen(p.Eq(0).OrElse(key(p.Sub(1)).Ne(place)))
		e.If(first, func() {
			start := e.Let("start", e.position("updates", coords, updates.Strides))
			at := e.Let("at", e.position("out", coords, out.Strides).Add(place.To(e.at()).Mul(e.number("out_step", s.AxisStride))))
			sum := Variable(e.Kernel, "sum", Get(t, to.At(at)))
			q := e.Var("q", p)
			update := func(q build.Val) build.Val {
				return e.Let("x", from.At(start.Add(kinds.place(sorted.at(mine.Add(q))).To(e.at()).Mul(e.number("update_step", s.Updates.Strides[s.Axis])))))
			}
			// Long runs have several updates in flight, and still add one after the other.
			last := q.Add(scatterAhead - 1)
			e.While(last.Lt(size).AndThen(key(last).Eq(place)), 0, func() {
				xs := lists.Make(scatterAhead, func(i int) build.Val { return update(q.Add(i)) })
				for _, x := range xs {
					Assign(e.Kernel, sum, addOf(e.Kernel, t, sum, Get(t, x)))
				}
			}, func() { e.Set(q, q.Add(scatterAhead)) })
			e.While(q.Lt(size).AndThen(key(q).Eq(place)), 0, func() {
				Assign(e.Kernel, sum, addOf(e.Kernel, t, sum, Get(t, update(q))))
			}, func() { e.Set(q, q.Add(1)) })
			e.Set(to.At(at), Put(t, sum))
		})
	})
	return e
}

// addOf is the operation Add on values of type t.
func addOf(k *build.Kernel, t elem.Type, x, y Num) Num {
	switch {
	case t.IsComplex():
		return applyComplex(k, scalar.Add, x, y)
	case t.IsFloat():
		return Real(applyFloat(k, scalar.Add, t, x.Re, y.Re))
	case t == elem.Bool:
		return Real(x.Re.OrElse(y.Re))
	}
	return Real(applyInteger(k, scalar.Add, t, x.Re, y.Re))
}
