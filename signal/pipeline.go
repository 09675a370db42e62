package signal

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Pipeline convolves with the channels split into bands, each on its own stream, and joins
// the bands. It needs no synchronisation by the caller: the join waits for the bands. The
// bits of the result do not depend on the number of streams.
//
// More streams help only if one does not fill the device; docs/STREAMS.md has figures.
// With Streams 0, the zero value, the device's tuning decides.
//
// Devices, if there are any, share the channels so that all should finish at the same
// time, including the copies to and from them. The result is on the device of x. Devices
// of one kind give the same bits as one of them.
type Pipeline struct {
	Conv    Conv
	Streams int
	Devices []*nd.Device
}

const pipelineOp = "pipeline"

// Bands is how many bands x is split into: as many as Streams says. Where that is
// 0 the device's tuning decides: conv_streams, but no more than give each band
// stream_samples.
func (p Pipeline) Bands(x *nd.Array) int {
	if p.Streams != 0 {
		return p.Streams
	}
	d, err := x.Device()
	if err != nil {
		return 1
	}
	channels := 1
	if x.NDim() > 1 {
		channels = x.Dim(-2)
	}
	worth := max(1, int(d.Tuned("stream_samples")))
	return max(1, min(int(d.Tuned("conv_streams")), channels, x.Len()/worth))
}

// Apply builds the convolution of x, of shape (..., channels, length), with k.
func (p Pipeline) Apply(x, k *nd.Array) *nd.Array {
	if bad := p.Conv.check(x, k); bad != nil {
		return bad
	}
	fail := func(format string, args ...any) *nd.Array {
		return nd.Fail("signal", pipelineOp, fmt.Errorf(format, args...), x, k)
	}
	channels := 1
	if x.NDim() > 1 {
		channels = x.Dim(-2)
	}
	if p.Streams < 0 || p.Streams > channels {
		return fail("Streams %d: want 1 to %d, one channel of x of shape %v each, or 0 to let the engine decide", p.Streams, channels, x.Shape())
	}
	if len(p.Devices) > 0 {
		return p.spread(x, k, channels)
	}
	bands := p.Bands(x)
	if bands == 1 {
		return p.Conv.Apply(x, k)
	}
	dev, err := x.Device()
	if err != nil {
		return fail("%w", err)
	}
	parts := make([]*nd.Array, bands)
	for i := range parts {
		s, err := dev.Band(i)
		if err != nil {
			return fail("%w", err)
		}
		// Uneven bands where the channels do not divide.
		parts[i] = p.band(x, k, nd.Range{Start: i * channels / bands, Stop: (i + 1) * channels / bands}, s)
	}
	return nd.Concat(-2, parts...)
}

// band is the convolution of some channels on a stream.
func (p Pipeline) band(x, k *nd.Array, channels nd.Range, s *nd.Stream) *nd.Array {
	of := func(a *nd.Array, axis int) *nd.Array {
		if a == nil {
			return nil
		}
		if a.NDim() >= -axis && a.Dim(axis) > 1 { // else all channels share it
			a = a.SliceAxis(axis, channels)
		}
		if d, err := a.Device(); err == nil && d != s.Device() {
			a = a.On(s)
		}
		return a
	}
	c := p.Conv
	c.Bias, c.Skip = of(c.Bias, -1), of(c.Skip, -1)
	c.InGate, c.OutGate = of(c.InGate, -2), of(c.OutGate, -2)
	return c.Apply(of(x, -2).On(s), of(k, -2))
}
