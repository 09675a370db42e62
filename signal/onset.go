package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Onset is the options of onset strengths: how much louder mel bands become from frame
// to frame.
type Onset struct {
	Mel     Mel
	Average Averaging // of the bands; the median, as librosa.beat has it, is less for one that rises alone
}

// Apply gives the onset strength of x, as librosa.onset.onset_strength: (..., frames).
// measure.Onsets and measure.Beats find where notes begin and where beats are.
func (o Onset) Apply(x *nd.Array) *nd.Array {
	const op = "onset strength"
	m := o.Mel.filled()
	s := m.Apply(x)
	if s.Err() != nil {
		return s
	}
	if o.Average > Median {
		return fail(op, "unknown averaging %d", o.Average)(x)
	}
	return onsets(PowerToDB(s), m.STFT, o.Average)
}

// OnsetStrength is Onset with the mean of bands.
func OnsetStrength(x *nd.Array, opt ...Mel) *nd.Array { return Onset{Mel: first(opt)}.Apply(x) }

// onsets is the average rise of decibels (..., bands, frames), late by as much as
// frames are centred.
func onsets(db *nd.Array, s STFT, average Averaging) *nd.Array {
	frames := db.Dim(-1)
	if frames < 2 {
		return db.Mean(-2).MulScalar(0)
	}
	rise := db.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Sub(db.SliceAxis(-1, nd.Range{Stop: frames - 1}))
	before := 1
	if f, err := s.frames(false); err == nil && f.border > 0 {
		before += f.nfft / (2 * f.hop)
	}
	rise = rise.MaximumScalar(0)
	env := rise.Mean(-2)
	if average == Median {
		env = rise.Median(-2)
	}
	env = env.PadAxis(-1, nd.Margin{Before: before}, nd.Pad{})
	return env.SliceAxis(-1, nd.Range{Stop: frames})
}

// Tempogram is the autocorrelation of an onset strength (..., frames) around every
// frame, over lags: (..., window, frames), every frame over its greatest, as
// librosa.feature.tempogram. window is 384 frames if 0.
func Tempogram(envelope *nd.Array, window int) *nd.Array {
	const op = "tempogram"
	l, bad := along(op, envelope, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	window = cmp.Or(window, 384)
	if window < 2 {
		return fail(op, "window %d: want 2 or more", window)(envelope)
	}
	if err := checkSize("window", window); err != nil {
		return nd.Fail("signal", op, err, envelope)
	}
	n, half := l.Dim(-1), window/2
	// Beyond its ends the envelope falls to 0 in a straight line.
	ramp := func(from, to float64) []float64 {
		r := make([]float64, half)
		for i := range r {
			r[i] = from + (to-from)*float64(i)/float64(half)
		}
		return r
	}
	x := l.Array
	down := ramp(1, 0)
	for i := range down {
		down[i] -= 1 / float64(half)
	}
	left := x.SliceAxis(-1, nd.Range{Stop: 1}).Mul(constant(ramp(0, 1), x))
	right := x.SliceAxis(-1, nd.Range{Start: n - 1, Stop: n}).Mul(constant(down, x))
	frames := nd.Concat(-1, left, x, right).Frames(window, 1).SliceAxis(-2, nd.Range{Stop: n})
	w, err := Window{}.samples(window)
	if err != nil {
		return nd.Fail("signal", op, err, envelope)
	}
	size := fastLen(2*window + 1)
	c := frames.Mul(constant(w, x)).RFFT(nd.FFT{N: size}).AbsSquared().Cast(complexOf(x.DType())).IRFFT(nd.FFT{N: size})
	c = c.SliceAxis(-1, nd.Range{Stop: window})
	top := c.Abs().Max(-1).ExpandDims(-1)
	least := math.SmallestNonzeroFloat32 * 0x1p23
	return c.Div(nd.Where(top.LessScalar(least), nd.FullLike(top, 1), top)).SwapAxes(-1, -2)
}
