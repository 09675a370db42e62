package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const gatherThreads = 256

// gatherKernels is a kernel whose threads each pick one element, or a pack of
// neighbours that share an index.
func gatherKernels(g *ir.Gather, target Target) *kernels {
	s := newSpace(g.Dims, g.Data, g.Index, g.Out)
	s.forward(2)
	s.order(2)
	s.join()
	data, index, out := s.ops[0], s.ops[1], s.ops[2]
	pack, last := 1, len(s.dims)-1
	if last >= 0 && data.Strides[last] == 1 && index.Strides[last] == 0 && out.Strides[last] == 1 {
		pack = aligned(accessBytes/out.Type.Size(), data.Offset, out.Offset, g.AxisStride, s.dims[last])
		pack = aligned(aligned(pack, data.Strides[:last]...), out.Strides[:last]...)
	}
	dims := append([]int(nil), s.dims...)
	if last >= 0 {
		dims[last] /= pack
	}
	// The axis that the index walks is no dimension of the space.
	wide := s.isWide() || g.AxisLen*abs(g.AxisStride) > narrowMost/2
	e := target.newEntry("gather", gatherThreads, wide)
	e.apart, e.loose = true, true
	from, places, to := e.pointer("data", data, read(0)), e.pointer("index", index, read(1)), e.pointer("out", out, write(0))
	cell := e.faultCell()
	i := e.first(1)
	e.If(i.Lt(e.size("points", ir.Count(dims))), func() {
		coords := e.point("c", i, dims)
		if pack > 1 {
			coords[last] = e.Let("along", coords[last].Mul(pack))
		}
		at := e.Let("at", places.At(e.position("index", coords, index.Strides)).To(ktree.Long))
		place := e.inside(at, g.AxisLen)
		e.IfElse(place.Ge(0), func() {
			source := e.position("data", coords, data.Strides).Add(place.To(e.at()).Mul(e.number("step", g.AxisStride)))
			e.Move(to.At(e.position("out", coords, out.Strides)), from.At(source), pack)
		}, func() { e.indexFault(cell, at) })
	})
	k := &kernels{fault: indexFault("gather", g.AxisLen)}
	k.add(e, ceil(ir.Count(dims), gatherThreads))
	return k
}

// inside is an index, counted from the end where it is negative; -1 for one that
// is outside of length.
func (e *entry) inside(at build.Val, length int) build.Val {
	n := e.numberOf("length", length, at.Kind())
	place := e.Let("place", at.Lt(0).Choose(at.Add(n), at))
	return e.Let("place", place.Lt(n).Choose(place, build.Int(at.Kind(), -1)))
}

// faultCell is the parameter for the launch's fault cell: words of 32 bits, in
// pairs found, index, unused, taken.
func (e *entry) faultCell() build.Val {
	e.params = append(e.params, Param{Kind: FaultCell})
	return e.AtomicBuffer("cell", ktree.Scalar(ktree.Uint))
}

// indexFault notes an index, if it is the first that is found to be outside.
func (e *entry) indexFault(cell, index build.Val) {
	word := func(n int) build.Val { return build.Int(ktree.Uint, int64(n)) }
	set := func(at int, v build.Val) { e.Do(e.Atomic(ktree.AtomicStore, cell.At(at), v)) }
	taken := e.Let("taken", e.Atomic(ktree.AtomicExchange, cell.At(6), word(1)))
	e.If(taken.Eq(0), func() {
		set(2, index.To(ktree.Uint))
		set(3, index.Shr(min(32, index.Kind().Bits()-1)).To(ktree.Uint))
		e.Fence()
		set(0, word(1))
	})
}

// indexFault reads what a kernel noted.
func indexFault(op string, length int) func([4]uint64) error {
	return func(cell [4]uint64) error {
		return &ir.IndexError{Op: op, Index: int64(cell[1]), Len: length}
	}
}
