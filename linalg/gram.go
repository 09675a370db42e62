package linalg

import "github.com/twiddle-go/twiddle/nd"

// gram is the products of columns with each other, (batch, n, n) in float64.
//
// Gram matrices square the condition of the columns. For float32 numbers
// float64 has the digits for that.
type gram struct{ *nd.Array }

func gramOf(a *nd.Array) gram {
	a = a.Cast(nd.Float64)
	return gram{transposed(a).MatMul(a)}
}

// gramFactors is what a Gram matrix says of its columns a = q r.
type gramFactors struct {
	r, inverse *nd.Array // (batch, n, n): the triangle and its inverse
	lost       *nd.Array // float64 (batch, n): 1 for columns that depend on earlier ones, else 0
}

// gramMost is the most columns that are factored at once: a thread has registers
// for a quarter of a column.
const gramMost = 64

// lostSquare is how little of a column's square may remain before it counts as
// dependent: 1e-7 of its length, the rounding of float32, which is still some
// digits above the rounding of a float64 Gram matrix. body/gram_factor has it
// too.
const lostSquare = 1e-14

// factors factors up to gramMost columns, into factors of a type. What is left
// of a column is compared with its square in scale, (batch, n), which may be of
// what the column was earlier; nil is the square that it has now. Without strict,
// columns are dependent only if nothing at all is left of them.
func (g gram) factors(t nd.DType, scale *nd.Array, strict bool) gramFactors {
	return g.factored(t, scale, strict, true)
}

// triangle is what is not strict for those who do not use the inverse, which is zeros.
func (g gram) triangle() gramFactors { return g.factored(nd.Float64, nil, false, false) }

func (g gram) factored(t nd.DType, scale *nd.Array, strict, inverse bool) gramFactors {
	batch, side := g.Dim(0), g.Dim(1)
	row, step := side, 1
	if scale == nil {
		scale, row, step = g.Array, side*side, side+1
	}
	groups := max(min(factorThreads/max(side, 1), side), 1) // an array that carries an error has no side
	out := gramFactor.Call(nd.Launch{
		Inputs: []*nd.Array{g.Array, scale}, DTypes: []nd.DType{t, t, nd.Float64},
		Shapes: [][]int{g.Shape(), g.Shape(), {batch, side}}, Whole: true,
		Grid: [3]int{side, groups, batch}, Threadgroup: [3]int{side, groups, 1},
		Template: map[string]any{"SIDE": side, "GROUPS": groups, "EACH": (side + groups - 1) / groups, "PADDED": roundUp(side, groups),
			"T": t, "LOST": strict, "INVERSE": inverse, "ROW": row, "STEP": step},
	})
	return gramFactors{inverse: transposed(out[0]), r: out[1], lost: out[2]}
}

// factorThreads share a Gram matrix. All of them divide by every pivot, so more
// of them would wait for that.
const factorThreads = 256
