package plain

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// exactGemm is a product whose elements are exact sums, rounded once. A sum is
// a number of fixed point, in digits of 32 bits that are kept in 64 so that
// adding does not carry. Each lane of a warp adds its products to digits of its
// own in shared memory; the digits of the lanes, and then of the pieces of K,
// are added up, carried and rounded.
type exactGemm struct {
	g      *ir.Gemm
	uses   emit.Uses
	parts  int // numbers of an element: 2 for complex ones
	digits int
	bias   int // digit 0 is worth 2^-bias; even, for roots
	pieces int
	piece  int // K of a warp
}

const exactThreads = 32

func generateExact(g *ir.Gemm, card emit.Card) (*emit.Module, error) {
	w := &exactGemm{g: g, parts: 1}
	if g.Out.Type.IsComplex() {
		w.parts = 2
	}
	// Products of float32 are exact in float64, from 2^-298 to 2^256, and end
	// 52 bits below their first; those of float64 are made of two words, from
	// 2^-2148 to 2^2048. Two digits and more are room for sums of many.
	w.bias, w.digits = 350, (350+256)/32+3
	if g.Out.Type.Real() == elem.Float64 {
		w.bias, w.digits = 2148, (2148+2048)/32+3
	}
	results := ir.Count(g.Batch) * g.M * g.N * w.parts
	w.pieces = max(min(ceil(16*max(card.Processors, 1), results), g.K/(8*exactThreads)), 1)
	w.piece = max(ceil(g.K, w.pieces), 1)
	w.pieces = max(ceil(g.K, w.piece), 1)

	add := &entry{name: "add", threads: exactThreads, wide: true, apart: true, loose: true}
	w.writeAdd(add)
	round := &entry{name: "round_sums", threads: 128, wide: true, apart: true, loose: true}
	w.writeRound(round, results)
	mod, err := module(&w.uses, w.shared(), add, round)
	if err != nil {
		return nil, err
	}
	mod.Steps = []emit.Step{add.step(results * w.pieces), round.step(ceil(results, 128))}
	mod.Scratch = []int{results * w.pieces * w.digits * 8, results * w.pieces * 4}
	return mod, nil
}

// space is that of the elements, with the operands' starts along K.
func (w *exactGemm) space() (dims []int, a, b, out ir.Operand) {
	g, n := w.g, len(w.g.Batch)
	dims = append(slices.Clone(g.Batch), g.M, g.N)
	a, b, out = g.A, g.B, g.Out
	a.Strides = append(slices.Clone(g.A.Strides[:n]), g.A.Strides[n], 0)
	b.Strides = append(slices.Clone(g.B.Strides[:n]), 0, g.B.Strides[n+1])
	return dims, a, b, out
}

// writeAdd writes the kernel in which a warp adds up a piece of one number.
func (w *exactGemm) writeAdd(e *entry) {
	g, n, t, u := w.g, len(w.g.Batch), w.g.Out.Type, &w.uses
	dims, a, b, _ := w.space()
	e.pointer("a", a, emit.Read(0))
	e.pointer("b", b, emit.Read(1))
	e.param("i64* digits", emit.Scratch(0))
	e.param("u32* odds", emit.Scratch(1))
	e.number("a_k", g.A.Strides[n+1])
	e.number("b_k", g.B.Strides[n])
	e.number("size_k", g.K)
	e.number("piece", w.piece)
	e.f("__shared__ i64 d[%d][32];\nconst int lane = threadIdx.x;\n#pragma unroll 1\nfor (int i = 0; i < %d; i++) d[i][lane] = 0;\nu32 odd = 0;\n", w.digits, w.digits)
	e.f("const i64 result = blockIdx.x / (u32)%s, from = (blockIdx.x - result * pieces) * piece, to = min(from + piece, size_k);\n", e.number("pieces", w.pieces))
	element := "result"
	if w.parts == 2 {
		e.f("const i64 element = result / 2;\nconst bool imaginary = result %% 2 != 0;\n")
		element = "element"
	}
	coords := e.point("c", element, dims)
	e.f("a += %s;\nb += %s;\n", e.position("a", coords, a.Strides), e.position("b", coords, b.Strides))
	e.f("for (i64 k = from + lane; k < to; k += 32) {\nconst %s x = %s, y = %s;\n", emit.Value(t), u.Get(t, "a[k * a_k]"), u.Get(t, "b[k * b_k]"))
	if w.parts == 2 {
		e.f("if (imaginary) { add_product(d, lane, odd, x.re, y.im); add_product(d, lane, odd, x.im, y.re); }\n")
		e.f("else { add_product(d, lane, odd, x.re, y.re); add_product(d, lane, odd, -x.im, y.im); }\n}\n")
	} else {
		e.f("add_product(d, lane, odd, x, y);\n}\n")
	}
	e.f(`i64 carry = 0;
#pragma unroll 1
for (int i = 0; i < %d; i++) { const i64 v = d[i][lane] + carry; carry = v >> 32; d[i][lane] = v & 0xffffffffll; }
d[%d][lane] += carry;
__syncwarp();
for (int i = lane; i < %d; i += 32) {
i64 sum = 0;
for (int j = 0; j < 32; j++) sum += d[i][(lane + j) %% 32];
digits[blockIdx.x * %dll + i] = sum;
}
for (int by = 16; by > 0; by /= 2) odd |= __shfl_xor_sync(~0u, odd, by);
if (lane == 0) odds[blockIdx.x] = odd;
`, w.digits-1, w.digits-1, w.digits, w.digits)
}

