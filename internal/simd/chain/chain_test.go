package chain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// value is mostly ordinary, sometimes special.
func value[T Float](r *rand.Rand) T {
	specials := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e-310, 1e-42, 0.5, 1.5, -2.5, 1 << 30}
	if r.IntN(4) == 0 {
		return T(specials[r.IntN(len(specials))])
	}
	return T(r.NormFloat64() * 10)
}

func values[T Float](r *rand.Rand, n int) []T {
	// One element more than alignment needs, so that slices start anywhere.
	x := make([]T, n)
	for i := range x {
		x[i] = value[T](r)
	}
	return x
}

func aligned[T Float](n int) []T {
	x := make([]T, n+64)
	for uintptr(unsafe.Pointer(&x[0]))%64 != 0 {
		x = x[1:]
	}
	return x[:n]
}

func same[T Float](x, y T) bool {
	return x == y && math.Signbit(float64(x)) == math.Signbit(float64(y)) || x != x && y != y
}

// Random chains give the same bits on every level, in the result and in what
// they store on the way, and write nothing past their elements.
func TestLevels(t *testing.T) {
	for _, l := range simd.Available() {
		t.Run(fmt.Sprintf("%s/f32", l), func(t *testing.T) { testMachine(t, F32(l)) })
		t.Run(fmt.Sprintf("%s/f64", l), func(t *testing.T) { testMachine(t, F64(l)) })
	}
}

