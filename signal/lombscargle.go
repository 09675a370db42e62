package signal

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// LombUnit is what LombScargle gives.
type LombUnit uint8

const (
	LombPower      LombUnit = iota // amplitude^2 n/4: what Periodogram gives for even samples
	LombNormalized                 // the part of the power that a sine explains, 0 to 1
	LombAmplitude                  // complex: amplitude and phase of the sine
)

var lombUnitNames = [...]string{"power", "normalized", "amplitude"}

func (u LombUnit) String() string { return choice.Name(u, "LombUnit", lombUnitNames[:]) }

// ParseLombUnit is the unit of a name: power, normalized or amplitude.
func ParseLombUnit(name string) (LombUnit, error) {
	return choice.Parse[LombUnit]("signal", "unit", name, lombUnitNames[:])
}

// LombScargle estimates the power of samples taken at any times, as
// scipy.signal.lombscargle: it fits a sine of each frequency by least squares.
type LombScargle struct {
	Weights      *nd.Array // of samples, as y; nil is 1 for all
	FloatingMean bool      // fit a constant along with every sine
	Unit         LombUnit
	Axis         nd.AxisChoice // of the samples of y
}

// Apply gives the power of y at angular frequencies. t is the times, one for each
// sample, or of the shape of y or of one that broadcasts to it, and frequencies has
// one axis, which takes the place of the samples. All have one
// type; with float32 large products of time and frequency lose their phase.
func (s LombScargle) Apply(t, y, frequencies *nd.Array) *nd.Array {
	const op = "lombscargle"
	l, bad := along(op, y, s.Axis, false)
	if bad == nil {
		bad = unusable(op, t, frequencies)
	}
	if bad != nil {
		return bad
	}
	w := s.Weights
	if w == nil {
		w = nd.FullLike(y, 1)
	}
	if bad := unusable(op, w); bad != nil {
		return bad
	}
	var err error
	switch kind := y.DType(); {
	case t.DType() != kind || frequencies.DType() != kind || w.DType() != kind:
		err = fmt.Errorf("t is %s, y %s, frequencies %s, weights %s: want one type", t.DType(), kind, frequencies.DType(), w.DType())
	case !l.fits(t, y) || !l.fits(w, y):
		err = fmt.Errorf("t of shape %v, weights of %v, y of %v: want one shape", t.Shape(), w.Shape(), y.Shape())
	case frequencies.NDim() != 1 || frequencies.Len() == 0:
		err = fmt.Errorf("frequencies of shape %v: want one axis, and some", frequencies.Shape())
	case s.Unit > LombAmplitude:
		err = fmt.Errorf("unknown unit %d", s.Unit)
	}
	if err != nil {
		return nd.Fail("signal", op, err, t, y, frequencies)
	}
	return l.back(s.fit(l.alike(t, y), l.Array, frequencies, l.alike(w, y)))
}

// fits reports an array with a number for each sample of y: of its shape, or of one
// axis, that of the samples.
func (l lines) fits(a, y *nd.Array) bool {
	return a.NDim() == 1 && a.Dim(0) == l.Dim(-1) || broadcasts(a.Shape(), y.Shape())
}

// alike is such an array in the shape of the lines.
func (l lines) alike(a, y *nd.Array) *nd.Array {
	if a.NDim() == 1 && a.Dim(0) == l.Dim(-1) {
		return a.BroadcastTo(l.Shape()...)
	}
	return moveAxis(a.BroadcastTo(y.Shape()...), l.at, y.NDim()-1)
}

// fit has samples along a last axis after that of frequencies. Names are those
// of Zechmeister and Kürster, "The generalised Lomb-Scargle periodogram".
func (s LombScargle) fit(t, y, frequencies, w *nd.Array) *nd.Array {
	samples := func(a *nd.Array) *nd.Array { return a.ExpandDims(-2) }
	w = samples(w.Div(w.Sum(-1).ExpandDims(-1)))
	wy := w.Mul(samples(y))
	phase := samples(t).Mul(frequencies.ExpandDims(-1))
	sum := func(a *nd.Array) *nd.Array { return a.Sum(-1) }

	// tau makes the sine and the cosine of each frequency independent.
	c, sn := phase.Cos(), phase.Sin()
	cc, cs := sum(w.Mul(c).Mul(c)), sum(w.Mul(c).Mul(sn))
	ss := cc.Neg().AddScalar(1)
	if s.FloatingMean {
		meanC, meanS := sum(w.Mul(c)), sum(w.Mul(sn))
		cc, ss, cs = cc.Sub(meanC.Mul(meanC)), ss.Sub(meanS.Mul(meanS)), cs.Sub(meanC.Mul(meanS))
	}
	tau := cs.MulScalar(2).Atan2(cc.Sub(ss)).MulScalar(0.5)
	phase = phase.Sub(tau.ExpandDims(-1))
	c, sn = phase.Cos(), phase.Sin()

	yc, ys := sum(wy.Mul(c)), sum(wy.Mul(sn))
	cc = sum(w.Mul(c).Mul(c))
	ss = cc.Neg().AddScalar(1)
	mean, yy := sum(wy), sum(wy.Mul(samples(y)))
	if s.FloatingMean {
		meanC, meanS := sum(w.Mul(c)), sum(w.Mul(sn))
		yc, ys = yc.Sub(mean.Mul(meanC)), ys.Sub(mean.Mul(meanS))
		cc, ss = cc.Sub(meanC.Mul(meanC)), ss.Sub(meanS.Mul(meanS))
		yy = yy.Sub(mean.Mul(mean))
	}
	// Frequencies at which a sine is 0 everywhere must not divide by 0.
	least := 0x1p-53
	if y.DType() == nd.Float32 {
		least = 0x1p-24
	}
	a, b := yc.Div(cc.MaximumScalar(least)), ys.Div(ss.MaximumScalar(least))
	if s.Unit == LombAmplitude {
		return nd.Complex(a, b).Mul(nd.Complex(tau.Cos(), tau.Sin()))
	}
	power := a.Mul(yc).Add(b.Mul(ys))
	if s.Unit == LombNormalized {
		return power.Div(yy)
	}
	return power.MulScalar(float64(y.Dim(-1)) / 2)
}
