package signal

import (
	"github.com/twiddle-go/twiddle/nd"
)

// Resample gives count samples in the time of those of x along an axis, the
// last unless one is given, by cutting or extending the spectrum, as
// scipy.signal.resample. The signal is taken to repeat.
func Resample(x *nd.Array, count int, axis ...nd.AxisChoice) *nd.Array {
	const op = "resample"
	l, bad := along(op, x, first(axis), true)
	if bad != nil {
		return bad
	}
	n := l.Dim(-1)
	if count < 1 {
		return fail(op, "%d samples: want 1 or more", count)(x)
	}
	for _, err := range []error{checkSize("samples", count), checkSize("samples of x", n)} {
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
	}
	if count == n {
		return x
	}
	if x.DType().IsComplex() {
		return l.back(resampleComplex(l.Array, n, count))
	}
	// The bins that both lengths have. The highest, if both can have it once
	// only, counts once in the spectrum of the shorter line and twice in that
	// of the longer.
	short := min(n, count)
	z := l.RFFT().SliceAxis(-1, nd.Range{Stop: short/2 + 1})
	scale := make([]float64, short/2+1)
	for k := range scale {
		scale[k] = float64(count) / float64(n)
		if 2*k == short {
			if count < n {
				scale[k] *= 2
			} else {
				scale[k] /= 2
			}
		}
	}
	y := z.Mul(constant(scale, z)).PadAxis(-1, nd.Margin{After: count/2 - short/2}, nd.Pad{})
	return l.back(y.IRFFT(nd.FFT{N: count}))
}

func resampleComplex(x *nd.Array, n, count int) *nd.Array {
	short := min(n, count)
	z := x.FFT()
	low, high := (short+1)/2, (short-1)/2 // bins from 0 up, and from -1 down
	parts := []*nd.Array{z.SliceAxis(-1, nd.Range{Stop: low})}
	gap := count - low - high
	if short%2 == 0 {
		// The highest bin is both +short/2 and -short/2.
		at := func(k int) *nd.Array { return z.SliceAxis(-1, nd.Range{Start: k, Stop: k + 1}) }
		if count < n {
			parts = append(parts, at(short/2).Add(at(n-short/2)))
			gap--
		} else {
			half := at(short / 2).MulScalar(0.5)
			parts = append(parts, half.PadAxis(-1, nd.Margin{After: gap - 2}, nd.Pad{}), half)
			gap = 0
		}
	}
	if gap > 0 {
		shape := z.Shape()
		shape[len(shape)-1] = gap
		parts = append(parts, nd.Zeros(z.DType(), shape...).Beside(z))
	}
	if high > 0 {
		parts = append(parts, z.SliceAxis(-1, nd.Range{Start: n - high, Stop: nd.End}))
	}
	return nd.Concat(-1, parts...).IFFT().MulScalar(float64(count) / float64(n))
}
