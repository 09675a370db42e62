package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Sweep is how the frequency of a Chirp goes from one value to another.
type Sweep uint8

const (
	SweepLinear      Sweep = iota
	SweepQuadratic         // a parabola with its vertex at time 0
	SweepLogarithmic       // by equal factors in equal times
	SweepHyperbolic        // the period is linear
)

var sweepNames = [...]string{"linear", "quadratic", "logarithmic", "hyperbolic"}

func (s Sweep) String() string { return choice.Name(s, "Sweep", sweepNames[:]) }

// ParseSweep is the sweep of a name.
func ParseSweep(name string) (Sweep, error) {
	return choice.Parse[Sweep]("signal", "sweep", name, sweepNames[:])
}

// Chirp is a cosine whose frequency is F0 at time 0 and F1 at time T1, as
// scipy.signal.chirp.
type Chirp struct {
	F0, T1, F1 float64
	Sweep      Sweep
	Phase      float64 // at time 0, in degrees
}

// At is Apply.
func (c Chirp) At(t *nd.Array) *nd.Array { return c.Apply(t) }

// Apply is the chirp at the given times.
func (c Chirp) Apply(t *nd.Array) *nd.Array {
	const op = "chirp"
	if bad := times(op, t); bad != nil {
		return bad
	}
	f0, f1, t1 := c.F0, c.F1, c.T1
	for _, v := range []float64{f0, f1, c.Phase} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fail(op, "F0 %g, F1 %g, Phase %g: want numbers", f0, f1, c.Phase)(t)
		}
	}
	if !(t1 > 0) || math.IsInf(t1, 0) {
		return fail(op, "T1 %g: want a positive number", t1)(t)
	}
	var turns *nd.Array
	switch c.Sweep {
	case SweepLinear:
		turns = t.Mul(t.MulScalar((f1 - f0) / (2 * t1)).AddScalar(f0))
	case SweepQuadratic:
		turns = t.Mul(t.Mul(t).MulScalar((f1 - f0) / (3 * t1 * t1)).AddScalar(f0))
	case SweepLogarithmic:
		if f0*f1 <= 0 {
			return fail(op, "F0 %g and F1 %g: a logarithmic sweep wants the same sign, and not 0", f0, f1)(t)
		}
		turns = t.MulScalar(f0)
		if f0 != f1 {
			rate := math.Log(f1/f0) / t1
			turns = t.MulScalar(rate).Expm1().MulScalar(f0 / rate)
		}
	case SweepHyperbolic:
		if f0 == 0 || f1 == 0 {
			return fail(op, "F0 %g and F1 %g: a hyperbolic sweep does not reach 0", f0, f1)(t)
		}
		turns = t.MulScalar(f0)
		if f0 != f1 {
			pole := -f1 * t1 / (f0 - f1)
			turns = t.DivScalar(-pole).AddScalar(1).Abs().Log().MulScalar(-pole * f0)
		}
	default:
		return fail(op, "unknown sweep %d: want one of %v", c.Sweep, sweepNames)(t)
	}
	// Whole turns go away before they cost the cosine its precision.
	turns = turns.Sub(turns.Floor())
	return turns.MulScalar(2 * math.Pi).AddScalar(c.Phase * math.Pi / 180).Cos()
}

// times checks the argument of a generator.
func times(op string, t *nd.Array) *nd.Array {
	if bad := unusable(op, t); bad != nil {
		return bad
	}
	if t.DType() != nd.Float32 && t.DType() != nd.Float64 {
		return fail(op, "t is %s: want float32 or float64", t.DType())(t)
	}
	return nil
}

// Square is a square wave of period 2 pi: 1 for the part duty of every period
// and -1 for the rest, as scipy.signal.square. A duty outside [0, 1] gives
// NaN.
func Square(t *nd.Array, duty float64) *nd.Array {
	if bad := times("square", t); bad != nil {
		return bad
	}
	if !(duty >= 0 && duty <= 1) {
		return nd.FullLike(t, math.NaN())
	}
	high := within(t).LessScalar(duty * 2 * math.Pi)
	return nd.Where(high, nd.FullLike(t, 1), nd.FullLike(t, -1))
}

// Sawtooth is a wave of period 2 pi that rises from -1 to 1 for the part width
// of every period and falls back for the rest, as scipy.signal.sawtooth: 1 is
// a sawtooth, 0.5 a triangle. A width outside [0, 1] gives NaN.
func Sawtooth(t *nd.Array, width float64) *nd.Array {
	if bad := times("sawtooth", t); bad != nil {
		return bad
	}
	if !(width >= 0 && width <= 1) {
		return nd.FullLike(t, math.NaN())
	}
	at := within(t)
	if width == 1 {
		return at.DivScalar(math.Pi).SubScalar(1)
	}
	fall := at.DivScalar(-math.Pi).AddScalar(width + 1).DivScalar(1 - width)
	if width == 0 {
		return fall
	}
	rise := at.DivScalar(math.Pi * width).SubScalar(1)
	return nd.Where(at.LessScalar(width*2*math.Pi), rise, fall)
}

// within is the place in a period of 2 pi.
func within(t *nd.Array) *nd.Array {
	return t.Sub(t.DivScalar(2 * math.Pi).Floor().MulScalar(2 * math.Pi))
}

// Colour is how the power of noise depends on frequency.
type Colour uint8

const (
	White Colour = iota // the same at all frequencies
	Pink                // by 1/f: the same in every octave
	Brown               // by 1/f^2: as a random walk
)

var colourNames = [...]string{"white", "pink", "brown"}

func (c Colour) String() string { return choice.Name(c, "Colour", colourNames[:]) }

// ParseColour is the colour of a name.
func ParseColour(name string) (Colour, error) {
	return choice.Parse[Colour]("signal", "colour", name, colourNames[:])
}

// Noise is normal noise of variance 1, along the last axis of the given shape.
// Pink and brown noise are shaped in frequency, have no mean and repeat with
// the length of the line.
func Noise(k nd.Key, c Colour, t nd.DType, shape ...int) *nd.Array {
	const op = "noise"
	white := nd.Normal(k, t, shape...)
	if white.Err() != nil || c == White {
		return white
	}
	l, bad := along(op, white, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	if int(c) >= len(colourNames) {
		return fail(op, "unknown colour %d: want one of %v", c, colourNames)()
	}
	n := l.Dim(-1)
	if err := checkSize("samples", n); err != nil {
		return nd.Fail("signal", op, err)
	}
	shaping, power := make([]float64, n/2+1), 0.0
	for i := 1; i < len(shaping); i++ {
		shaping[i] = math.Pow(float64(i), -float64(c)/2)
		twice := 2.0
		if 2*i == n {
			twice = 1
		}
		power += twice * shaping[i] * shaping[i]
	}
	if power > 0 {
		for i := range shaping {
			shaping[i] *= math.Sqrt(float64(n) / power)
		}
	}
	z := white.RFFT()
	return z.Mul(constant(shaping, z)).IRFFT(nd.FFT{N: n})
}
