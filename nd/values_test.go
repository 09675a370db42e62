package nd

import (
	"math"
	"math/cmplx"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/testdevice"
)

func halvesOf(v ...float32) []F16 { return each(v, elem.F16From) }

func reals(v ...float64) []complex128 {
	return each(v, func(x float64) complex128 { return complex(x, 0) })
}

var (
	inf = math.Inf(1)
	nan = math.NaN()
)

// valueRow is an Array and the elements it has to have.
type valueRow struct {
	name string
	got  *Array
	want []complex128
}

func TestValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	checkValues(t, valueRows)
}

// Functions of complex numbers reach as far as their results do: the standard library's lose the last binade
// before overflow, logarithms of subnormal numbers, and the side of a branch cut.
func TestComplexExtremes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	checkValues(t, func(l leaves) []valueRow {
		z := func(v ...complex128) *Array { return input(l, v) }
		return []valueRow{
			{"exp", z(709.7).Exp(), []complex128{1.6549840276802644e308}},
			{"sin", z(-710.4i).Sin(), []complex128{-1.6663642832806496e308i}},
			{"cos", z(710.4i).Cos(), []complex128{1.6663642832806496e308}},
			{"log", z(5e-324i, 1e-310+1e-310i, 1.7e308-1.7e308i).Log().Real(), reals(-744.4400719213812, -713.4548052378742, 710.0734104835082)},
			{"sine beside an exponential that overflows", z(1e-300 + 711i).Sin().Real(), reals(3.0363136888649967e8)},
			{"tanh far out", z(40 + 0.3i).Tanh().Imag().MulScalar(1e35), reals(2.038191503486995)},
			{"sqrt", z(5e-324i, -1e200+1e-160i).Sqrt().Real().Log(), reals(math.Log(1.5717277847026288e-162), math.Log(5e-261))},
			{"sign", z(1.2e308+1.6e308i, 5e-324+5e-324i).Sign(), []complex128{0.6 + 0.8i, math.Sqrt2/2 + math.Sqrt2/2*1i}},
			{"exp of an angle beside 0", z(1440+5e-324i, 1e5).Exp().Imag(), reals(1.1962958538972261e302, 0)},
			{"sine beside 0", z(5e-324+1440i, 1440i).Sin().Real(), reals(5.981479269486131e301, 0)},
			{"cosine beside 0", z(5e-324-1440i, 1440i).Cos().Imag(), reals(5.981479269486131e301, 0)},
			{"quotient by a modulus that overflows", z(1, 1e308+1e308i).Div(z(1e308 + 1e308i)).MulScalar(1e300).Log(),
				[]complex128{cmplx.Log(5e-9 - 5e-9i), complex(300*math.Ln10, 0)}},
			{"quotient of subnormal numbers", z(1.5e-323+1e-323i, 5e-324+5e-324i).Div(z(5e-324 + 5e-324i)), []complex128{2.5 - 0.5i, 1}},
			{"quotient of unlike parts", z(3e-160 + 3e200i).Div(z(3)).Real().Log(), reals(math.Log(1e-160))},
			{"log beside its cut", z(-30-5e-324i, -30+5e-324i, -1e30-1e-300i).Log().Imag(), reals(-math.Pi, math.Pi, -math.Pi)},
		}
	})
}

func checkValues(t *testing.T, rows func(l leaves) []valueRow) {
	for how, eval := range evaluators {
		l := leaves{}
		for _, tt := range rows(l) {
			t.Run(how+"/"+tt.name, func(t *testing.T) {
				got, err := eval(l, tt.got)
				if err != nil {
					t.Fatal(err)
				}
				if len(got) != len(tt.want) {
					t.Fatalf("got %v, want %v", got, tt.want)
				}
				for i, w := range tt.want {
					if !near(got[i], w) {
						t.Fatalf("got %v, want %v", got, tt.want)
					}
				}
			})
		}
	}
}

