package signal

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// Limits is a condition on a number. The zero value is none, and the number
// is then not even measured.
type Limits struct {
	low, high float64
	// each, if there is one, is limits for every sample of a line instead: a
	// pointer, so that options compare.
	each  *sampleLimits
	given bool
}

// sampleLimits is limits for the samples of a line; nil is none.
type sampleLimits struct{ low, high []float64 }

// AtLeast is numbers from low upwards.
func AtLeast(low float64) Limits { return Limits{low: low, high: math.Inf(1), given: true} }

// AtMost is numbers up to high.
func AtMost(high float64) Limits { return Limits{low: math.Inf(-1), high: high, given: true} }

// Between is numbers from low to high.
func Between(low, high float64) Limits { return Limits{low: low, high: high, given: true} }

// Measured is every number: it is measured and nothing is left out.
func Measured() Limits { return Between(math.Inf(-1), math.Inf(1)) }

// BetweenEach has limits for every sample of a line of their own: numbers of a
// peak are held against those of its sample. Either may be nil, which is none.
func BetweenEach(low, high []float64) Limits {
	return Limits{low: math.Inf(-1), high: math.Inf(1), each: &sampleLimits{low, high}, given: true}
}

// at is the limits of the numbers of a peak.
func (l Limits) at(sample int) (low, high float64) {
	low, high = l.low, l.high
	if l.each != nil && l.each.low != nil {
		low = l.each.low[sample]
	}
	if l.each != nil && l.each.high != nil {
		high = l.each.high[sample]
	}
	return low, high
}

// holds says whether a number of the peak at a sample is inside. An infinite limit is none,
// so that it leaves no NaN out, such as the prominence of an infinity between infinities.
func (l *Limits) holds(v float64, sample int) bool { return l.holdBoth(v, v, sample) }

// holdBoth is holds for the lesser and the greater of two numbers.
func (l *Limits) holdBoth(lesser, greater float64, sample int) bool {
	low, high := l.at(sample)
	return (low <= lesser || math.IsInf(low, -1)) && (greater <= high || math.IsInf(high, 1))
}

// none says that every number holds.
func (l *Limits) none() bool {
	return l.each == nil && math.IsInf(l.low, -1) && math.IsInf(l.high, 1)
}

// check is for lines of n samples.
func (l Limits) check(name string, n int) error {
	switch {
	case !l.given:
	case l.each == nil && !(l.low <= l.high):
		return fmt.Errorf("signal: findpeaks: %s between %g and %g: want limits that rise", name, l.low, l.high)
	case l.each != nil:
		for _, v := range [][]float64{l.each.low, l.each.high} {
			if v != nil && len(v) != n {
				return fmt.Errorf("signal: findpeaks: %s has limits for %s, lines have %d", name, counted.Of(len(v), "sample"), n)
			}
		}
	}
	return nil
}
