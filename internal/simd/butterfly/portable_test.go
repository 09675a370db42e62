package butterfly

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// naive is the sum that defines the transform.
func naive(x []complex128) []complex128 {
	n := len(x)
	y := make([]complex128, n)
	for k := range y {
		for j, v := range x {
			y[k] += v * cmplx.Rect(1, -2*math.Pi*float64(k*j%n)/float64(n))
		}
	}
	return y
}

func TestPortableRadices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for r := 2; r <= MaxRadix; r++ {
		x := make([]complex128, r)
		for i := range x {
			x[i] = complex(rng.Float64()-.5, rng.Float64()-.5)
		}
		y := make([]complex128, r)
		in, out := (*[2]float64)(unsafe.Pointer(&x[0])), (*[2]float64)(unsafe.Pointer(&y[0]))
		p := Pass{Rows: 1, Cols: 1, InLeg: 1, OutLeg: 1}
		Portable[float64](r, Interleaved, Interleaved)(&p, unsafe.Pointer(&out[0]), unsafe.Pointer(&out[1]),
			unsafe.Pointer(&in[0]), unsafe.Pointer(&in[1]), 2)
		for k, want := range naive(x) {
			if cmplx.Abs(y[k]-2*want) > 1e-14*float64(r) {
				t.Errorf("radix %d: output %d = %v, want %v", r, k, y[k], 2*want)
			}
		}
	}
}
