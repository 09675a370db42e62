package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestRemainder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 3, 0.1, math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 0x1p-1022, 0x1.fffffffffffffp-1023, 0x1p53, 0x1p53 - 1, 0x1p-1000, 0x1p1000}
	check := func(x, y float64) {
		got, want := remainder(x, y), math.Mod(x, y)
		if math.Float64bits(got) != math.Float64bits(want) && (got == got || want == want) {
			t.Fatalf("%g (%x) modulo %g (%x): %g, want %g", x, x, y, y, got, want)
		}
	}
	for _, x := range special {
		for _, y := range special {
			check(x, y)
		}
	}
	for range 100000 {
		y := math.Ldexp(r.NormFloat64(), r.IntN(120)-60)
		check(math.Ldexp(r.NormFloat64(), r.IntN(120)-60), y)
		// Near multiples of y, where the quotient rounds to an integer.
		x := y * float64(r.IntN(1<<20))
		for _, near := range []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))} {
			check(near, y)
		}
		check(math.Float64frombits(r.Uint64()), math.Float64frombits(r.Uint64()))
		check(math.Float64frombits(r.Uint64N(1<<54)), math.Float64frombits(r.Uint64N(1<<53))) // subnormal
		check(y*float64(r.Uint64N(1<<53)), y)
	}
}
