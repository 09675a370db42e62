package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Trend is the trend that is subtracted from a line before its analysis.
type Trend uint8

const (
	TrendConstant Trend = iota // the mean
	TrendLinear                // the straight line of least squares
	TrendNone                  // nothing
)

var trendNames = [...]string{"constant", "linear", "none"}

func (t Trend) String() string { return choice.Name(t, "Trend", trendNames[:]) }

// ParseTrend is the trend of a name.
func ParseTrend(name string) (Trend, error) {
	return choice.Parse[Trend]("signal", "trend", name, trendNames[:])
}

// Detrend is x without its trend along an axis, the last unless one is
// given.
func Detrend(x *nd.Array, trend Trend, axis ...nd.AxisChoice) *nd.Array {
	const op = "detrend"
	l, bad := along(op, x, first(axis), true)
	if bad != nil {
		return bad
	}
	if int(trend) >= len(trendNames) {
		return fail(op, "unknown trend %d: want one of %v", trend, trendNames)(x)
	}
	return l.back(detrended(l.Array, trend))
}

// first is an optional argument.
func first[T any](opt []T) T {
	if len(opt) > 0 {
		return opt[0]
	}
	var zero T
	return zero
}

// detrended is Detrend along the last axis.
func detrended(x *nd.Array, trend Trend) *nd.Array {
	if trend == TrendNone {
		return x
	}
	centred := x.Sub(x.Mean(-1).ExpandDims(-1))
	n := x.Dim(-1)
	if trend == TrendConstant || n < 2 {
		return centred
	}
	if err := checkSize("samples", n); err != nil {
		return nd.Fail("signal", "detrend", err, x)
	}
	// With time counted from the middle, mean and slope are found apart.
	time, square := make([]float64, n), 0.0
	for i := range time {
		time[i] = float64(i) - float64(n-1)/2
		square += time[i] * time[i]
	}
	t := constant(time, x)
	slope := centred.Mul(t).Sum(-1).DivScalar(square).ExpandDims(-1)
	return centred.Sub(t.Mul(slope))
}

// DetrendAt is x without the straight line of least squares of every part between
// breakpoints, as scipy.signal.detrend with bp. Breakpoints are samples, in any
// order; a part begins with one.
func DetrendAt(x *nd.Array, breakpoints []int, axis ...nd.AxisChoice) *nd.Array {
	const op = "detrend"
	l, bad := along(op, x, first(axis), true)
	if bad != nil {
		return bad
	}
	n := l.Dim(-1)
	at := append([]int{0, n}, breakpoints...)
	slices.Sort(at)
	at = slices.Compact(at)
	if at[0] < 0 || at[len(at)-1] > n {
		return fail(op, "breakpoints %v: want samples of %d", breakpoints, n)(x)
	}
	parts := make([]*nd.Array, len(at)-1)
	for i := range parts {
		parts[i] = detrended(l.SliceAxis(-1, nd.Range{Start: at[i], Stop: at[i+1]}), TrendLinear)
	}
	return l.back(nd.Concat(-1, parts...))
}