// writeRound writes the kernel in which a thread adds up the pieces of one
// number and rounds it.
func (w *exactGemm) writeRound(e *entry, results int) {
	t, u := w.g.Out.Type, &w.uses
	dims, _, _, out := w.space()
	e.pointer("out", out, emit.Write(0))
	e.param("const i64* digits", emit.Scratch(0))
	e.param("const u32* odds", emit.Scratch(1))
	e.number("pieces", w.pieces)
	e.f("const i64 result = (i64)blockIdx.x * 128 + threadIdx.x;\nif (result >= %s) return;\n", e.number("results", results))
	e.f("fixed s;\nu32 odd = 0;\n#pragma unroll 1\nfor (int i = 0; i < %d; i++) s.d[i] = 0;\n", w.digits)
	e.f("for (i64 p = result * pieces; p < (result + 1) * pieces; p++) {\nodd |= odds[p];\n#pragma unroll 1\nfor (int i = 0; i < %d; i++) s.d[i] += digits[p * %d + i];\ns.carry();\n}\n", w.digits, w.digits)
	f := formats[t.Real()]
	how := "rounded"
	if w.g.Root {
		how = "root"
	}
	e.f("const double v = %s(s, odd, %d, %d, %s);\n", how, f.bits, f.least, f.most)
	if w.parts == 2 {
		coords := e.point("c", "result / 2", dims)
		real := emit.Value(t.Real())
		e.f("((%s*)(out + (%s)))[result %% 2] = (%s)v;\n", real, e.position("out", coords, out.Strides), real)
		return
	}
	coords := e.point("c", "result", dims)
	e.f("out[%s] = %s;\n", e.position("out", coords, out.Strides), u.Put(t, fmt.Sprintf("(%s)v", emit.Value(t))))
}

// formats are the bits of a mantissa, the exponent of the least number, and
// the greatest number.
var formats = map[elem.Type]struct {
	bits, least int
	most        string
}{
	elem.Float64:  {53, -1074, "1.7976931348623157e308"},
	elem.Float32:  {24, -149, "3.4028234663852886e38"},
	elem.Float16:  {11, -24, "65504.0"},
	elem.BFloat16: {8, -133, "3.3895313892515355e38"},
}

// shared is what both kernels use.
func (w *exactGemm) shared() string {
	product := addSmall
	if w.g.Out.Type.Real() == elem.Float64 {
		product = addLarge
	}
	return fmt.Sprintf("const int DIGITS = %d, BIAS = %d;\n", w.digits, w.bias) + product + fixedText
}

// addSmall adds a product that is exact in double. Numbers that are not finite
// are noted: 1 for NaN, 2 and 4 for infinities.
const addSmall = `TW void note(u32& odd, double x) { odd |= x > 0 ? 2 : x < 0 ? 4 : 1; }
TW void add_product(i64 (*d)[32], int lane, u32& odd, float x, float y) {
  const double p = (double)x * (double)y;
  const u64 b = (u64)__double_as_longlong(p), m = (b & 0xfffffffffffffull) | 0x10000000000000ull;
  const int e = (int)(b >> 52 & 0x7ff), at = e - 1075 + BIAS, by = at & 31;
  if (p == 0) return;
  if (e == 0x7ff) { note(odd, p); return; }
  const u64 low = m << by, high = m >> 1 >> (63 - by);
  const i64 sign = (i64)b >> 63;
  d[at >> 5][lane] += ((i64)(low & 0xffffffffull) ^ sign) - sign;
  d[(at >> 5) + 1][lane] += ((i64)(low >> 32) ^ sign) - sign;
  d[(at >> 5) + 2][lane] += ((i64)high ^ sign) - sign;
}
`

