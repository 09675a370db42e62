package vec

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// elementary is the elementary functions, the largest errors allowed in ulp,
// and a reference in float64 that is good enough for float32.
var elementary = []struct {
	both
	of       func(float64) float64
	ulp64    float64
	from, to float64 // where to look closely
}{
	{both{"exp", func(t *Table) Unary[float32] { return t.F32.Exp }, func(t *Table) Unary[float64] { return t.F64.Exp }}, math.Exp, 1, -750, 720},
	{both{"expm1", func(t *Table) Unary[float32] { return t.F32.Expm1 }, func(t *Table) Unary[float64] { return t.F64.Expm1 }}, math.Expm1, 1.5, -50, 50},
	{both{"log", func(t *Table) Unary[float32] { return t.F32.Log }, func(t *Table) Unary[float64] { return t.F64.Log }}, math.Log, 0.8, 0, 3},
	{both{"log1p", func(t *Table) Unary[float32] { return t.F32.Log1p }, func(t *Table) Unary[float64] { return t.F64.Log1p }}, math.Log1p, 0.8, -1, 3},
	{both{"sin", func(t *Table) Unary[float32] { return t.F32.Sin }, func(t *Table) Unary[float64] { return t.F64.Sin }}, math.Sin, 0.8, -30, 30},
	{both{"cos", func(t *Table) Unary[float32] { return t.F32.Cos }, func(t *Table) Unary[float64] { return t.F64.Cos }}, math.Cos, 0.8, -30, 30},
	{both{"tan", func(t *Table) Unary[float32] { return t.F32.Tan }, func(t *Table) Unary[float64] { return t.F64.Tan }}, math.Tan, 1, -1.5, 1.5},
	{both{"tanh", func(t *Table) Unary[float32] { return t.F32.Tanh }, func(t *Table) Unary[float64] { return t.F64.Tanh }}, math.Tanh, 1.2, -20, 20},
	{both{"sigmoid", func(t *Table) Unary[float32] { return t.F32.Sigmoid }, func(t *Table) Unary[float64] { return t.F64.Sigmoid }}, sigmoidOf, 1.8, -750, 40},
	{both{"erf", func(t *Table) Unary[float32] { return t.F32.Erf }, func(t *Table) Unary[float64] { return t.F64.Erf }}, math.Erf, 1, -6, 6},
}

// most is the largest error of the float32 functions in ulp: they are rounded
// from float64, where they are off by less than 2^-31.
const most = 0.505

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
	if got == 0 && w == 0 {
		return math.Inf(1) // the sign is wrong
	}
	return math.Abs(float64(got)-want) / ulp32(want)
}

func ulp32(x float64) float64 {
	_, e := math.Frexp(x)
	return math.Ldexp(1, max(e-24, -149))
}

// Every 4093rd float32: a million of them.
func TestElementaryFloat32(t *testing.T) {
	const stride, chunk = 4093, 1 << 12
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
			if !(worst <= most) {
				t.Errorf("%g is off by %.3f ulp", at, worst)
			}
			t.Logf("largest error %.4f ulp, at %g", worst, at)
		})
	}
}

// testdata/elementary.txt holds results to 106 bits.
func TestElementaryFloat64(t *testing.T) {
	file, err := os.Open("testdata/elementary.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	worst, counts := map[string]float64{}, map[string]int{}
	kernels, pow := map[string]Unary[float64]{}, For(simd.Active()).F64.Pow
	for _, e := range elementary {
		kernels[e.name] = e.f64(For(simd.Active()))
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), " ")
		var x, by, head, tail float64
		var err error
		y := make([]float64, 1)
		if name == "pow" {
			_, err = fmt.Sscan(rest, &x, &by, &head, &tail)
			pow.VS(y, []float64{x}, by, false)
		} else {
			_, err = fmt.Sscan(rest, &x, &head, &tail)
			kernels[name](y, []float64{x}, false)
		}
		if err != nil {
			t.Fatal(err)
		}
		if d := math.Abs((y[0]-head)-tail) / ulp(head); !(d <= worst[name]) {
			worst[name] = d
		}
		counts[name]++
	}
	for _, e := range elementary {
		if e.name == "erf" {
			continue // is math.Erf
		}
		if d := worst[e.name]; counts[e.name] < 200 || !(d <= e.ulp64) {
			t.Errorf("%s is off by %.3f ulp on %d arguments", e.name, d, counts[e.name])
		}
	}
	if d := worst["pow"]; counts["pow"] < 200 || !(d <= 0.75) {
		t.Errorf("pow is off by %.3f ulp on %d arguments", d, counts["pow"])
	}
}

