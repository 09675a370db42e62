package nd

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// gradOf evaluates the gradient of the sum of f by one float64 array.
func gradOf(t *testing.T, f func(*Array) *Array, x *Array) []float64 {
	t.Helper()
	g, err := Slice[float64](context.Background(), Grad(f(x).Sum(), x)[0])
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestGradEdges holds the gradients where there is no derivative, or where a
// formula divides by zero.
func TestGradEdges(t *testing.T) {
	testdevice.NeedsFloat64(t)
	nan, inf := math.NaN(), math.Inf(1)
	zero := func(a *Array) *Array { return FullLike(a, 0) }
	tests := []struct {
		name string
		f    func(*Array) *Array
		x    []float64
		want []float64
	}{
		{"sqrt", (*Array).Sqrt, []float64{0, 4}, []float64{0, 0.25}},
		{"sqrt of a square", func(a *Array) *Array { return a.Mul(a).Sqrt() }, []float64{0, -2}, []float64{0, -1}},
		{"abs", (*Array).Abs, []float64{0, -2, 3}, []float64{0, -1, 1}},
		{"norm of zeros", func(a *Array) *Array { return a.Norm() }, []float64{0, 0}, []float64{0, 0}},
		{"std of one value", func(a *Array) *Array { return a.Std() }, []float64{2, 2}, []float64{0, 0}},
		{"modulus of 0", func(a *Array) *Array { return Complex(a, zero(a)).Abs() }, []float64{0, -2}, []float64{0, -1}},
		{"angle of 0", func(a *Array) *Array { return Complex(zero(a), a).Angle() }, []float64{0}, []float64{0}},
		{"sign of complex 0", func(a *Array) *Array { return Complex(a, zero(a)).Sign().Imag() }, []float64{0}, []float64{0}},
		{"atan2 at the origin", func(a *Array) *Array { return a.Atan2(zero(a)) }, []float64{0}, []float64{0}},
		{"spectrum of silence", func(a *Array) *Array { return a.RFFT().Abs() }, []float64{0, 0, 0, 0, 0}, []float64{0, 0, 0, 0, 0}},
		{"square", func(a *Array) *Array { return a.PowScalar(2) }, []float64{0, -3}, []float64{0, -6}},
		{"to the power 1", func(a *Array) *Array { return a.PowScalar(1) }, []float64{0, -3}, []float64{1, 1}},
		{"to the power 0", func(a *Array) *Array { return a.PowScalar(0) }, []float64{0, 2}, []float64{0, 0}},
		{"to the power of zeros", func(a *Array) *Array { return a.Pow(zero(a).Cos().SubScalar(1)) }, []float64{0, 2}, []float64{0, 0}},
		{"powers of 0", func(a *Array) *Array { return zero(a).Pow(a) }, []float64{0, 2}, []float64{0, 0}},
		{"powers of 2", func(a *Array) *Array { return FullLike(a, 2).Pow(a) }, []float64{0, 3}, []float64{math.Ln2, 8 * math.Ln2}},
		{"max of equal", func(a *Array) *Array { return a.Max() }, []float64{1, 5, 5, 2}, []float64{0, 0.5, 0.5, 0}},
		{"min of equal", func(a *Array) *Array { return a.Min() }, []float64{1, 1, 1, 2}, []float64{1. / 3, 1. / 3, 1. / 3, 0}},
		{"max of NaN", func(a *Array) *Array { return a.Max() }, []float64{1, nan, 3}, []float64{0, 1, 0}},
		{"maximum of equal", func(a *Array) *Array { return a.MaximumScalar(1) }, []float64{0, 1, 2}, []float64{0, 0.5, 1}},
		{"sorting equal", func(a *Array) *Array { return a.Sort(0).SliceAxis(0, Range{Stop: 1}) }, []float64{2, 1, 1}, []float64{0, 1, 0}},
		{"log", (*Array).Log, []float64{0, 2}, []float64{inf, 0.5}},
		{"branch not taken: log", func(a *Array) *Array { return Where(a.GreaterScalar(0), a.Log(), zero(a)) }, []float64{0, -1, 2}, []float64{0, 0, 0.5}},
		{"branch not taken: sqrt", func(a *Array) *Array { return Where(a.GreaterScalar(0), a.Sqrt(), zero(a)) }, []float64{0, -1, 4}, []float64{0, 0, 0.25}},
		{"branch not taken: div", func(a *Array) *Array { return Where(a.Equal(zero(a)), a, FullLike(a, 1).Div(a)) }, []float64{0, 2}, []float64{1, -0.25}},
		{"branch not taken: pow", func(a *Array) *Array { return Where(a.GreaterScalar(0), a.PowScalar(-0.5), a) }, []float64{0, 4}, []float64{1, -1. / 16}},
		{"branch not taken: exp", func(a *Array) *Array { return Where(a.LessScalar(9), a.Exp(), zero(a)) }, []float64{0, 1e4}, []float64{1, 0}},
		{"branch not taken: atan2", func(a *Array) *Array { return Where(a.GreaterScalar(0), a.Atan2(zero(a)), a) }, []float64{0}, []float64{1}},
		{"branch not taken: infinite quotient", func(a *Array) *Array { return Where(a.GreaterScalar(9), a.DivScalar(0), a) }, []float64{1, -2}, []float64{1, 1}},
		{"branch not taken: infinite factor", func(a *Array) *Array { return Where(a.GreaterScalar(9), a.MulScalar(inf), a) }, []float64{1, -2}, []float64{nan, nan}},
		{"branch not taken: NaN factor", func(a *Array) *Array { return Where(a.GreaterScalar(9), a.Mul(From([]float64{nan, 1})), a) }, []float64{1, -2}, []float64{nan, 1}},
		{"factor not taken", func(a *Array) *Array { return a.Mul(Where(a.GreaterScalar(9), FullLike(a, inf), FullLike(a, 1))) }, []float64{1, -2}, []float64{1, 1}},
		{"steps", func(a *Array) *Array {
			return a.Floor().Add(a.Ceil()).Add(a.Round()).Add(a.Sign()).Add(a.Greater(zero(a)).Cast(Float64))
		}, []float64{0.3, -1.7}, []float64{0, 0}},
		{"through integers", func(a *Array) *Array { return a.Cast(Int32).Cast(Float64).Add(a) }, []float64{0.3}, []float64{1}},
		{"stopped", func(a *Array) *Array { return StopGradient(a).Mul(a) }, []float64{3, 5}, []float64{3, 5}},
		{"random", func(a *Array) *Array { return a.Mul(Uniform(1, Float64, 2).Floor()) }, []float64{3, 5}, []float64{0, 0}},
		{"product with a zero", func(a *Array) *Array { return a.Prod() }, []float64{0, 2, 3}, []float64{6, 0, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := gradOf(t, tt.f, From(tt.x))
			for i, w := range tt.want {
				if !(math.Abs(got[i]-w) <= 1e-12) && got[i] != w && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
					t.Fatalf("gradient %v, want %v", got, tt.want)
				}
			}
		})
	}
}

