package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Deconvolve divides lines of x, as polynomials, by a divisor: x is the convolution of the
// divisor and the quotient, plus the remainder. It is scipy.signal.deconvolve, along the last axis,
// of real or complex lines. The quotient has len(divisor)-1 samples less than x, and x has as
// many as the divisor at least.
//
// Errors grow with every sample if the divisor has zeros outside of the unit circle, as room
// responses have. Of noisy samples, divide spectra instead.
func Deconvolve(x *nd.Array, divisor []float64) (quotient, remainder *nd.Array) {
	const op = "deconvolve"
	l, bad := along(op, x, nd.AxisChoice{}, true)
	if bad != nil {
		return bad, bad
	}
	f := TF{B: []float64{1}, A: divisor}
	err := f.check()
	switch {
	case len(divisor) == 0:
		err = fact("no divisor")
	case err != nil && divisor[0] == 0:
		err = fact("the divisor begins with 0: want what x is divided by")
	case err == nil && l.Dim(-1) < len(divisor):
		err = fact("x has %s, the divisor %d: want as many at least", counted.Of(l.Dim(-1), "sample"), len(divisor))
	}
	if err != nil {
		bad = nd.Fail("signal", op, err, x)
		return bad, bad
	}
	n := l.Dim(-1) - len(divisor) + 1
	quotient = f.Apply(l.SliceAxis(-1, nd.Head(n)))
	product := TF{B: slices.Clone(divisor)}.Apply(quotient.PadAxis(-1, nd.Margin{After: len(divisor) - 1}, nd.Pad{}))
	return quotient, l.Sub(product)
}
