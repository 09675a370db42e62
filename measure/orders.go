package measure

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Orders is the options of order tracking: the signal of a machine whose speed changes is
// resampled at equal angles of its shaft. Components that turn with the shaft are then at
// a fixed order, at any speed.
type Orders struct {
	FS     float64
	Pulses int // of the tachometer in a turn; 0 is 1
	Points int // samples in a turn of the result; 0 is 64
	// NPerSeg is the samples, at equal angles, of segments whose powers Spectrum averages, as
	// EnvelopeSpectrum does; 0 is one transform of all turns.
	NPerSeg int
}

// Resample gives the samples of the line x at equal angles, from the first to the last
// pulse. The times of the pulses are in seconds from the first sample: Tacho finds them in a
// tachometer's signal, and Turns makes them of a speed. Between pulses
// the speed changes evenly; samples are interpolated by cubics.
func (o Orders) Resample(ctx context.Context, x *nd.Array, pulses []float64) (*nd.Array, error) {
	if o.Pulses == 0 {
		o.Pulses = 1
	}
	if o.Points == 0 {
		o.Points = 64
	}
	if err := check("orders", x); err != nil {
		return nil, err
	}
	switch {
	case !(o.FS > 0) || math.IsInf(o.FS, 0):
		return nil, fmt.Errorf("measure: orders: FS %g: want a positive number", o.FS)
	case o.Pulses < 1 || o.Points < 2 || o.Points > 1<<20:
		return nil, fmt.Errorf("measure: orders: %d pulses and %d points in a turn: want 1 or more, and 2 to %d", o.Pulses, o.Points, 1<<20)
	case x.NDim() != 1:
		return nil, fmt.Errorf("measure: orders: x of shape %v: want one line, such as x.At(0)", x.Shape())
	case len(pulses) < 3:
		return nil, fmt.Errorf("measure: orders: %d pulses: want 3 or more", len(pulses))
	}
	for i, p := range pulses {
		if !(p >= 0 && p*o.FS <= float64(x.Len()-1)) || i > 0 && !(p > pulses[i-1]) {
			return nil, fmt.Errorf("measure: orders: pulse %d at %g s: want times that grow, within the %g s of x", i, p, float64(x.Len()-1)/o.FS)
		}
	}
	samples, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return nil, err
	}
	count := (len(pulses)-1)*o.Points/o.Pulses + 1
	out := make([]float64, count)
	for i := range out {
		at := float64(i) * float64(o.Pulses) / float64(o.Points) // in pulses
		out[i] = cubic(samples, timeAt(pulses, at)*o.FS)
	}
	y := nd.From(out).Cast(x.DType())
	return y, y.Err()
}

// timeAt is when so many pulses have come: the parabola through the three nearest, and
// the mean of the two parabolas between pulses that have neighbours on both sides.
func timeAt(pulses []float64, at float64) float64 {
	k := min(int(at), len(pulses)-2)
	through := func(first int) float64 {
		u := at - float64(first)
		p := pulses[first : first+3]
		return p[0] + u*(p[1]-p[0]) + u*(u-1)/2*(p[2]-2*p[1]+p[0])
	}
	switch {
	case k == 0:
		return through(0)
	case k == len(pulses)-2:
		return through(k - 1)
	}
	// The weights join the parabolas without a step of speed.
	u := at - float64(k)
	return (1-u)*through(k-1) + u*through(k)
}

// cubic is the value between samples by the polynomial through the four nearest.
func cubic(x []float64, at float64) float64 {
	if len(x) < 4 {
		return x[min(max(int(math.Round(at)), 0), len(x)-1)]
	}
	k := min(max(int(at)-1, 0), len(x)-4)
	u := at - float64(k)
	a, b, c, d := x[k], x[k+1], x[k+2], x[k+3]
	return -a*(u-1)*(u-2)*(u-3)/6 + b*u*(u-2)*(u-3)/2 - c*u*(u-1)*(u-3)/2 + d*u*(u-1)*(u-2)/6
}

// Spectrum is the amplitudes of orders: of what happens so many times in a turn.
func (o Orders) Spectrum(ctx context.Context, x *nd.Array, pulses []float64) (Lines, error) {
	y, err := o.Resample(ctx, x, pulses)
	if err != nil {
		return Lines{}, err
	}
	if o.Points == 0 {
		o.Points = 64
	}
	return amplitudes("orders", y.Sub(y.Keep(-1).Mean()), float64(o.Points), o.NPerSeg)
}
