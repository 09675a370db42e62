package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// isVector reports a product with a vector, which has as many operations as it
// reads numbers: rearranging those, as products of matrices do, would be most of
// the work. Products of half numbers have to be kept in float32, which only the
// other way does.
func isVector(p *ir.Gemm) bool {
	t := p.Out.Type
	return (p.M == 1 || p.N == 1) && p.K > 0 && (t.IsFloat() && !t.IsHalf() || t.IsComplex())
}

// asReduce is a product with a vector as a sum of products.
func asReduce(p *ir.Gemm) *ir.Reduce {
	rank := len(p.Batch)
	// The kept dimension is the rows of a column, or the columns of a row.
	kept, length := rank, p.M
	if p.M == 1 {
		kept, length = rank+1, p.N
	}
	t := p.Out.Type
	operand := func(o ir.Operand, row, column int) ir.Operand {
		o.Strides = append(slices.Clone(o.Strides[:rank]), row, column)
		return o
	}
	a := operand(p.A, p.A.Strides[rank], p.A.Strides[rank+1])
	b := operand(p.B, 0, p.B.Strides[rank])
	if p.M == 1 {
		a = operand(p.A, 0, p.A.Strides[rank+1])
		b = operand(p.B, p.B.Strides[rank+1], p.B.Strides[rank])
	}
	out := p.Out
	out.Strides = append(slices.Clone(p.Out.Strides[:rank]), p.Out.Strides[kept])
	return &ir.Reduce{
		Dims: append(slices.Clone(p.Batch), length, p.K), Inner: 1,
		Code: ir.Code{In: []ir.Operand{a, b}, Instrs: []ir.Instr{
			{Kind: ir.Load, Type: t, Slot: 0},
			{Kind: ir.Load, Type: t, Slot: 1},
			{Kind: ir.Apply, Op: scalar.Mul, Type: t, A: 0, B: 1},
		}},
		Value: 2, Op: ir.Sum,
		Post: ir.Code{Instrs: []ir.Instr{{Kind: ir.Acc, Type: t}}},
		Out:  out,
	}
}
