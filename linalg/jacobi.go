package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// mostSweeps bounds the iteration. Matrices take 6 to 12 sweeps, since close to
// the end every sweep squares what is left.
const mostSweeps = 40

// jacobiOps is about how many operations some sweeps take: nine for each element of each
// pair, and float64 takes two for one.
func jacobiOps(sweeps float64, batch, n, length int) float64 {
	return 2 * 9 * sweeps * float64(batch) * float64(n) * float64(n) * float64(length)
}

// orthogonalRows is the rows of a batch, rotated so that they are orthogonal,
// longest first.
type orthogonalRows struct {
	w       *nd.Array // (batch, n, length): the rotated rows
	v       *nd.Array // (batch, n, n): row i says how row i was made
	lengths *nd.Array // float64 (batch, n)
	outcome *nd.Array // float64 (batch, 2): sweeps, and the largest cosine left
}

// jacobiTolerance is the cosine at which rows count as orthogonal: the rounding
// of a float64 product of rows.
func jacobiTolerance(length int) float64 { return 0x1p-52 * math.Sqrt(float64(length)) }

// jacobi rotates the rows of a, float64 or complex128 (batch, n, length).
func jacobi(a *nd.Array) orthogonalRows {
	batch, n, length := a.Dim(0), a.Dim(1), a.Dim(2)
	even, wide := roundUp(n, 2), roundUp(length, 32)
	if even > n || wide > length {
		a = a.Pad(nd.Pad{}, nd.Margin{}, nd.Margin{After: even - n}, nd.Margin{After: wide - length})
	}
	groups := min(even/2, mostGroups(a.DType()))
	// Pairs come in turns of groups, and the last turn reads ahead.
	count := roundUp(even, 2*groups)
	if count > even {
		a = a.PadAxis(1, nd.Margin{After: count - even}, nd.Pad{})
	}
	width := roundUp(count, 32)
	least := a.AbsSquared().Sum(1, 2).MulScalar(0x1p-200)
	kernel := jacobiKernel
	if a.DType().IsComplex() {
		kernel = jacobiComplex
	}
	out := kernel.Call(nd.Launch{
		Inputs: []*nd.Array{a, nd.From([]float64{jacobiTolerance(length)}).Beside(a), least}, Whole: true,
		Shapes: [][]int{{batch, count + 1, wide}, {batch, count + 1, width}, {batch, 2}}, DTypes: []nd.DType{a.DType(), a.DType(), nd.Float64},
		Grid: [3]int{32, groups, batch}, Threadgroup: [3]int{32, groups, 1}, Ops: jacobiOps(2.5, batch, n, length),
		Template: map[string]any{"COUNT": count, "LEN": wide, "WIDTH": width, "GROUPS": groups, "MOST": mostSweeps},
	})
	w, v := rows(out[0], 0, count), rows(out[1], 0, count)
	lengths := w.Norm(2)
	// Padding is never turned, so it is still made of padding alone. It goes last.
	padding := columns(v, n, count).Abs().Sum(2).GreaterScalar(0.5)
	rank := nd.Where(padding, nd.FullLike(lengths, -1), lengths)
	order := rank.ArgSortDescending(1).SliceAxis(1, nd.Range{Stop: n})
	return orthogonalRows{
		w:       columns(inOrder(w, order), 0, length),
		v:       columns(inOrder(v, order), 0, n),
		lengths: lengths.Gather(order, 1),
		outcome: out[2],
	}
}

// converged asks that every matrix of a batch was finished.
func (c *calculation) converged(o orthogonalRows) {
	c.converges(o.outcome, jacobiTolerance(o.w.Dim(2)), mostSweeps)
}

// converges asks that the cosines in outcome, as in orthogonalRows, are small.
func (c *calculation) converges(outcome *nd.Array, tolerance float64, sweeps int) {
	cosine := outcome.SliceAxis(1, nd.Range{Start: 1, Stop: 2})
	c.checks = append(c.checks, condition{
		wrong: without(cosine.GreaterScalar(tolerance)),
		err: func(matrix []int, _ int) error {
			return &ConvergenceError{Matrix: matrix, Iterations: sweeps, Tolerance: tolerance}
		},
		seen:   cosine,
		finish: func(err error, seen float64) { err.(*ConvergenceError).Reached = seen },
	})
}
