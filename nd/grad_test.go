package nd

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// checkGrad compares the gradients of a sum of weighted elements of f by each of
// its inputs with central differences. Weights make every element count, and
// differently; of complex results the real parts and the imaginary ones do.
func checkGrad(t *testing.T, f func(in []*Array) *Array, in ...*Array) {
	t.Helper()
	loss := func(in []*Array) *Array { return weighed(f(in)) }
	got := Grad(loss(in), in...)
	for i, a := range in {
		g, err := toHost(got[i])
		if err != nil {
			t.Fatalf("input %d: %v", i, err)
		}
		if got[i].DType() != a.DType() || fmt.Sprint(got[i].Shape()) != fmt.Sprint(a.Shape()) {
			t.Fatalf("input %d: gradient is %v, input %v", i, got[i], a)
		}
		want := differences(t, loss, in, i)
		var scale float64
		for _, w := range want {
			scale = max(scale, math.Abs(real(w)), math.Abs(imag(w)))
		}
		for k, w := range want {
			d := g.Values[k].Num - w
			if e := math.Hypot(real(d), imag(d)); !(e <= 1e-6*max(scale, 1)) {
				t.Fatalf("input %d: gradient %v at %d, differences say %v", i, g.Values[k].Num, k, w)
			}
		}
	}
}

// weighed is the sum of the elements of y times numbers between 0.5 and 1.5.
func weighed(y *Array) *Array {
	if y.Err() != nil {
		return y
	}
	weights := func(key Key) *Array { return Uniform(key, Float64, y.Shape()...).AddScalar(0.5) }
	if y.DType().IsComplex() {
		return y.Real().Mul(weights(1)).Sum().Add(y.Imag().Mul(weights(2)).Sum())
	}
	return y.Mul(weights(1)).Sum()
}

// differences estimates the gradient by input i from the loss at six points
// around each element, which leaves an error of the sixth order in the step.
func differences(t *testing.T, loss func([]*Array) *Array, in []*Array, i int) []complex128 {
	t.Helper()
	const h = 1e-3
	base, err := toHost(in[i])
	if err != nil {
		t.Fatal(err)
	}
	parts := []complex128{1}
	if in[i].DType().IsComplex() {
		parts = append(parts, 1i)
	}
	out := make([]complex128, len(base.Values))
	for k := range out {
		for _, unit := range parts {
			var d float64
			for _, p := range []struct{ at, weight float64 }{{1, 45}, {-1, -45}, {2, -9}, {-2, 9}, {3, 1}, {-3, -1}} {
				moved := make([]complex128, len(base.Values))
				for j, v := range base.Values {
					moved[j] = v.Num
				}
				moved[k] += unit * complex(p.at*h, 0)
				x := append([]*Array(nil), in...)
				x[i] = numbersLike(in[i], moved)
				l, err := Item[float64](context.Background(), loss(x))
				if err != nil {
					t.Fatal(err)
				}
				d += p.weight * l
			}
			out[k] += unit * complex(d/(60*h), 0)
		}
	}
	return out
}

// numbersLike makes a float64 or complex128 array with the shape of a.
func numbersLike(a *Array, v []complex128) *Array {
	if a.DType().IsComplex() {
		return From(v, a.Shape()...)
	}
	reals := make([]float64, len(v))
	for i, z := range v {
		reals[i] = real(z)
	}
	return From(reals, a.Shape()...)
}

// draws makes float64 arrays of numbers in [low, high).
type draws struct{ r *rand.Rand }

func newDraws(seed uint64) draws { return draws{rand.New(rand.NewPCG(seed, 9))} }

func (d draws) reals(low, high float64, shape ...int) *Array {
	v := make([]float64, product(shape))
	for i := range v {
		v[i] = low + (high-low)*d.r.Float64()
	}
	return From(v, shape...)
}