// addLarge adds a product of two doubles, from their mantissas.
const addLarge = `TW void note(u32& odd, double x) { odd |= x > 0 ? 2 : x < 0 ? 4 : 1; }
TW u64 split(u64 b, int& e) {
  const u64 m = b & 0xfffffffffffffull;
  e = (int)(b >> 52 & 0x7ff);
  if (e == 0) { e = 1; return m; }
  return m | 0x10000000000000ull;
}
TW void add_product(i64 (*d)[32], int lane, u32& odd, double x, double y) {
  const u64 a = (u64)__double_as_longlong(x), b = (u64)__double_as_longlong(y);
  int ea, eb;
  const u64 ma = split(a, ea), mb = split(b, eb);
  if (ea == 0x7ff || eb == 0x7ff) { note(odd, x * y); return; }
  u64 low = ma * mb, high = __umul64hi(ma, mb);
  const int at = ea + eb - 2150 + BIAS, by = at & 31, i = at >> 5;
  const u64 top = high >> 1 >> (63 - by);
  high = high << by | low >> 1 >> (63 - by);
  low <<= by;
  const i64 sign = (i64)(a ^ b) >> 63;
  d[i][lane] += ((i64)(low & 0xffffffffull) ^ sign) - sign;
  d[i + 1][lane] += ((i64)(low >> 32) ^ sign) - sign;
  d[i + 2][lane] += ((i64)(high & 0xffffffffull) ^ sign) - sign;
  d[i + 3][lane] += ((i64)(high >> 32) ^ sign) - sign;
  d[i + 4][lane] += ((i64)top ^ sign) - sign;
}
`

// fixedText rounds a number of fixed point, or its root, to a format, halves
// to even.
const fixedText = `struct fixed {
  i64 d[DIGITS];
  __device__ void carry() {
    i64 c = 0;
#pragma unroll 1
    for (int i = 0; i < DIGITS - 1; i++) { const i64 v = d[i] + c; c = v >> 32; d[i] = v & 0xffffffffll; }
    d[DIGITS - 1] += c;
  }
  __device__ u64 digit(int i) const { return i < 0 || i >= DIGITS ? 0 : (u64)d[i]; }
  // The 64 bits from position at on; there are zeros below 0.
  __device__ u64 bits(int at) const {
    const int up = max(at, 0), i = up >> 5, by = up & 31;
    const u64 low = (digit(i) >> by | digit(i + 1) << (32 - by)) & 0xffffffffull;
    const u64 all = low | (digit(i + 1) >> by | digit(i + 2) << (32 - by)) << 32;
    return at >= 0 ? all : at > -64 ? all << -at : 0;
  }
  __device__ bool below(int at) const {
    if (at <= 0) return false;
#pragma unroll 1
    for (int i = 0; i < at >> 5; i++) if (d[i] != 0) return true;
    return (digit(at >> 5) & ((1ull << (at & 31)) - 1)) != 0;
  }
  __device__ int top() const { // position of the first bit, -1 for zero
#pragma unroll 1
    for (int i = DIGITS - 1; i >= 0; i--) if (d[i] != 0) return 32 * i + 63 - __clzll(d[i]);
    return -1;
  }
  __device__ bool make_positive() {
    if (d[DIGITS - 1] >= 0) return false;
#pragma unroll 1
    for (int i = 0; i < DIGITS; i++) d[i] = -d[i];
    carry();
    return true;
  }
};
TW double odd_value(u32 odd) {
  const double inf = __longlong_as_double(0x7ff0000000000000ll);
  return (odd & 1) || odd == 6 ? inf - inf : odd & 2 ? inf : -inf;
}
TW double made(u64 m, int e, double most) {
  const double v = scalbn((double)m, e);
  return v > most ? __longlong_as_double(0x7ff0000000000000ll) : v;
}
TW double rounded(fixed& s, u32 odd, int bits, int least, double most) {
  if (odd) return odd_value(odd);
  const bool negative = s.make_positive();
  const int high = s.top();
  if (high < 0) return 0;
  const int low = max(high - bits + 1, least + BIAS);
  u64 m = high < low ? 0 : s.bits(low);
  if ((s.bits(low - 1) & 1) && ((m & 1) || s.below(low - 1))) m++;
  const double v = made(m, low - BIAS, most);
  return negative ? -v : v;
}
TW double root(fixed& s, u32 odd, int bits, int least, double most) {
  if (odd) return sqrt(odd_value(odd));
  if (s.make_positive()) return odd_value(1);
  const int high = s.top();
  if (high < 0) return 0;
  // The root of the first 111 or 112 bits has 56: more than any format.
  const int from = (high - 110) & ~1;
  const u64 low = s.bits(from), top = s.bits(from + 64);
  u64 r = (u64)sqrt((double)top * 0x1p64 + (double)low);
  // What is left fits 64 bits: r is off by a few only.
  i64 left = (i64)(low - r * r), by = left / (i64)(2 * r);
  r += by;
  left = (i64)(low - r * r);
  while (left < 0) { r--; left += 2 * (i64)r + 1; }
  while (left > 2 * (i64)r) { left -= 2 * (i64)r + 1; r++; }
  const int exponent = (from - BIAS) >> 1;
  const bool rest = left != 0 || s.below(from);
  const int drop = max(max(64 - __clzll((i64)r) - bits, least - exponent), 0);
  u64 kept = drop > 63 ? 0 : r >> drop;
  const u64 cut = drop > 63 ? 0 : r & ((1ull << drop) - 1), half = drop > 0 && drop <= 63 ? 1ull << (drop - 1) : 0;
  if (drop > 0 && (cut > half || (cut == half && (rest || (kept & 1))))) kept++;
  return made(kept, exponent + drop, most);
}
`
