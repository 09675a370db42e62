package plain

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

const scatterThreads = 256

// generateScatter sorts the indices along the axis, stably, so that updates
// of one element follow each other in their order; then a thread adds up each
// run. An index that other dimensions share is sorted once for all of them.
func generateScatter(s *ir.Scatter) (*emit.Module, error) {
	if ir.Count(s.Dims) == 0 {
		return &emit.Module{}, nil
	}
	n := s.Dims[s.Axis]
	if n >= 1<<31 || s.AxisLen >= math.MaxUint32 {
		return nil, fmt.Errorf("cuda: scatter: %d indices into %d: %w", n, s.AxisLen, device.ErrUnsupported)
	}
	without := func(list []int) []int { return append(append([]int(nil), list[:s.Axis]...), list[s.Axis+1:]...) }
	operand := func(o ir.Operand) ir.Operand {
		o.Strides = without(o.Strides)
		return o
	}
	dims := without(s.Dims)
	for d, size := range dims {
		if size > 1 && operand(s.Out).Strides[d] == 0 {
			return nil, fmt.Errorf("cuda: scatter: dimension %d adds to the same elements: %w", d, device.ErrUnsupported)
		}
	}
	// The dimensions over which indices differ are lines to sort.
	index := operand(s.Index)
	var lineDims []int
	lineStrides := index
	lineStrides.Strides = nil
	for d, size := range dims {
		if size > 1 && index.Strides[d] != 0 {
			lineDims = append(lineDims, size)
			lineStrides.Strides = append(lineStrides.Strides, index.Strides[d])
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

	var u emit.Uses
	u.Part("quotient")
	u.Part("index_fault")
	lines := ir.Count(lineDims)
	sorts := &sorter{item: 8, lines: lines, n: n, keep: n}
	sorts.bindLoad = func(e *entry) {
		e.pointer("index", lineStrides, emit.Read(1))
		e.number("index_step", s.Index.Strides[s.Axis])
		e.number("length", s.AxisLen)
		e.param("u64* cell", emit.Fault())
		e.starts("index_at", lineDims, lineStrides.Strides)
		e.f(`auto item_at = [&](i64 l, i64 at) -> item {
const i64 v = index[index_at(l) + at * index_step], place = v < 0 ? v + length : v;
if (place < 0 || place >= length) { index_fault(cell, v); return make_item(~0u, (u32)at); }
return make_item((u32)place, (u32)at);
};
`)
	}
	sorts.load = func(l, at string) string { return fmt.Sprintf("item_at(%s, %s)", l, at) }
	sorts.bindStore = func(e *entry) { e.param("item* sorted", emit.Scratch(0)) }
	sorts.store = func(x, l, at string) string { return fmt.Sprintf("sorted[%s * size + %s] = %s", l, at, x) }
	sorts.run(1)

	space := newSpace(dims, operand(s.Updates), operand(s.Out), line)
	space.order(1)
	space.join()
	e := &entry{name: "add", threads: scatterThreads, wide: true, apart: true, loose: true}
	writeAdds(e, &u, s, space, n)
	mod, err := module(&u, declareItems(elem.Uint32, false), append(sorts.entries, e)...)
	if err != nil {
		return nil, err
	}
	mod.Steps = append(sorts.steps, e.step(ceil(ir.Count(space.dims)*n, scatterThreads)))
	mod.Scratch = append([]int{lines * n * 8}, sorts.scratch...)
	mod.Fault = indexFault("scatter", s.AxisLen)
	return mod, nil
}

// writeAdds writes the kernel in which the thread at the first of equal
// indices adds all of their updates.
func writeAdds(e *entry, u *emit.Uses, s *ir.Scatter, space *space, n int) {
	updates, out, line := space.ops[0], space.ops[1], space.ops[2]
	t := s.Out.Type
	e.pointer("updates", updates, emit.Read(0))
	e.pointer("out", out, emit.Write(0))
	e.param("const item* sorted", emit.Scratch(0))
	e.number("size", n)
	e.number("others", ir.Count(space.dims))
	e.number("update_step", s.Updates.Strides[s.Axis])
	e.number("out_step", s.AxisStride)
	e.f("const i64 i = (i64)blockIdx.x * %d + threadIdx.x, p = i / others, other = i - p * others;\nif (p >= size) return;\n", scatterThreads)
	coords := e.point("c", "other", space.dims)
	e.f("const item* mine = sorted + (%s) * size;\n", e.position("line", coords, line.Strides))
	e.f("const u32 place = key_of(mine[p]);\nif (place == ~0u || (p > 0 && key_of(mine[p - 1]) == place)) return;\n")
	e.f("updates += %s;\nout += (%s) + (i64)place * out_step;\n", e.position("updates", coords, updates.Strides), e.position("out", coords, out.Strides))
	add := ir.Code{
		In: []ir.Operand{out, updates},
		Instrs: []ir.Instr{{Kind: ir.Load, Type: t}, {Kind: ir.Load, Type: t, Slot: 1},
			{Kind: ir.Apply, Op: scalar.Add, Type: t, A: 0, B: 1}},
	}
	code := u.Code(&add, emit.Spelling{Prefix: "v", Load: func(slot int) string {
		return []string{"sum", u.Get(t, "updates[(i64)place_of(mine[q]) * update_step]")}[slot]
	}}, 2)
	e.f("%s sum = %s;\nfor (i64 q = p; q < size && key_of(mine[q]) == place; q++) {\n%ssum = %s;\n}\n*out = %s;\n",
		emit.Value(t), u.Get(t, "*out"), code.Body, code.Names[2], u.Put(t, "sum"))
}
