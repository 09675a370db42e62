package signal

import (
	"context"
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Stream convolves a signal that arrives in chunks, causally: the outputs for
// a chunk depend on it and on the last taps-1 samples before it, and are as
// many as its samples. Put together they are what one call over the whole
// signal gives, up to rounding.
//
// A Stream is for one signal and one goroutine.
type Stream struct {
	conv Conv
	k    taps
	tail *nd.Array // the last taps-1 gated samples; nil before the first chunk
}

// Stream starts a signal. The filter's spectrum is computed by the first chunk
// and kept. Only mode Causal looks at no later sample, so c has
// that mode.
func (c Conv) Stream(k *nd.Array) (*Stream, error) {
	c.Mode = c.Mode.or(Causal)
	switch {
	case c.Mode != Causal:
		return nil, fmt.Errorf("signal: stream: mode %s: only causal convolution can be done as the signal arrives", c.Mode)
	case k == nil:
		return nil, errors.New("signal: stream: k is a nil Array")
	case k.Err() != nil:
		return nil, k.Err()
	case k.NDim() < 1 || k.NDim() > 2 || k.Dim(-1) == 0:
		return nil, fmt.Errorf("signal: stream: k of shape %v: want (channels, taps) or (taps)", k.Shape())
	case k.DType().IsComplex():
		return nil, errors.New("signal: stream: k is a spectrum: give the taps, whose spectrum the stream keeps")
	case c.InGate != nil || c.OutGate != nil:
		return nil, errors.New("signal: stream: gates are as long as the signal: multiply the chunks")
	}
	return &Stream{conv: c, k: taps{k: k, mode: c.Accumulation, kept: map[int]*nd.Array{}}}, nil
}

// Push gives the outputs for the next chunk, of shape (..., channels, samples).
// It evaluates, so that what the stream remembers is only a few samples.
func (s *Stream) Push(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	if bad := s.conv.check(x, s.k.k); bad != nil {
		return nil, bad.Err()
	}
	if t := x.DType(); t.IsHalf() {
		wide := *s
		wide.conv, wide.k.k = s.conv.single(), single(s.k.k)
		y, err := wide.Push(ctx, single(x))
		if err != nil {
			return nil, err
		}
		s.tail = wide.tail
		y = y.Cast(t)
		return y, nd.Eval(ctx, y)
	}
	history := s.k.count() - 1
	shape := x.Shape()
	shape[len(shape)-1] = history
	tail := s.tail
	if tail == nil {
		tail = nd.Zeros(x.DType(), shape...)
	}
	longer := nd.Concat(-1, tail, x)
	y := Conv{Mode: Valid, Block: s.conv.Block}.linear(longer, &s.k)
	if s.conv.Bias != nil {
		y = y.Add(perChannel(s.conv.Bias))
	}
	if s.conv.Skip != nil {
		y = y.Add(x.Mul(perChannel(s.conv.Skip)))
	}
	next := longer.SliceAxis(-1, nd.Range{Start: longer.Dim(-1) - history, Stop: nd.End})
	// The spectrum of the filter is kept with them: chunks are usually of one size.
	if err := nd.Eval(ctx, append(s.k.lasting(), y, next)...); err != nil {
		return nil, err
	}
	s.tail = next
	return y, nil
}
