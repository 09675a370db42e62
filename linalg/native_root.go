package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/nd"
)

const (
	// narrow is how many columns are eliminated before their rows are.
	narrow = 4
	// panelSteps is how many are eliminated by steps before a product takes over.
	panelSteps = 32
)

// from is row i from a column on, in whole vectors.
func (s *system64) from(i, column int) []float64 {
	return s.v[i*s.length+column:][:rowLength(s.width-column)]
}

func nativeCholesky(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		choleskyMatrices[float64](g)
		return
	}
	choleskyMatrices[float32](g)
}

func choleskyMatrices[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	s := systems.Get().(*system64)
	defer systems.Put(s)
	each(g, func(m int) {
		a, l, fault := matrixOf[T](g.Inputs[0], m, n*n), matrixOf[T](g.Outputs[0], m, n*n), &nd.Elements[int64](g.Outputs[1])[m]
		s.prepare(n, n)
		*fault = -1
		bad := 0.0
		for i := range n {
			for j, v := range a[i*n:][:i+1] {
				s.v[j*s.length+i] = float64(v)
				bad += float64(v - v)
			}
		}
		if bad != 0 {
			for i := n*n - 1; i >= 0; i-- {
				if v := a[i]; i%n <= i/n && v-v != 0 {
					*fault = int64(i)
				}
			}
			return
		}
		if place := s.root(); place >= 0 {
			*fault = int64(n*n + place)
			return
		}
		for i := range n {
			for j := range i + 1 {
				l[i*n+j] = T(s.v[j*s.length+i])
			}
			clear(l[i*n+i+1 : (i+1)*n])
		}
	})
}

// root makes the upper half R, where R' R is what it was. It gives the first pivot that is not
// positive, or -1.
func (s *system64) root() int {
	for first := 0; first < s.n; first += panelSteps {
		end := min(first+panelSteps, s.n)
		for c := first; c < end; c += narrow {
			next := min(c+narrow, end)
			for i := c; i < next; i++ {
				s.project(i, c, i)
				row := s.from(i, i)
				if !(row[0] > 0) {
					return i
				}
				by := 1 / math.Sqrt(row[0])
				for k := range row {
					row[k] *= by
				}
			}
			// Rows of the panel alone: those behind it take all of it in one product.
			for i := next; i < end; i++ {
				s.project(i, c, next)
			}
		}
		const rows = 64
		over := s.matrix(first, 0)
		for at := end; at < s.n; at += rows {
			m := min(rows, s.n-at)
			negative := make([]float64, (end-first)*m)
			for i := first; i < end; i++ {
				for j, v := range s.v[i*s.length+at:][:m] {
					negative[(i-first)*m+j] = -v
				}
			}
			over.Offset = first*s.length + at
			gemm.AddMul(m, s.n-at, end-first, s.matrix(at, at), gemm.Matrix[float64]{Data: negative, Row: 1, Col: m}, over, nil)
		}
	}
	return -1
}

// project takes the rows from first up to last out of row i, each as many times as its element in
// column i says.
func (s *system64) project(i, first, last int) {
	row := s.from(i, i)
	at := func(k int) float64 { return -s.v[k*s.length+i] }
	for ; first+4 <= last; first += 4 {
		rowOps.Four(s.v[first*s.length+i:], s.length, row, row, [4]float64{at(first), at(first + 1), at(first + 2), at(first + 3)})
	}
	for ; first < last; first++ {
		rowOps.AddScaled(row, s.from(first, i), at(first))
	}
}