// Arguments at which a result is exact.
func TestElementarySpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	want := map[string][][2]float64{
		"exp":     {{0, 1}, {zero, 1}, {inf, inf}, {-inf, 0}, {nan, nan}, {1e4, inf}, {-1e4, 0}},
		"expm1":   {{0, 0}, {zero, zero}, {inf, inf}, {-inf, -1}, {nan, nan}, {-1e4, -1}, {0x1p-149, 0x1p-149}},
		"log":     {{1, 0}, {0, -inf}, {zero, -inf}, {-1, nan}, {-inf, nan}, {inf, inf}, {nan, nan}},
		"log1p":   {{0, 0}, {zero, zero}, {-1, -inf}, {-2, nan}, {-inf, nan}, {inf, inf}, {nan, nan}, {0x1p-149, 0x1p-149}},
		"sin":     {{0, 0}, {zero, zero}, {inf, nan}, {-inf, nan}, {nan, nan}, {0x1p-149, 0x1p-149}},
		"cos":     {{0, 1}, {zero, 1}, {inf, nan}, {-inf, nan}, {nan, nan}},
		"tan":     {{0, 0}, {zero, zero}, {inf, nan}, {nan, nan}, {-0x1p-149, -0x1p-149}},
		"tanh":    {{0, 0}, {zero, zero}, {inf, 1}, {-inf, -1}, {nan, nan}, {100, 1}, {0x1p-149, 0x1p-149}},
		"sigmoid": {{0, 0.5}, {zero, 0.5}, {inf, 1}, {-inf, 0}, {nan, nan}, {100, 1}, {-1e4, 0}},
		"erf":     {{0, 0}, {zero, zero}, {inf, 1}, {-inf, -1}, {nan, nan}, {50, 1}},
	}
	for _, l := range simd.Available() {
		for _, e := range elementary {
			for _, c := range want[e.name] {
				narrow, wide := []float32{float32(c[0])}, []float64{c[0]}
				e.f32(For(l))(narrow, narrow, false)
				e.f64(For(l))(wide, wide, false)
				if !same(narrow[0], float32(c[1])) {
					t.Errorf("%v: float32 %s(%g) = %g, want %g", l, e.name, c[0], narrow[0], c[1])
				}
				if !same(wide[0], c[1]) {
					t.Errorf("%v: float64 %s(%g) = %g, want %g", l, e.name, c[0], wide[0], c[1])
				}
			}
		}
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

// The bits are the same on every machine: nothing here depends on what a
// compiler fuses. Erf of float64 is package math's, and left out, as is Pow, which leaves
// special cases to it.
func TestElementaryBits(t *testing.T) {
	want := map[string]uint64{
		"exp":     0x63125b2546cb707e,
		"expm1":   0xfae13fe9752f211d,
		"log":     0xd04b19b2389a0244,
		"log1p":   0x94bf3497077837b5,
		"sin":     0x8bec7a1af908f7e2,
		"cos":     0x5b164ad464797def,
		"tan":     0x610459550185837a,
		"tanh":    0x1bc34ae2ca5712d1,
		"sigmoid": 0x439474e25865bf7f,
		"erf":     0x4e179374ab0a2a12,
	}
	for _, e := range elementary {
		rng := rand.New(rand.NewPCG(5, 5))
		sum := fnv.New64a()
		for range 3000 {
			x := []float64{e.from + float64((e.to-e.from)*rng.Float64())}
			y := []float32{float32(x[0])}
			e.f32(For(simd.Active()))(y, y, false)
			binary.Write(sum, binary.LittleEndian, y)
			if e.name != "erf" {
				e.f64(For(simd.Active()))(x, x, false)
				binary.Write(sum, binary.LittleEndian, x)
			}
		}
		if got := sum.Sum64(); got != want[e.name] {
			t.Errorf("%q: %#x,", e.name, got)
		}
	}
}

// testLevel compares two kernels on arguments of every kind, mixed and then in order, so that
// whole vectors are of one kind.
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
	for range 2 {
		want(a, x, false)
		got(b, x, true)
		compareSlices(t, "level", b, a, x)
		slices.Sort(x)
	}
}

func TestPow(t *testing.T) {
	check := func(x, y float32) {
		t.Helper()
		got, want := pow32(x, y), math.Pow(float64(x), float64(y))
		if d := error32(got, want); !(d <= most) {
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

// All levels give the same bits, also for vectors that leave nothing to the portable kernel:
// signs, zeros, whole exponents, and results past either end of the range.
func TestPowLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testPowLevel(t, For(simd.Portable).F32.Pow, table.F32.Pow, 1)
		testPowLevel(t, For(simd.Portable).F64.Pow, table.F64.Pow, 8)
	})
}

