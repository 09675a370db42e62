package reference

import (
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Values to 25 digits at these float64 arguments, from mpmath (mp.dps = 40).
func TestElementary(t *testing.T) {
	for _, c := range []struct {
		op      scalar.Op
		x, want float64
	}{
		{scalar.Exp, 1, 2.718281828459045235360287},
		{scalar.Exp, -745.1, 4.940656458412465e-324},
		{scalar.Exp, 709.5, 1.354986319314632830876632e308},
		{scalar.Log, 5e-324, -744.4400719213812623141073},
		{scalar.Log, 10, 2.302585092994045684017991},
		{scalar.Log1p, 1e-10, 9.999999999500000364355306e-11},
		{scalar.Expm1, 1e-10, 1.000000000050000036433864e-10},
		{scalar.Sin, math.Pi, 1.224646799147353177226066e-16},
		{scalar.Sin, 1e22, -0.8522008497671888017727059},
		{scalar.Cos, 1e22, 0.5232147853951389454975945},
		{scalar.Tan, 1e-7, 1.000000000000003288081445e-7},
		{scalar.Tanh, 0.5, 0.4621171572600097585023185},
		{scalar.Sigmoid, -1, 0.2689414213699951207488408},
		{scalar.Erf, 0.5, 0.5204998778130465376827467},
		{scalar.Erf, 3, 0.9999779095030014145586272},
	} {
		if got := precise[c.op](c.x); math.Abs(got-c.want) > 1e-15*math.Abs(c.want) {
			t.Errorf("%s(%v) = %.17g, want %.17g", c.op, c.x, got, c.want)
		}
	}
	if got, want := power(1.0000001, 1e7), 2.718281694132081570601966; math.Abs(got-want) > 1e-15*want {
		t.Errorf("power = %.17g, want %.17g", got, want)
	}
}

// Everywhere else the standard library is right to a few units, so a wrong
// series or reduction would show.
func TestElementaryAgreesWithMath(t *testing.T) {
	for op, f := range precise {
		for _, x := range []float64{-700, -50.5, -3, -1, -0.7, -1e-3, -1e-19, 0, 1e-300, 1e-19, 1e-3, 0.3, 0.75, 1, 2, 5.9, 30, 100, 1e5, 1e300, inf, -inf, nan} {
			got, want := f(x), float1[op](x)
			if got != want && math.Abs(got-want) > 1e-13*math.Abs(want) && (got == got || want == want) {
				t.Errorf("%s(%v) = %v, math has %v", op, x, got, want)
			}
		}
	}
}

// The root of 13 is the one nearest to it, and its square therefore just below 13.
func TestHypot(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{2, 3, math.Sqrt(13)},
		{-3, 2, math.Sqrt(13)},
		{0x3p660, -0x4p660, 0x5p660},
		{0x3p-660, 0x4p-660, 0x5p-660},
		{0, -7, 7},
		{math.NaN(), math.Inf(-1), math.Inf(1)},
	} {
		if got := hypot(c.x, c.y); got != c.want {
			t.Errorf("hypot(%v, %v) = %.17g, want %.17g", c.x, c.y, got, c.want)
		}
	}
}