func testMachine[T Float](t *testing.T, m Machine[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 200 {
		n := m.Group * r.IntN(30)
		const guard = 7
		in := [][]T{values[T](r, n+guard)[1:], values[T](r, n+guard), values[T](r, n+guard)[3:]}
		kept := [][]T{aligned[T](n + guard), make([]T, n+guard), aligned[T](n + guard)}
		want := [][]T{aligned[T](n + guard), make([]T, n+guard), aligned[T](n + guard)}
		number := value[T](r)
		var code []Instr
		put := func(op Op, p *T) { code = append(code, Instr{op, unsafe.Pointer(p)}) }
		put(Load, &in[0][0])
		for range r.IntN(12) {
			switch op := Op(r.IntN(int(MinScalar) + 1)); op {
			case Store, Stream:
				put(op, &kept[r.IntN(2)*2][0])
			case Neg, Abs, Sqrt, Square, Floor, Ceil, Round:
				put(op, nil)
			case Fill, AddScalar, SubScalar, SubFromScalar, MulScalar, DivScalar, DivIntoScalar, MaxScalar, MinScalar:
				put(op, &number)
			default:
				put(op, &in[r.IntN(3)][0])
			}
		}
		put(Store, &kept[1][0])
		m.Run(code, n)

		expected := make([]Instr, len(code))
		for i, c := range code {
			expected[i] = c
			for k := range kept {
				if c.Addr == unsafe.Pointer(&kept[k][0]) {
					expected[i].Addr = unsafe.Pointer(&want[k][0])
				}
			}
		}
		run[T](expected, n)
		for k := range kept {
			for i := range kept[k] {
				if !same(kept[k][i], want[k][i]) {
					t.Fatalf("round %d: store %d, element %d of %d: %v, want %v (%v)", round, k, i, n, kept[k][i], want[k][i], code)
				}
			}
		}
	}
}

// The portable machine is what the others are compared with, so it is held to
// Go's own arithmetic.
func TestPortable(t *testing.T) {
	x, y := float32(-2.5), float32(0.75)
	for _, c := range []struct {
		op   Op
		want float32
	}{
		{Neg, 2.5}, {Abs, 2.5}, {Square, 6.25}, {Floor, -3}, {Ceil, -2}, {Round, -2},
		{Add, -1.75}, {Sub, -3.25}, {SubFrom, 3.25}, {Mul, -1.875}, {Div, x / y}, {DivInto, y / x}, {Max, 0.75}, {Min, -2.5},
	} {
		var got float32
		run[float32]([]Instr{{Load, unsafe.Pointer(&x)}, {c.op, unsafe.Pointer(&y)}, {Store, unsafe.Pointer(&got)}}, 1)
		if got != c.want {
			t.Errorf("op %d: %v, want %v", c.op, got, c.want)
		}
	}
}

// The square root is the rounded one: for all mantissas at an even and an odd
// exponent, for ordinary numbers, and for all others.
func TestSqrt(t *testing.T) {
	const n = 1 << 16
	x, got := aligned[float32](n), aligned[float32](n)
	check := func(m Machine[float32], name string, bits func(i int) uint32) {
		for i := range x {
			x[i] = math.Float32frombits(bits(i))
		}
		m.Run([]Instr{{Load, unsafe.Pointer(&x[0])}, {Sqrt, nil}, {Store, unsafe.Pointer(&got[0])}}, n)
		for i, v := range x {
			if want := float32(math.Sqrt(float64(v))); !same(got[i], want) {
				t.Fatalf("%s: root of %g (%#x) is %g, want %g", name, v, math.Float32bits(v), got[i], want)
			}
		}
	}
	for _, l := range simd.Available()[1:] {
		m := F32(l)
		for from := 0; from < 1<<24; from += n {
			check(m, fmt.Sprintf("%v mantissas", l), func(i int) uint32 { return 0x3f800000 + uint32(from+i) })
		}
		rng := rand.New(rand.NewPCG(7, 8))
		for range 20 {
			check(m, fmt.Sprintf("%v ordinary", l), func(int) uint32 { return 27<<23 + rng.Uint32N(0x7f800000-27<<23) })
			check(m, fmt.Sprintf("%v any", l), func(int) uint32 { return rng.Uint32() })
		}
		for _, edge := range []uint32{0, 1, 0x80000000, 0x00800000, 27 << 23, 27<<23 - 1, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fc00000, 0xbf800000} {
			check(m, fmt.Sprintf("%v edges", l), func(i int) uint32 {
				if i%97 == 0 {
					return edge
				}
				return 0x3fc00000
			})
		}
	}
}

// The steps of the square root round as it should be from any estimate with the
// error that processors may have, 2^-14, not only from that of this one.
func TestSqrtEstimates(t *testing.T) {
	step := uint32(31)
	if testing.Short() {
		step = 509
	}
	for _, off := range []float64{-1, -0.5, 0, 0.5, 1} {
		for bits := uint32(0x3f800000); bits < 0x40800000; bits += step {
			x := math.Float32frombits(bits)
			want := float32(math.Sqrt(float64(x)))
			y := float32((1 + off/(1<<14)) / math.Sqrt(float64(x)))
			s, h := x*y, 0.5*y
			e := fused(-s, h, 0.5)
			s, h = fused(s, e, s), fused(h, e, h)
			if got := fused(fused(-s, s, x), h, s); got != want {
				t.Fatalf("root of %g from %g: %g, want %g", x, y, got, want)
			}
		}
	}
}

// fused is a*b+c, rounded once: the float64 sum is rounded to odd first, which
// the second rounding cannot mistake.
func fused(a, b, c float32) float32 {
	p := float64(a) * float64(b) // exact
	s := p + float64(c)
	d := s - p
	rest := (p - (s - d)) + (float64(c) - d)
	if bits := math.Float64bits(s); rest != 0 && bits&1 == 0 {
		if (rest > 0) == (s > 0) {
			s = math.Float64frombits(bits + 1)
		} else {
			s = math.Float64frombits(bits - 1)
		}
	}
	return float32(s)
}

func BenchmarkChain(b *testing.B) {
	for _, l := range simd.Available() {
		b.Run(l.String(), func(b *testing.B) {
			m := F32(l)
			x, y, k := aligned[float32](2048), aligned[float32](2048), float32(1.5)
			p, q := unsafe.Pointer(&x[0]), unsafe.Pointer(&k)
			code := []Instr{
				{Load, p}, {AddScalar, q}, {MulScalar, q}, {Sub, p}, {MulScalar, q}, {MaxScalar, q},
				{Add, p}, {MulScalar, q}, {MinScalar, q}, {Store, unsafe.Pointer(&y[0])},
			}
			b.SetBytes(2048 * 8)
			for b.Loop() {
				m.Run(code, len(x))
			}
		})
	}
}
