package signal

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// SpiralError says that a chirp z-transform on a spiral is too long to be computed
// exactly enough: chirps of a modulus other than 1 lose all digits, and without
// them it takes M times N products.
type SpiralError struct {
	Radius float64 // |W|
	N, M   int     // samples and points
	Most   int     // products
}

func (e *SpiralError) Error() string {
	return fmt.Sprintf("|W| %g over %d samples and %d points: chirps would lose all digits, and %d products are the most without them",
		e.Radius, e.N, e.M, e.Most)
}

const (
	// mostLoss is by how much chirps may amplify rounding errors.
	mostLoss = 16
	// mostProducts bounds the matrix of a transform by its definition: 128 MiB.
	mostProducts = 1 << 23
)

// loss is how much larger the largest number of a chirp is than the smallest.
func (s chirpStep) loss(n, m int) float64 {
	k := float64(max(n, m))
	return math.Exp(math.Abs(s.logRadius) * k * k / 2)
}

// spiral is the transform by its definition, a product with the matrix of
// A^-j W^(jk).
func spiral(x *nd.Array, m int, w chirpStep, a chirpStart) (*nd.Array, error) {
	n := x.Dim(-1)
	if n > mostProducts/m {
		return nil, &SpiralError{math.Exp(w.logRadius), n, m, mostProducts}
	}
	matrix := make([]complex128, n*m)
	for j := range n {
		for k := range m {
			matrix[j*m+k] = expTurns(float64(j)*float64(k), w, float64(-j), a)
		}
	}
	return x.ExpandDims(-2).MatMul(nd.From(matrix, n, m).Beside(x)).Squeeze(-2), nil
}

// expTurns is W^p A^q, with both exponents in the logarithm, so that neither
// overflows alone.
func expTurns(p float64, w chirpStep, q float64, a chirpStart) complex128 {
	part := func(n, turns float64) float64 {
		high := n * turns
		return high - math.Round(high) + math.FMA(n, turns, -high)
	}
	r := math.Exp(p*w.logRadius + q*a.logRadius)
	sin, cos := math.Sincos(2 * math.Pi * (part(p, w.turns) + part(q, a.turns)))
	return complex(r*cos, r*sin)
}
