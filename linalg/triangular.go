package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// TriangularSolveOptions is the options of TriangularSolve. The zero value takes
// the lower triangle as it is.
type TriangularSolveOptions struct {
	Upper      bool // the upper triangle counts, not the lower
	Transposed bool // solve with the transpose of the triangle, not conjugated
	Unit       bool // the diagonal is ones, whatever is there
}

// TriangularSolve solves a x = b where a, shaped (..., n, n), is a triangle; the other half
// of it is not read. b is (..., n) or (..., n, k), as in Solve. A zero on the diagonal is a
// *SingularError.
func TriangularSolve(ctx context.Context, a, b *nd.Array, opt ...TriangularSolveOptions) (*nd.Array, error) {
	var o TriangularSolveOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	s, bad := systemFor(argument{op: "triangular_solve", name: "a", square: true, complex: true}, a, b)
	if bad != nil {
		return nil, bad.Err()
	}
	if s.empty() {
		return known(s.solution(s.b))
	}
	c := s.calculation()
	triangle := onOrBelow
	if o.Upper {
		triangle = onOrAbove
	}
	c.finite("a", keep(s.a, triangle))
	c.finite("b", s.b)
	if !o.Unit {
		c.nonzero(diagonal(s.a))
	}
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		t := in[0]
		if o.Transposed {
			t = transposed(t)
		}
		return s.solution(solveTriangle(t, in[1], o.Upper != o.Transposed, o.Unit))
	}, s.a, s.b)
}

// substitutePanel is how many rows of complex numbers, or of many small matrices, a GPU solves step by
// step before the products of a block take over.
const substitutePanel = 32

// substituteSteps is that number for right sides b: on the CPU a launch costs more than many
// steps, and products with few columns are no faster than steps are.
func substituteSteps(b *nd.Array) int {
	switch {
	case !onCPU(b) && !inSteps(b):
		return substitutePanel
	case !onCPU(b) && b.Dim(2) <= fewSides:
		return fewRoom / max(b.Dim(2), 1)
	case !onCPU(b):
		return solveHalf
	case b.Dim(2) <= 4:
		return 512
	}
	return 64
}

// solveTriangle solves t x = b.
func solveTriangle(t, b *nd.Array, upper, unit bool) *nd.Array {
	if upper && solvesAtOnce(b) {
		return substitution(t, b, true, unit)
	}
	if upper {
		// From the last row to the first, an upper triangle is a lower one.
		return solveLower(t.Flip(1, 2), b.Flip(1), unit).Flip(1)
	}
	return solveLower(t, b, unit)
}

func solveLower(l, b *nd.Array, unit bool) *nd.Array {
	return solveLowerBy(l, b, unit, substituteSteps(b))
}

// solveLowerBy solves by halves of the rows, down to a few.
func solveLowerBy(l, b *nd.Array, unit bool, few int) *nd.Array {
	n := l.Dim(1)
	if n <= few {
		return substitution(l, b, false, unit)
	}
	half := roundUp(n/2, few)
	x := solveLowerBy(block(l, 0, half, 0, half), rows(b, 0, half), unit, few)
	rest := rows(b, half, n).Sub(block(l, half, n, 0, half).MatMul(x))
	return nd.Concat(1, x, solveLowerBy(block(l, half, n, half, n), rest, unit, few))
}

// substitution solves a few rows of a lower triangle, or an upper one for a few right sides.
func substitution(t, b *nd.Array, upper, unit bool) *nd.Array {
	return differentiable(func(in []*nd.Array) []*nd.Array { return []*nd.Array{substituted(in[0], in[1], upper, unit)} }, pullSubstitute(upper, unit), t, b)[0]
}

func substituted(l, b *nd.Array, upper, unit bool) *nd.Array {
	if solvesAtOnce(b) {
		return substitutedAtOnce(l, b, upper, unit)
	}
	if inSteps(b) {
		return substitutedByRows(l, b, unit)
	}
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	room, most := 4096, 64 // numbers of threadgroup memory, and threads
	if b.DType().IsComplex() {
		room, most = room/2, most/2
	}
	lanes := max(min(room/max(n, 1), k, most), 1) // an array that carries an error has no side
	wide := roundUp(k, lanes)
	if wide > k {
		b = b.PadAxis(2, nd.Margin{After: wide - k}, nd.Pad{})
	}
	kernel, t := substitute, b.DType()
	if t.IsComplex() {
		kernel, l, b = substituteComplex, l.Cast(nd.Complex128), b.Cast(nd.Complex128)
	}
	x := kernel.Call(nd.Launch{Inputs: []*nd.Array{l, b}, Shapes: [][]int{{batch, n, wide}}, Whole: true, DTypes: []nd.DType{b.DType()},
		Grid: [3]int{wide, 1, batch}, Threadgroup: [3]int{lanes, 1, 1},
		Template: map[string]any{"T": t, "SIDE": n, "LANES": lanes, "UNIT": unit}})[0]
	return columns(x, 0, k).Cast(t)
}
