package linalg

import "github.com/twiddle-go/twiddle/nd"

// Of these, body/jacobi_small has the last three, too.
const (
	// smallMost is the most rows that fit a threadgroup's memory.
	smallMost = 56
	// smallSweeps bounds the iteration; matrices of that size take up to 10.
	smallSweeps = 16
	// smallTolerance is the cosine at which a sweep is the last: a tenth of the
	// rounding of float32. What it leaves is the square of that, but for rows of
	// nearly equal length.
	smallTolerance = 1e-8
	// smallTurn is the cosine at which rows are still turned, and smallLeast the
	// share of all squares at which that of a row counts as zero.
	smallTurn, smallLeast = 1e-14, 1e-24
)

// rotatedSmall is rotated for results in float32 and up to smallMost rows. The
// columns of u and v are only as orthonormal as s is large: those of values that
// are zero, beside the greatest, are anything.
func (c *calculation) rotatedSmall(r *nd.Array) (u, s, v *nd.Array) {
	batch, n := r.Dim(0), r.Dim(1)
	count := roundUp(n, 8)
	out := jacobiSmall.Call(nd.Launch{
		Inputs: []*nd.Array{r}, Shapes: [][]int{{batch, n, n}, {batch, n}, {batch, 2}}, Whole: true,
		Grid: [3]int{4 * count, 1, batch}, Threadgroup: [3]int{4 * count, 1, 1}, Ops: jacobiOps(4, batch, n, n),
		Template: map[string]any{"SIDE": n, "COUNT": count, "EACH": count / 8, "LEN": count + 4, "MOST": smallSweeps},
	})
	c.converges(out[2], smallTolerance, smallSweeps)
	v, s = transposed(out[0]), out[1]
	return r.MatMul(v).Div(s.ExpandDims(1)), s, v
}
