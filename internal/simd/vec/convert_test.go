package vec

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// conversions compares one conversion of two levels.
func conversions[D, S comparable](t *testing.T, name string, want, got func([]D, []S, bool), draw func(*rand.Rand) S, equal func(a, b D) bool) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	var seal D
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			x := make([]S, n)
			for i := range x {
				x[i] = draw(rng)
			}
			expect := make([]D, n)
			want(expect, x, false)
			dst := guard(n, rng.IntN(40), seal)
			got(dst.slice(), x, stream)
			dst.check(t)
			for i, v := range dst.slice() {
				if !equal(v, expect[i]) {
					t.Fatalf("%s n %d stream %v: element %d of %v: got %v, want %v", name, n, stream, i, x[i], v, expect[i])
				}
			}
		}
	}
}

func TestConvertLevels(t *testing.T) {
	float := func(rng *rand.Rand) float32 { return values[float32](rng, 1)[0] }
	near := func(rng *rand.Rand) float32 { // the range of float16 and its borders
		return math.Float32frombits(rng.Uint32()&0x80ffffff | uint32(96+rng.IntN(54))<<23)
	}
	bits := func(rng *rand.Rand) uint16 { return uint16(rng.Uint32()) }
	integer := func(rng *rand.Rand) int32 { return int32(rng.Uint32()) >> rng.IntN(32) }
	double := func(rng *rand.Rand) float64 {
		if rng.IntN(2) == 0 {
			return float64(int64(rng.Uint64()) >> rng.IntN(64))
		}
		return values[float64](rng, 1)[0]
	}
	p := For(simd.Portable).Convert
	levels(t, func(t *testing.T, table *Table) {
		c := table.Convert
		conversions(t, "F32FromF16", p.F32FromF16, c.F32FromF16, bits, same[float32])
		conversions(t, "F16FromF32", p.F16FromF32, c.F16FromF32, near, func(a, b uint16) bool { return a == b })
		conversions(t, "F16FromF32", p.F16FromF32, c.F16FromF32, float, func(a, b uint16) bool { return a == b })
		conversions(t, "F32FromBF16", p.F32FromBF16, c.F32FromBF16, bits, same[float32])
		conversions(t, "BF16FromF32", p.BF16FromF32, c.BF16FromF32, float, func(a, b uint16) bool { return a == b })
		conversions(t, "F32FromI32", p.F32FromI32, c.F32FromI32, integer, same[float32])
		conversions(t, "I32FromF32", p.I32FromF32, c.I32FromF32, float, func(a, b int32) bool { return a == b })
		conversions(t, "F64FromI32", p.F64FromI32, c.F64FromI32, integer, same[float64])
		conversions(t, "I32FromF64", p.I32FromF64, c.I32FromF64, double, func(a, b int32) bool { return a == b })
		conversions(t, "F64FromF32", p.F64FromF32, c.F64FromF32, float, same[float64])
		conversions(t, "F32FromF64", p.F32FromF64, c.F32FromF64, double, same[float32])
		conversions(t, "F32FromI16", p.F32FromI16, c.F32FromI16, func(rng *rand.Rand) int16 { return int16(rng.Uint32()) }, same[float32])
		conversions(t, "F32FromU8", p.F32FromU8, c.F32FromU8, func(rng *rand.Rand) uint8 { return uint8(rng.Uint32()) }, same[float32])
	})
}

// Every half-precision number survives the trip through float32, on every
// level, and midpoints go to the even neighbour.
func TestHalves(t *testing.T) {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	wide, back := make([]float32, 1<<16), make([]uint16, 1<<16)
	for _, l := range simd.Available() {
		c := For(l).Convert
		c.F32FromF16(wide, all, false)
		c.F16FromF32(back, wide, false)
		for i, f := range wide {
			if f == f && back[i] != all[i] || f != f && back[i]&0x7c00 != 0x7c00 {
				t.Fatalf("%v: float16 %#04x became %g and %#04x", l, i, f, back[i])
			}
		}
		if wide[0x3c00] != 1 || wide[0xc000] != -2 || wide[1] != 0x1p-24 || wide[0x7bff] != 65504 || !math.IsInf(float64(wide[0x7c00]), 1) {
			t.Errorf("%v: float16 values are wrong", l)
		}
		mid, want := make([]float32, 0, 1<<15), make([]uint16, 0, 1<<15)
		for i := range 0x7bff {
			mid, want = append(mid, (wide[i]+wide[i+1])/2), append(want, uint16(i+i&1))
		}
		c.F16FromF32(back, mid, false)
		for i, w := range want {
			if back[i] != w {
				t.Fatalf("%v: %g became %#04x, want %#04x", l, mid[i], back[i], w)
			}
		}
		c.F32FromBF16(wide, all, false)
		c.BF16FromF32(back, wide, false)
		for i, f := range wide {
			if f == f && back[i] != all[i] || f != f && back[i]&0x7f80 != 0x7f80 {
				t.Fatalf("%v: bfloat16 %#04x became %g and %#04x", l, i, f, back[i])
			}
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, l := range simd.Available() {
		got := make([]int32, 8)
		For(l).Convert.I32FromF32(got, []float32{1.9, -1.9, 1 << 31, -(1 << 31), float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 3e9}, false)
		want := []int32{1, -1, math.MaxInt32, math.MinInt32, 0, math.MaxInt32, math.MinInt32, math.MaxInt32}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%v: float32 element %d is %d, want %d", l, i, got[i], want[i])
			}
		}
		For(l).Convert.I32FromF64(got, []float64{1.9, -1.9, 1<<31 - 1, 1<<31 - 0.5, math.NaN(), math.Inf(1), math.Inf(-1), -3e9}, false)
		want = []int32{1, -1, math.MaxInt32, math.MaxInt32, 0, math.MaxInt32, math.MinInt32, math.MinInt32}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%v: float64 element %d is %d, want %d", l, i, got[i], want[i])
			}
		}
	}
}