func testPowLevel[T Float](t *testing.T, want, got Binary[T], wide float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	const n = 30000
	x, y, a, b := make([]T, n), make([]T, n), make([]T, n), make([]T, n)
	for i := range x {
		x[i], y[i] = T(math.Exp(rng.NormFloat64()*20*wide)), T(rng.NormFloat64()*3)
		switch i >> 6 % 6 {
		case 1:
			x[i], y[i] = T(rng.NormFloat64()), T(rng.IntN(41)-20)
		case 2:
			x[i] = T(1 + rng.NormFloat64()*1e-3)
			y[i] = T(rng.NormFloat64() * 1e5 * wide)
		case 3:
			x[i], y[i] = []T{0, T(math.Copysign(0, -1)), 1, -1, 2, -3}[rng.IntN(6)], T(rng.IntN(9)-4)/2
		case 4:
			x[i] *= T(rng.NormFloat64())
		}
	}
	compare := func(x, y []T) {
		t.Helper()
		want.VV(a, x, y, false)
		got.VV(b, x, y, true)
		compareSlices(t, "powers", b, a, x)
		copy(b, x)
		got.VV(b, b, y, false)
		compareSlices(t, "powers in place", b, a, x)
	}
	compare(x, y)
	for _, s := range append(slices.Clone(special), 2.5, -3, 0.3) {
		want.VS(a, x, T(s), false)
		got.VS(b, x, T(s), false)
		compareSlices(t, fmt.Sprint("powers by ", s), b, a, x)
		want.SV(a, T(s), y, false)
		got.SV(b, T(s), y, false)
		compareSlices(t, fmt.Sprint("powers of ", s), b, a, y)
	}
	for i := 0; i < n; i += 1 + rng.IntN(40) { // few, so that most vectors have none
		x[i], y[rng.IntN(n)] = T(special[rng.IntN(len(special))]), T(special[rng.IntN(len(special))])
	}
	compare(x, y)
}

// Values to 25 digits at these float64 arguments, from mpmath (mp.dps = 60).
func TestPow64(t *testing.T) {
	check := func(x, y, want float64) {
		t.Helper()
		got := pow64(x, y)
		if got != want && !(math.Abs(got-want) <= math.Abs(math.Nextafter(want, 2*want)-want)) {
			t.Errorf("pow(%g, %g) = %.17g, want %.17g", x, y, got, want)
		}
	}
	check(5e-324, 0.001, 0.4750001914374429955322859)
	check(3e-320, -0.75, 4.386950005894027705604112e239)
	check(1.0000001, 10000000.0, 2.718281694132081570601966)
	check(0.9999999, -6000000000.0, 3.773132301637931894046857e260)
	check(1.0000000000000002, 1e17, 4398196873.945744881745668)
	check(60.5, -110.25, 3.643090371177944709281362e-197)
	check(1e-300, 1.05, 9.999999999999693497162096e-316)
	check(7.25, -366.0, 1.307042155759628791469016e-315)
	check(0.30000000000000004, 611.5, 1.818223476894021843872796e-320)
	check(1.4142135623730951, 2046.5, 1.068914733285055668542138e308)
	check(0.7071067811865475, 2100.0, 8.289046058456551830464576e-317)
	check(-3.0, 201.0, -7.96841966627624308016344e95)
	check(-2.5, -300.0, 4.149515568880992958512408e-120)
	check(1.7976931348623157e308, 0.999, 8.840174632999172664421302e307)
	check(10.0, -320.0, 1.0e-320)
	rng := rand.New(rand.NewPCG(5, 5))
	for range 20000 {
		x := math.Exp(rng.NormFloat64() * 100)
		check(x, 0.5, math.Sqrt(x))
		check(x, -1, 1/x)
		check(-x, 1, -x)
	}
	for k := -1074; k < 1024; k++ {
		check(2, float64(k), math.Ldexp(1, k))
	}
	for _, x := range special {
		for _, y := range special {
			if got, want := pow64(x, y), math.Pow(x, y); (x == 0 || math.IsInf(x, 0) || x != x || y != y || math.IsInf(y, 0)) && got != want && (got == got || want == want) {
				t.Errorf("pow(%g, %g) = %g, want %g", x, y, got, want)
			}
		}
	}
}

func TestAtan2(t *testing.T) {
	// Package math forgets the sign of y when y/x underflows.
	reference := func(y, x float64) float64 { return math.Copysign(math.Atan2(y, x), y) }
	check := func(y, x float64) {
		t.Helper()
		a, b := float32(y), float32(x)
		if d := error32(atan232(a, b), reference(float64(a), float64(b))); !(d <= most) {
			t.Errorf("float32 atan2(%g, %g) = %g: %.3f ulp", a, b, atan232(a, b), d)
		}
		got, want := atan264(y, x), reference(y, x)
		// Package math is off by up to 2 ulp itself.
		if d := math.Abs(got-want) / ulp(want); !same(got, want) && !(d <= 3) || got == 0 && !same(got, want) {
			t.Errorf("atan2(%g, %g) = %g, want %g", y, x, got, want)
		}
	}
	for _, y := range special {
		for _, x := range special {
			check(y, x)
		}
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200000 {
		check(rng.NormFloat64(), rng.NormFloat64())
		check(math.Float64frombits(rng.Uint64()), math.Float64frombits(rng.Uint64()))
		check(math.Ldexp(rng.NormFloat64(), rng.IntN(60)-1080), math.Ldexp(rng.NormFloat64(), rng.IntN(60)-1080))
	}
}

func ExampleFor() {
	k := For(simd.Active())
	x := []float32{0, 1, 4}
	k.F32.Sqrt(x, x, false)
	fmt.Println(x, k.F32.Sum(x))
	// Output: [0 1 2] 3
}
