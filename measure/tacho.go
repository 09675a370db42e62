package measure

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// Tacho is the options of finding pulses in the signal of a tachometer. A pulse begins
// where the signal rises through High after it was below Low, so that noise on an edge is
// not counted.
type Tacho struct {
	FS float64
	// Low and High are in the unit of the samples. If both are 0 they are at 40% and 60%
	// of the way from the least sample to the greatest.
	Low, High float64
	Falling   bool // pulses begin where the signal falls through Low after it was above High
}

// Pulses gives the times at which pulses of the line x begin, in seconds from its first
// sample, between samples by a straight line: what Orders takes.
func (t Tacho) Pulses(ctx context.Context, x *nd.Array) ([]float64, error) {
	const op = "tacho"
	v, err := line(ctx, op, x, t.FS)
	if err != nil {
		return nil, err
	}
	low, high := t.Low, t.High
	least, most := slices.Min(v), slices.Max(v)
	if math.IsInf(most-least, 0) { // differences of samples are no numbers
		for i := range v {
			v[i] /= 4
		}
		low, high, least, most = low/4, high/4, least/4, most/4
	}
	if low == 0 && high == 0 {
		low, high = least+0.4*(most-least), least+0.6*(most-least)
	}
	if !(low <= high) {
		return nil, fmt.Errorf("measure: %s: Low %g and High %g: want Low below High", op, low, high)
	}
	if t.Falling {
		for i := range v {
			v[i] = -v[i]
		}
		low, high = -high, -low
	}
	var times []float64
	armed := v[0] < low
	for i := 1; i < len(v); i++ {
		if armed && v[i] > high {
			times = append(times, (float64(i-1)+(high-v[i-1])/(v[i]-v[i-1]))/t.FS)
			armed = false
		}
		armed = armed || v[i] < low
	}
	return times, nil
}

// Turns gives the times at which a shaft has completed turns, in seconds from the first
// sample: the first is 0. Its speed is given at every sample, in turns per minute; between
// samples it is interpolated linearly.
func Turns(ctx context.Context, rpm *nd.Array, fs float64) ([]float64, error) {
	const op = "turns"
	v, err := line(ctx, op, rpm, fs)
	if err != nil {
		return nil, err
	}
	times := []float64{0}
	angle := 0.0 // in turns
	if i := slices.IndexFunc(v, func(v float64) bool { return v < 0 }); i >= 0 {
		return nil, fmt.Errorf("measure: %s: the speed is %g at sample %d: want turns in one direction", op, v[i], i)
	}
	for i := range v[1:] {
		if v[i]+v[i+1] > 120*fs {
			return nil, fmt.Errorf("measure: %s: more than a turn in a sample, at %g of %g per second: want a speed in turns per minute", op, v[i], fs)
		}
		a, b := v[i]/60/fs, v[i+1]/60/fs // turns per sample
		end := angle + (a+b)/2
		for n := float64(len(times)); n <= end; n++ {
			// a u + (b-a) u^2/2 = c, by the root that does not subtract
			c := n - angle
			u := 2 * c / (a + math.Sqrt(max(0, a*a+2*(b-a)*c)))
			times = append(times, (float64(i)+u)/fs)
		}
		angle = end
	}
	return times, nil
}

// line is the samples of one line, all of them numbers.
func line(ctx context.Context, op string, x *nd.Array, fs float64) ([]float64, error) {
	if err := check(op, x); err != nil {
		return nil, err
	}
	switch {
	case !(fs > 0) || math.IsInf(fs, 0):
		return nil, fmt.Errorf("measure: %s: FS %g: want a positive number", op, fs)
	case x.NDim() != 1:
		return nil, fmt.Errorf("measure: %s: x of shape %v: want one line, such as x.At(0)", op, x.Shape())
	}
	v, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return nil, err
	}
	for i := range v {
		if math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return nil, fmt.Errorf("measure: %s: sample %d is %g", op, i, v[i])
		}
	}
	return v, nil
}
