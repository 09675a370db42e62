package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// lengths covers every tail of every unrolling, and some longer runs.
func lengths() []int {
	var ns []int
	for n := range 71 {
		ns = append(ns, n)
	}
	return append(ns, 127, 128, 129, 200, 255, 300, 1000)
}

// levels runs a test for each level but the portable one.
func levels(t *testing.T, f func(t *testing.T, table *Table)) {
	for _, l := range simd.Available() {
		if l != simd.Portable {
			t.Run(l.String(), func(t *testing.T) { f(t, For(l)) })
		}
	}
}

// special is values at which kernels go wrong.
var special = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3.5, 1e-3, -1e-3, 100.25,
	math.Inf(1), math.Inf(-1), math.NaN(), math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32,
	-math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-127, 0x1p-1022, 0x1p-1074, math.MaxFloat64, -math.MaxFloat64,
	1 << 23, 1<<23 + 1, 1 << 31, -(1 << 31), 1<<31 - 1, 1<<32 + 3, 1 << 52, 1<<53 - 1, 0.1, -0.7, 88.8, -104, 709.9, -745.2, 1e22,
}

// values is a mix of special and random numbers.
func values[T Float](rng *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		switch rng.IntN(4) {
		case 0:
			x[i] = T(special[rng.IntN(len(special))])
		case 1:
			x[i] = T(math.Float32frombits(rng.Uint32()))
		default:
			x[i] = T(rng.NormFloat64() * 10)
		}
	}
	return x
}

// same reports equal bits, any NaN being equal to any other.
func same[T Float](a, b T) bool {
	if a != a || b != b {
		return a != a && b != b
	}
	return a == b && math.Signbit(float64(a)) == math.Signbit(float64(b))
}

// guarded is a slice of n elements in the middle of others that must not
// change. Its start is moved by shift elements from where memory is aligned.
type guarded[T comparable] struct {
	all  []T
	n    int
	at   int
	seal T
}

func guard[T comparable](n, shift int, seal T) *guarded[T] {
	const margin = 80
	g := &guarded[T]{all: make([]T, n+shift+2*margin), n: n, at: margin + shift, seal: seal}
	for i := range g.all {
		g.all[i] = seal
	}
	return g
}

func (g *guarded[T]) slice() []T { return g.all[g.at : g.at+g.n : g.at+g.n] }

func (g *guarded[T]) check(t *testing.T) {
	t.Helper()
	for i, v := range g.all {
		if (i < g.at || i >= g.at+g.n) && v != g.seal {
			t.Fatalf("element %d of %d was written: %v", i-g.at, g.n, v)
		}
	}
}

// both is one kernel of the two types.
type both struct {
	name string
	f32  func(*Table) Unary[float32]
	f64  func(*Table) Unary[float64]
}

var plainUnaries = []both{
	{"neg", func(t *Table) Unary[float32] { return t.F32.Neg }, func(t *Table) Unary[float64] { return t.F64.Neg }},
	{"abs", func(t *Table) Unary[float32] { return t.F32.Abs }, func(t *Table) Unary[float64] { return t.F64.Abs }},
	{"sqrt", func(t *Table) Unary[float32] { return t.F32.Sqrt }, func(t *Table) Unary[float64] { return t.F64.Sqrt }},
	{"square", func(t *Table) Unary[float32] { return t.F32.Square }, func(t *Table) Unary[float64] { return t.F64.Square }},
	{"rsqrt", func(t *Table) Unary[float32] { return t.F32.Rsqrt }, func(t *Table) Unary[float64] { return t.F64.Rsqrt }},
	{"floor", func(t *Table) Unary[float32] { return t.F32.Floor }, func(t *Table) Unary[float64] { return t.F64.Floor }},
	{"ceil", func(t *Table) Unary[float32] { return t.F32.Ceil }, func(t *Table) Unary[float64] { return t.F64.Ceil }},
	{"round", func(t *Table) Unary[float32] { return t.F32.Round }, func(t *Table) Unary[float64] { return t.F64.Round }},
	{"sign", func(t *Table) Unary[float32] { return t.F32.Sign }, func(t *Table) Unary[float64] { return t.F64.Sign }},
}

func TestUnary(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		for _, k := range plainUnaries {
			t.Run(k.name, func(t *testing.T) {
				testUnary(t, k.f32(For(simd.Portable)), k.f32(table))
				testUnary(t, k.f64(For(simd.Portable)), k.f64(table))
			})
		}
	})
}

func testUnary[T Float](t *testing.T, want, got Unary[T]) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			shift := rng.IntN(17)
			x := values[T](rng, n+3)[3:]
			expect := make([]T, n)
			want(expect, x, false)
			dst := guard[T](n, shift, 42)
			got(dst.slice(), x, stream)
			dst.check(t)
			compareSlices(t, fmt.Sprintf("n %d stream %v", n, stream), dst.slice(), expect, x)
			copy(dst.slice(), x)
			got(dst.slice(), dst.slice(), stream)
			dst.check(t)
			compareSlices(t, fmt.Sprintf("n %d in place", n), dst.slice(), expect, x)
		}
	}
}

