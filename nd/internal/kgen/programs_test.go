package kgen_test

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// h200 is the card most of this was tuned for.
var h200 = kgen.Target{Processors: 132, SharedBytes: 48 << 10, Subgroup: 32, Wide: true, Tensor: true}

// few is one with less to keep busy, so that small programs take the ways of
// large ones.
var few = kgen.Target{Processors: 4, SharedBytes: 48 << 10, Subgroup: 32, Wide: true, Tensor: true}

// named is a program that takes one way through this package. Times stretches
// every size, so that the same way can be had larger.
type named struct {
	name string
	make func(times int) ir.Program
}

// wideToo are programs that have other kernels for more than 2^31 elements.
var wideToo = map[string]bool{
	"copy": true, "a row added to all": true, "transpose": true, "sum of columns": true, "sum of all": true,
	"where the greatest is": true, "scan of one long line": true, "gather of rows": true, "frames added": true,
}

func operand(t elem.Type, offset int, strides ...int) ir.Operand {
	return ir.Operand{Type: t, Offset: offset, Strides: strides}
}

// mapOf loads operands and applies op to them, or copies the only one.
func mapOf(dims []int, out ir.Operand, op scalar.Op, in ...ir.Operand) *ir.Map {
	m := &ir.Map{Dims: dims, Out: []ir.Operand{out}, Value: []ir.ValueID{0}}
	for i, o := range in {
		m.In = append(m.In, o)
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Load, Type: o.Type, Slot: i})
	}
	if op != scalar.Invalid {
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: out.Type, A: 0, B: ir.ValueID(len(in) - 1)})
		m.Value = []ir.ValueID{m.Last()}
	}
	return m
}

// reduceOf folds what it loads, and stores it with something added.
func reduceOf(op ir.ReduceOp, t elem.Type, inner int, dims []int, strides ...int) *ir.Reduce {
	out := t
	if op >= ir.ArgMax {
		out = elem.Int64
	}
	outer := dims[:len(dims)-inner]
	r := &ir.Reduce{Dims: dims, Inner: inner, Op: op, Out: ir.Contiguous(out, outer)}
	r.In = []ir.Operand{operand(t, 0, strides...)}
	r.Instrs = []ir.Instr{{Kind: ir.Load, Type: t}}
	r.Post.In = []ir.Operand{ir.Contiguous(out, outer)}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: out}, {Kind: ir.Load, Type: out}, {Kind: ir.Apply, Op: scalar.Add, Type: out, A: 0, B: 1}}
	return r
}

// matrix strides, row-major or column-major.
func major(rows, columns int, byRow bool) []int {
	if byRow {
		return []int{columns, 1}
	}
	return []int{1, rows}
}

func gemmOf(t elem.Type, m, n, k int, a, b bool) *ir.Gemm {
	return &ir.Gemm{M: m, N: n, K: k, A: operand(t, 0, major(m, k, a)...), B: operand(t, 0, major(k, n, b)...), Out: operand(t, 0, n, 1)}
}

