package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Hartley is the discrete Hartley transform of real lines, sum x[j] (cos(2 pi j k / N) +
// sin(2 pi j k / N)): a spectrum of real numbers that is its own inverse but for a factor
// of N. It is maps around an FFT, so it fuses with what is before and behind it, and has
// gradients. The zero value does not scale.
type Hartley struct {
	N    int // length: lines are cut or padded with zeros; 0 is their own length
	Norm nd.Norm
	Axis nd.AxisChoice
}

// Apply transforms x.
func (h Hartley) Apply(x *nd.Array) *nd.Array { return h.transform("hartley", x, false) }

// Inverse undoes Apply for the same options.
func (h Hartley) Inverse(x *nd.Array) *nd.Array { return h.transform("inverse_hartley", x, true) }

func (h Hartley) transform(op string, x *nd.Array, inverse bool) *nd.Array {
	l, bad := along(op, x, h.Axis, false)
	if bad != nil {
		return bad
	}
	n := cmp.Or(h.N, l.Dim(-1))
	switch {
	case n < 1:
		return fail(op, "N %d: want 1 or more", n)(x)
	case h.Norm > nd.Forward:
		return fail(op, "unknown norm %d", h.Norm)(x)
	}
	if err := checkSize("N", n); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	z := ofLength(l.Array, n).RFFT()
	y := z.Real().Sub(z.Imag())
	if n > 2 { // bin n-k is the conjugate of bin k
		above := z.SliceAxis(-1, nd.Range{Start: 1, Stop: (n + 1) / 2})
		y = nd.Concat(-1, y, above.Real().Add(above.Imag()).Flip(-1))
	}
	switch {
	case h.Norm == nd.Ortho:
		y = y.MulScalar(1 / math.Sqrt(float64(n)))
	case (h.Norm == nd.Forward) != inverse:
		y = y.MulScalar(1 / float64(n))
	}
	return l.back(y)
}

// ofLength is lines cut to n elements, or followed by zeros.
func ofLength(x *nd.Array, n int) *nd.Array {
	switch have := x.Dim(-1); {
	case have > n:
		return x.SliceAxis(-1, nd.Range{Stop: n})
	case have < n:
		return x.PadAxis(-1, nd.Margin{After: n - have}, nd.Pad{})
	}
	return x
}
