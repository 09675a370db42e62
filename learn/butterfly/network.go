package butterfly

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/nd"
)

// Network is a form with its numbers.
type Network struct {
	Form
	// W is the blocks: of each factor, the element of the first row and column
	// for all pairs, then those of the second column, and the second row.
	W []complex128
}

// NewNetwork has zeros for blocks.
func NewNetwork(f Form) (*Network, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	return &Network{Form: f, W: make([]complex128, len(f.Spans)*2*f.N)}, nil
}

// at is the place in W of an element of a block.
func (n *Network) at(factor, row, col, pair int) int {
	return ((factor*2+row)*2+col)*(n.N/2) + pair
}

// Weights is the blocks as an array of the shape that Array.Butterfly wants.
// They are complex unless t is a float type, which only a real form may have. In
// single precision real and imaginary parts are zero where they are rounding of
// the double precision they were found in.
func (n *Network) Weights(t nd.DType) *nd.Array {
	if t == nd.Complex64 || t == nd.Float32 {
		n = n.withoutRounding()
	}
	shape := []int{len(n.Spans), 2, 2, n.N / 2}
	if t.IsComplex() {
		return nd.From(n.W, shape...).Cast(t)
	}
	return nd.From(n.reals(), shape...).Cast(t)
}

func (n *Network) reals() []float64 {
	out := make([]float64, len(n.W))
	for i, w := range n.W {
		out[i] = real(w)
	}
	return out
}

// withoutRounding has zeros for parts below 2^-48 of the largest number of their
// factor, which no single precision shows. Products of two such parts would be
// subnormal, and processors take a hundred times as long for those.
func (n *Network) withoutRounding() *Network {
	n = n.clone()
	per := 2 * n.N
	for k := range n.Spans {
		factor := n.W[k*per:][:per]
		least := 0x1p-48 * largest(factor)
		part := func(v float64) float64 {
			if math.Abs(v) < least {
				return 0
			}
			return v
		}
		for i, w := range factor {
			factor[i] = complex(part(real(w)), part(imag(w)))
		}
	}
	return n
}

// largest is the largest modulus.
func largest(list []complex128) float64 {
	most := 0.0
	for _, w := range list {
		most = max(most, cmplx.Abs(w))
	}
	return most
}

// Apply transforms the lines along the last axis of x: one stage, which fuses
// with what is before and behind it. Real lines of a form that is not real are
// taken as complex.
func (n *Network) Apply(x *nd.Array) *nd.Array {
	if c := x.DType().Complex(); !n.Real && c.Valid() {
		x = x.Cast(c)
	}
	return x.Butterfly(n.Weights(x.DType()).Beside(x), n.options())
}

func (f Form) options() nd.Butterfly { return nd.Butterfly{Spans: f.Spans, From: f.From, To: f.To} }

// Matrix is the dense matrix that the network equals, computed in t, which is
// Complex64 or Complex128.
func (n *Network) Matrix(ctx context.Context, t nd.DType) (Matrix, error) {
	// The lines of the identity give the columns.
	y := nd.Eye(t, n.N).Butterfly(n.Weights(t), n.options()).Transpose().Cast(nd.Complex128)
	data, err := nd.Slice[complex128](ctx, y)
	if err != nil {
		return Matrix{}, fmt.Errorf("butterfly: matrix: %w", err)
	}
	return Matrix{n.N, data}, nil
}

// Errors says how far one matrix is from another.
type Errors struct {
	RMSE float64 `json:"rmse"`      // the root of the mean of squared moduli of differences
	Max  float64 `json:"max_error"` // the largest modulus of a difference
}

// Compare measures the difference of two matrices of one size.
func Compare(a, b Matrix) Errors {
	if len(a.Data) != len(b.Data) {
		return Errors{RMSE: math.NaN(), Max: math.NaN()}
	}
	var e Errors
	for i, v := range a.Data {
		d := v - b.Data[i]
		e.RMSE += real(d)*real(d) + imag(d)*imag(d)
		e.Max = max(e.Max, cmplx.Abs(d))
		if cmplx.IsNaN(d) {
			e.Max = math.NaN()
		}
	}
	e.RMSE = math.Sqrt(e.RMSE / float64(len(a.Data)))
	return e
}
