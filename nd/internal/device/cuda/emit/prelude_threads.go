package emit

import "math/bits"

// Divisor encodes d, of 1 to 2^31, for the prelude's quotient: multiplication
// by a reciprocal of 33 bits, of which the first is implied, and a shift
// (Granlund and Montgomery, "Division by invariant integers", 1994).
func Divisor(d int) int {
	shift := bits.Len(uint(d - 1))
	return shift<<32 | int((uint64(1)<<shift-uint64(d))<<32/uint64(d)+1)
}

// threadParts are about indices and about values that threads exchange.
var threadParts = []part{
	// A Divisor, as the device gets it: quotients of numbers below 2^31.
	{"quotient", "", `TW u32 quotient(u32 n, i64 divisor) { return (u32)(((u64)__umulhi(n, (u32)divisor) + n) >> (divisor >> 32)); }
`},
	// Neighbours in memory that are loaded and stored at once, or the first
	// of them at the end of an array.
	{"pack", "", `template <int B> struct raw; template <> struct raw<1> { typedef u8 type; }; template <> struct raw<2> { typedef u16 type; };
template <> struct raw<4> { typedef u32 type; }; template <> struct raw<8> { typedef uint2 type; }; template <> struct raw<16> { typedef uint4 type; };
template <class T, int V> struct pack { T x[V]; };
template <int V, class T> TW pack<T, V> load_pack(const T* p) {
  typename raw<sizeof(T) * V>::type w = *(const typename raw<sizeof(T) * V>::type*)p;
  pack<T, V> r;
  memcpy(&r, &w, sizeof(r));
  return r;
}
template <int V, class T> TW void store_pack(T* p, const pack<T, V>& r) {
  typename raw<sizeof(T) * V>::type w;
  memcpy(&w, &r, sizeof(r));
  *(typename raw<sizeof(T) * V>::type*)p = w;
}
template <int V, class T> TW pack<T, V> load_some(const T* p, int n) {
  pack<T, V> r = {};
#pragma unroll
  for (int v = 0; v < V; v++) if (v < n) r.x[v] = p[v];
  return r;
}
template <int V, class T> TW void store_some(T* p, const pack<T, V>& r, int n) {
#pragma unroll
  for (int v = 0; v < V; v++) if (v < n) p[v] = r.x[v];
}
`},
	// Values of any type that is a whole number of 32-bit words, or smaller.
	// All threads of a warp take part.
	{"shuffle", "", `#define TW_SHUFFLE(name, how) template <class T> TW T name(T v, int by) { \
  if constexpr (sizeof(T) < 4) return (T)how(~0u, (u32)v, by); \
  else { \
    u32 w[sizeof(T) / 4]; \
    memcpy(w, &v, sizeof(T)); \
    for (int i = 0; i < (int)(sizeof(T) / 4); i++) w[i] = how(~0u, w[i], by); \
    memcpy(&v, w, sizeof(T)); \
    return v; \
  } }
TW_SHUFFLE(shuffle_xor, __shfl_xor_sync) TW_SHUFFLE(shuffle_up, __shfl_up_sync) TW_SHUFFLE(shuffle_at, __shfl_sync)
`},
	// The greatest and the least of a number over a warp, for sm_80 and later.
	{"warp_max", "", `TW u32 warp_max(u32 x) { u32 r; asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
	{"warp_min", "", `TW u32 warp_min(u32 x) { u32 r; asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
	// A constant that is loaded here and not where it is used.
	{"load_now", "", `TW c64 load_now(const c64* p) { c64 r; asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(r.re), "=f"(r.im) : "l"(p)); return r; }
TW c128 load_now(const c128* p) { c128 r; asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(r.re), "=d"(r.im) : "l"(p)); return r; }
`},
}
