package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Mode says which part of a convolution is wanted.
type Mode uint8

const (
	// DefaultMode is Causal for Conv, and Full for Convolve and Correlate.
	DefaultMode Mode = iota
	// Circular wraps around: y[t] is the sum of k[j] x[(t-j) mod L].
	Circular
	// Causal is the first L samples of the linear convolution.
	Causal
	// Full is all L+K-1 samples of the linear convolution.
	Full
	// Same is the L samples in the middle of Full.
	Same
	// Valid is the samples of Full that need no padding: |L-K|+1 of them.
	Valid
)

var modeNames = [...]string{"default", "circular", "causal", "full", "same", "valid"}

func (m Mode) String() string { return choice.Name(m, "Mode", modeNames[:]) }

// or is m, or what DefaultMode stands for.
func (m Mode) or(usual Mode) Mode {
	if m == DefaultMode {
		return usual
	}
	return m
}

// ParseMode is the mode of a name.
func ParseMode(name string) (Mode, error) {
	return choice.Parse[Mode]("signal", "mode", name, modeNames[:])
}

// Conv convolves every channel of a signal with its own filter, by FFT. The zero value is
// a plain causal convolution: the result has as many samples as the signal, and none
// depends on later samples.
//
// With x of shape (..., channels, length) and k of shape (channels, taps), or (taps) for
// one filter that all channels share, and * the convolution,
//
//	y = OutGate * ((InGate x) * k + Bias + Skip InGate x)
//
// Bias and Skip hold one number per channel; Skip needs a result as long as the input.
// InGate has x's shape and OutGate the result's, or shapes that broadcast to them. A NaN
// or infinity in a filter or a gate makes the whole line NaN, because every output of a
// transform depends on all of its inputs.
//
// Signals of float16 and bfloat16 are computed in float32 and rounded once, when the
// result, of the same type, is stored, unless Accumulation is nd.Fast. Gates have that
// type, too; filters, Bias and Skip may have it or be float32.
//
// A filter that serves many signals may be given as its spectrum, a complex array of shape
// (channels, n/2+1) or (n/2+1), so that no call computes it again: k.RFFT(nd.FFT{N: n}).
// For Circular n is the length L of x. For Causal n is at least L plus the number of taps
// minus one, and even, since the number of bins does not distinguish n from n+1.
type Conv struct {
	Mode    Mode
	Bias    *nd.Array
	Skip    *nd.Array
	InGate  *nd.Array
	OutGate *nd.Array
	// Block is the transform length of overlap-save, which cuts a long signal
	// into blocks: 0 chooses it, or one transform, by cost; negative is one
	// transform whatever the length.
	Block int
	// Axis is that of samples, the last unless another is chosen. Channels are the
	// last of the other axes. Apply has it; pipelines and streams work along the last.
	Axis nd.AxisChoice
	// Accumulation is how the transforms add up. With nd.Fast a GPU may compute signals of
	// float16 and bfloat16 in float16, two lines at a time; see docs/PRECISION.md for what
	// that costs in digits.
	Accumulation nd.Accumulation
}

const convOp = "conv"

// Apply returns the convolution of x with k.
func (c Conv) Apply(x, k *nd.Array) *nd.Array {
	if c.Axis != (nd.AxisChoice{}) && x != nil && x.Err() == nil {
		return c.alongAxis(x, k)
	}
	c.Mode = c.Mode.or(Causal)
	if bad := c.check(x, k); bad != nil {
		return bad
	}
	if t := x.DType(); t.IsHalf() {
		return c.single().Apply(single(x), single(k)).Cast(t)
	}
	in := x
	if c.InGate != nil {
		in = in.Mul(c.InGate)
	}
	y := c.linear(in, &taps{k: k, mode: c.Accumulation})
	if c.Bias != nil {
		y = y.Add(perChannel(c.Bias))
	}
	if c.Skip != nil {
		y = y.Add(in.Mul(perChannel(c.Skip)))
	}
	if c.OutGate != nil {
		y = y.Mul(c.OutGate)
	}
	return y
}

// single is the convolution of float32 that one of halves is.
func (c Conv) single() Conv {
	c.Bias, c.Skip, c.InGate, c.OutGate = single(c.Bias), single(c.Skip), single(c.InGate), single(c.OutGate)
	return c
}