func compareSlices[T, S Float](t *testing.T, what string, got, want []T, x []S) {
	t.Helper()
	for i := range want {
		if !same(got[i], want[i]) {
			t.Fatalf("%s: element %d of %v: got %v, want %v", what, i, x[i], got[i], want[i])
		}
	}
}

type bothBinary struct {
	name string
	f32  func(*Table) Binary[float32]
	f64  func(*Table) Binary[float64]
}

var binaries = []bothBinary{
	{"add", func(t *Table) Binary[float32] { return t.F32.Add }, func(t *Table) Binary[float64] { return t.F64.Add }},
	{"sub", func(t *Table) Binary[float32] { return t.F32.Sub }, func(t *Table) Binary[float64] { return t.F64.Sub }},
	{"mul", func(t *Table) Binary[float32] { return t.F32.Mul }, func(t *Table) Binary[float64] { return t.F64.Mul }},
	{"div", func(t *Table) Binary[float32] { return t.F32.Div }, func(t *Table) Binary[float64] { return t.F64.Div }},
	{"max", func(t *Table) Binary[float32] { return t.F32.Max }, func(t *Table) Binary[float64] { return t.F64.Max }},
	{"min", func(t *Table) Binary[float32] { return t.F32.Min }, func(t *Table) Binary[float64] { return t.F64.Min }},
	{"atan2", func(t *Table) Binary[float32] { return t.F32.Atan2 }, func(t *Table) Binary[float64] { return t.F64.Atan2 }},
	{"pow", func(t *Table) Binary[float32] { return t.F32.Pow }, func(t *Table) Binary[float64] { return t.F64.Pow }},
}

func TestBinary(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		for _, k := range binaries {
			t.Run(k.name, func(t *testing.T) {
				testBinary(t, k.f32(For(simd.Portable)), k.f32(table))
				testBinary(t, k.f64(For(simd.Portable)), k.f64(table))
			})
		}
	})
}

func testBinary[T Float](t *testing.T, want, got Binary[T]) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			shift := rng.IntN(17)
			x, y := values[T](rng, n+1)[1:], values[T](rng, n)
			s := values[T](rng, 1)[0]
			expect := make([]T, n)
			dst := guard[T](n, shift, 42)
			check := func(what string) {
				t.Helper()
				dst.check(t)
				compareSlices(t, fmt.Sprintf("%s n %d stream %v scalar %v, other %v", what, n, stream, s, y), dst.slice(), expect, x)
			}
			want.VV(expect, x, y, false)
			got.VV(dst.slice(), x, y, stream)
			check("vv")
			copy(dst.slice(), x)
			got.VV(dst.slice(), dst.slice(), y, stream)
			check("vv over x")
			copy(dst.slice(), y)
			got.VV(dst.slice(), x, dst.slice(), stream)
			check("vv over y")
			want.VS(expect, x, s, false)
			got.VS(dst.slice(), x, s, stream)
			check("vs")
			want.SV(expect, s, x, false)
			got.SV(dst.slice(), s, x, stream)
			check("sv")
		}
	}
	// The shortest slice decides.
	dst := guard[T](40, 0, 42)
	got.VV(dst.slice(), make([]T, 50), make([]T, 7), false)
	for i, v := range dst.slice()[7:] {
		if v != 42 {
			t.Fatalf("element %d written past the shortest slice", i+7)
		}
	}
}

type bothCompare struct {
	name string
	f32  func(*Table) Compare[float32]
	f64  func(*Table) Compare[float64]
}

var compares = []bothCompare{
	{"equal", func(t *Table) Compare[float32] { return t.F32.Equal }, func(t *Table) Compare[float64] { return t.F64.Equal }},
	{"not equal", func(t *Table) Compare[float32] { return t.F32.NotEqual }, func(t *Table) Compare[float64] { return t.F64.NotEqual }},
	{"less", func(t *Table) Compare[float32] { return t.F32.Less }, func(t *Table) Compare[float64] { return t.F64.Less }},
	{"less equal", func(t *Table) Compare[float32] { return t.F32.LessEqual }, func(t *Table) Compare[float64] { return t.F64.LessEqual }},
	{"greater", func(t *Table) Compare[float32] { return t.F32.Greater }, func(t *Table) Compare[float64] { return t.F64.Greater }},
	{"greater equal", func(t *Table) Compare[float32] { return t.F32.GreaterEqual }, func(t *Table) Compare[float64] { return t.F64.GreaterEqual }},
}

func TestCompare(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		for _, k := range compares {
			t.Run(k.name, func(t *testing.T) {
				testCompare(t, k.f32(For(simd.Portable)), k.f32(table))
				testCompare(t, k.f64(For(simd.Portable)), k.f64(table))
			})
		}
	})
}

