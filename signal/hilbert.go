package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Analytic is the options of Hilbert, Envelope and InstantaneousFrequency.
type Analytic struct {
	N    int // samples of the transform: x is cut, or zeros follow it; 0 is what there are
	Axis nd.AxisChoice
}

// Hilbert returns the analytic signal of real samples: its real part is x and its
// imaginary part the Hilbert transform of x. It has no negative frequencies.
func Hilbert(x *nd.Array, opt ...Analytic) *nd.Array {
	z, l, bad := analytic("hilbert", x, first(opt))
	if bad != nil {
		return bad
	}
	return l.back(z)
}

// Envelope is the modulus of the analytic signal.
func Envelope(x *nd.Array, opt ...Analytic) *nd.Array {
	z, l, bad := analytic("envelope", x, first(opt))
	if bad != nil {
		return bad
	}
	return l.back(z.Abs())
}

// InstantaneousFrequency is how fast the analytic signal turns between
// neighbouring samples, in the unit of the sampling frequency fs: one number
// fewer than there are samples, each in (-fs/2, fs/2].
func InstantaneousFrequency(x *nd.Array, fs float64, opt ...Analytic) *nd.Array {
	const op = "instantaneousfrequency"
	z, l, bad := analytic(op, x, first(opt))
	if bad != nil {
		return bad
	}
	if !(fs > 0) || math.IsInf(fs, 0) {
		return fail(op, "fs %g: want a positive number", fs)(x)
	}
	// The angle between neighbours needs no unwrapping.
	turn := z.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Mul(z.SliceAxis(-1, nd.Range{Stop: -1}).Conj())
	return l.back(turn.Angle().MulScalar(fs / (2 * math.Pi)))
}

// analytic is Hilbert along the last axis.
func analytic(op string, x *nd.Array, a Analytic) (*nd.Array, lines, *nd.Array) {
	l, bad := along(op, x, a.Axis, false)
	if bad != nil {
		return nil, l, bad
	}
	n := cmp.Or(a.N, l.Dim(-1))
	if n < 1 {
		return nil, l, nd.Fail("signal", op, fact("N %d: want 1 or more", a.N), x)
	}
	if err := checkSize("N", n); err != nil {
		return nil, l, nd.Fail("signal", op, err, x)
	}
	twice := make([]float64, n/2+1)
	for k := range twice {
		twice[k] = 2
		if k == 0 || 2*k == n {
			twice[k] = 1
		}
	}
	z := l.RFFT(nd.FFT{N: n})
	// The negative frequencies are the zeros that IFFT adds.
	return z.Mul(constant(twice, z)).IFFT(nd.FFT{N: n}), l, nil
}
