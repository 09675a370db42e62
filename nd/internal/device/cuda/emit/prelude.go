package emit

import (
	"slices"
	"strings"
)

// Uses collects which parts of the prelude a text calls, so that a unit is
// compiled with those alone: small kernels compile in a few dozen
// milliseconds. The zero value uses nothing.
type Uses struct{ parts map[string]bool }

// Part notes that the text uses a function of the prelude and returns its
// name.
func (u *Uses) Part(name string) string {
	if u.parts == nil {
		u.parts = map[string]bool{}
	}
	if !u.parts[name] {
		p, ok := partsByName[name]
		if !ok {
			panic("emit: the prelude has no " + name)
		}
		u.parts[name] = true
		for _, n := range strings.Fields(p.needs) {
			u.Part(n)
		}
	}
	return name
}

// Join notes that a text uses what another one does.
func (u *Uses) Join(other *Uses) {
	for name := range other.parts {
		u.Part(name)
	}
}

// Unit is a whole translation unit: the parts used, then the body.
func (u *Uses) Unit(body string) string {
	var b strings.Builder
	b.WriteString(basics)
	for _, list := range partLists {
		for _, p := range list {
			if u.parts[p.name] {
				b.WriteString(p.text)
			}
		}
	}
	b.WriteString(body)
	return b.String()
}

// part is a function of the prelude, and what its text uses of others.
type part struct{ name, needs, text string }

// Parts are written in this order; each uses earlier ones only.
var partLists = [][]part{halfParts, integerParts, realParts, complexParts, randomParts, threadParts}

var partsByName = func() map[string]part {
	m := map[string]part{}
	for _, list := range partLists {
		for _, p := range list {
			m[p.name] = p
		}
	}
	return m
}()

// basics are the names that every text may use. No header is included, so
// that NVRTC compiles it without a toolkit.
const basics = `#define TW static __device__ __forceinline__
typedef unsigned char u8; typedef unsigned short u16; typedef int i32; typedef unsigned int u32;
typedef long long i64; typedef unsigned long long u64;
template <class R> struct alignas(2 * sizeof(R)) cx { R re, im; };
typedef cx<float> c64; typedef cx<double> c128;
struct alignas(16) arg { u64 a, b; };
template <class R> TW cx<R> operator+(cx<R> z, cx<R> w) { return {z.re + w.re, z.im + w.im}; }
template <class R> TW cx<R> operator-(cx<R> z, cx<R> w) { return {z.re - w.re, z.im - w.im}; }
template <class R> TW cx<R> operator*(cx<R> z, cx<R> w) { return {z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re}; }
`

// IsType reports a type of basics: a variable of that name would hide it.
func IsType(name string) bool {
	return slices.Contains(typeNames, name)
}

var typeNames = func() (names []string) {
	for s := range strings.SplitSeq(basics, ";") {
		if words := strings.Fields(s); slices.Contains(words, "typedef") {
			names = append(names, words[len(words)-1])
		}
	}
	return names
}()

// halfParts convert between halves in memory and floats.
var halfParts = []part{
	{"widen_f16", "", `TW float widen_f16(u16 h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h)); return f; }
`},
	{"narrow_f16", "", `TW u16 narrow_f16(float f) { u16 h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f)); return h; }
`},
	{"widen_bf16", "", `TW float widen_bf16(u16 h) { return __uint_as_float((u32)h << 16); }
`},
	// cvt.rn.bf16.f32 needs sm_80; this gives the same bits everywhere.
	{"narrow_bf16", "", `TW u16 narrow_bf16(float f) {
  u32 u = __float_as_uint(f);
  return (u & 0x7fffffffu) > 0x7f800000u ? (u16)(u >> 16 | 0x40u) : (u16)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
}
`},
}