func testCompare[T Float](t *testing.T, want, got Compare[T]) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			x, y := values[T](rng, n), values[T](rng, n)
			for i := range y {
				if rng.IntN(3) == 0 {
					y[i] = x[i]
				}
			}
			s := T(special[rng.IntN(6)])
			expect := make([]bool, n)
			dst := guard(n, rng.IntN(70), true)
			check := func(what string) {
				t.Helper()
				dst.check(t)
				for i, v := range dst.slice() {
					if raw := *(*uint8)(unsafe.Pointer(&dst.slice()[i])); raw > 1 || v != expect[i] {
						t.Fatalf("%s n %d stream %v: element %d of %v, %v (%v): got byte %d, want %v", what, n, stream, i, x[i], y[i], s, raw, expect[i])
					}
				}
			}
			want.VV(expect, x, y, false)
			got.VV(dst.slice(), x, y, stream)
			check("vv")
			want.VS(expect, x, s, false)
			got.VS(dst.slice(), x, s, stream)
			check("vs")
			want.SV(expect, s, x, false)
			got.SV(dst.slice(), s, x, stream)
			check("sv")
		}
	}
}

// Comparisons of the portable kernels against Go's operators, so that the
// flipped forms are not only compared with each other.
func TestCompareMeaning(t *testing.T) {
	p := For(simd.Portable)
	x, y := []float32{1, 2, 3, float32(math.NaN())}, []float32{2, 2, 2, 2}
	for _, c := range []struct {
		name string
		k    Compare[float32]
		vv   string
		sv   string // 2 op x
	}{
		{"equal", p.F32.Equal, "0100", "0100"},
		{"not equal", p.F32.NotEqual, "1011", "1011"},
		{"less", p.F32.Less, "1000", "0010"},
		{"less equal", p.F32.LessEqual, "1100", "0110"},
		{"greater", p.F32.Greater, "0010", "1000"},
		{"greater equal", p.F32.GreaterEqual, "0110", "1100"},
	} {
		text := func(b []bool) string {
			s := ""
			for _, v := range b {
				s += map[bool]string{false: "0", true: "1"}[v]
			}
			return s
		}
		dst := make([]bool, 4)
		c.k.VV(dst, x, y, false)
		if text(dst) != c.vv {
			t.Errorf("%s: vv %s, want %s", c.name, text(dst), c.vv)
		}
		c.k.VS(dst, x, 2, false)
		if text(dst) != c.vv {
			t.Errorf("%s: vs %s, want %s", c.name, text(dst), c.vv)
		}
		c.k.SV(dst, 2, x, false)
		if text(dst) != c.sv {
			t.Errorf("%s: sv %s, want %s", c.name, text(dst), c.sv)
		}
	}
}

func TestWhere(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testWhere(t, For(simd.Portable).F32.Where, table.F32.Where)
		testWhere(t, For(simd.Portable).F64.Where, table.F64.Where)
	})
}

// TestWhereBytes has truths that are any byte but 0.
func TestWhereBytes(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testWhereBytes(t, table.F32.Where)
		testWhereBytes(t, table.F64.Where)
	})
}

func testWhereBytes[T Float](t *testing.T, where Select[T]) {
	const n = 512 + 13
	cond, x, y, dst := make([]uint8, n), make([]T, n), make([]T, n), make([]T, n)
	for i := range cond {
		cond[i], x[i], y[i] = uint8(i), T(i), T(-1-i)
	}
	where.VV(dst, unsafe.Slice((*bool)(unsafe.Pointer(&cond[0])), n), x, y, false)
	for i, c := range cond {
		want := x[i]
		if c == 0 {
			want = y[i]
		}
		if dst[i] != want {
			t.Fatalf("a byte of %d: %v, want %v", c, dst[i], want)
		}
	}
}

func testWhere[T Float](t *testing.T, want, got Select[T]) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			x, y := values[T](rng, n), values[T](rng, n)
			s := values[T](rng, 1)[0]
			cond := make([]bool, n)
			for i := range cond {
				cond[i] = rng.IntN(2) == 0
			}
			expect := make([]T, n)
			dst := guard[T](n, rng.IntN(17), 42)
			want.VV(expect, cond, x, y, false)
			got.VV(dst.slice(), cond, x, y, stream)
			dst.check(t)
			compareSlices(t, "vv", dst.slice(), expect, x)
			want.VS(expect, cond, x, s, false)
			got.VS(dst.slice(), cond, x, s, stream)
			dst.check(t)
			compareSlices(t, "vs", dst.slice(), expect, x)
			want.SV(expect, cond, s, y, false)
			copy(dst.slice(), y)
			got.SV(dst.slice(), cond, s, dst.slice(), stream)
			dst.check(t)
			compareSlices(t, "sv", dst.slice(), expect, y)
		}
	}
}