// TestGradAgain differentiates gradients.
func TestGradAgain(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(7)
	again := func(f func(*Array) *Array) func(in []*Array) *Array {
		return func(in []*Array) *Array { return Grad(weighed(f(in[0])), in[0])[0] }
	}
	tests := []gradCase{
		{"exp", (*Array).Exp, d.reals(-1, 1, 4)},
		{"tanh", (*Array).Tanh, d.reals(-1, 1, 4)},
		{"div", func(a *Array) *Array { return FullLike(a, 1).Div(a) }, d.reals(0.5, 2, 4)},
		{"pow", func(a *Array) *Array { return a.PowScalar(3) }, d.reals(0.5, 2, 4)},
		{"complex abs", func(a *Array) *Array { return a.RFFT().Abs() }, d.reals(-1, 1, 5)},
		{"log power", func(a *Array) *Array { return a.Frames(4, 2).RFFT().AbsSquared().AddScalar(0.1).Log() }, d.reals(-1, 1, 9)},
		{"complex sign", func(a *Array) *Array { return a.Sign() }, d.complexes(4)},
		{"prod", func(a *Array) *Array { return a.Prod(0) }, d.reals(0.5, 1, 4)},
		{"prod with a zero", func(a *Array) *Array { return a.Prod(0) }, From([]float64{2, 0, 3, 4})},
		{"cumprod", func(a *Array) *Array { return a.CumProd(0) }, d.reals(0.5, 1, 4)},
		{"max", func(a *Array) *Array { return a.Max(1).Sin() }, d.reals(-1, 1, 3, 4)},
		{"sort", func(a *Array) *Array { return a.Sort(0).Sin() }, d.reals(-1, 1, 5)},
		{"norm", func(a *Array) *Array { return a.Norm(0) }, d.reals(0.5, 1, 5)},
		{"matmul", func(a *Array) *Array { return a.MatMul(a.Transpose()).Sin() }, d.reals(-1, 1, 3, 2)},
		{"irfft", func(a *Array) *Array { return a.IRFFT(FFT{N: 5}).Sin() }, d.complexes(3)},
		{"checkpoint", func(a *Array) *Array {
			return Checkpoint(func(in []*Array) []*Array { return []*Array{in[0].Sin().Exp()} })(a)[0]
		}, d.reals(-1, 1, 4)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { checkGrad(t, again(tt.f), tt.in) })
	}
}

