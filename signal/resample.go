package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Resample is the options of resampling by FFT.
type Resample struct {
	N int // samples of the result
	// Window multiplies the spectrum, with its middle at frequency 0, against
	// ringing; none by default.
	Window Window
	// Spectrum says that lines are spectra, as FFT gives them, instead of samples.
	Spectrum bool
	Axis     nd.AxisChoice
}

// Apply gives N samples in the time of those of x, by cutting or extending the
// spectrum, as scipy.signal.resample. The signal is taken to repeat.
func (r Resample) Apply(x *nd.Array) *nd.Array {
	const op = "resample"
	l, bad := along(op, x, r.Axis, true)
	if bad != nil {
		return bad
	}
	n := l.Dim(-1)
	if r.N < 1 {
		return fail(op, "%d samples: want 1 or more", r.N)(x)
	}
	for _, err := range []error{checkSize("samples", r.N), checkSize("samples of x", n)} {
		if err != nil {
			return nd.Fail("signal", op, err, x)
		}
	}
	weights, err := r.weights(n)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	if r.N == n && weights == nil && !r.Spectrum {
		return x
	}
	if x.DType().IsComplex() || r.Spectrum {
		z := inComplex(l.Array)
		if !r.Spectrum {
			z = z.FFT()
		}
		if weights != nil {
			z = z.Mul(constant(weights, z))
		}
		return l.back(resampleComplex(z, n, r.N))
	}
	// The bins that both lengths have. The highest, if both can have it once
	// only, counts once in the spectrum of the shorter line and twice in that
	// of the longer.
	short := min(n, r.N)
	z := l.RFFT().SliceAxis(-1, nd.Range{Stop: short/2 + 1})
	scale := make([]float64, short/2+1)
	for k := range scale {
		scale[k] = float64(r.N) / float64(n)
		if 2*k == short && r.N != n {
			if r.N < n {
				scale[k] *= 2
			} else {
				scale[k] /= 2
			}
		}
		if weights != nil { // of both frequencies that a bin of a real line stands for
			scale[k] *= (weights[k] + weights[(n-k)%n]) / 2
		}
	}
	y := z.Mul(constant(scale, z)).PadAxis(-1, nd.Margin{After: r.N/2 - short/2}, nd.Pad{})
	return l.back(y.IRFFT(nd.FFT{N: r.N}))
}

// weights is the window for the bins of a transform, or nil.
func (r Resample) weights(n int) ([]float64, error) {
	if r.Window.Name == "" {
		return nil, nil
	}
	w, err := r.Window.samples(n)
	if err != nil {
		return nil, err
	}
	half := (n + 1) / 2
	return slices.Concat(w[half:], w[:half]), nil
}

// resampleComplex gives count samples of a spectrum of n.
func resampleComplex(z *nd.Array, n, count int) *nd.Array {
	if count == n {
		return z.IFFT()
	}
	short := min(n, count)
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