// integerParts are what C++ leaves undefined or does not have.
var integerParts = []part{
	{"int_div", "", `template <class T> TW T int_div(T a, T b) { return b == 0 ? (T)0 : (T)-1 < (T)0 && b == (T)-1 ? (T)(0 - (u64)a) : (T)(a / b); }
`},
	{"int_rem", "", `template <class T> TW T int_rem(T a, T b) { return b == 0 || ((T)-1 < (T)0 && b == (T)-1) ? (T)0 : (T)(a % b); }
`},
	{"int_pow", "", `TW i64 int_pow(i64 x, i64 y) {
  if (y < 0) return x == 1 ? 1 : x == -1 ? (y & 1 ? -1 : 1) : 0;
  u64 p = 1, q = (u64)x;
  for (; y > 0; y >>= 1) { if (y & 1) p *= q; q *= q; }
  return (i64)p;
}
`},
	// Where in a run of n a place is that may be beyond it (see ir.Rule).
	{"source_reflect", "", `TW i64 source_reflect(i64 at, i64 n) { return at < 0 ? -at : at < n ? at : 2 * (n - 1) - at; }
`},
	{"source_edge", "", `TW i64 source_edge(i64 at, i64 n) { return at < 0 ? 0 : at < n ? at : n - 1; }
`},
	{"source_wrap", "", `TW i64 source_wrap(i64 at, i64 n) { return at < 0 ? at + n : at < n ? at : at - n; }
`},
	// Float to integer truncates, saturates and maps NaN to 0.
	{"to_u8", "", `TW u8 to_u8(double x) { return (u8)(int)fmin(fmax(x, 0.0), 255.0); }
TW u8 to_u8(float x) { return (u8)(int)fminf(fmaxf(x, 0.0f), 255.0f); }
`},
	{"to_i32", "", `TW i32 to_i32(float x) { return __float2int_rz(x); }
TW i32 to_i32(double x) { return x != x ? 0 : __double2int_rz(x); }
`},
	{"to_u32", "", `TW u32 to_u32(float x) { return __float2uint_rz(x); }
TW u32 to_u32(double x) { return x != x ? 0 : __double2uint_rz(x); }
`},
	{"to_i64", "", `TW i64 to_i64(float x) { return x != x ? 0 : __float2ll_rz(x); }
TW i64 to_i64(double x) { return x != x ? 0 : __double2ll_rz(x); }
`},
}

// realParts are functions of real numbers that CUDA does not have.
var realParts = []part{
	{"sign", "", `template <class R> TW R sign(R x) { return x > 0 ? (R)1 : x < 0 ? (R)-1 : x; }
`},
	// exp of a negative number alone, so that nothing overflows inside.
	{"sigmoid", "", `template <class R> TW R sigmoid(R x) { R e = exp(-fabs(x)); return (x < 0 ? e : (R)1) / ((R)1 + e); }
`},
	// The ways that the compiler takes where no exponent is near its end, but
	// which of those are taken is not decided by a branch for each. Zeros go the
	// same way, because silence is full of them: twice the bits of a number, less
	// those of the least that is not too small, wrap around to the greatest
	// difference for a zero. It is raised so that its inverse root is a number, by
	// what others do not notice.
	{"root_near", "", `TW float rsqrt_near(float x) { float r; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
TW float root_near(float x, bool& near) {
  near = near & (__float_as_uint(x) * 2u - 0x1a000000u <= 0xe6000000u) & (x < __uint_as_float(0x7f800000u));
  float r = rsqrt_near(x + 0x1p-126f), y = x * r;
  return __fmaf_rn(__fmaf_rn(-y, y, x), 0.5f * r, y);
}
`},
	// Both operands within 2^-60 and 2^60, or the first is zero: what is left of it
	// has lost its sign.
	{"quotient_near", "", `TW float rcp_near(float x) { float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
TW float quotient_near(float x, float y, bool& near) {
  near = near & (__float_as_uint(x) * 2u - 0x43000000u <= 0xbd000000u) & (fabsf(x) <= 0x1p60f) & (__float_as_uint(y) * 2u - 0x43000000u <= 0x78000000u);
  float r = rcp_near(y);
  r = __fmaf_rn(r, __fmaf_rn(-y, r, 1.0f), r);
  float q = x * r, v = __fmaf_rn(__fmaf_rn(-y, q, x), r, q);
  return x == 0.0f ? q : v;
}
`},
	// NaN wins.
	{"greater", "", `template <class T> TW T greater(T a, T b) { return a > b || a != a ? a : b; }
`},
	{"lesser", "", `template <class T> TW T lesser(T a, T b) { return a < b || a != a ? a : b; }
`},
}
