package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Channelizer divides a band into channels of equal width by a polyphase filter bank, as
// radios do. Channel c is x shifted down by c/Channels of the sampling frequency, filtered
// by a low-pass filter, and decimated by Hop. All channels together take little longer
// than one channel alone. Channels are in the order of fft.Freq, so the upper half has
// negative frequencies; nd.Array.FFTShift sorts them.
type Channelizer struct {
	Channels int
	Hop      int // samples of x for one of a channel; 0 is Channels, which samples a channel at its width
	// Taps is the low-pass filter; nil is one of 16 taps for each channel, whose gain is a
	// half at the edges between channels and 80 dB down from the middle of the next on.
	Taps []float64
}

// Apply gives (..., Channels, frames), complex, of real or complex lines along the last
// axis. As of lfilter, sample m of a channel is of x up to sample m*Hop, with silence before
// the first.
func (c Channelizer) Apply(x *nd.Array) *nd.Array {
	const op = "channelizer"
	l, bad := along(op, x, nd.AxisChoice{}, true)
	if bad != nil {
		return bad
	}
	m, hop, taps := c.Channels, c.Hop, c.Taps
	hop = cmp.Or(hop, m)
	if m < 1 || hop < 1 {
		return fail(op, "Channels %d and Hop %d: want 1 or more", m, c.Hop)(x)
	}
	if err := checkSize("channels by taps", m, max(16, len(taps)/m+1)); err != nil {
		return nd.Fail("signal", op, err, x)
	}
	if len(taps) == 0 && m > 1 {
		var err error
		if taps, err = (FIR{Cutoff: [2]float64{1 / float64(m)}, Window: Window{Name: "kaiser", Param: 8}}).Taps(16 * m); err != nil {
			return nd.Fail("signal", op, inner(err), x)
		}
	} else if len(taps) == 0 {
		taps = []float64{1}
	}
	for _, v := range taps {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail(op, "a tap is %g", v)(x)
		}
	}
	// A frame ends with the sample that its outputs are of. Its samples, weighted by the
	// taps in reverse, that are m apart turn alike in every channel: they are added up, and
	// one transform mixes them down.
	folds := (len(taps) + m - 1) / m
	size := folds * m
	weights := make([]float64, size)
	for k, v := range taps {
		weights[size-1-k] = v
	}
	fold := func(x *nd.Array) *nd.Array {
		frames := x.PadAxis(-1, nd.Margin{Before: size - 1}, nd.Pad{}).Frames(size, hop)
		if folds > mostShifts {
			shape := append(frames.Shape()[:frames.NDim()-1], folds, m)
			return frames.Mul(constant(weights, x)).Reshape(shape...).Sum(-2)
		}
		var sum *nd.Array
		for k := 0; k < size; k += m {
			part := frames.SliceAxis(-1, nd.Between(k, k+m)).Mul(constant(weights[k:k+m], x))
			if sum == nil {
				sum = part
			} else {
				sum = sum.Add(part)
			}
		}
		return sum
	}
	var z *nd.Array
	if l.DType().IsComplex() {
		z = nd.Complex(fold(l.Real()), fold(l.Imag()))
	} else {
		z = fold(l.Array).Cast(complexOf(l.DType()))
	}
	if z.Err() != nil {
		return z
	}
	return z.FFT().Mul(c.turns(z, hop, z.Dim(-2))).SwapAxes(-1, -2)
}

// turns is by how much channels have turned when a frame begins: exp(-2 pi i c (m Hop + 1) /
// Channels) of channel c and frame m, the same for all frames if Hop is a multiple of
// Channels.
func (c Channelizer) turns(like *nd.Array, hop, frames int) *nd.Array {
	n := c.Channels
	roots := make([]complex128, n)
	for k := range roots {
		sin, cos := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		roots[k] = complex(cos, sin)
	}
	table := complexConstant(roots, like, n)
	if hop%n == 0 {
		return table
	}
	starts := nd.Arange[int64](0, int64(frames), 1).MulScalar(hop % n).AddScalar(1).RemScalar(n).ExpandDims(-1)
	return table.Take(starts.Mul(nd.Arange[int64](0, int64(n), 1)).RemScalar(n).Beside(like), 0)
}
