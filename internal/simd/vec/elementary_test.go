package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// elementary is the elementary functions, with a float64 reference from
// package math and the largest errors allowed, in ulp. Those of float64 are
// against a reference that is itself off by up to an ulp; measured against 60
// digits every one of them is within 2 ulp (see the package comment).
var elementary = []struct {
	both
	of       func(float64) float64
	ulp32    float64
	ulp64    float64
	from, to float64 // where to look closely
}{
	{both{"exp", func(t *Table) Unary[float32] { return t.F32.Exp }, func(t *Table) Unary[float64] { return t.F64.Exp }}, math.Exp, 0.51, 2, -750, 720},
	{both{"expm1", func(t *Table) Unary[float32] { return t.F32.Expm1 }, func(t *Table) Unary[float64] { return t.F64.Expm1 }}, math.Expm1, 0.51, 2.5, -50, 50},
	{both{"log", func(t *Table) Unary[float32] { return t.F32.Log }, func(t *Table) Unary[float64] { return t.F64.Log }}, math.Log, 0.51, 2, 0, 3},
	{both{"log1p", func(t *Table) Unary[float32] { return t.F32.Log1p }, func(t *Table) Unary[float64] { return t.F64.Log1p }}, math.Log1p, 0.51, 2, -1, 3},
	{both{"sin", func(t *Table) Unary[float32] { return t.F32.Sin }, func(t *Table) Unary[float64] { return t.F64.Sin }}, math.Sin, 0.51, 2, -30, 30},
	{both{"cos", func(t *Table) Unary[float32] { return t.F32.Cos }, func(t *Table) Unary[float64] { return t.F64.Cos }}, math.Cos, 0.51, 2, -30, 30},
	{both{"tan", func(t *Table) Unary[float32] { return t.F32.Tan }, func(t *Table) Unary[float64] { return t.F64.Tan }}, math.Tan, 0.51, 3, -1.5, 1.5},
	{both{"tanh", func(t *Table) Unary[float32] { return t.F32.Tanh }, func(t *Table) Unary[float64] { return t.F64.Tanh }}, math.Tanh, 0.51, 3, -20, 20},
	{both{"sigmoid", func(t *Table) Unary[float32] { return t.F32.Sigmoid }, func(t *Table) Unary[float64] { return t.F64.Sigmoid }}, sigmoidOf, 0.51, 3, -750, 40},
	{both{"erf", func(t *Table) Unary[float32] { return t.F32.Erf }, func(t *Table) Unary[float64] { return t.F64.Erf }}, math.Erf, 0.51, 2, -6, 6},
}

func sigmoidOf(x float64) float64 {
	if x < 0 {
		return math.Exp(x) / (1 + math.Exp(x))
	}
	return 1 / (1 + math.Exp(-x))
}

// error32 is how far got is from want in units of float32's last place at
// want.
func error32(got float32, want float64) float64 {
	w := float32(want)
	if same(got, w) {
		if math.IsNaN(want) || math.IsInf(want, 0) || math.IsInf(float64(w), 0) {
			return 0
		}
		return math.Abs(float64(got)-want) / ulp32(want)
	}
	return math.Abs(float64(got)-want) / ulp32(want)
}

func ulp32(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, max(e-24, -149))
}

// Every 1021st float32, that is four million of them, through the portable
// functions.
func TestElementaryFloat32(t *testing.T) {
	const step, chunk = 1021, 1 << 12
	stride := uint64(step)
	if testing.Short() {
		stride *= 16
	}
	for _, e := range elementary {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			k := e.f32(For(simd.Active()))
			x, y := make([]float32, 0, chunk), make([]float32, chunk)
			worst, at := 0.0, float32(0)
			flush := func() {
				k(y, x, false)
				for i, v := range x {
					if d := error32(y[i], e.of(float64(v))); !(d <= worst) {
						worst, at = d, v
					}
				}
				x = x[:0]
			}
			for b := uint64(0); b < 1<<32; b += stride {
				x = append(x, math.Float32frombits(uint32(b)))
				if len(x) == chunk {
					flush()
				}
			}
			for _, v := range special {
				x = append(x, float32(v))
			}
			flush()
			if !(worst <= e.ulp32) {
				t.Errorf("%g is off by %.3f ulp", at, worst)
			}
			t.Logf("largest error %.4f ulp, at %g", worst, at)
		})
	}
}

func TestElementaryFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, e := range elementary {
		t.Run(e.name, func(t *testing.T) {
			var x []float64
			x = append(x, special...)
			for range 100000 {
				x = append(x, e.from+(e.to-e.from)*rng.Float64(), math.Float64frombits(rng.Uint64()),
					math.Ldexp(rng.NormFloat64(), rng.IntN(80)-60))
			}
			y := make([]float64, len(x))
			e.f64(For(simd.Active()))(y, x, false)
			worst, at := 0.0, 0.0
			for i, v := range x {
				want := e.of(v)
				if same(y[i], want) {
					continue
				}
				if d := math.Abs(y[i]-want) / ulp(want); !(d <= worst) {
					worst, at = d, v
				}
			}
			if !(worst <= e.ulp64) {
				t.Errorf("%g is off by %.3f ulp from package math", at, worst)
			}
			t.Logf("largest difference %.4f ulp, at %g", worst, at)
		})
	}
}

// All levels give the same bits.
func TestElementaryLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		for _, e := range elementary {
			t.Run(e.name, func(t *testing.T) {
				testUnary(t, e.f32(For(simd.Portable)), e.f32(table))
				testUnary(t, e.f64(For(simd.Portable)), e.f64(table))
				testLevel(t, e.f32(For(simd.Portable)), e.f32(table), e.from, e.to)
				testLevel(t, e.f64(For(simd.Portable)), e.f64(table), e.from, e.to)
			})
		}
	})
}

// testLevel compares two kernels on arguments of every kind.
func testLevel[T Float](t *testing.T, want, got Unary[T], from, to float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 30000
	x, a, b := make([]T, n), make([]T, n), make([]T, n)
	for i := range x {
		switch i % 3 {
		case 0:
			x[i] = T(from + (to-from)*rng.Float64())
		case 1:
			x[i] = T(math.Ldexp(rng.NormFloat64(), rng.IntN(100)-60))
		default:
			x[i] = values[T](rng, 1)[0]
		}
	}
	want(a, x, false)
	got(b, x, true)
	compareSlices(t, "level", b, a, x)
}

func TestPow(t *testing.T) {
	check := func(x, y float32) {
		t.Helper()
		got, want := pow32(x, y), math.Pow(float64(x), float64(y))
		if d := error32(got, want); !(d <= 0.51) {
			t.Errorf("pow(%g, %g) = %g, want %g: %.3f ulp", x, y, got, want, d)
		}
	}
	for _, x := range special {
		for _, y := range special {
			check(float32(x), float32(y))
		}
		for y := float32(-5); y <= 5; y += 0.5 {
			check(float32(x), y)
		}
	}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 300000 {
		check(float32(math.Exp(rng.NormFloat64()*3)), float32(rng.NormFloat64()*8))
		check(math.Float32frombits(rng.Uint32()), math.Float32frombits(rng.Uint32()))
		check(float32(rng.NormFloat64()), float32(rng.IntN(41)-20))
		check(float32(1+rng.NormFloat64()*1e-3), float32(rng.NormFloat64()*1e4))
	}
}

func ExampleFor() {
	k := For(simd.Active())
	x := []float32{0, 1, 4}
	k.F32.Sqrt(x, x, false)
	fmt.Println(x, k.F32.Sum(x))
	// Output: [0 1 2] 3
}
