package signal

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Pipeline convolves with its channels split into bands, each on a stream of
// its own, and joins the bands again. There is nothing to synchronise by hand:
// where the join needs a band it waits for it. The bits of the result do not
// depend on the number of streams.
//
// More streams only help where one does not fill the device. Streams of 0
// lets the engine decide.
type Pipeline struct {
	Conv
	Streams int

	streams []*nd.Stream
}

const pipelineOp = "pipeline"

// NewPipeline makes a pipeline on a device. Close ends its streams.
func NewPipeline(d *nd.Device, c Conv, streams int) (*Pipeline, error) {
	if streams < 0 {
		return nil, fmt.Errorf("signal: pipeline: %d streams: want at least 1, or 0 to let the engine decide", streams)
	}
	p := &Pipeline{Conv: c, Streams: streams}
	for range streams {
		s, err := d.NewStream()
		if err != nil {
			p.Close()
			return nil, fmt.Errorf("signal: pipeline: %w", err)
		}
		p.streams = append(p.streams, s)
	}
	return p, nil
}

// Close lets the streams' work finish.
func (p *Pipeline) Close() error {
	var first error
	for _, s := range p.streams {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
	}
	p.streams = nil
	return first
}

// Bands is how many bands x is split into.
func (p *Pipeline) Bands(x *nd.Array) int {
	if len(p.streams) > 0 {
		return len(p.streams)
	}
	// One launch spreads over all of a device's workers by itself, so bands
	// would only add launches and fences.
	return 1
}

// Apply builds the convolution of x, of shape (..., channels, length), with k.
func (p *Pipeline) Apply(x, k *nd.Array) *nd.Array {
	if bad := p.check(x, k); bad != nil {
		return bad
	}
	bands := p.Bands(x)
	if bands == 1 && len(p.streams) == 0 {
		return p.Conv.Apply(x, k)
	}
	channels := 1
	if x.NDim() > 1 {
		channels = x.Dim(-2)
	}
	if bands > channels {
		return nd.Fail("signal", pipelineOp, fmt.Errorf("%d streams for x of shape %v, which has %d channels", bands, x.Shape(), channels), x, k)
	}
	if bands == 1 {
		return p.Conv.Apply(x.On(p.streams[0]), k)
	}
	parts := make([]*nd.Array, bands)
	for i := range parts {
		// Uneven bands where the channels do not divide.
		r := nd.Range{Start: i * channels / bands, Stop: (i + 1) * channels / bands}
		c := p.Conv
		of := func(a *nd.Array, axis int) *nd.Array {
			if a == nil || a.NDim() < -axis || a.Dim(axis) == 1 {
				return a // shared by the channels
			}
			return a.SliceAxis(axis, r)
		}
		c.Bias, c.Skip = of(c.Bias, -1), of(c.Skip, -1)
		c.InGate, c.OutGate = of(c.InGate, -2), of(c.OutGate, -2)
		parts[i] = c.Apply(x.SliceAxis(-2, r).On(p.streams[i]), of(k, -2))
	}
	return nd.Concat(-2, parts...)
}
