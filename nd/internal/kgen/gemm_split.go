package kgen

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// leastSlices is how many slices a piece of K has at least. One group walks
// along K no faster than memory answers, about a microsecond for a slice, so
// that many short walks beside each other are worth the sums they leave.
const leastSlices = 2

// divide cuts K into pieces where there are too few tiles to keep every
// multiprocessor busy. Groups then leave sums in scratch memory, which a
// second kernel adds up in order.
func (w *gemm) divide(processors int) {
	tiles := w.tiles()
	w.piece, w.pieces = w.g.K, 1
	least := leastSlices * w.depth
	if tiles >= processors || w.g.K < 2*least {
		return
	}
	pieces := min(ceil(2*processors, tiles), w.g.K/least)
	w.piece = ceil(ceil(w.g.K, pieces), w.depth) * w.depth
	w.pieces = ceil(w.g.K, w.piece)
}

// finishers is how many threads add up the pieces of an element: few sums are
// had sooner by one than by several that wait for each other.
func (w *gemm) finishers() int {
	if w.pieces < 16 {
		return 1
	}
	return 8
}

// kernels are that of tiles and what follows it.
func (w *gemm) kernels(tiles func() *entry) *kernels {
	g, k := w.g, &kernels{}
	k.add(tiles(), w.pieces*w.tiles())
	if w.pieces > 1 {
		dims := append(slices.Clone(g.Batch), g.M, g.N)
		k.add(w.finishKernel(dims), ceil(ir.Count(dims), gemmThreads/w.finishers()))
		k.scratch = []int{w.pieces * ir.Count(dims) * w.bytes()}
	}
	return k
}

// finishKernel adds up the pieces of every element: each of its finishers a run
// of them, and the first of them those sums, in order.
func (w *gemm) finishKernel(dims []int) *entry {
	e := newEntry("finish", gemmThreads, w.wide)
	e.apart = true
	parts, out := e.buffer("parts", w.number(), scratch(0)), e.pointer("out", w.g.Out, write(0))
	count, pieces := e.number("count", ir.Count(dims)), e.number("pieces", w.pieces)
	share := w.finishers()
	width := gemmThreads / share
	tid := e.Thread().To(ktree.Int)
	x, lane := e.Let("x", tid.Rem(width)), e.Let("lane", tid.Div(width))
	i := e.Let("i", e.Group().To(e.at()).Mul(width).Add(x.To(e.at())))
	run := e.Let("run", pieces.Add(share-1).Div(share))
	first := e.Let("first", lane.To(e.at()).Mul(run))
	end := e.Let("end", i.Lt(count).Choose(build.Min(first.Add(run), pieces), 0))
	number := func(v build.Val) Num {
		if w.t.IsComplex() {
			return Num{v.X(), v.Y()}
		}
		return Real(v)
	}
	zero := number(build.Vec(build.Int(w.number().Kind, 0), build.Int(w.number().Kind, 0)))
	if !w.t.IsComplex() {
		zero = Real(build.Int(w.kind(), 0))
	}
	t := Variable(e.Kernel, "sum", zero)
	e.For("p", first, end, 1, 8, func(p build.Val) { Assign(e.Kernel, t, t.added(number(e.Let("part", parts.At(p.Mul(count).Add(i)))))) })
	element := func() build.Val {
		if w.t.IsComplex() {
			return build.Vec(t.Re, t.Im)
		}
		return t.Re
	}
	store := func() {
		e.If(i.Lt(count), func() {
			coords := e.point("c", i.To(e.index()), dims)
			value := element()
			if !w.t.IsComplex() {
				value = Put(w.t, Real(value.To(KindOf(w.t))))
			}
			e.Set(out.At(e.position("out", coords, w.g.Out.Strides)), value)
		})
	}
	if share == 1 {
		store()
		return e
	}
	sums := e.Shared("sums", w.number(), share, width)
	e.Set(sums.At(lane, x), element())
	e.Barrier()
	e.If(lane.Eq(0), func() {
		e.For("j", build.Int(ktree.Int, 1), share, 1, ktree.Fully, func(j build.Val) { Assign(e.Kernel, t, t.added(number(sums.At(j, x)))) })
		store()
	})
	return e
}
