package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// divide cuts K into pieces where there are too few tiles to keep every
// multiprocessor busy. Blocks then leave sums in scratch memory, which a
// second kernel adds up in order.
func (w *gemm) divide(tiles, processors int) {
	w.piece, w.pieces = w.g.K, 1
	// A piece is worth a block if its sums are small beside its products.
	least := 16 * w.depth
	if tiles >= processors || w.g.K < 2*least {
		return
	}
	pieces := min(ceil(2*processors, tiles), w.g.K/least)
	w.piece = ceil(ceil(w.g.K, pieces), w.depth) * w.depth
	w.pieces = ceil(w.g.K, w.piece)
}

// module puts the kernel of tiles and what follows it together.
func (w *gemm) module(e *entry, shared string) (*emit.Module, error) {
	g := w.g
	products := kern.Count(g.Batch) * w.pieces
	entries := []*entry{e}
	steps := []int{products * ceil(g.M, w.side) * ceil(g.N, w.side)}
	var scratch []int
	if w.pieces > 1 {
		dims := append(slices.Clone(g.Batch), g.M, g.N)
		finish := &entry{name: "finish", threads: gemmThreads, wide: true, apart: true}
		w.writeFinish(finish, dims)
		entries, steps = append(entries, finish), append(steps, ceil(kern.Count(dims), gemmThreads))
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

// writeFinish writes the kernel in which a thread adds up the pieces of one
// element.
func (w *gemm) writeFinish(e *entry, dims []int) {
	e.param(fmt.Sprintf("const %s* parts", w.number()), emit.Scratch(0))
	e.pointer("out", w.g.Out, emit.Write(0))
	e.number("count", kern.Count(dims))
	e.number("pieces", w.pieces)
	e.f("const i64 i = (i64)blockIdx.x * %d + threadIdx.x;\nif (i >= count) return;\n", gemmThreads)
	e.f("%s t = parts[i];\n#pragma unroll 4\nfor (i64 p = 1; p < pieces; p++) t = t + parts[p * count + i];\n", w.number())
	coords := e.point("c", "i", dims)
	e.f("out[%s] = %s;\n", e.position("out", coords, w.g.Out.Strides), w.uses.Put(w.t, fmt.Sprintf("(%s)t", emit.Value(w.t))))
}
