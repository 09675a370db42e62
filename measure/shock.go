package measure

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// ShockResponse is the options of shock response spectra: how far a shock of the base
// drives oscillators of given natural frequencies, each of one degree of freedom. Filters are those
// of ISO 18431-4, for which samples are joined by straight lines.
type ShockResponse struct {
	FS          float64
	Frequencies []float64 // natural frequencies, below half of FS
	Q           float64   // 1/(2 damping), above 0.5; 0 is 10, a damping of 5%
	// PseudoVelocity gives the greatest relative displacement times 2 pi f instead of the greatest
	// absolute acceleration: in m/s, for samples in m/s^2.
	PseudoVelocity bool
}

// Shock is a shock response spectrum, (..., frequencies) each.
type Shock struct {
	Maximax            *nd.Array // the greatest modulus
	Positive, Negative *nd.Array // the greatest response to either side, 0 if it goes to one only
}

// Apply gives the spectrum of the acceleration x along its last axis. Oscillators are at rest
// before x, and are followed after it for a period of their damped swing, or four periods of Frequencies.
func (s ShockResponse) Apply(ctx context.Context, x *nd.Array) (Shock, error) {
	const op = "shock response"
	if err := check(op, x); err != nil {
		return Shock{}, err
	}
	if s.Q == 0 {
		s.Q = 10
	}
	switch {
	case !(s.FS > 0) || math.IsInf(s.FS, 0):
		return Shock{}, fmt.Errorf("measure: %s: FS %g: want a positive number", op, s.FS)
	case !(s.Q > 0.5) || math.IsInf(s.Q, 0):
		return Shock{}, fmt.Errorf("measure: %s: Q %g: want more than 0.5", op, s.Q)
	case len(s.Frequencies) == 0:
		return Shock{}, fmt.Errorf("measure: %s: no Frequencies", op)
	}
	for i, f := range s.Frequencies {
		if !(f >= s.FS/longest && f < s.FS/2) {
			return Shock{}, fmt.Errorf("measure: %s: frequency %d is %g: want %g or more, below %g", op, i, f, s.FS/longest, s.FS/2)
		}
	}
	samples, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return Shock{}, err
	}
	n, count := x.Dim(-1), len(s.Frequencies)
	lines := len(samples) / n
	most, least, both := make([]float64, lines*count), make([]float64, lines*count), make([]float64, lines*count)
	for line := range lines {
		for from := 0; from < count; from += together {
			if err := ctx.Err(); err != nil {
				return Shock{}, err
			}
			var o [together]oscillator
			for i := range o {
				o[i] = s.oscillator(s.Frequencies[min(from+i, count-1)])
			}
			drive(&o, samples[line*n:][:n])
			for i := range min(together, count-from) {
				o[i].swing(s.FS / s.Frequencies[from+i] * min(1/math.Sqrt(1-1/(4*s.Q*s.Q)), 4))
				at := line*count + from + i
				most[at], least[at] = o[i].most, -o[i].least
				both[at] = max(most[at], least[at])
			}
		}
	}
	shape := append(x.Shape()[:x.NDim()-1:x.NDim()-1], count)
	array := func(v []float64) *nd.Array { return nd.From(v, shape...).Cast(x.DType()) }
	return Shock{Maximax: array(both), Positive: array(most), Negative: array(least)}, nil
}

// longest bounds the samples in a period.
const longest = 1 << 26

// together is how many oscillators are driven at a time: each sample of one waits for the last
// one, so a processor has time for others.
const together = 4

// oscillator is a filter of two poles, its state and how far it went.
type oscillator struct {
	b0, b1, b2, a1, a2 float64
	s1, s2             float64
	most, least        float64
}

// oscillator is the filter whose response to a ramp is the oscillator's at all samples, and so to
// any straight lines between samples.
func (s ShockResponse) oscillator(f float64) oscillator {
	w, damping := 2*math.Pi*f, 1/(2*s.Q)
	damped := math.Sqrt(1 - damping*damping) // over w
	ramp := func(t float64) float64 {
		z, speed := displaced(w*t, damping, damped)
		if s.PseudoVelocity {
			return -z / (w * w)
		}
		return (2*damping*speed + z) / w
	}
	step := 1 / s.FS
	r1, r2, r3 := ramp(step), ramp(2*step), ramp(3*step)
	// A triangle is three ramps; divided by what the poles say, its response is the numerator.
	c0, c1, c2 := r1*s.FS, (r2-2*r1)*s.FS, (r3-2*r2+r1)*s.FS
	decay := math.Exp(-damping * w * step)
	o := oscillator{a1: -2 * decay * math.Cos(damped*w*step), a2: decay * decay}
	o.b0, o.b1, o.b2 = c0, c1+o.a1*c0, c2+o.a1*c1+o.a2*c0
	return o
}

// displaced is where an oscillator of natural frequency 1 rad/s is, and how fast, when a force has grown
// as time does: z" + 2 damping z' + z = t.
func displaced(t, damping, damped float64) (z, speed float64) {
	if t > 1 {
		sin, cos := math.Sincos(damped * t)
		decay := math.Exp(-damping * t)
		return t - 2*damping + decay*(2*damping*cos+(2*damping*damping-1)/damped*sin), 1 - decay*(cos+damping/damped*sin)
	}
	// Terms of the closed form cancel; those of the series do not. The 20th is less than rounding.
	before, last, power := 0.0, 0.0, 1.0 // coefficients k and k+1, and t^(k+1)
	for k := range 20 {
		force := 0.0
		if k == 1 {
			force = 1
		}
		next := (force - 2*damping*float64(k+1)*last - before) / float64((k+2)*(k+1))
		power *= t
		z += next * power * t
		speed += next * float64(k+2) * power
		before, last = last, next
	}
	return z, speed
}

// drive gives samples to all oscillators.
func drive(all *[together]oscillator, x []float64) {
	a, b, c, d := all[0], all[1], all[2], all[3]
	for _, v := range x {
		a.next(v)
		b.next(v)
		c.next(v)
		d.next(v)
	}
	*all = [together]oscillator{a, b, c, d}
}

// swing follows an oscillator for a period after the last sample.
func (o *oscillator) swing(period float64) {
	for range int(period) + 2 {
		o.next(0)
	}
}

func (o *oscillator) next(v float64) {
	y := o.b0*v + o.s1
	o.s1 = o.b1*v - o.a1*y + o.s2
	o.s2 = o.b2*v - o.a2*y
	o.most = max(o.most, y)
	o.least = min(o.least, y)
}