// alongAxis is Apply with the chosen axis brought to the end.
func (c Conv) alongAxis(x, k *nd.Array) *nd.Array {
	at, err := c.Axis.Of(x)
	if err != nil {
		return nd.Fail("signal", convOp, err, x, k)
	}
	c.Axis = nd.AxisChoice{}
	last := x.NDim() - 1
	moved := func(gate *nd.Array) *nd.Array {
		if gate == nil || gate.Err() != nil || gate.NDim() > x.NDim() {
			return gate // what is wrong with it is said later
		}
		shape := append(slices.Repeat([]int{1}, x.NDim()-gate.NDim()), gate.Shape()...)
		return moveAxis(gate.Reshape(shape...), at, last)
	}
	c.InGate, c.OutGate = moved(c.InGate), moved(c.OutGate)
	return moveAxis(c.Apply(moveAxis(x, at, last), k), last, at)
}

// perChannel gives a number per channel the axis of samples.
func perChannel(a *nd.Array) *nd.Array { return a.ExpandDims(-1) }

// linear is the convolution alone.
func (c Conv) linear(x *nd.Array, k *taps) *nd.Array {
	l := x.Dim(-1)
	switch {
	case c.Mode == Circular:
		return circular(x, k)
	case k.k.DType().IsComplex():
		return spectrumProduct(x, k, 2*(k.count()-1), 0, l)
	}
	if c.Mode == Causal && k.count() > l {
		// Later taps reach no output.
		k = &taps{k: k.k.SliceAxis(-1, nd.Range{Stop: l}), mode: k.mode}
	}
	from, to := span(c.Mode, l, k.count())
	if c.Mode == Valid && to-from <= fewOutputs {
		return products(x, k.k)
	}
	n, step := c.TransformLen(l, k.count())
	if step > 0 {
		return overlapSave(x, k, n, from, to)
	}
	return spectrumProduct(x, k, n, from, to)
}

// circular is the convolution that wraps around after the length of x.
func circular(x *nd.Array, k *taps) *nd.Array {
	l := x.Dim(-1)
	if k.k.DType().IsComplex() {
		return spectrumProduct(x, k, l, 0, l)
	}
	k = &taps{k: wrapped(k.k, l), mode: k.mode}
	if fastLen(l) == l {
		return spectrumProduct(x, k, l, 0, l)
	}
	// A length with large factors is slower and less exact than a fast one of
	// twice as many samples, of which the second half wraps.
	y := spectrumProduct(x, k, fastLen(2*l), 0, 2*l)
	return y.SliceAxis(-1, nd.Range{Stop: l}).Add(y.SliceAxis(-1, nd.Range{Start: l, Stop: 2 * l}))
}

// span is the part of the full convolution that a mode wants.
func span(m Mode, l, taps int) (from, to int) {
	full := l + taps - 1
	switch m {
	case Causal:
		return 0, l
	case Same:
		return (full - l) / 2, (full-l)/2 + l
	case Valid:
		return min(l, taps) - 1, max(l, taps)
	}
	return 0, full
}

// fewOutputs is how many outputs are cheaper as sums of products than by
// transforms. They are also more accurate: a transform's error goes with all
// of its outputs, of which these are few.
const fewOutputs = 8

// products is the Valid part by its definition.
func products(x, k *nd.Array) *nd.Array {
	long, short := x, k
	if x.Dim(-1) < k.Dim(-1) {
		long, short = k, x
	}
	return long.Frames(short.Dim(-1), 1).Mul(short.Flip(-1).ExpandDims(-2)).Sum(-1)
}

// fastLen is a length of at least n that transforms fast.
func fastLen(n int) int {
	fast, err := fft.NextFastRealLen(n)
	if err != nil {
		return n // too long for any array: let nd say so
	}
	return fast
}

// spectrumProduct is samples from..to of the circular convolution of length n.
func spectrumProduct(x *nd.Array, k *taps, n, from, to int) *nd.Array {
	y := x.RFFT(k.transform(n)).Mul(k.spectrum(n)).IRFFT(k.transform(n))
	if from == 0 && to == n {
		return y
	}
	return y.SliceAxis(-1, nd.Range{Start: from, Stop: to})
}

// wrapped folds a filter longer than n onto n taps.
func wrapped(k *nd.Array, n int) *nd.Array {
	taps := k.Dim(-1)
	if taps <= n {
		return k
	}
	turns := (taps + n - 1) / n
	k = k.PadAxis(-1, nd.Margin{After: turns*n - taps}, nd.Pad{})
	shape := append(k.Shape()[:k.NDim()-1], turns, n)
	return k.Reshape(shape...).Sum(-2)
}