// complexes are of modulus between 0.5 and 1.5 and any angle.
func (d draws) complexes(shape ...int) *Array {
	v := make([]complex128, product(shape))
	for i := range v {
		s, c := math.Sincos(2 * math.Pi * d.r.Float64())
		v[i] = complex(c, s) * complex(0.5+d.r.Float64(), 0)
	}
	return From(v, shape...)
}

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func TestGradMaps(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(1)
	unary := func(f func(*Array) *Array) func([]*Array) *Array {
		return func(in []*Array) *Array { return f(in[0]) }
	}
	binary := func(f func(a, b *Array) *Array) func([]*Array) *Array {
		return func(in []*Array) *Array { return f(in[0], in[1]) }
	}
	tests := []struct {
		name string
		f    func([]*Array) *Array
		in   []*Array
	}{
		{"neg", unary((*Array).Neg), []*Array{d.reals(-1, 1, 5)}},
		{"abs", unary((*Array).Abs), []*Array{d.reals(0.1, 1, 5)}},
		{"abs of negative", unary((*Array).Abs), []*Array{d.reals(-1, -0.1, 5)}},
		{"sign", unary((*Array).Sign), []*Array{d.reals(0.1, 1, 5)}},
		{"exp", unary((*Array).Exp), []*Array{d.reals(-1, 1, 5)}},
		{"expm1", unary((*Array).Expm1), []*Array{d.reals(-1, 1, 5)}},
		{"log", unary((*Array).Log), []*Array{d.reals(0.5, 2, 5)}},
		{"log1p", unary((*Array).Log1p), []*Array{d.reals(-0.5, 2, 5)}},
		{"sqrt", unary((*Array).Sqrt), []*Array{d.reals(0.5, 2, 5)}},
		{"rsqrt", unary((*Array).Rsqrt), []*Array{d.reals(0.5, 2, 5)}},
		{"sin", unary((*Array).Sin), []*Array{d.reals(-3, 3, 5)}},
		{"cos", unary((*Array).Cos), []*Array{d.reals(-3, 3, 5)}},
		{"tan", unary((*Array).Tan), []*Array{d.reals(-1, 1, 5)}},
		{"tanh", unary((*Array).Tanh), []*Array{d.reals(-2, 2, 5)}},
		{"sigmoid", unary((*Array).Sigmoid), []*Array{d.reals(-2, 2, 5)}},
		{"erf", unary((*Array).Erf), []*Array{d.reals(-2, 2, 5)}},
		{"floor", unary((*Array).Floor), []*Array{d.reals(0.1, 0.9, 5)}},
		{"ceil", unary((*Array).Ceil), []*Array{d.reals(0.1, 0.9, 5)}},
		{"round", unary((*Array).Round), []*Array{d.reals(0.1, 0.4, 5)}},
		{"abs_squared", unary((*Array).AbsSquared), []*Array{d.reals(-1, 1, 5)}},
		{"conj", unary((*Array).Conj), []*Array{d.reals(-1, 1, 5)}},
		{"cast and back", unary(func(a *Array) *Array { return a.Cast(Complex128).Cast(Float64) }), []*Array{d.reals(-1, 1, 5)}},

		{"complex neg", unary((*Array).Neg), []*Array{d.complexes(5)}},
		{"complex abs", unary((*Array).Abs), []*Array{d.complexes(5)}},
		{"complex sign", unary((*Array).Sign), []*Array{d.complexes(5)}},
		{"complex exp", unary((*Array).Exp), []*Array{d.complexes(5)}},
		{"complex log", unary((*Array).Log), []*Array{From([]complex128{1 + 1i, 2 - 1i, 0.5 + 2i})}},
		{"complex sqrt", unary((*Array).Sqrt), []*Array{From([]complex128{1 + 1i, 2 - 1i, 0.5 + 2i})}},
		{"complex rsqrt", unary((*Array).Rsqrt), []*Array{From([]complex128{1 + 1i, 2 - 1i, 0.5 + 2i})}},
		{"complex sin", unary((*Array).Sin), []*Array{d.complexes(5)}},
		{"complex cos", unary((*Array).Cos), []*Array{d.complexes(5)}},
		{"complex tan", unary((*Array).Tan), []*Array{From([]complex128{1 + 1i, 0.5 - 1i})}},
		{"complex tanh", unary((*Array).Tanh), []*Array{From([]complex128{1 + 1i, 0.5 - 1i})}},
		{"complex sigmoid", unary((*Array).Sigmoid), []*Array{d.complexes(5)}},
		{"real", unary((*Array).Real), []*Array{d.complexes(5)}},
		{"imag", unary((*Array).Imag), []*Array{d.complexes(5)}},
		{"complex conj", unary((*Array).Conj), []*Array{d.complexes(5)}},
		{"angle", unary((*Array).Angle), []*Array{From([]complex128{1 + 1i, 2 - 1i, -0.5 + 2i})}},
		{"complex abs_squared", unary((*Array).AbsSquared), []*Array{d.complexes(5)}},
		{"complex to real", unary(func(a *Array) *Array { return a.Cast(Float64) }), []*Array{d.complexes(5)}},

		{"add", binary((*Array).Add), []*Array{d.reals(-1, 1, 3, 4), d.reals(-1, 1, 4)}},
		{"sub", binary((*Array).Sub), []*Array{d.reals(-1, 1, 3, 1), d.reals(-1, 1, 1, 4)}},
		{"mul", binary((*Array).Mul), []*Array{d.reals(-1, 1, 3, 4), d.reals(-1, 1, 3, 1)}},
		{"mul by itself", unary(func(a *Array) *Array { return a.Mul(a) }), []*Array{d.reals(-1, 1, 4)}},
		{"div", binary((*Array).Div), []*Array{d.reals(-1, 1, 2, 3), d.reals(0.5, 2, 3)}},
		{"rem", binary((*Array).Rem), []*Array{From([]float64{5.3, -5.3, 7.7}), From([]float64{2.1, 2.1, -3})}},
		{"pow", binary((*Array).Pow), []*Array{d.reals(0.5, 2, 4), d.reals(-2, 2, 4)}},
		{"pow scalar", unary(func(a *Array) *Array { return a.PowScalar(3.5) }), []*Array{d.reals(0.5, 2, 4)}},
		{"square of negative", unary(func(a *Array) *Array { return a.PowScalar(2) }), []*Array{d.reals(-2, 2, 4)}},
		{"cube of negative", unary(func(a *Array) *Array { return a.PowScalar(3) }), []*Array{d.reals(-2, 2, 4)}},
		{"maximum", binary((*Array).Maximum), []*Array{From([]float64{1, 2, 3}), From([]float64{2, 1, 0})}},
		{"minimum", binary((*Array).Minimum), []*Array{From([]float64{1, 2, 3}), From([]float64{2, 1, 0})}},
		{"atan2", binary((*Array).Atan2), []*Array{From([]float64{1, -2, 3}), From([]float64{2, 1, -4})}},
		{"complex from parts", binary(Complex), []*Array{d.reals(-1, 1, 3), d.reals(-1, 1, 2, 3)}},
		{"complex mul", binary((*Array).Mul), []*Array{d.complexes(2, 3), d.complexes(3)}},
		{"complex div", binary((*Array).Div), []*Array{d.complexes(2, 3), d.complexes(3)}},
		{"complex pow", binary((*Array).Pow), []*Array{From([]complex128{1 + 1i, 2 - 1i}), From([]complex128{2 + 0.5i, -1i})}},
		{"where", func(in []*Array) *Array { return Where(From([]bool{true, false, true}), in[0], in[1]) },
			[]*Array{d.reals(-1, 1, 2, 3), d.reals(-1, 1, 3)}},
		{"interp", func(in []*Array) *Array { return Interp(in[0], in[1], in[2]) },
			[]*Array{From([]float64{0.3, 2.4, -1, 9, 1.1, 0.7}, 2, 3), From([]float64{0, 0.5, 1.2, 3}), d.reals(-1, 1, 4)}},
		{"clip", unary(func(a *Array) *Array { return a.Clip(-0.5, 0.5) }), []*Array{From([]float64{-1, 0.2, 0.9})}},
		{"empty", unary((*Array).Exp), []*Array{d.reals(0, 1, 0, 3)}},
		{"scalar", unary((*Array).Sin), []*Array{Scalar(0.3)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkGrad(t, tt.f, tt.in...) })
	}
}
