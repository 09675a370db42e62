package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/row"
	"github.com/twiddle-go/twiddle/nd"
)

// Native forms of kernels: what their bodies do, in loops over rows.

var rowOps = row.For(simd.Active())

// rowLength is how long rows of n numbers are in scratch: what vectors take
// whole.
func rowLength(n int) int { return roundUp(n, 16) }

// square is a small matrix in scratch, with rows of rowLength numbers.
type square struct {
	length int
	v      []float64
}

func newSquare(n int) square {
	length := rowLength(n)
	return square{length, make([]float64, n*length)}
}

func (s square) row(i int) []float64 { return s.v[i*s.length:][:s.length] }

// matrixOf is matrix number batch of values whose matrices have n elements.
func matrixOf[T nd.Element](v nd.Values, batch, n int) []T {
	return nd.Elements[T](v)[batch*n:][:n]
}

// nativeGramFactor is body/gram_factor. The inverse grows in a matrix of its
// own, so that rows can be taken in whole vectors: what they do beside the
// triangle is not looked at.
func nativeGramFactor(g *nd.Group) {
	if g.Outputs[0].Type == nd.Float64 {
		factorGram[float64](g)
		return
	}
	factorGram[float32](g)
}

func factorGram[T float32 | float64](g *nd.Group) {
	batch, n := g.Position[2], g.Constant("SIDE")
	gram := matrixOf[float64](g.Inputs[0], batch, n*n)
	scales := nd.Elements[float64](g.Inputs[1])[batch*g.Constant("ROW"):]
	least, inverse := 0.0, g.Constant("INVERSE") != 0
	if g.Constant("LOST") != 0 {
		least = lostSquare
	}
	xt, r := matrixOf[T](g.Outputs[0], batch, n*n), matrixOf[T](g.Outputs[1], batch, n*n)
	lost := matrixOf[float64](g.Outputs[2], batch, n)
	clear(xt)
	clear(r)
	upper, lower := newSquare(n), newSquare(n)
	for i := range n {
		copy(upper.row(i), gram[i*n:(i+1)*n])
		lower.row(i)[i] = 1
	}
	for k := range n {
		pivot, below := upper.row(k), lower.row(k)
		d := pivot[k]
		up, by, root := 1.0, 0.0, 0.0
		lost[k] = 1
		if !(d <= scales[k*g.Constant("STEP")]*least) {
			up, by = byPivot(d)
			root, lost[k] = 1/math.Sqrt(d), 0
		}
		for j := k; j < n; j++ {
			r[k*n+j] = T(pivot[j] * root)
		}
		for i := k + 1; i < n; i++ {
			from := i &^ 15
			rowOps.AddScaled(upper.row(i)[from:], pivot[from:], -pivot[i]*up*by)
		}
		if !inverse {
			continue
		}
		for j := range k + 1 {
			xt[k*n+j] = T(below[j] * root)
		}
		for i := k + 1; i < n; i++ {
			rowOps.AddScaled(lower.row(i)[:rowLength(k+1)], below[:rowLength(k+1)], -pivot[i]*up*by)
		}
	}
}

// nativeReconstruct is body/reconstruct.
func nativeReconstruct(g *nd.Group) {
	batch, n := g.Position[2], g.Constant("SIDE")
	q := matrixOf[float64](g.Inputs[0], batch, n*n)
	low, lines := matrixOf[float64](g.Outputs[0], batch, n*n), matrixOf[float64](g.Outputs[1], batch, n*n)
	inverse, sign := matrixOf[float64](g.Outputs[2], batch, n*n), matrixOf[float64](g.Outputs[3], batch, n*n)
	clear(low)
	clear(sign)
	w := newSquare(n)
	for i := range n {
		copy(w.row(i), q[i*n:(i+1)*n])
	}
	for k := range n {
		pivot := w.row(k)
		d := pivot[k]
		s := -1.0
		if d < 0 {
			s = 1
		}
		d -= s
		by := 1 / d
		copy(lines[k*n:(k+1)*n], pivot)
		lines[k*n+k], low[k*n+k], sign[k*n+k] = d, 1, s
		for j := range n {
			pivot[j] *= by
		}
		pivot[k] = by
		for i := range n {
			if i == k {
				continue
			}
			line := w.row(i)
			head := line[k]
			if i > k {
				low[i*n+k] = head * by
			}
			line[k] = 0
			rowOps.AddScaled(line, pivot, -head)
		}
	}
	for i := range n {
		copy(inverse[i*n:(i+1)*n], w.row(i))
	}
}
