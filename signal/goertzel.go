package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Goertzel is the Fourier transform of x at a few frequencies, which need not
// be bins, along an axis, the last unless one is given: the sum of
// x[j] exp(-2 pi i f j / fs) for each f. Frequencies take the place of the
// axis.
//
// Goertzel's recursion loses digits at low frequencies; this is the sum itself,
// a product with a matrix whose elements are exact to rounding.
func Goertzel(x *nd.Array, fs float64, frequencies []float64, axis ...nd.AxisChoice) *nd.Array {
	const op = "goertzel"
	l, bad := along(op, x, first(axis), true)
	if bad != nil {
		return bad
	}
	switch {
	case !(fs > 0) || math.IsInf(fs, 0):
		return fail(op, "fs %g: want a positive number", fs)(x)
	case len(frequencies) == 0:
		return fail(op, "no frequencies")(x)
	}
	n, count := l.Dim(-1), len(frequencies)
	if err := checkSize("samples", n, count); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	cos, sin := make([]float64, n*count), make([]float64, n*count)
	for k, f := range frequencies {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fail(op, "frequency %d is %g", k, f)(x)
		}
		start := chirpStart{turns: f / fs}
		for j := range n {
			w := start.pow(j)
			cos[j*count+k], sin[j*count+k] = real(w), imag(w)
		}
	}
	product := func(a *nd.Array, m []float64) *nd.Array {
		return a.ExpandDims(-2).MatMul(constant(m, a, n, count)).Squeeze(-2)
	}
	if !x.DType().IsComplex() {
		return l.back(nd.Complex(product(l.Array, cos), product(l.Array, sin)))
	}
	w := make([]complex128, n*count)
	for i := range w {
		w[i] = complex(cos[i], sin[i])
	}
	return l.back(l.ExpandDims(-2).MatMul(complexConstant(w, x, n, count)).Squeeze(-2))
}
