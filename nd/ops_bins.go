package nd

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// FFTFreq is the frequency of each bin of an FFT of length n over samples that
// are d apart: 0 upwards, then the negative ones.
func FFTFreq[T float32 | float64](n int, d T) *Array {
	return freq("fftfreq", n, d, func() *Array {
		i := index("fftfreq", 0, n)
		return Where(i.LessScalar((n+1)/2), i, i.SubScalar(n))
	})
}

// RFFTFreq is the frequency of each of the n/2+1 bins of an RFFT.
func RFFTFreq[T float32 | float64](n int, d T) *Array {
	return freq("rfftfreq", n, d, func() *Array { return index("rfftfreq", 0, n/2+1) })
}

func freq[T float32 | float64](op string, n int, d T, bins func() *Array) *Array {
	if n < 1 {
		return failed(op, fmt.Errorf("n %d is not a length", n))
	}
	if step := float64(d); step == 0 || math.IsNaN(step) || math.IsInf(step, 0) {
		return failed(op, fmt.Errorf("sample distance %v is not a finite number other than 0", d))
	}
	return named(op, bins().Cast(Float64).MulScalar(1/(float64(n)*float64(d))).Cast(elem.Of[T]()))
}

// FFTShift moves bin 0 to the middle of the given axes, or of all if none is
// given.
func (a *Array) FFTShift(axes ...int) *Array {
	return a.shift("fftshift", axes, func(n int) int { return n / 2 })
}

// IFFTShift undoes FFTShift, also for odd lengths.
func (a *Array) IFFTShift(axes ...int) *Array {
	return a.shift("ifftshift", axes, func(n int) int { return -(n / 2) })
}

func (a *Array) shift(op string, axes []int, by func(n int) int) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	which, err := shape.Axes(axes, a.node.Shape)
	if err != nil {
		return failed(op, err, a)
	}
	if len(axes) == 0 {
		which = shape.AllAxes(a.NDim())
	}
	out := a
	for _, axis := range which {
		out = out.Roll(by(a.node.Shape[axis]), axis)
	}
	return named(op, out)
}
