package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// leastSlices is how many slices a piece of K has at least. One block walks
// along K no faster than memory answers, about a microsecond for a slice, so
// that many short walks beside each other are worth the sums they leave.
const leastSlices = 2

// divide cuts K into pieces where there are too few tiles to keep every
// multiprocessor busy. Blocks then leave sums in scratch memory, which a
// second kernel adds up in order.
func (w *gemm) divide(tiles, processors int) {
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

// module puts the kernel of tiles and what follows it together.
func (w *gemm) module(e *entry, shared string) (*emit.Module, error) {
	g := w.g
	products := ir.Count(g.Batch) * w.pieces
	entries := []*entry{e}
	steps := []int{products * ceil(g.M, w.side) * ceil(g.N, w.side)}
	var scratch []int
	if w.pieces > 1 {
		dims := append(slices.Clone(g.Batch), g.M, g.N)
		finish := &entry{name: "finish", threads: gemmThreads, wide: true, apart: true}
		w.writeFinish(finish, dims)
		entries, steps = append(entries, finish), append(steps, ceil(ir.Count(dims), gemmThreads/w.finishers()))
		scratch = []int{products * g.M * g.N * max(w.bytes(), 4)}
	}
	mod, err := module(&w.uses, shared, entries...)
	if err != nil {
		return nil, err
	}
	for i, e := range entries {
		mod.Steps = append(mod.Steps, e.step(steps[i]))
	}
	mod.Scratch = scratch
	return mod, nil
}

// writeFinish writes the kernel that adds up the pieces of every element: each
// of its finishers a run of them, and the first of them those sums, in order.
func (w *gemm) writeFinish(e *entry, dims []int) {
	e.param(fmt.Sprintf("const %s* parts", w.number()), emit.Scratch(0))
	e.pointer("out", w.g.Out, emit.Write(0))
	e.number("count", ir.Count(dims))
	e.number("pieces", w.pieces)
	share := w.finishers()
	width := gemmThreads / share
	e.f("const int x = threadIdx.x %% %d, lane = threadIdx.x / %d;\nconst i64 i = (i64)blockIdx.x * %d + x;\n", width, width, width)
	e.f("const i64 run = (pieces + %d) / %d, first = lane * run, end = i < count ? min(first + run, pieces) : 0;\n", share-1, share)
	e.f("%s t = {};\n#pragma unroll 8\nfor (i64 p = first; p < end; p++) t = t + parts[p * count + i];\n", w.number())
	if share > 1 {
		e.f("__shared__ %s sums[%d][%d];\nsums[lane][x] = t;\n__syncthreads();\nif (lane > 0) return;\n", w.number(), share, width)
		e.f("#pragma unroll\nfor (int j = 1; j < %d; j++) t = t + sums[j][x];\n", share)
	}
	e.f("if (i >= count) return;\n")
	coords := e.point("c", "i", dims)
	e.f("out[%s] = %s;\n", e.position("out", coords, w.g.Out.Strides), w.uses.Put(w.t, fmt.Sprintf("(%s)t", emit.Value(w.t))))
}
