package printer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Pairs of halves are what the engine's kernels compute in halves with: NVIDIA's cards
// add and multiply both in the time of one float. A user's kernel computes with halves
// in float32; a sum or a product has the same bits either way, and a fused one all but
// always. Pairs of bfloats, as they come from memory, are compared and multiplied.

// isHalfPair reports a pair of halves.
func isHalfPair(t ktree.Type) bool { return isPair(t) && t.Kind == ktree.Half }

// isPair reports a pair of halves or of bfloats.
func isPair(t ktree.Type) bool {
	return t.Form == ktree.Value && t.Kind.IsHalf() && t.Width == 2
}

// pairParts are the functions on pairs of a kind.
var pairParts = map[ktree.Kind]string{ktree.Half: "half_pairs", ktree.Bfloat: "bfloat_pairs"}

// pairPart is a function on pairs of a kind.
func (c *cuda) pairPart(k ktree.Kind, name string) string {
	c.part(pairParts[k])
	return "tw::" + name
}

// halfPair prints a number that both halves are.
func (c *cuda) halfPair(f float64) string {
	b := uint32(elem.F16From(float32(f)))
	return fmt.Sprintf("%s{%#xu}", c.value(ktree.Vector(ktree.Half, 2)), b<<16|b)
}

// makePair prints a pair of two numbers, or one of halves of which both are one half of another.
func (c *cuda) makePair(e *ktree.Make) string {
	if len(e.Args) == 2 {
		return fmt.Sprintf("%s(%s)", c.pairPart(e.Type.Kind, "pair"), c.list(e.Args))
	}
	if isHalfPair(e.Type) {
		if s, ok := e.Args[0].(*ktree.Swizzle); ok && isHalfPair(s.X.T()) {
			return fmt.Sprintf("%s(%s)", c.pairPart(ktree.Half, [...]string{"both_low", "both_high"}[s.Sel[0]]), bare(c.expr(s.X)))
		}
	}
	panic(fmt.Sprintf("printer: CUDA makes no pair of %s of that", e.Type.Kind))
}

// convertPair prints a conversion of pairs between halves and floats.
func (c *cuda) convertPair(from, to ktree.Kind, x string) string {
	switch {
	case from == ktree.Float && to == ktree.Half:
		return fmt.Sprintf("%s(%s)", c.pairPart(to, "narrow"), bare(x))
	case from == ktree.Float && to == ktree.Bfloat:
		return fmt.Sprintf("%s(%s)", c.pairPart(to, "narrow_bfloats"), bare(x))
	case from.IsHalf() && to == ktree.Float:
		return fmt.Sprintf("%s(%s)", c.pairPart(from, "widen"), bare(x))
	}
	panic(fmt.Sprintf("printer: CUDA converts no pairs of %s to %s", from, to))
}

// halfPairs needs sm_53, and narrow, min and max sm_80. Nothing is fused but where the
// text says so.
const halfPairs = `template <> struct alignas(4) vec<half, 2> { u32 b; };
template <> struct alignas(8) vec<half, 4> { vec<half, 2> xy, zw; };
template <> struct alignas(16) vec<half, 8> { vec<half, 2> xy, zw, third, fourth; };
typedef vec<half, 2> half2;
TW half2 operator+(half2 x, half2 y) { half2 r; asm("add.rn.f16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
TW half2 operator-(half2 x, half2 y) { half2 r; asm("sub.rn.f16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
TW half2 operator*(half2 x, half2 y) { half2 r; asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
TW half2 operator-(half2 x) { half2 r; asm("neg.f16x2 %0, %1;" : "=r"(r.b) : "r"(x.b)); return r; }
TW half2 fma(half2 x, half2 y, half2 z) { half2 r; asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r.b) : "r"(x.b), "r"(y.b), "r"(z.b)); return r; }
TW half2 min(half2 x, half2 y) { half2 r; asm("min.f16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
TW half2 max(half2 x, half2 y) { half2 r; asm("max.f16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
template <int N> TW half load_now(const half* p) { half r; asm volatile("ld.global.nc.u16 %0, [%1 + %2];" : "=h"(r.b) : "l"(p), "n"(N)); return r; }
template <int N> TW half2 load_now(const half2* p) { half2 r; asm volatile("ld.global.nc.u32 %0, [%1 + %2];" : "=r"(r.b) : "l"(p), "n"(N)); return r; }
TW half2 pair(half x, half y) { half2 r; asm("mov.b32 %0, {%1, %2};" : "=r"(r.b) : "h"(x.b), "h"(y.b)); return r; }
TW half2 both_low(half2 x) { half2 r; asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {l, l};}" : "=r"(r.b) : "r"(x.b)); return r; }
TW half2 both_high(half2 x) { half2 r; asm("{.reg .b16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {h, h};}" : "=r"(r.b) : "r"(x.b)); return r; }
TW half2 narrow(vec<float, 2> x) { half2 r; asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r.b) : "f"(x.y), "f"(x.x)); return r; }
TW vec<float, 2> widen(half2 x) { vec<float, 2> r; asm("{.reg .b16 l, h; mov.b32 {l, h}, %2; cvt.f32.f16 %0, l; cvt.f32.f16 %1, h;}" : "=f"(r.x), "=f"(r.y) : "r"(x.b)); return r; }
`

// bfloatPairs needs sm_80, which has products as parts of fused sums only: x*y + -0.
const bfloatPairs = `template <> struct alignas(4) vec<bfloat, 2> { u32 b; };
typedef vec<bfloat, 2> bfloat2;
TW bfloat2 operator*(bfloat2 x, bfloat2 y) { bfloat2 r; asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r.b) : "r"(x.b), "r"(y.b), "r"(0x80008000u)); return r; }
TW bfloat2 min(bfloat2 x, bfloat2 y) { bfloat2 r; asm("min.bf16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
TW bfloat2 max(bfloat2 x, bfloat2 y) { bfloat2 r; asm("max.bf16x2 %0, %1, %2;" : "=r"(r.b) : "r"(x.b), "r"(y.b)); return r; }
template <int N> TW bfloat load_now(const bfloat* p) { bfloat r; asm volatile("ld.global.nc.u16 %0, [%1 + %2];" : "=h"(r.b) : "l"(p), "n"(N)); return r; }
template <int N> TW bfloat2 load_now(const bfloat2* p) { bfloat2 r; asm volatile("ld.global.nc.u32 %0, [%1 + %2];" : "=r"(r.b) : "l"(p), "n"(N)); return r; }
TW bfloat2 pair(bfloat x, bfloat y) { bfloat2 r; asm("mov.b32 %0, {%1, %2};" : "=r"(r.b) : "h"(x.b), "h"(y.b)); return r; }
TW bfloat2 narrow_bfloats(vec<float, 2> x) { bfloat2 r; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r.b) : "f"(x.y), "f"(x.x)); return r; }
TW vec<float, 2> widen(bfloat2 x) { return {__uint_as_float(x.b << 16), __uint_as_float(x.b & 0xffff0000u)}; }
`
