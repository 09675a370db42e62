package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// Correlate is the cross-correlation of x with y along an axis, the last unless one
// is given, by FFT, as scipy.signal.correlate of lines: element k of mode Full is the
// sum over l of x[l] conj(y[l-k+M-1]), with M the length of y. Other axes broadcast.
// The modes are Full, Same (as long as x) and Valid.
func Correlate(x, y *nd.Array, mode Mode, axis ...nd.AxisChoice) *nd.Array {
	const op = "correlate"
	if a := first(axis); a != (nd.AxisChoice{}) {
		lx, bad := along(op, x, a, true)
		if bad != nil {
			return bad
		}
		ly, bad := along(op, y, a, true)
		if bad != nil {
			return bad
		}
		if x.NDim() != y.NDim() {
			return fail(op, "x of shape %v and y of shape %v: want as many axes where one is chosen", x.Shape(), y.Shape())(x, y)
		}
		return lx.back(Correlate(lx.Array, ly.Array, mode))
	}
	n, m, bad := pair(op, x, y)
	if bad != nil {
		return bad
	}
	if mode = mode.or(Full); mode != Full && mode != Same && mode != Valid {
		return fail(op, "mode %s: want full, same or valid", mode)(x, y)
	}
	from, to := span(mode, n, m)
	flipped := y.Flip(-1).Conj()
	if x.DType().IsComplex() {
		size, err := fft.NextFastLen(n + m - 1)
		if err != nil {
			return nd.Fail("signal", op, err, x, y)
		}
		z := x.FFT(nd.FFT{N: size}).Mul(flipped.FFT(nd.FFT{N: size})).IFFT()
		return z.SliceAxis(-1, nd.Range{Start: from, Stop: to})
	}
	return spectrumProduct(x, &taps{k: flipped}, fastLen(n+m-1), from, to)
}

// CorrelationLags is the lag of every element that Correlate gives for lines
// of n and m samples: how many samples later in x than in y.
func CorrelationLags(n, m int, mode Mode) ([]int, error) {
	if mode = mode.or(Full); n < 1 || m < 1 || mode != Full && mode != Same && mode != Valid {
		return nil, fmt.Errorf("signal: correlationlags: %d and %d samples, mode %s: want samples, and mode full, same or valid", n, m, mode)
	}
	for _, err := range []error{checkSize("n", n), checkSize("m", m)} {
		if err != nil {
			return nil, fmt.Errorf("signal: correlationlags: %w", err)
		}
	}
	from, to := span(mode, n, m)
	lags := make([]int, to-from)
	for i := range lags {
		lags[i] = from + i - (m - 1)
	}
	return lags, nil
}

// pair checks two arrays with lines along the last axis.
func pair(op string, x, y *nd.Array) (n, m int, bad *nd.Array) {
	if _, bad := along(op, x, nd.AxisChoice{}, true); bad != nil {
		return 0, 0, bad
	}
	if _, bad := along(op, y, nd.AxisChoice{}, true); bad != nil {
		return 0, 0, bad
	}
	if x.DType() != y.DType() {
		return 0, 0, fail(op, "x is %s, y is %s: want one dtype, use Cast", x.DType(), y.DType())(x, y)
	}
	if bad := meet(op, x, y, x.Shape()[:x.NDim()-1], y.Shape()[:y.NDim()-1]); bad != nil {
		return 0, 0, bad
	}
	return x.Dim(-1), y.Dim(-1), nil
}

// meet checks that axes other than those of samples broadcast with each other,
// so that an error is about the arrays that were given and not about what is
// made of them.
func meet(op string, x, y *nd.Array, a, b []int) *nd.Array {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if p, q := a[len(a)-i], b[len(b)-i]; p != q && p != 1 && q != 1 {
			return fail(op, "x of shape %v and y of shape %v: %d and %d do not broadcast", x.Shape(), y.Shape(), p, q)(x, y)
		}
	}
	return nil
}

// GCCPHAT is the generalized cross-correlation of x with y with phase
// transform, along the last axis: all frequencies count the same, so a delay
// is one sharp peak also in a room with echoes.
type GCCPHAT struct {
	FS       float64 // sampling frequency; 0 is 1
	MaxLag   int     // lags from -MaxLag to MaxLag samples; 0 is all
	Upsample int     // points per sample, for delays between samples; 0 is 1
}

// Delays is what GCCPHAT finds.
type Delays struct {
	// The delay of x against y in seconds, for every line: positive if x is later, and NaN
	// where there is none, because a line is silent or has samples that are not numbers.
	*nd.Array
	Correlation *nd.Array // over lags, along the last axis
	Lags        []float64 // in seconds
}

// Apply correlates real lines. Leading axes broadcast.
func (g GCCPHAT) Apply(x, y *nd.Array) Delays {
	const op = "gccphat"
	n, m, bad := pair(op, x, y)
	if bad == nil && x.DType().IsComplex() {
		bad = fail(op, "x is %s: want float32 or float64", x.DType())(x)
	}
	fs, up := g.FS, g.Upsample
	fs = cmp.Or(fs, 1)
	up = cmp.Or(up, 1)
	most := max(n, m) - 1
	if g.MaxLag > 0 {
		most = min(most, g.MaxLag)
	}
	switch {
	case bad != nil:
	case !(fs > 0) || math.IsInf(fs, 0):
		bad = fail(op, "FS %g: want a positive number", g.FS)(x, y)
	case g.MaxLag < 0:
		bad = fail(op, "MaxLag %d: want 0 or more", g.MaxLag)(x, y)
	case up < 1:
		bad = fail(op, "Upsample %d: want 1 or more", g.Upsample)(x, y)
	}
	if bad == nil {
		if err := checkSize("Upsample", up, 2*fastLen(n+m)); err != nil {
			bad = nd.Fail("signal", op, err, x, y)
		}
	}
	if bad != nil {
		return Delays{Array: bad, Correlation: bad}
	}
	size := fastLen(n + m)
	cross := x.RFFT(nd.FFT{N: size}).Mul(y.RFFT(nd.FFT{N: size}).Conj())
	// Sign is z/|z|, and 0 where there is no power to have a phase.
	c := cross.Sign().IRFFT(nd.FFT{N: size * up})
	if up > 1 {
		c = c.MulScalar(up)
	}
	reach := most * up
	c = nd.Concat(-1, c.SliceAxis(-1, nd.Range{Start: size*up - reach, Stop: nd.End}), c.SliceAxis(-1, nd.Range{Stop: reach + 1}))
	lags := make([]float64, 2*reach+1)
	for i := range lags {
		lags[i] = float64(i-reach) / (fs * float64(up))
	}
	delay := c.ArgMax(-1).SubScalar(reach).Cast(c.DType()).DivScalar(fs * float64(up))
	delay = nd.Where(c.Abs().Max(-1).GreaterScalar(0), delay, math.NaN()) // NaN is not greater, either
	return Delays{Array: delay, Correlation: c, Lags: lags}
}
