package signal

import (
	"fmt"
	"math"
	"math/big"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/choice"
)

// BesselNorm is the meaning of the cutoff frequency of a Bessel filter, as in
// scipy.signal.bessel.
type BesselNorm uint8

const (
	BesselPhase     BesselNorm = iota // where the phase is in the middle of its range; asymptotes as Butterworth
	BesselDelay                       // 1 over the delay in the pass band
	BesselMagnitude                   // where the gain is -3 dB
)

var besselNormNames = [...]string{"phase", "delay", "mag"}

func (n BesselNorm) String() string { return choice.Name(n, "BesselNorm", besselNormNames[:]) }

// ParseBesselNorm is the norm of a name: phase, delay or mag.
func ParseBesselNorm(name string) (BesselNorm, error) {
	return choice.Parse[BesselNorm]("signal", "bessel norm", name, besselNormNames[:])
}

// maxBessel is how far the roots of Bessel polynomials are known to be found.
const maxBessel = 25

// bessel is the low-pass prototype. Its poles are the roots of a reverse Bessel
// polynomial, the coefficients of which are integers.
func bessel(n int, norm BesselNorm) (ZPK, error) {
	if int(norm) >= len(besselNormNames) {
		return ZPK{}, fmt.Errorf("unknown Norm %d: want one of %v", norm, besselNormNames)
	}
	// c[k] = (2n-k)! / (2^(n-k) k! (n-k)!), from the constant up.
	c := make([]*big.Int, n+1)
	for k := range c {
		num := new(big.Int).MulRange(int64(n-k+1), int64(2*n-k))
		den := new(big.Int).Lsh(new(big.Int).MulRange(1, int64(k)), uint(n-k))
		c[k] = num.Div(num, den)
	}
	value := func(k int) float64 { f, _ := new(big.Float).SetInt(c[k]).Float64(); return f }
	// Scaled by the nth root of the constant, roots lie near the unit circle, so
	// that powers of them do not overflow.
	unit := math.Pow(value(0), 1/float64(n))
	p := make([]float64, n+1)
	for k := range p {
		p[n-k] = value(k) * math.Pow(unit, float64(k-n))
	}
	a := ZPK{P: roots(p), K: 1}
	for i, z := range a.P {
		a.P[i] = polished(c, z*complex(unit, 0))
	}
	scale := 1 / unit
	switch norm {
	case BesselDelay:
		scale = 1
	case BesselMagnitude:
		scale = 1 / halfPower(a.P)
	}
	for i := range a.P {
		a.P[i] *= complex(scale, 0)
	}
	a.K = real(product(a.P))
	return a, nil
}

// polished is a root by Newton's steps with 200 bits: in float64 the roots of
// order 20 have half of their digits.
func polished(c []*big.Int, z complex128) complex128 {
	const bits = 200
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }
	type pair struct{ re, im *big.Float }
	add := func(a, b pair) pair {
		return pair{number(0).Add(a.re, b.re), number(0).Add(a.im, b.im)}
	}
	mul := func(a, b pair) pair {
		rr, ii, ri, ir := number(0).Mul(a.re, b.re), number(0).Mul(a.im, b.im), number(0).Mul(a.re, b.im), number(0).Mul(a.im, b.re)
		return pair{rr.Sub(rr, ii), ri.Add(ri, ir)}
	}
	at := pair{number(real(z)), number(imag(z))}
	for range 6 {
		value, slope := pair{number(0), number(0)}, pair{number(0), number(0)}
		for k := len(c) - 1; k >= 0; k-- {
			slope = add(mul(slope, at), value)
			value = add(mul(value, at), pair{new(big.Float).SetPrec(bits).SetInt(c[k]), number(0)})
		}
		norm := number(0).Add(number(0).Mul(slope.re, slope.re), number(0).Mul(slope.im, slope.im))
		step := mul(value, pair{slope.re, number(0).Neg(slope.im)})
		at.re.Sub(at.re, step.re.Quo(step.re, norm))
		at.im.Sub(at.im, step.im.Quo(step.im, norm))
	}
	re, _ := at.re.Float64()
	im, _ := at.im.Float64()
	return complex(re, im)
}

// halfPower is the frequency at which an all-pole low-pass filter of gain 1 is
// down to half its power: its gain falls all the way.
func halfPower(p []complex128) float64 {
	gain := func(w float64) float64 {
		g := 1.0
		for _, v := range p {
			g *= cmplx.Abs(v) / cmplx.Abs(complex(0, w)-v)
		}
		return g * g
	}
	low, high := 0.0, 1.0
	for gain(high) > 0.5 {
		high *= 2
	}
	for range 200 {
		middle := (low + high) / 2
		if gain(middle) > 0.5 {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