// programs lead through every kernel of the package.
func programs() []named {
	const f = elem.Float32
	flat := func(t elem.Type, n int) ir.Operand { return ir.Contiguous(t, []int{n}) }
	list := []named{
		{"copy", func(x int) ir.Program {
			n := 1003 * x
			return mapOf([]int{n}, flat(f, n), scalar.Invalid, flat(f, n))
		}},
		{"copy of bytes", func(x int) ir.Program {
			n := 1003 * x
			return mapOf([]int{n}, flat(elem.Uint8, n), scalar.Invalid, flat(elem.Uint8, n))
		}},
		{"copy from an offset", func(x int) ir.Program {
			return mapOf([]int{600 * x}, operand(f, 2, 1), scalar.Invalid, operand(f, 1, 1))
		}},
		{"a row added to all", func(x int) ir.Program {
			d := []int{7 * x, 40 * x}
			return mapOf(d, ir.Contiguous(f, d), scalar.Add, ir.Contiguous(f, d), operand(f, 4, 0, 1))
		}},
		{"backwards and spaced", func(x int) ir.Program {
			d := []int{5 * x, 33 * x}
			return mapOf(d, operand(f, d[0]*d[1]-1, -d[1], -1), scalar.Mul, operand(f, 1, 3*d[1], 3), ir.Contiguous(f, d))
		}},
		{"transpose", func(x int) ir.Program {
			d := []int{70 * x, 45 * x}
			return mapOf(d, ir.Contiguous(f, d), scalar.Sub, operand(f, 0, 1, d[0]), ir.Contiguous(f, d))
		}},
		{"transpose of halves", func(x int) ir.Program {
			d := []int{130 * x, 70 * x}
			return mapOf(d, ir.Contiguous(elem.Float16, d), scalar.Invalid, operand(elem.Float16, 0, 1, d[0]))
		}},
		{"sum of all", func(x int) ir.Program { return reduceOf(ir.Sum, f, 1, []int{70_000 * x}, 1) }},
		{"sum of rows", func(x int) ir.Program {
			d := []int{20 * x, 700 * x}
			return reduceOf(ir.Sum, f, 1, d, d[1], 1)
		}},
		{"greatest of short rows", func(x int) ir.Program {
			d := []int{300 * x, 5 * x}
			return reduceOf(ir.Max, elem.BFloat16, 1, d, d[1], 1)
		}},
		{"sum of columns", func(x int) ir.Program {
			d := []int{64 * x, 90 * x}
			return reduceOf(ir.Sum, elem.Float64, 1, d, 1, d[0])
		}},
		{"sum of few long columns", func(x int) ir.Program {
			d := []int{10 * x, 3001 * x}
			return reduceOf(ir.Sum, f, 1, d, 1, d[0])
		}},
		{"sum of short columns", func(x int) ir.Program {
			d := []int{600 * x, 3}
			return reduceOf(ir.Prod, f, 1, d, 1, d[0])
		}},
		{"sum of two columns", func(x int) ir.Program { return reduceOf(ir.Sum, f, 1, []int{2, 3000 * x}, 1, 2) }},
		{"where the greatest is", func(x int) ir.Program { return reduceOf(ir.ArgMax, f, 1, []int{50_001 * x}, 1) }},
		{"scan of lines", func(x int) ir.Program {
			d := []int{299 + x, 516 * x}
			return &ir.Scan{Dims: d, In: ir.Contiguous(f, d), Out: ir.Contiguous(f, d)}
		}},
		{"scan of one long line", func(x int) ir.Program {
			n := 30_001 * x
			return &ir.Scan{Dims: []int{n}, Op: ir.Sum, In: flat(elem.Int64, n), Out: flat(elem.Int64, n)}
		}},
		{"scan of short lines", func(x int) ir.Program {
			d := []int{100 * x, 9}
			return &ir.Scan{Dims: d, Op: ir.Sum, In: ir.Contiguous(f, d), Out: ir.Contiguous(f, d)}
		}},
		{"sort of short lines", func(x int) ir.Program {
			d := []int{9 * x, 100}
			return &ir.Sort{Dims: d, Keep: 100, In: ir.Contiguous(f, d), Values: new(ir.Contiguous(f, d))}
		}},
		{"sort of long lines", func(x int) ir.Program {
			d := []int{2, 9001 * x}
			return &ir.Sort{Dims: d, Keep: d[1], Descending: true, In: ir.Contiguous(elem.Float64, d), Places: new(ir.Contiguous(elem.Int64, d))}
		}},
		{"the first few", func(x int) ir.Program {
			d := []int{3, 5000 * x}
			kept := []int{3, 20}
			return &ir.Sort{Dims: d, Keep: 20, In: ir.Contiguous(f, d), Values: new(ir.Contiguous(f, kept)), Places: new(ir.Contiguous(elem.Int64, kept))}
		}},
		{"gather of rows", func(x int) ir.Program {
			return &ir.Gather{Dims: []int{50 * x, 24 * x}, Data: operand(f, 0, 0, 1), Index: operand(elem.Int32, 0, 1, 0), Out: operand(f, 0, 24*x, 1), AxisStride: 24 * x, AxisLen: 11}
		}},
		{"scatter of many", func(x int) ir.Program {
			return &ir.Scatter{Dims: []int{5000 * x, 3}, Axis: 0, Updates: operand(f, 0, 3, 1), Index: operand(elem.Int64, 0, 1, 0), Out: operand(f, 0, 0, 1), AxisStride: 3, AxisLen: 11}
		}},
		{"frames added", func(x int) ir.Program {
			return &ir.Overlap{Outer: []int{3}, Turns: 20 * x, Phases: 1, Size: 12, Count: 20 * x, Hop: 5, Skip: 2, Length: 100 * x,
				In: operand(elem.Complex64, 0, 240*x, 12, 0, 1), Out: operand(elem.Complex64, 0, 100*x, 1)}
		}},
		{"frames added by phases", func(x int) ir.Program {
			return &ir.Overlap{Turns: 20 * x, Phases: 8, Size: 8, Count: 150 * x, Hop: 1, Skip: 7, Length: 150 * x,
				In: operand(f, 0, 8, 160*x, 1), Out: operand(f, 0, 1)}
		}},
		{"product with a vector", func(x int) ir.Program {
			return &ir.Gemm{M: 40 * x, N: 1, K: 600 * x, A: operand(elem.Float16, 0, 600*x, 1), B: operand(elem.Float16, 0, 1, 1), Out: operand(elem.Float16, 0, 1, 1)}
		}},
		{"batch of products", func(x int) ir.Program {
			d := func(r, c int) ir.Operand { return ir.Contiguous(elem.Complex64, []int{3, r, c}) }
			return &ir.Gemm{Batch: []int{3}, M: 70 * x, N: 33 * x, K: 20 * x, A: d(70*x, 20*x), B: d(20*x, 33*x), Out: d(70*x, 33*x)}
		}},
		{"product of bytes", func(x int) ir.Program { return gemmOf(elem.Uint8, 33*x, 34*x, 35*x, true, false) }},
		{"product of long matrices", func(x int) ir.Program { return gemmOf(elem.Complex128, 20, 30, 900*x, false, true) }},
		{"product of long halves", func(x int) ir.Program { return gemmOf(elem.Float16, 24, 32, 4000*x, true, true) }},
		{"exact products", func(x int) ir.Program {
			g := gemmOf(f, 5, 6, 700*x, true, false)
			g.Mode = accum.Exact
			return g
		}},
		{"exact roots", func(x int) ir.Program {
			g := gemmOf(elem.Float64, 3, 4, 90*x, true, true)
			g.Mode, g.Root = accum.Exact, true
			return g
		}},
		{"compensated products", func(x int) ir.Program {
			g := gemmOf(elem.Complex64, 5, 6, 700*x, true, true)
			g.Mode = accum.Compensated
			return g
		}},
		{"product of large matrices", func(x int) ir.Program { return gemmOf(f, 300*x, 280*x, 36*x, true, true) }},
	}
	for _, rows := range []bool{true, false} {
		for _, columns := range []bool{true, false} {
			for _, t := range []elem.Type{elem.Float16, elem.BFloat16} {
				if t == elem.BFloat16 && rows != columns {
					continue
				}
				list = append(list, named{fmt.Sprintf("product of %s, %t and %t", t, rows, columns),
					func(x int) ir.Program { return gemmOf(t, 136*x, 144*x, 72*x, rows, columns) }})
			}
		}
	}
	return list
}
