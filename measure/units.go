package measure

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Reference values of levels in dB, ISO 1683.
const (
	ReferencePressure     = 20e-6 // Pa
	ReferenceAcceleration = 1e-6  // m/s^2
	ReferenceVelocity     = 1e-9  // m/s
)

// Level is 20 log10 of x over a reference, in dB.
func Level(x, reference float64) float64 { return 20 * math.Log10(x/reference) }

// Sensor converts samples to physical units.
type Sensor struct {
	Sensitivity float64 // volts per unit: 0.1 for 100 mV/g, 0.05 for 50 mV/Pa
	FullScale   float64 // volts of a sample of 1; 0 is 1, for samples in volts
	Gain        float64 // of the amplifier between, in dB
}

// Factor is what a sample of 1 is, in units.
func (s Sensor) Factor() (float64, error) {
	f, err := s.factor()
	if err != nil {
		return 0, fmt.Errorf("measure: sensor: %w", err)
	}
	return f, nil
}

func (s Sensor) factor() (float64, error) {
	full := s.FullScale
	if full == 0 {
		full = 1
	}
	f := full / (s.Sensitivity * math.Pow(10, s.Gain/20))
	if !(s.Sensitivity > 0) || !(full > 0) || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("want a positive Sensitivity and FullScale and a finite Gain, got %g, %g and %g", s.Sensitivity, s.FullScale, s.Gain)
	}
	return f, nil
}

// Apply is x in units.
func (s Sensor) Apply(x *nd.Array) *nd.Array {
	f, err := s.factor()
	if err == nil {
		err = fault(x)
	}
	if err != nil {
		return nd.Fail("measure", "sensor", err, x)
	}
	return x.MulScalar(f)
}

// Integral integrates along the last axis in the frequency domain, as acceleration
// becomes velocity, and that displacement.
type Integral struct {
	FS    float64
	Times int // 0 is 1; negative differentiates
	// Low is the lowest frequency that is kept: what is below is mostly drift, which
	// integrating would raise without bounds. 0 drops only the mean.
	Low float64
}

// mostSamples bounds the factors of a spectrum, which are made on the host: memory for more would
// end the process.
const mostSamples = 1 << 30

// Apply integrates x. A line should begin and end alike, or be windowed: it is one
// period of what is integrated.
func (g Integral) Apply(x *nd.Array) *nd.Array {
	const op = "integral"
	if g.Times == 0 {
		g.Times = 1
	}
	err := fault(x)
	switch {
	case err != nil:
	case !(g.FS > 0) || math.IsInf(g.FS, 0):
		err = fmt.Errorf("want a positive FS, got %g", g.FS)
	case g.Times < -4 || g.Times > 4:
		err = fmt.Errorf("want Times from -4 to 4, got %d", g.Times)
	case !(g.Low >= 0):
		err = fmt.Errorf("want a Low of 0 or more, got %g", g.Low)
	case x.Dim(-1) > mostSamples:
		err = fmt.Errorf("%d samples: want at most %d", x.Dim(-1), mostSamples)
	}
	if err != nil {
		return nd.Fail("measure", op, err, x)
	}
	n := x.Dim(-1)
	by := make([]complex128, n/2+1)
	for k := 1; k < len(by); k++ {
		f := float64(k) * g.FS / float64(n)
		if f < g.Low {
			continue
		}
		w := complex(0, 2*math.Pi*f)
		by[k] = 1
		for range max(g.Times, -g.Times) {
			if g.Times > 0 {
				by[k] /= w
			} else {
				by[k] *= w
			}
		}
	}
	t := nd.Complex64
	if x.DType() == nd.Float64 {
		t = nd.Complex128
	}
	return x.RFFT().Mul(nd.From(by).Cast(t)).IRFFT(nd.FFT{N: n})
}
