package kgen_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A map loads nothing that a mask of positions hides: its operand has only the rows that are shown, and the machine checks
// bounds.
func TestMapsLoadWhatMasksShow(t *testing.T) {
	const rows, shown = 5, 3
	f, apply := elem.Float32, func(op scalar.Op, t elem.Type, args ...ir.ValueID) ir.Instr {
		i := ir.Instr{Kind: ir.Apply, Op: op, Type: t}
		for k, a := range args {
			*[]*ir.ValueID{&i.A, &i.B, &i.C}[k] = a
		}
		i.Bands = op == scalar.Where
		return i
	}
	for _, n := range []int{7, 64, 130} {
		for _, not := range []bool{false, true} {
			for _, stored := range []bool{false, true} {
				t.Run(fmt.Sprint(n, not, stored), func(t *testing.T) {
					x, row := ir.Operand{Type: f, Strides: []int{n, 1}}, ir.Operand{Type: f, Strides: []int{1, 0}}
					mask := ir.Operand{Type: elem.Bool, Strides: []int{1, 0}}
					// where(mask, x*row + x, row), or the other way round
					c := ir.Code{In: []ir.Operand{x, row}, Instrs: []ir.Instr{
						{Kind: ir.Load, Type: f}, {Kind: ir.Load, Type: f, Slot: 1}, apply(scalar.Mul, f, 0, 1), apply(scalar.Add, f, 2, 0),
					}}
					reads := [][]byte{make([]byte, 4*shown*n), make([]byte, 4*rows)}
					if stored {
						c.In = append(c.In, mask)
						c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Load, Type: elem.Bool, Slot: 2})
						reads = append(reads, make([]byte, rows))
					} else {
						at, edge := ir.Operand{Type: elem.Int64, Strides: []int{1, 0}}, ir.Operand{Type: elem.Int64, Offset: shown, Strides: []int{0, 0}}
						c.Positions = []ir.Operand{at, edge}
						op := scalar.Less
						if not {
							op = scalar.GreaterEqual
						}
						c.Instrs = append(c.Instrs, ir.Instr{Kind: ir.Index, Type: elem.Int64}, ir.Instr{Kind: ir.Index, Type: elem.Int64, Slot: 1}, apply(op, elem.Bool, 4, 5))
					}
					by := c.Last()
					if where := apply(scalar.Where, f, by, 3, 1); not {
						where.B, where.C = 1, 3
						c.Instrs = append(c.Instrs, where)
					} else {
						c.Instrs = append(c.Instrs, where)
					}
					p := &ir.Map{Dims: []int{rows, n}, Code: c, Out: []ir.Operand{x}, Value: []ir.ValueID{c.Last()}}
					if err := p.Verify(); err != nil {
						t.Fatal(err)
					}
					for i := range elem.Slice[float32](reads[0]) {
						elem.Slice[float32](reads[0])[i] = float32(i)
					}
					for i := range rows {
						elem.Slice[float32](reads[1])[i] = float32(-i)
						if stored && (i < shown) != not {
							reads[2][i] = 1
						}
					}
					out := make([]byte, 4*rows*n)
					m, err := kgen.Generate(p, gpu)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
						t.Fatal(err)
					}
					for i, got := range elem.Slice[float32](out) {
						want := float32(-(i / n))
						if i < shown*n {
							want = float32(i)*want + float32(i)
						}
						if got != want {
							t.Fatalf("element %d: %v, want %v", i, got, want)
						}
					}
				})
			}
		}
	}
}

// What is looked at everywhere, behind several masks, or to know what a mask shows is loaded everywhere.
func TestShownBy(t *testing.T) {
	f := elem.Float32
	load := func(slot int, t elem.Type) ir.Instr { return ir.Instr{Kind: ir.Load, Type: t, Slot: slot} }
	where := func(a, b, c ir.ValueID, bands bool) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: scalar.Where, Type: f, A: a, B: b, C: c, Bands: bands}
	}
	add := func(a, b ir.ValueID) ir.Instr {
		return ir.Instr{Kind: ir.Apply, Op: scalar.Add, Type: f, A: a, B: b}
	}
	two := []ir.Instr{load(0, f), load(1, f), load(2, elem.Bool), load(3, elem.Bool)}
	for _, c := range []struct {
		instrs []ir.Instr
		want   map[int]kgen.Shown
	}{
		{[]ir.Instr{where(2, 0, 1, true)}, map[int]kgen.Shown{0: {By: 2}, 1: {By: 2, Not: true}}},
		{[]ir.Instr{where(2, 0, 1, false)}, map[int]kgen.Shown{}},
		{[]ir.Instr{where(2, 0, 1, true), add(4, 0)}, map[int]kgen.Shown{1: {By: 2, Not: true}}},
		{[]ir.Instr{where(3, 0, 1, true), where(2, 4, 1, true)}, map[int]kgen.Shown{0: {By: 2}, 3: {By: 2}}},
		{[]ir.Instr{where(3, 0, 0, true), where(2, 0, 1, true), add(4, 5)}, map[int]kgen.Shown{1: {By: 2, Not: true}}},
	} {
		code := &ir.Code{Instrs: append(two[:4:4], c.instrs...)}
		got := kgen.ShownBy(code, code.Last())
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.instrs, got, c.want)
		}
	}
}