func valueRows(l leaves) []valueRow {
	x := input(l, []float64{3, -1, 2, 0.5})
	ints := input(l, []int32{math.MaxInt32, 1, -7, 3})
	bytes := input(l, []uint8{250, 3, 10, 0})
	none := input(l, []float64{}, 2, 0)
	noInts := input(l, []int32{}, 2, 0)
	wild := input(l, []float64{nan, inf, -inf, 1e300, -2.9, 2.9})
	z := input(l, []complex64{1 + 1i, -2, 3i})
	steep, turn := input(l, []complex64{400 + 1i, -2e9 - 1i, 360, -1e30 + 3i}), input(l, []complex64{1i})
	flags := input(l, []bool{true, false, true, true})
	at := input(l, []int32{0, 0, -1})
	big := make([]F16, 4096)
	for i := range big {
		big[i] = elem.F16From(1000)
	}
	loud := input(l, big)
	top, places := input(l, []float64{nan, 2, 7, 2, nan}).TopK(4, 0)

	return []valueRow{
		{"scalar ops", FullLike(x, 1).Sub(x.MulScalar(2).AddScalar(int8(1))), reals(-6, 2, -4, -1)},
		{"constants round to float32", Zeros(Float32, 1).AddScalar(0.1).Cast(Float64).SubScalar(float32(0.1)).MulScalar(1e12), reals(0)},
		{"constants round to half", Full(0.1, Float16, 2).Cast(Float64), reals(0.0999755859375, 0.0999755859375)},
		{"constants overflow to inf", Full(1e300, Float32).Cast(Float64), reals(inf)},
		{"constants are exact", Full(int64(1<<62+1), Int64).SubScalar(int64(1 << 62)), reals(1)},
		{"int wraps", ints.AddScalar(1), reals(math.MinInt32, 2, -6, 4)},
		{"byte wraps", bytes.AddScalar(10), reals(4, 13, 20, 10)},
		{"byte sum wraps", bytes.Sum(), reals(7)},
		{"int division by zero", ints.DivScalar(0), reals(0, 0, 0, 0)},
		{"cast saturates", wild.Cast(Int32), reals(0, math.MaxInt32, math.MinInt32, math.MaxInt32, -2, 2)},
		{"cast to bytes", wild.Cast(Uint8), reals(0, 255, 0, 255, 0, 2)},
		{"cast to bool", wild.Cast(Bool), reals(1, 1, 1, 1, 1, 1)},
		{"cast to half", wild.Cast(Float16).Cast(Float64), reals(nan, inf, -inf, inf, -2.900390625, 2.900390625)},
		{"cast complex", z.Cast(Float32), reals(1, -2, 0)},
		{"bool to int", flags.Cast(Int32).Sum(), reals(3)},
		{"bitcast", input(l, []float32{1, -2}).BitCast(Uint32), reals(0x3f800000, 0xc0000000)},
		{"clip crossed", x.Clip(2, 1), reals(1, 1, 1, 1)},

		{"max of nothing", none.Max(1), reals(-inf, -inf)},
		{"min of nothing", none.Min(1), reals(inf, inf)},
		{"max of no ints", noInts.Max(1), reals(math.MinInt32, math.MinInt32)},
		{"mean of nothing", none.Mean(1), reals(nan, nan)},
		{"var of nothing", none.Var(1), reals(nan, nan)},
		{"norm of nothing", none.Norm(), reals(0)},
		{"logsumexp of nothing", none.LogSumExp(1), reals(-inf, -inf)},
		{"logsumexp of -inf", input(l, []float64{-inf, -inf}).LogSumExp(), reals(-inf)},
		{"logsumexp of inf", input(l, []float64{inf, 1}).LogSumExp(), reals(inf)},
		{"logsumexp of both", input(l, []float64{inf, -inf}).LogSumExp(), reals(inf)},
		{"logsumexp of nan", input(l, []float64{nan, 1}).LogSumExp(), reals(nan)},
		{"logsumexp of much", input(l, []float64{1e308, 1e308}).LogSumExp(), reals(1e308)},
		{"half mean", loud.Mean(), reals(1000)},
		{"half std", loud.Std(), reals(0)},
		{"half norm", loud.Norm(), reals(64000)},
		{"half sum overflows", loud.Sum(), reals(inf)},
		{"var ddof too large", input(l, []float64{1, 2}).VarDDof(2), reals(inf)},
		{"sum of scalar", Full(4, Int64).Sum(), reals(4)},
		{"argmax of scalar", Full(4, Int64).ArgMax(), reals(0)},
		{"mean of scalar", Full(4, Float64).Mean(), reals(4)},
		{"complex sum", z.Sum(), []complex128{-1 + 4i}},
		{"complex prod", z.Prod(), []complex128{6 - 6i}},
		{"tanh where cosh overflows", steep.Tanh(), []complex128{1, -1, 1, -1}},
		{"exp of large real numbers as complex ones", input(l, []complex128{1e5, 1e5i}).Exp().Real(), reals(inf, math.Cos(1e5))},
		{"their imaginary parts", input(l, []complex128{1e5, 710 + 1e-9i}).Exp().Imag(), reals(0, 1e-9*math.Exp(700)*math.Exp(10))},
		{"sin where cosh overflows", input(l, []complex128{1e5i, -1e5i}).Sin().Real(), reals(0, 0)},
		{"its imaginary part", input(l, []complex128{1e5i, -1e5i}).Sin().Imag(), reals(inf, -inf)},
		{"cos where cosh overflows", input(l, []complex128{1e5i, -1e5i}).Cos().Real(), reals(inf, inf)},
		{"its imaginary part, too", input(l, []complex128{1e5i, -1e5i}).Cos().Imag(), reals(0, 0)},
		{"tan where cosh overflows", steep.Mul(turn).Tan(), []complex128{1i, -1i, 1i, -1i}},

		{"topk", top, reals(7, 2, 2, nan)},
		{"topk places", places, reals(2, 1, 3, 0)},
		{"argsort", flags.ArgSort(0), reals(1, 0, 2, 3)},
		{"take", x.Take(at, 0), reals(3, 3, 0.5)},
		{"scatter add twice", x.ScatterAdd(at, Ones(Float64), 0), reals(5, -1, 2, 1.5)},
		{"scatter none", x.ScatterAdd(at.Slice(Range{}), Ones(Float64, 0), 0), reals(3, -1, 2, 0.5)},
		{"views of views", x.Reshape(2, 2).Transpose().Flip(0).ExpandDims(1).BroadcastTo(2, 2, 2).Slice(All, Range{Start: 1, Stop: End}).Reshape(-1),
			reals(-1, 0.5, 3, 2)},
		{"frames of roll", x.Roll(1, 0).Frames(2, 1).Sum(1), reals(3.5, 2, 1)},
		{"empty frames lines", none.Transpose().Frames(2, 1).Sum(), reals(0)},
		{"concat empties", Concat(1, none, none), nil},
		{"matmul nothing", Zeros(Float32, 2, 0).MatMul(Zeros(Float32, 0, 2)), reals(0, 0, 0, 0)},
		{"arange far apart", Arange[int64](math.MinInt64, math.MaxInt64, math.MaxInt64), reals(math.MinInt64, -1, math.MaxInt64-1)},
		{"linspace end", Linspace[float32](0.1, 0.7, 3), reals(float64(float32(0.1)), 0.4, float64(float32(0.7)))},
		{"eye", Eye(Int32, 2), reals(1, 0, 0, 1)},
		{"irfft drops imaginary ends", input(l, []complex128{4 + 9i, 2, 1 - 3i}).IRFFT(), reals(2.25, 0.75, 0.25, 0.75)},
		{"fft of one", Full(3, Complex64, 1).FFT(), reals(3)},
		{"half in", input(l, halvesOf(1, 2)).Cast(Float32), reals(1, 2)},
	}
}

