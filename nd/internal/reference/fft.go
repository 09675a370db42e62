package reference

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/twiddle-go/twiddle/internal/oracle"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func runFFT(f *ir.FFT, reads, writes [][]byte) {
	window := func(v Value, at []int, i int) Value {
		if f.Window == nil {
			return v
		}
		w := load(*f.Window, reads[len(reads)-1], along(at, i))
		return Float(v.Type, real(v.Num)*real(w.Num))
	}
	points(f.Outer, func(at []int) {
		in := loadLine(f.In, reads[0], at, min(f.InLen, f.InNeeded()))
		for i := range in {
			switch {
			case f.Planes && f.Kind == ir.FFTRealInverse:
				im := load(f.In, reads[1], along(at, i))
				in[i] = Complex(f.In.Type.Complex(), complex(real(in[i].Num), real(im.Num)))
			case f.Kind == ir.FFTRealForward:
				in[i] = window(in[i], at, i)
			}
		}
		for i, v := range transform(f, in) {
			switch {
			case f.Planes && f.Kind == ir.FFTRealForward:
				store(Float(f.Out.Type, real(v.Num)), f.Out, writes[0], along(at, i))
				store(Float(f.Out.Type, imag(v.Num)), f.Out, writes[1], along(at, i))
			case f.Kind == ir.FFTRealInverse:
				store(window(v, at, i), f.Out, writes[0], along(at, i))
			default:
				store(v, f.Out, writes[0], along(at, i))
			}
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
	if f.Kind == ir.FFTQuarterForward {
		for t := range x {
			x[t] *= quarterTurn(t, f.N)
		}
	}
	if f.Kind == ir.FFTQuarterInverse {
		inverse = true
		inRows := slices.Clone(x)
		for i := range x {
			x[binOf(f, i)] = inRows[i]
		}
	}
	y := oracle.FFT(x, inverse)
	out := make([]Value, f.OutLen())
	for k := range out {
		z := y.At(k) * complex(f.Scale, 0)
		if f.Kind == ir.FFTQuarterForward {
			z = y.At(binOf(f, k)) * complex(f.Scale, 0)
		}
		if (f.Kind == ir.FFTRealForward || f.Kind == ir.FFTRealWhole) && 2*k%f.N == 0 {
			z = complex(real(z), 0)
		}
		switch f.Kind {
		case ir.FFTRealInverse:
			out[k] = Float(f.Out.Type, real(z))
		case ir.FFTQuarterInverse:
			out[k] = Float(f.Out.Type, real(z*cmplx.Conj(quarterTurn(k, f.N))))
		default:
			out[k] = Complex(f.Out.Type.Real().Complex(), z)
		}
	}
	return out
}

// binOf is the bin that element i of a spectrum is.
func binOf(f *ir.FFT, i int) int {
	if f.Rows == 0 {
		return i
	}
	each := f.N / f.Rows
	return i%each*f.Rows + i/each
}

// quarterTurn is what element t of a line of n is multiplied by for bins a quarter lower:
// the t-th power of the n-th root of i.
func quarterTurn(t, n int) complex128 {
	sin, cos := math.Sincos(math.Pi * float64(t) / float64(2*n))
	return complex(cos, sin)
}
