package signal

import (
	"cmp"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// EQKind is a kind of equalizer section.
type EQKind uint8

const (
	Peaking    EQKind = iota // raises or lowers a band by Gain
	LowShelf                 // raises or lowers what is below Freq by Gain
	HighShelf                // raises or lowers what is above Freq by Gain
	EQLowpass                // -3 dB at Freq for a Q of 0.7071
	EQHighpass               // the same, above
	EQBandpass               // 0 dB at Freq
	EQNotch                  // nothing at Freq
	EQAllpass                // turns phases by 180 degrees at Freq
	lastEQ     = EQAllpass
)

var eqNames = [...]string{"peaking", "lowshelf", "highshelf", "lowpass", "highpass", "bandpass", "notch", "allpass"}

func (k EQKind) String() string { return choice.Name(k, "EQKind", eqNames[:]) }

// ParseEQKind is the kind of a name.
func ParseEQKind(name string) (EQKind, error) {
	return choice.Parse[EQKind]("signal", "equalizer", name, eqNames[:])
}

// EQ designs a biquad of an equalizer, by the formulas of Robert Bristow-Johnson's
// "Cookbook formulae for audio equalizer biquad filter coefficients". To combine several
// EQs, append their sections to one SOS: append(a, b...).
type EQ struct {
	Kind EQKind
	Freq float64 // centre or corner
	FS   float64 // sampling frequency
	Q    float64 // 0 is 1/sqrt 2
	Gain float64 // of Peaking and shelves, in dB
}

// SOS is the filter as one section.
func (e EQ) SOS() (SOS, error) {
	c, err := e.section()
	if err != nil {
		return nil, fmt.Errorf("signal: eq: %w", err)
	}
	return SOS{c}, nil
}

// Apply designs the filter and runs x through it, as SOS.Apply. To filter often, keep
// the SOS.
func (e EQ) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	s, err := e.SOS()
	return designed("eq", s.Apply, err, x, axis)
}

func (e EQ) section() (c [6]float64, err error) {
	q := cmp.Or(e.Q, math.Sqrt2/2)
	switch {
	case e.Kind > lastEQ:
		return c, fact("unknown kind %d: want one of %v", e.Kind, eqNames)
	case !(e.FS > 0) || math.IsInf(e.FS, 0):
		return c, fact("FS %g: want a positive number", e.FS)
	case !(e.Freq > 0 && e.Freq < e.FS/2):
		return c, fact("Freq %g: want above 0 and below half of FS, which is %g", e.Freq, e.FS)
	case !(q > 0) || math.IsInf(q, 0):
		return c, fact("Q %g: want a positive number", e.Q)
	case !(math.Abs(e.Gain) <= 200):
		return c, fact("Gain %g: want -200 to 200 dB", e.Gain)
	}
	sin, cos := math.Sincos(2 * math.Pi * e.Freq / e.FS)
	alpha := sin / (2 * q)
	a := math.Pow(10, e.Gain/40)
	switch e.Kind {
	case Peaking:
		c = [6]float64{1 + alpha*a, -2 * cos, 1 - alpha*a, 1 + alpha/a, -2 * cos, 1 - alpha/a}
	case LowShelf, HighShelf:
		// A high shelf is a low shelf of the mirrored spectrum.
		s, w := 1.0, cos
		if e.Kind == HighShelf {
			s, w = -1, -cos
		}
		root := 2 * math.Sqrt(a) * alpha
		c = [6]float64{
			a * (a + 1 - (a-1)*w + root), s * 2 * a * (a - 1 - (a+1)*w), a * (a + 1 - (a-1)*w - root),
			a + 1 + (a-1)*w + root, s * -2 * (a - 1 + (a+1)*w), a + 1 + (a-1)*w - root,
		}
	case EQLowpass:
		c = [6]float64{(1 - cos) / 2, 1 - cos, (1 - cos) / 2, 1 + alpha, -2 * cos, 1 - alpha}
	case EQHighpass:
		c = [6]float64{(1 + cos) / 2, -(1 + cos), (1 + cos) / 2, 1 + alpha, -2 * cos, 1 - alpha}
	case EQBandpass:
		c = [6]float64{alpha, 0, -alpha, 1 + alpha, -2 * cos, 1 - alpha}
	case EQNotch:
		c = [6]float64{1, -2 * cos, 1, 1 + alpha, -2 * cos, 1 - alpha}
	case EQAllpass:
		c = [6]float64{1 - alpha, -2 * cos, 1 + alpha, 1 + alpha, -2 * cos, 1 - alpha}
	}
	for i, v := range c {
		if i != 3 {
			c[i] = v / c[3]
		}
	}
	c[3] = 1
	return c, nil
}
