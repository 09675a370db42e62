package analyze

import (
	"math"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/signal"
)

// lobes is the power that a window shows of a sine, in dB against that of its peak, by
// distance in parts of a bin.
type lobes []float64

// fine is how many of them a bin has.
const fine = 32

func lobesOf(w signal.Window, n int) (lobes, error) {
	samples, err := w.Samples(n)
	if err != nil {
		return nil, err
	}
	plan, err := fft.NewRealPlan[float64, complex128](fine * n)
	if err != nil {
		return nil, err
	}
	x := make([]float64, fine*n)
	copy(x, samples)
	z := make([]complex128, fine*n/2+1)
	if err := plan.Forward(z, x); err != nil {
		return nil, err
	}
	power := func(i int) float64 { return real(z[i])*real(z[i]) + imag(z[i])*imag(z[i]) }
	l := make(lobes, len(z))
	for i := range l {
		l[i] = decibels(power(i) / power(0))
	}
	return l, nil
}

// leakage is how loud a sine is at a distance of so many bins or more, with some room for
// what else is there.
func (l lobes) leakage(n int) []float64 {
	const room = 6 // dB
	leak := make([]float64, n/2+2)
	most := math.Inf(-1)
	i := len(l) - 1
	for d := len(leak) - 1; d >= 0; d-- {
		// A tone may be half a bin nearer than its peak's bin.
		for ; i >= 0 && i >= d*fine-fine/2; i-- {
			most = max(most, l[i])
		}
		leak[d] = most + room
	}
	return leak
}

// between is where a parabola through three bins, in dB, sees a sine whose frequency is
// between two bins, by its true distance from the nearer one: the lobe is no parabola.
type between struct{ shift, level [fine/2 + 1]float64 }

func (l lobes) between() (b between) {
	for i := range b.shift {
		if i+fine >= len(l) {
			return between{} // no such bins
		}
		below, at, above := l[fine+i], l[i], l[fine-i]
		b.shift[i] = 0.5 * (below - above) / (below - 2*at + above)
		b.level[i] = at - 0.25*(below-above)*b.shift[i]
	}
	return b
}

// of is the true place and level of the peak that a parabola around a bin sees.
func (b between) of(bin int, position, level float64) (float64, float64) {
	seen := math.Abs(position - float64(bin))
	for i := range b.shift[1:] {
		if width := b.shift[i+1] - b.shift[i]; width > 0 && seen >= b.shift[i] && seen <= b.shift[i+1] {
			part := (seen - b.shift[i]) / width
			away := math.Copysign((float64(i)+part)/fine, position-float64(bin))
			return float64(bin) + away, level - b.level[i] - part*(b.level[i+1]-b.level[i])
		}
	}
	return position, level
}