// near is approx within the precision of float32, which some rows have.
func near(got, want complex128) bool {
	if d := got - want; math.Hypot(real(d), imag(d)) <= 1e-6*max(1, math.Abs(real(want))) {
		return true
	}
	return approx(got, want, false)
}

func TestRandomValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for how, eval := range evaluators {
		t.Run(how, func(t *testing.T) {
			testRandomValues(t, func(a *Array) []complex128 {
				t.Helper()
				v, err := eval(leaves{}, a)
				if err != nil {
					t.Fatal(err)
				}
				return v
			})
		})
	}
}

func testRandomValues(t *testing.T, draw func(*Array) []complex128) {
	const n = 20_000
	moments := func(v []complex128) (mean, variance float64) {
		for _, x := range v {
			mean += real(x) / n
		}
		for _, x := range v {
			variance += (real(x) - mean) * (real(x) - mean) / n
		}
		return mean, variance
	}
	// Bounds are five standard errors of the estimates.
	if mean, variance := moments(draw(Uniform(1, Float32, n))); math.Abs(mean-0.5) > 5*math.Sqrt(1.0/12/n) || math.Abs(variance-1.0/12) > 0.004 {
		t.Errorf("uniform: mean %v, variance %v", mean, variance)
	}
	if mean, variance := moments(draw(Normal(2, Float64, 2, n/2))); math.Abs(mean) > 5/math.Sqrt(n) || math.Abs(variance-1) > 5*math.Sqrt(2.0/n) {
		t.Errorf("normal: mean %v, variance %v", mean, variance)
	}
	for _, v := range draw(Randint(3, -2, 3, Int32, 1000)) {
		if real(v) < -2 || real(v) > 2 {
			t.Fatalf("randint drew %v from [-2, 3)", v)
		}
	}
	seen := make([]bool, 1000)
	inOrder := 0
	for i, v := range draw(Permutation(4, len(seen))) {
		k := int(real(v))
		if k < 0 || k >= len(seen) || seen[k] {
			t.Fatalf("permutation has %v again, or out of range", v)
		}
		seen[k] = true
		inOrder += truth(k == i)
	}
	if inOrder > 10 { // one is expected
		t.Errorf("permutation leaves %d elements in place", inOrder)
	}
	a, b := draw(Uniform(5, Float64, 6)), draw(Uniform(5, Float64, 2, 3))
	for i := range a {
		if a[i] != b[i] {
			t.Error("numbers depend on the shape, not on the position alone")
		}
	}
	if c := draw(Uniform(6, Float64, 6)); c[0] == a[0] {
		t.Error("two keys give one number")
	}
}
