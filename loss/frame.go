package loss

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Scale is how magnitudes are compared.
type Scale uint8

const (
	Linear Scale = iota // as they are: m
	Log                 // log(m + Eps)
	Smooth              // log(re^2 + im^2 + Eps^2) / 2, which has no corner at 0
)

var scaleNames = [...]string{"linear", "log", "smooth"}

func (s Scale) String() string { return choice.Name(s, "Scale", scaleNames[:]) }

// ParseScale is the scale of a name.
func ParseScale(name string) (Scale, error) {
	return choice.Parse[Scale]("loss", "scale", name, scaleNames[:])
}

// Frame is the loss between the magnitudes of spectra of causal windows: one
// ends at every Hop-th sample, the first at the first, and samples before the
// start are 0. A frame counts the sum over bins 0 to Size/2 of squared or
// absolute differences of magnitudes m; interior bins are not doubled. An item
// counts the sum over its frames, and the loss is the mean over items.
//
// Reduction None keeps the frames, Sum adds up items.
type Frame struct {
	Size      int           // samples in the window; 0 is 64
	Hop       int           // samples from frame to frame; 0 is 1
	Window    signal.Window // hann, made symmetric unless it is given by name
	Distance  Distance      // L2
	Scale     Scale
	Eps       float64 // of Log and Smooth; 0 is 1e-8
	Reduction Reduction
}

// Of is the loss of x against y.
func (f Frame) Of(x, y *nd.Array) *nd.Array {
	const op = "frame"
	if bad := check(op, x, y, f.Reduction, f.Distance); bad != nil {
		return bad
	}
	f.Size = cmp.Or(f.Size, 64)
	f.Hop = cmp.Or(f.Hop, 1)
	if f.Window.Name == "" {
		f.Window.Symmetric = true
	}
	eps, err := orDefault("Eps", f.Eps, 1e-8)
	var w []float64
	switch {
	case err != nil:
	case f.Size < 2:
		err = fact("Size %d: want 2 or more", f.Size)
	case f.Size > x.Dim(-1):
		err = fmt.Errorf("a window of %d is longer than the signal, which has %s", f.Size, counted.Of(x.Dim(-1), "sample"))
	case f.Hop < 1:
		err = fact("Hop %d: want 1 or more", f.Hop)
	case int(f.Scale) >= len(scaleNames):
		err = fmt.Errorf("unknown scale %d: want one of %v", f.Scale, scaleNames)
	case int64(x.Len()/f.Hop) > math.MaxUint32/int64(f.Size):
		err = fmt.Errorf("frames of %d samples have more than 2^32 samples together: want a larger Hop, or parts", f.Size)
	default:
		w, err = f.Window.Samples(f.Size)
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	f.Eps = eps
	var p *pair // shared: evaluated together, value and gradient transform once
	return nd.Custom(
		func(in []*nd.Array) []*nd.Array {
			p = newPair(f, in[0], in[1], w)
			return []*nd.Array{f.value(p)}
		},
		func(_, _, grads []*nd.Array) []*nd.Array {
			return []*nd.Array{p.gradient(false, grads[0]), p.gradient(true, grads[0])}
		},
	)(x, y)[0]
}

// value is the loss, reduced.
func (f Frame) value(p *pair) *nd.Array {
	turns := f.Distance.of(p.x.level, p.y.level, L2).Sum(-1)
	shape := turns.Shape()
	frames := turns.Reshape(append(shape[:len(shape)-2], p.whole)...).SliceAxis(-1, nd.Range{Stop: p.count})
	switch f.Reduction {
	case Mean: // one pass over all frames
		return frames.Sum().MulScalar(1 / float64(p.items))
	case Sum:
		return frames.Sum()
	case Item:
		return frames.Sum(-1)
	}
	return frames
}
