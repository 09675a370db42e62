package fft

import (
	"math"
	"math/cmplx"
	"testing"
)

// Numbers up to the largest over n have finite bins, since no sum of n of them overflows:
// kernels whose products lack their cosines must not lose that range.
func TestRange(t *testing.T) {
	for n := 16; n <= 4096; n *= 2 {
		finite(t, n, math.MaxFloat32, func(x float64) complex64 { return complex(float32(x), -float32(x)) }, func(c complex64) complex128 { return complex128(c) })
		finite(t, n, math.MaxFloat64, func(x float64) complex128 { return complex(x, -x) }, func(c complex128) complex128 { return c })
	}
}

func finite[C Complex](t *testing.T, n int, most float64, number func(float64) C, wide func(C) complex128) {
	t.Helper()
	p, err := NewPlan[C](n)
	if err != nil {
		t.Fatal(err)
	}
	x, y := make([]C, n), make([]C, n)
	for at := range x {
		clear(x)
		x[at] = number(most / float64(n))
		for name, transform := range map[string]func(dst, src []C) error{"forward": p.Forward, "inverse": p.Inverse} {
			if err := transform(y, x); err != nil {
				t.Fatal(err)
			}
			for k, c := range y {
				if c := wide(c); cmplx.IsNaN(c) || cmplx.IsInf(c) {
					t.Fatalf("%T of %d, %s: bin %d of an impulse at %d is %v", x, n, name, k, at, c)
				}
			}
		}
	}
}
