package reference

import (
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func runFFT(f *ir.FFT, read, write []byte) {
	points(f.Outer, func(at []int) {
		in := loadLine(f.In, read, at, f.InLen)
		for i, v := range transform(f, in) {
			store(v, f.Out, write, along(at, i))
		}
	})
}

// transform is one line of f, by way of the complex transform of the whole
// line for every kind.
func transform(f *ir.FFT, in []Value) []Value {
	x := make([]complex128, f.N)
	for i, v := range in[:min(len(in), f.InNeeded())] {
		x[i] = v.Num
	}
	inverse := f.Inverse
	if f.Kind == ir.FFTRealInverse {
		inverse = true
		// What is its own mirror image must be real; the rest is mirrored.
		for k := range x {
			switch m := (f.N - k) % f.N; {
			case m == k:
				x[k] = complex(real(x[k]), 0)
			case m < k:
				x[k] = cmplx.Conj(x[m])
			}
		}
	}
	y := oracle.FFT(x, inverse)
	out := make([]Value, f.OutLen())
	for k := range out {
		z := y.At(k) * complex(f.Scale, 0)
		if f.Out.Type.IsComplex() {
			out[k] = Complex(f.Out.Type, z)
		} else {
			out[k] = Float(f.Out.Type, real(z))
		}
	}
	return out
}
