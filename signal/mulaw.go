package signal

import (
	"cmp"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// MuLaw is the options of companding samples from -1 to 1, as telephones do: librosa.mu_compress
// and mu_expand.
type MuLaw struct {
	Mu float64 // 0 is 255
	// Quantize makes integers of samples, from -(Mu+1)/2 to (Mu-1)/2, which are int32, and
	// takes such. torchaudio's are greater by (Mu+1)/2.
	Quantize bool
}

func (m MuLaw) checked() (MuLaw, error) {
	m.Mu = cmp.Or(m.Mu, 255)
	if !(m.Mu > 0 && m.Mu < 1<<24) {
		return m, fact("Mu %g: want a positive number below %d", m.Mu, 1<<24)
	}
	return m, nil
}

// Apply compresses samples: quiet ones have more steps than loud ones. What is beyond -1 and 1
// counts as these.
func (m MuLaw) Apply(x *nd.Array) *nd.Array {
	const op = "mulaw"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	m, err := m.checked()
	if err != nil {
		return nd.Fail("signal", op, err, x)
	}
	v := l.Clip(-1, 1)
	y := v.Sign().Mul(v.Abs().MulScalar(m.Mu).Log1p().DivScalar(math.Log1p(m.Mu)))
	if !m.Quantize {
		return y
	}
	// Ends are on a step, and their logarithms are rounded: this much above one is on it.
	steps := math.Floor(m.Mu)
	least := min(steps*0x1p-21, 0.25)
	if y.DType() == nd.Float64 {
		least = steps * 0x1p-50
	}
	return y.AddScalar(1).MulScalar(steps / 2).SubScalar(least).Ceil().SubScalar(math.Floor((steps + 1) / 2)).Cast(nd.Int32)
}

// Inverse undoes Apply, up to rounding to steps.
func (m MuLaw) Inverse(y *nd.Array) *nd.Array {
	const op = "inverse mulaw"
	if bad := unusable(op, y); bad != nil {
		return bad
	}
	m, err := m.checked()
	switch t := y.DType(); {
	case err != nil:
	case m.Quantize && !t.IsFloat() && !t.IsComplex():
		y = y.Cast(nd.Float32)
	case !t.IsFloat():
		err = fact("y is %s: want floats, or integers with Quantize", t)
	}
	if err != nil {
		return nd.Fail("signal", op, err, y)
	}
	y = single(y)
	if m.Quantize {
		y = y.MulScalar(2 / (1 + m.Mu))
	}
	y = y.Clip(-1, 1)
	return y.Sign().Mul(y.Abs().MulScalar(math.Log1p(m.Mu)).Expm1().DivScalar(m.Mu))
}
