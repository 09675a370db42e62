package kgen

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Lines and K of a side may be several axes each, as those of overlapping windows are. Where lines begin is computed
// once. Where the elements of a slice are along K is computed by few threads, while the slice before is loaded, and
// handed to all in shared memory.

// gemmAxes are the axes that are the lines of a side, or K: one, where they are plain.
type gemmAxes struct{ dims, strides []int }

func (x gemmAxes) plain() bool { return len(x.dims) == 1 }

// stride is that from neighbour to neighbour.
func (x gemmAxes) stride() int { return x.strides[len(x.strides)-1] }

// isNearer reports that neighbours are nearer to each other than those of y, or as near and more.
func (x gemmAxes) isNearer(y gemmAxes) bool {
	a, b := abs(x.stride()), abs(y.stride())
	return b == 0 || a < b || a == b && x.dims[len(x.dims)-1] > y.dims[len(y.dims)-1]
}

// matrixAxes are the rows and the columns of a factor.
func (w *gemm) matrixAxes(o ir.Operand, axes ir.MatrixAxes, rows, columns int) (r, c gemmAxes) {
	strides := o.Strides[len(w.g.Batch):]
	r.dims, c.dims = axes.Split(rows, columns)
	r.strides, c.strides = strides[:len(r.dims)], strides[len(r.dims):]
	for _, x := range []*gemmAxes{&r, &c} {
		if ir.Count(x.dims) == 0 { // of no elements, of which none is read
			x.dims, x.strides = x.dims[:1], x.strides[:1]
		}
	}
	return r, c
}

// along is where elements of several axes are, of which i is the number among all.
func (e *gemmEntry) along(name string, i build.Val, x gemmAxes) build.Val {
	kind := e.index()
	if ir.Count(x.dims) <= narrowMost {
		kind = ktree.Uint // 64 bits are slow to divide
	}
	return e.position(name, e.point(name, i.To(kind), x.dims), x.strides)
}

// findLines computes where the lines of the tile begin, from the one at its corner on: for the thread the one line that
// all of its loads have, or for all threads behind the next barrier.
func (e *gemmEntry) findLines(s *gemmOperand, corner build.Val) {
	kind := s.within(e.w)
	find := func(line build.Val) build.Val {
		return e.along(s.name+"_line", corner.Add(line.To(e.at())), s.gemmSide.line).To(kind)
	}
	if !s.along {
		line, _, _ := e.place(s, build.Int(ktree.Int, 0))
		s.line = e.Let(s.name+"_line", find(line))
		return
	}
	s.line = e.Shared(s.name+"_lines", ktree.Scalar(kind), s.side)
	tid := e.Thread().To(ktree.Int)
	e.If(tid.Lt(s.side), func() { e.Set(s.line.At(tid), find(tid)) })
}

// findK computes where the elements of the slice at k0 are, for all threads behind the next barrier.
func (e *gemmEntry) findK(s *gemmOperand, k0, buffer build.Val) {
	if s.gemmSide.k.plain() {
		return
	}
	tid := e.Thread().To(ktree.Int)
	e.If(tid.Lt(e.w.depth), func() {
		e.Set(s.k.At(buffer, tid), e.along(s.name+"_k", e.fromK.Add(k0.Add(tid).To(e.at())), s.gemmSide.k).To(s.within(e.w)))
	})
}

// within is the kind of positions from s.from on: mostly 32 bits are enough.
func (s *gemmSide) within(w *gemm) ktree.Kind {
	reach := 0
	for _, x := range []struct {
		gemmAxes
		ofTile int // elements of a tile, where axes are plain
	}{{s.line, s.side}, {s.k, w.depth}} {
		for d, n := range x.dims {
			if x.plain() {
				n = x.ofTile
			}
			reach += abs(x.strides[d]) * (n - 1)
		}
	}
	if reach > math.MaxInt32 {
		return ktree.Long
	}
	return ktree.Int
}

// inTile is where an element of a tile is, from s.from on.
func (e *gemmEntry) inTile(s *gemmOperand, line, k, buffer build.Val) build.Val {
	kind := s.within(e.w)
	in, along := line.To(kind), k.To(kind)
	switch {
	case s.gemmSide.line.plain():
		in = in.Mul(s.line.To(kind))
	case s.along:
		in = s.line.At(line)
	default:
		in = s.line
	}
	if s.gemmSide.k.plain() {
		along = along.Mul(s.k.To(kind))
	} else {
		along = s.k.At(buffer, k)
	}
	return in.Add(along)
}
