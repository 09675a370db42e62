package loss

import (
	"fmt"

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

func (s Scale) String() string { return nameOf("Scale", uint8(s), scaleNames[:]) }

// ParseScale is the scale of a name.
func ParseScale(name string) (Scale, error) { return parse[Scale]("scale", name, scaleNames[:]) }

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
	if f.Size == 0 {
		f.Size = 64
	}
	if f.Hop == 0 {
		f.Hop = 1
	}
	if f.Window.Name == "" {
		f.Window.Symmetric = true
	}
	eps, err := orDefault("Eps", f.Eps, 1e-8)
	var w []float64
	switch {
	case err != nil:
	case f.Size < 2:
		err = fmt.Errorf("Size %d: want 2 or more", f.Size)
	case f.Size > x.Dim(-1):
		err = fmt.Errorf("a window of %d is longer than the signal, which has %d samples", f.Size, x.Dim(-1))
	case f.Hop < 1:
		err = fmt.Errorf("Hop %d: want 1 or more", f.Hop)
	case int(f.Scale) >= len(scaleNames):
		err = fmt.Errorf("unknown scale %d: want one of %v", f.Scale, scaleNames)
	default:
		w, err = f.Window.Samples(f.Size)
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	f.Eps = eps
	frames := f.frames(x, y, constant(w, x))
	if f.Reduction == None {
		return frames
	}
	return f.Reduction.ofItems(frames.Sum(-1))
}

// frames is the loss of every frame.
func (f Frame) frames(x, y, w *nd.Array) *nd.Array {
	before := nd.Margin{Before: f.Size - 1}
	spectra := func(a *nd.Array) *nd.Array {
		return a.PadAxis(-1, before, nd.Pad{}).Frames(f.Size, f.Hop).Mul(w).RFFT()
	}
	return f.Distance.of(f.level(spectra(x)), f.level(spectra(y)), L2).Sum(-1)
}

// level is what is compared of a spectrum.
func (f Frame) level(z *nd.Array) *nd.Array {
	switch f.Scale {
	case Log:
		return z.Abs().AddScalar(f.Eps).Log()
	case Smooth:
		return z.AbsSquared().AddScalar(f.Eps * f.Eps).Log().MulScalar(0.5)
	}
	return z.Abs()
}