func TestGradErrors(t *testing.T) {
	x := From([]float64{1, 2, 3})
	loss := x.Sum()
	bad := x.Add(From([]float64{1, 2}))
	tests := []struct {
		name string
		got  []*Array
		want string
	}{
		{"many elements", Grad(x.Exp(), x), "nd: grad: loss has shape [3]: want one element"},
		{"complex loss", Grad(x.FFT().Sum(), x), "nd: grad: loss: dtype complex128: want a float dtype"},
		//twiddle:ignore TW014 the refusal is what it tests
		{"integer loss", Grad(x.ArgMax(), x), "nd: grad: loss: dtype int64: want a float dtype"},
		{"integer input", Grad(loss, x, From([]int32{1})), "nd: grad: input 1: dtype int32: want a float or complex dtype"},
		{"nil input", Grad(loss, nil), "nd: grad: operand 1 is a nil Array"},
		{"nil loss", Grad(nil, x), "nd: grad: operand 0 is a nil Array"},
		{"failed loss", Grad(bad, x), "nd: add:"},
		//twiddle:ignore TW014 the refusal is what it tests
		{"failed input", Grad(loss, bad), "nd: add:"},
		{"strict", Gradient{Strict: true}.Of(loss, x, From([]float64{1})), "nd: grad: input 1 of shape [1]: the loss does not depend on it"},
		{"strict, through a step", Gradient{Strict: true}.Of(x.Floor().Sum(), x), "nd: grad: input 0 of shape [3]: the loss does not depend on it"},
		{"seed of another shape", Gradient{Seed: loss}.Of(x.Exp(), x), "nd: grad: seed is float64 [], the array float64 [3]"},
		{"seed of integers", Gradient{Seed: x.ArgMax()}.Of(x.ArgMax(), x), "nd: grad: dtype int64: want a float or complex dtype"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, g := range tt.got {
				if err := g.Err(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
					t.Fatalf("error %v, want %s", err, tt.want)
				}
			}
		})
	}
	if err := Eval(context.Background(), Gradient{Strict: true}.Of(loss, From([]float64{1}))...); !errors.Is(err, ErrUnreached) {
		t.Errorf("a strict gradient failed with %v", err)
	}
	if len(Grad(loss)) != 0 {
		t.Error("gradients by nothing")
	}
	if l, _ := ValueAndGrad(x.Exp(), x); l.Err() == nil {
		t.Error("the loss does not carry the error of its gradients")
	}
}

func TestGradOfSeveral(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := From([]float64{1, 2, 3})
	y := x.Mul(x)
	loss := y.Sum()
	unused := From([]float32{7, 8})
	//twiddle:ignore TW014 that zeros come out is what it tests
	_, g := ValueAndGrad(loss, x, y, loss, x, unused)
	wants := [][]float64{{2, 4, 6}, {1, 1, 1}, {1}, {2, 4, 6}}
	for i, want := range wants {
		got, err := Slice[float64](context.Background(), g[i])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("gradient %d is %v, %v; want %v", i, got, err, want)
		}
	}
	if got, err := Slice[float32](context.Background(), g[4]); err != nil || !slices.Equal(got, []float32{0, 0}) {
		t.Errorf("gradient by an array that is not used: %v, %v", got, err)
	}
	v, err := Slice[float64](context.Background(), Gradient{Seed: From([]float64{1, 0, 10})}.Of(y, x)[0])
	if err != nil || !slices.Equal(v, []float64{2, 0, 60}) {
		t.Errorf("product with the Jacobian is %v, %v", v, err)
	}
}

// TestGradOnStreams puts every gradient on the stream of what it is the gradient
// of, also where that is closed by now.
func TestGradOnStreams(t *testing.T) {
	testdevice.NeedsFloat64(t)
	s, err := CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	x := From([]float64{1, 2, 3})
	parts := []*Array{x.On(s).Exp(), x.Sin()}
	loss := Concat(0, parts...).Mul(Concat(0, parts...)).Sum()
	g, err := Slice[float64](context.Background(), Grad(loss, x)[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range []float64{1, 2, 3} {
		if want := 2*math.Exp(2*v) + math.Sin(2*v); math.Abs(g[i]-want) > 1e-12*want {
			t.Errorf("gradient %v, want %v", g[i], want)
		}
	}
	w := x.On(s).MulScalar(2)
	if err := Eval(context.Background(), w); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Slice[float64](context.Background(), Grad(x.Mul(w).Sum(), w)[0]); err != nil {
		t.Errorf("gradient by an array of a closed stream: %v", err)
	}
}

// TestGradDTypes has gradients of the type of what they are the gradient of.
func TestGradDTypes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, d := range []DType{Float16, BFloat16, Float32, Float64, Complex64, Complex128} {
		x := Full(3, d, 4)
		g := Grad(x.AbsSquared().Sum(), x)[0]
		if g.DType() != d {
			t.Errorf("%s: gradient is %s", d, g.DType())
		}
		got, err := Slice[float64](context.Background(), g.Cast(Float64))
		if err != nil || !slices.Equal(got, []float64{6, 6, 6, 6}) {
			t.Errorf("%s: gradient %v, %v", d, got, err)
		}
	}
}

// TestGradAcrossDevices brings gradients back to where the array is.
func TestGradAcrossDevices(t *testing.T) {
	null, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	x := From([]float64{1, 2, 3})
	loss := x.On(null.Stream()).Exp().Sum()
	g := Grad(loss, x)[0]
	if err := g.Err(); err != nil {
		t.Fatal(err)
	}
	if d, err := g.Device(); err != nil || d.Name() != CPU().Name() {
		t.Errorf("gradient is on %v, %v", d, err)
	}
	if err := Eval(context.Background(), g); err != nil {
		t.Error(err)
	}
}
