package signal

import (
	"fmt"
	"math"

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

// ResamplePoly is the options of resampling by a ratio of small integers.
type ResamplePoly struct {
	Up, Down int       // samples out for samples in
	Window   Window    // of the filter between them; kaiser of 5
	Taps     []float64 // the filter itself, instead
	Axis     nd.AxisChoice
}

// Apply gives Up samples for every Down of x, as scipy.signal.resample_poly:
// zeros are put between samples, a low-pass filter with no delay smooths them,
// and every Down-th is kept. Beyond its ends the signal is 0.
//
// Up outputs look at one stretch of x, the next Up at one that is Down samples
// later, so all of it is one product of stretches with a matrix.
func (r ResamplePoly) Apply(x *nd.Array) *nd.Array {
	const op = "resamplepoly"
	l, bad := along(op, x, r.Axis, false)
	if bad != nil {
		return bad
	}
	if r.Up < 1 || r.Down < 1 {
		return fail(op, "Up %d and Down %d: want 1 or more", r.Up, r.Down)(x)
	}
	divisor := gcd(r.Up, r.Down)
	up, down := r.Up/divisor, r.Down/divisor
	if up == 1 && down == 1 {
		return x
	}
	h, err := r.filter(up, down)
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	n, half := l.Dim(-1), (len(h)-1)/2
	count := (n*up + down - 1) / down
	// Output m is the sum over j of x[j] h[half + m*down - j*up]. For m below up
	// the samples reach from -before to after.
	before := half / up
	after := (half + (up-1)*down) / up
	size := before + after + 1
	matrix := make([]float64, size*up)
	for j := range size {
		for m := range up {
			if k := half + m*down - (j-before)*up; k >= 0 && k < len(h) {
				matrix[j*up+m] = h[k]
			}
		}
	}
	blocks := (count + up - 1) / up
	need := (blocks-1)*down + size
	padded := l.PadAxis(-1, nd.Margin{Before: before, After: max(0, need-before-n)}, nd.Pad{})
	y := padded.SliceAxis(-1, nd.Range{Stop: need}).Frames(size, down).MatMul(constant(matrix, x, size, up))
	lead := l.Shape()[:l.NDim()-1]
	return l.back(y.Reshape(append(lead, blocks*up)...).SliceAxis(-1, nd.Range{Stop: count}))
}

// filter is the low-pass filter of a ratio, with the gain that the zeros take
// away.
func (r ResamplePoly) filter(up, down int) ([]float64, error) {
	var h []float64
	if r.Taps != nil {
		h = append(h, r.Taps...)
		if len(h)%2 == 0 {
			return nil, fmt.Errorf("%d taps: want an odd number, so that there is a middle", len(h))
		}
	} else {
		w := r.Window
		if w.Name == "" {
			w.Name, w.Param = "kaiser", 5
		}
		rate := max(up, down)
		var err error
		h, err = FIR{Cutoff: [2]float64{1 / float64(rate)}, Window: w}.taps(20*rate + 1)
		if err != nil {
			return nil, err
		}
	}
	for i, v := range h {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("tap %d is %g", i, v)
		}
		h[i] = v * float64(up)
	}
	return h, nil
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
