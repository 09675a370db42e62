package printer

// cudaPrelude gives the dialect's types and functions to CUDA C++. It needs no
// header, so that NVRTC compiles it without a toolkit.
const cudaPrelude = `namespace tw {
#define TW __device__ __forceinline__
typedef signed char i8; typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef long long i64; typedef unsigned long long u64;

// 16-bit floats: kept as bits, computed in float, rounded to even.
struct half {
  u16 b;
  TW half() {}
  TW explicit half(float f) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(f)); }
  TW operator float() const { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(b)); return f; }
};
struct bfloat {
  u16 b;
  TW bfloat() {}
  TW explicit bfloat(float f) {
    u32 u = __float_as_uint(f);
    b = (u & 0x7fffffffu) > 0x7f800000u ? (u16)(u >> 16 | 0x40u) : (u16)((u + 0x7fffu + (u >> 16 & 1u)) >> 16);
  }
  TW operator float() const { return __uint_as_float((u32)b << 16); }
};
template <class T> struct wide { typedef T type; };
template <> struct wide<half> { typedef float type; };
template <> struct wide<bfloat> { typedef float type; };

// Vectors.
template <class T, int N> struct vec;
template <class T> struct alignas(2 * sizeof(T)) vec<T, 2> {
  T x, y;
  TW vec() {}
  TW constexpr explicit vec(T s) : x(s), y(s) {}
  TW constexpr vec(T a, T b) : x(a), y(b) {}
  TW T& operator[](int i) { return (&x)[i]; }
  TW const T& operator[](int i) const { return (&x)[i]; }
};
template <class T> struct vec<T, 3> {
  T x, y, z;
  TW vec() {}
  TW constexpr explicit vec(T s) : x(s), y(s), z(s) {}
  TW constexpr vec(T a, T b, T c) : x(a), y(b), z(c) {}
  TW T& operator[](int i) { return (&x)[i]; }
  TW const T& operator[](int i) const { return (&x)[i]; }
};
template <class T> struct vec<T, 4> {
  T x, y, z, w;
  TW vec() {}
  TW constexpr explicit vec(T s) : x(s), y(s), z(s), w(s) {}
  TW constexpr vec(T a, T b, T c, T d) : x(a), y(b), z(c), w(d) {}
  TW T& operator[](int i) { return (&x)[i]; }
  TW const T& operator[](int i) const { return (&x)[i]; }
};
template <int... I, class T, int N> TW vec<T, sizeof...(I)> swizzle(const vec<T, N>& v) { return vec<T, sizeof...(I)>(v[I]...); }
template <class T, int N> TW T& pick(vec<T, N>& v, u32 i) { return v[i < N ? i : N - 1]; }
template <class T, int N> TW T pick(const vec<T, N>& v, u32 i) { return v[i < N ? i : N - 1]; }
template <int... I, class T, int N> TW vec<T, sizeof...(I)> put(vec<T, N>& v, const vec<T, sizeof...(I)>& r) {
  int k = 0;
  ((v[I] = r[k++]), ...);
  return r;
}
template <class T, int N, int A> TW void join(vec<T, N>& v, int& k, const vec<T, A>& a) { for (int i = 0; i < A; i++) v[k++] = a[i]; }
template <class T, int N> TW void join(vec<T, N>& v, int& k, T a) { v[k++] = a; }
template <class T, int N, class... A> TW vec<T, N> make(A... a) { vec<T, N> v; int k = 0; (join(v, k, a), ...); return v; }
template <class T> TW T old(T& l, T r) { T o = l; l = r; return o; }

// Operators.
#define TW_BINARY(op) \
  TW half operator op(half a, half b) { return half((float)a op (float)b); } \
  TW bfloat operator op(bfloat a, bfloat b) { return bfloat((float)a op (float)b); } \
  template <class T, int N> TW vec<T, N> operator op(const vec<T, N>& a, const vec<T, N>& b) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = (T)(a[i] op b[i]); return r; }
TW_BINARY(+) TW_BINARY(-) TW_BINARY(*) TW_BINARY(/)
#define TW_BITS(op) template <class T, int N> TW vec<T, N> operator op(const vec<T, N>& a, const vec<T, N>& b) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = (T)(a[i] op b[i]); return r; }
TW_BITS(&) TW_BITS(|) TW_BITS(^)
#define TW_COMPARE(op) \
  TW bool operator op(half a, half b) { return (float)a op (float)b; } \
  TW bool operator op(bfloat a, bfloat b) { return (float)a op (float)b; } \
  template <class T, int N> TW vec<bool, N> operator op(const vec<T, N>& a, const vec<T, N>& b) { \
    vec<bool, N> r; for (int i = 0; i < N; i++) r[i] = a[i] op b[i]; return r; }
TW_COMPARE(==) TW_COMPARE(!=) TW_COMPARE(<) TW_COMPARE(<=) TW_COMPARE(>) TW_COMPARE(>=)
TW half operator-(half a) { return half(-(float)a); }
TW bfloat operator-(bfloat a) { return bfloat(-(float)a); }
#define TW_UNARY(op) template <class T, int N> TW vec<T, N> operator op(const vec<T, N>& a) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = (T)(op a[i]); return r; }
TW_UNARY(-) TW_UNARY(~) TW_UNARY(!)

// Componentwise application of a scalar function.
#define TW_EACH1(name) template <class T, int N> TW vec<T, N> name(const vec<T, N>& a) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = name(a[i]); return r; }
#define TW_EACH2(name) template <class T, int N> TW vec<T, N> name(const vec<T, N>& a, const vec<T, N>& b) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = name(a[i], b[i]); return r; }
#define TW_EACH3(name) template <class T, int N> TW vec<T, N> name(const vec<T, N>& a, const vec<T, N>& b, const vec<T, N>& c) { \
    vec<T, N> r; for (int i = 0; i < N; i++) r[i] = name(a[i], b[i], c[i]); return r; }

// Integers: a zero divisor gives 0, shift counts are modulo the width.
template <class T> TW T div(T a, T b) { return b != 0 ? (T)(a / b) : (T)0; }
template <class T> TW T rem(T a, T b) { return b != 0 ? (T)(a % b) : (T)0; }
template <class T> TW T shl(T a, T b) { return (T)(a << (b & (T)(sizeof(T) * 8 - 1))); }
template <class T> TW T shr(T a, T b) { return (T)(a >> (b & (T)(sizeof(T) * 8 - 1))); }
TW_EACH2(div) TW_EACH2(rem) TW_EACH2(shl) TW_EACH2(shr)

// Conversions: float to integer truncates, saturates and maps NaN to 0.
template <class T> struct limits;
#define TW_LIMITS(T, lo, hi) template <> struct limits<T> { static TW double least() { return lo; } static TW double most() { return hi; } };
TW_LIMITS(i8, -128.0, 127.0) TW_LIMITS(u8, 0.0, 255.0) TW_LIMITS(short, -32768.0, 32767.0) TW_LIMITS(u16, 0.0, 65535.0)
TW_LIMITS(int, -2147483648.0, 2147483647.0) TW_LIMITS(u32, 0.0, 4294967295.0)
TW_LIMITS(i64, -9223372036854775808.0, 9223372036854775807.0) TW_LIMITS(u64, 0.0, 18446744073709551615.0)
template <class T, class F> struct converter { static TW T run(F x) { return (T)x; } };
template <class T> struct saturating { static TW T run(double x) {
  if (x != x) return 0;
  if (x <= limits<T>::least()) return (T)limits<T>::least();
  if (x >= limits<T>::most()) return (T)~(T)((T)0 < (T)-1 ? 0 : (T)((T)1 << (sizeof(T) * 8 - 1)));
  return (T)x; } };
template <> struct converter<int, float> { static TW int run(float x) { return __float2int_rz(x); } };
template <> struct converter<u32, float> { static TW u32 run(float x) { return __float2uint_rz(x); } };
#define TW_SATURATE(T, F) template <> struct converter<T, F> { static TW T run(F x) { return saturating<T>::run((double)(typename wide<F>::type)x); } };
#define TW_SMALL(T) TW_SATURATE(T, float) TW_SATURATE(T, double) TW_SATURATE(T, half) TW_SATURATE(T, bfloat)
TW_SMALL(i8) TW_SMALL(u8) TW_SMALL(short) TW_SMALL(u16) TW_SMALL(i64) TW_SMALL(u64)
TW_SATURATE(int, double) TW_SATURATE(int, half) TW_SATURATE(int, bfloat)
TW_SATURATE(u32, double) TW_SATURATE(u32, half) TW_SATURATE(u32, bfloat)
template <class F> struct converter<bool, F> { static TW bool run(F x) { return (typename wide<F>::type)x != 0; } };
template <class F> struct converter<half, F> { static TW half run(F x) { return half((float)(typename wide<F>::type)x); } };
template <class F> struct converter<bfloat, F> { static TW bfloat run(F x) { return bfloat((float)(typename wide<F>::type)x); } };
template <> struct converter<double, half> { static TW double run(half x) { return (double)(float)x; } };
template <> struct converter<double, bfloat> { static TW double run(bfloat x) { return (double)(float)x; } };
template <class T, int N, class F> struct converter<vec<T, N>, vec<F, N> > { static TW vec<T, N> run(const vec<F, N>& v) {
  vec<T, N> r; for (int i = 0; i < N; i++) r[i] = converter<T, F>::run(v[i]); return r; } };
template <class T, class F> TW T convert(const F& x) { return converter<T, F>::run(x); }
template <class T, class F> TW T bits(const F& x) { return *reinterpret_cast<const T*>(&x); }

// Floats.
#define TW_FLOAT1(name, f, d) \
  TW float name(float x) { return f; } TW double name(double x) { return d; } \
  TW half name(half x) { return half(name((float)x)); } TW bfloat name(bfloat x) { return bfloat(name((float)x)); } TW_EACH1(name)
TW_FLOAT1(exp, ::expf(x), ::exp(x)) TW_FLOAT1(exp2, ::exp2f(x), ::exp2(x)) TW_FLOAT1(exp10, ::exp10f(x), ::exp10(x))
TW_FLOAT1(log, ::logf(x), ::log(x)) TW_FLOAT1(log2, ::log2f(x), ::log2(x)) TW_FLOAT1(log10, ::log10f(x), ::log10(x))
TW_FLOAT1(sqrt, ::sqrtf(x), ::sqrt(x)) TW_FLOAT1(rsqrt, 1.0f / ::sqrtf(x), 1.0 / ::sqrt(x))
TW_FLOAT1(sin, ::sinf(x), ::sin(x)) TW_FLOAT1(cos, ::cosf(x), ::cos(x)) TW_FLOAT1(tan, ::tanf(x), ::tan(x))
TW_FLOAT1(asin, ::asinf(x), ::asin(x)) TW_FLOAT1(acos, ::acosf(x), ::acos(x)) TW_FLOAT1(atan, ::atanf(x), ::atan(x))
TW_FLOAT1(sinh, ::sinhf(x), ::sinh(x)) TW_FLOAT1(cosh, ::coshf(x), ::cosh(x)) TW_FLOAT1(tanh, ::tanhf(x), ::tanh(x))
TW_FLOAT1(floor, ::floorf(x), ::floor(x)) TW_FLOAT1(ceil, ::ceilf(x), ::ceil(x)) TW_FLOAT1(trunc, ::truncf(x), ::trunc(x))
TW_FLOAT1(rint, ::rintf(x), ::rint(x)) TW_FLOAT1(round, ::roundf(x), ::round(x)) TW_FLOAT1(fabs, ::fabsf(x), ::fabs(x))
TW_FLOAT1(fract, x - ::floorf(x), x - ::floor(x))
TW_FLOAT1(sign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : 0.0f, x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0)
TW_FLOAT1(saturate, ::fminf(::fmaxf(x, 0.0f), 1.0f), ::fmin(::fmax(x, 0.0), 1.0))
#define TW_FLOAT2(name, f, d) \
  TW float name(float x, float y) { return f; } TW double name(double x, double y) { return d; } \
  TW half name(half x, half y) { return half(name((float)x, (float)y)); } \
  TW bfloat name(bfloat x, bfloat y) { return bfloat(name((float)x, (float)y)); } TW_EACH2(name)
TW_FLOAT2(pow, ::powf(x, y), ::pow(x, y)) TW_FLOAT2(atan2, ::atan2f(x, y), ::atan2(x, y))
TW_FLOAT2(fmod, ::fmodf(x, y), ::fmod(x, y)) TW_FLOAT2(fmin, ::fminf(x, y), ::fmin(x, y))
TW_FLOAT2(fmax, ::fmaxf(x, y), ::fmax(x, y)) TW_FLOAT2(copysign, ::copysignf(x, y), ::copysign(x, y))
TW_FLOAT2(step, y < x ? 0.0f : 1.0f, y < x ? 0.0 : 1.0)
#define TW_FLOAT3(name, f, d) \
  TW float name(float x, float y, float z) { return f; } TW double name(double x, double y, double z) { return d; } \
  TW half name(half x, half y, half z) { return half(name((float)x, (float)y, (float)z)); } \
  TW bfloat name(bfloat x, bfloat y, bfloat z) { return bfloat(name((float)x, (float)y, (float)z)); } TW_EACH3(name)
TW float smooth(float t) { return t * t * (3.0f - 2.0f * t); }
TW double smooth(double t) { return t * t * (3.0 - 2.0 * t); }
TW_FLOAT3(fma, ::fmaf(x, y, z), ::fma(x, y, z)) TW_FLOAT3(mix, x + (y - x) * z, x + (y - x) * z)
TW_FLOAT3(smoothstep, smooth(saturate((z - x) / (y - x))), smooth(saturate((z - x) / (y - x))))
#define TW_TEST(name, e) TW bool name(float x) { return e; } TW bool name(double x) { return e; } \
  TW bool name(half h) { float x = h; return e; } TW bool name(bfloat h) { float x = h; return e; } \
  template <class T, int N> TW vec<bool, N> name(const vec<T, N>& a) { vec<bool, N> r; for (int i = 0; i < N; i++) r[i] = name(a[i]); return r; }
TW_TEST(isnan, x != x) TW_TEST(isfinite, x - x == 0) TW_TEST(isinf, x == x && x - x != 0)

// Numbers.
template <class T> TW T min(T a, T b) { return b < a ? b : a; }
template <class T> TW T max(T a, T b) { return a < b ? b : a; }
TW float min(float a, float b) { return ::fminf(a, b); }
TW float max(float a, float b) { return ::fmaxf(a, b); }
TW double min(double a, double b) { return ::fmin(a, b); }
TW double max(double a, double b) { return ::fmax(a, b); }
TW half min(half a, half b) { return half(::fminf(a, b)); }
TW half max(half a, half b) { return half(::fmaxf(a, b)); }
TW bfloat min(bfloat a, bfloat b) { return bfloat(::fminf(a, b)); }
TW bfloat max(bfloat a, bfloat b) { return bfloat(::fmaxf(a, b)); }
template <class T> TW T abs(T a) { return a < 0 ? (T)-a : a; }
TW float abs(float a) { return ::fabsf(a); }
TW double abs(double a) { return ::fabs(a); }
TW half abs(half a) { return fabs(a); }
TW bfloat abs(bfloat a) { return fabs(a); }
TW_EACH2(min) TW_EACH2(max) TW_EACH1(abs)
template <class T> TW T clamp(T x, T lo, T hi) { return min(max(x, lo), hi); }
TW_EACH3(clamp)
template <class T> TW u64 unsign(T a) { return (u64)a & (~0ull >> (64 - sizeof(T) * 8)); }
template <class T> TW T popcount(T a) { return (T)__popcll(unsign(a)); }
template <class T> TW T clz(T a) { return (T)(__clzll(unsign(a)) - (64 - (int)sizeof(T) * 8)); }
template <class T> TW T ctz(T a) { u64 u = unsign(a); return (T)(u ? __ffsll(u) - 1 : (int)sizeof(T) * 8); }
template <class T> TW T reverse_bits(T a) { return (T)(__brevll((u64)a) >> (64 - sizeof(T) * 8)); }
template <class T> TW T mulhi(T a, T b) { return (T)((i64)a * (i64)b >> sizeof(T) * 8); }
TW u32 mulhi(u32 a, u32 b) { return __umulhi(a, b); }
TW i64 mulhi(i64 a, i64 b) { return __mul64hi(a, b); }
TW u64 mulhi(u64 a, u64 b) { return __umul64hi(a, b); }
TW_EACH1(popcount) TW_EACH1(clz) TW_EACH1(ctz) TW_EACH1(reverse_bits) TW_EACH2(mulhi)
template <class T> TW T select(T x, T y, bool c) { return c ? y : x; }
template <class T, int N> TW vec<T, N> select(const vec<T, N>& x, const vec<T, N>& y, const vec<bool, N>& c) {
  vec<T, N> r; for (int i = 0; i < N; i++) r[i] = c[i] ? y[i] : x[i]; return r; }

// Vectors to numbers.
template <class T, int N> TW T dot(const vec<T, N>& a, const vec<T, N>& b) { T s = a[0] * b[0]; for (int i = 1; i < N; i++) s = s + a[i] * b[i]; return s; }
template <class T, int N> TW T length(const vec<T, N>& a) { return sqrt(dot(a, a)); }
template <class T, int N> TW T distance(const vec<T, N>& a, const vec<T, N>& b) { return length(a - b); }
template <class T, int N> TW vec<T, N> normalize(const vec<T, N>& a) { return a * vec<T, N>(rsqrt(dot(a, a))); }
template <class T> TW vec<T, 3> cross(const vec<T, 3>& a, const vec<T, 3>& b) {
  return vec<T, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
TW bool any(bool a) { return a; }
TW bool all(bool a) { return a; }
template <int N> TW bool any(const vec<bool, N>& a) { bool r = a[0]; for (int i = 1; i < N; i++) r = r || a[i]; return r; }
template <int N> TW bool all(const vec<bool, N>& a) { bool r = a[0]; for (int i = 1; i < N; i++) r = r && a[i]; return r; }

// Simdgroups are warps. Only active threads take part, combined as a butterfly.
TW u32 lane_id() { u32 l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
template <class T> TW T shuffle(u32 m, T v, u32 from) { return __shfl_sync(m, v, from); }
template <> TW half shuffle(u32 m, half v, u32 from) { half r; r.b = (u16)__shfl_sync(m, (u32)v.b, from); return r; }
template <> TW bfloat shuffle(u32 m, bfloat v, u32 from) { bfloat r; r.b = (u16)__shfl_sync(m, (u32)v.b, from); return r; }
template <> TW bool shuffle(u32 m, bool v, u32 from) { return __shfl_sync(m, (int)v, from) != 0; }
template <> TW i8 shuffle(u32 m, i8 v, u32 from) { return (i8)__shfl_sync(m, (int)v, from); }
template <> TW u8 shuffle(u32 m, u8 v, u32 from) { return (u8)__shfl_sync(m, (int)v, from); }
template <> TW short shuffle(u32 m, short v, u32 from) { return (short)__shfl_sync(m, (int)v, from); }
template <> TW u16 shuffle(u32 m, u16 v, u32 from) { return (u16)__shfl_sync(m, (int)v, from); }
struct plus { template <class T> static TW T run(T a, T b) { return (T)(a + b); } };
struct times { template <class T> static TW T run(T a, T b) { return (T)(a * b); } };
struct lesser { template <class T> static TW T run(T a, T b) { return min(a, b); } };
struct greater { template <class T> static TW T run(T a, T b) { return max(a, b); } };
template <class Op, class T> TW T combine(T v) {
  u32 m = __activemask(), lane = lane_id();
  if (m == ~0u) {
    for (u32 s = 16; s > 0; s >>= 1) { T o = shuffle(m, v, lane ^ s); v = lane & s ? Op::run(o, v) : Op::run(v, o); }
    return v;
  }
  // Some threads are absent: every active one walks the same tree over those present.
  T a[32];
  for (u32 i = 0; i < 32; i++) if (m >> i & 1u) a[i] = shuffle(m, v, i);
  for (u32 s = 16; s > 0; s >>= 1)
    for (u32 i = 0; i < s; i++) {
      if (!(m >> (i + s) & 1u)) continue;
      a[i] = m >> i & 1u ? Op::run(a[i], a[i + s]) : a[i + s];
      m |= 1u << i;
    }
  return a[0];
}
template <class T> TW T simd_sum(T v) { return combine<plus>(v); }
template <class T> TW T simd_product(T v) { return combine<times>(v); }
template <class T> TW T simd_max(T v) { return combine<greater>(v); }
template <class T> TW T simd_min(T v) { return combine<lesser>(v); }
#if __CUDA_ARCH__ >= 800 // integers have an instruction
template <> TW u32 simd_max(u32 v) { return __reduce_max_sync(__activemask(), v); }
template <> TW u32 simd_min(u32 v) { return __reduce_min_sync(__activemask(), v); }
template <> TW int simd_max(int v) { return __reduce_max_sync(__activemask(), v); }
template <> TW int simd_min(int v) { return __reduce_min_sync(__activemask(), v); }
template <> TW u64 simd_max(u64 v) {
  u32 m = __activemask(), most = __reduce_max_sync(m, (u32)(v >> 32));
  return (u64)most << 32 | __reduce_max_sync(m, (u32)(v >> 32) == most ? (u32)v : 0u);
}
#endif
TW bool simd_all(bool v) { return __all_sync(__activemask(), v) != 0; }
TW bool simd_any(bool v) { return __any_sync(__activemask(), v) != 0; }
template <class T> TW T simd_prefix_inclusive_sum(T v) {
  u32 m = __activemask(), lane = lane_id();
  T s = (T)0;
  for (u32 i = 0; i < 32; i++) { if (!(m >> i & 1u)) continue; T o = shuffle(m, v, i); if (i <= lane) s = (T)(s + o); }
  return s;
}
template <class T> TW T simd_prefix_exclusive_sum(T v) {
  u32 m = __activemask(), lane = lane_id();
  T s = (T)0;
  for (u32 i = 0; i < 32; i++) { if (!(m >> i & 1u)) continue; T o = shuffle(m, v, i); if (i < lane) s = (T)(s + o); }
  return s;
}
template <class T> TW T simd_shuffle(T v, u32 from) { u32 m = __activemask(), l = lane_id(); return shuffle(m, v, from < 32 && (m >> from & 1u) ? from : l); }
template <class T> TW T simd_broadcast(T v, u32 from) { return simd_shuffle(v, from); }
template <class T> TW T simd_shuffle_xor(T v, u32 by) { return simd_shuffle(v, lane_id() ^ by); }
template <class T> TW T simd_shuffle_up(T v, u32 by) { u32 l = lane_id(); return simd_shuffle(v, by <= l ? l - by : l); }
template <class T> TW T simd_shuffle_down(T v, u32 by) { u32 l = lane_id(); return simd_shuffle(v, l + by < 32 ? l + by : l); }
#define TW_SIMD_EACH(name) template <class T, int N> TW vec<T, N> name(const vec<T, N>& v) { vec<T, N> r; for (int i = 0; i < N; i++) r[i] = name(v[i]); return r; }
TW_SIMD_EACH(simd_sum) TW_SIMD_EACH(simd_product) TW_SIMD_EACH(simd_max) TW_SIMD_EACH(simd_min)
#define TW_SIMD_LANE(name) template <class T, int N> TW vec<T, N> name(const vec<T, N>& v, u32 l) { vec<T, N> r; for (int i = 0; i < N; i++) r[i] = name(v[i], l); return r; }
TW_SIMD_LANE(simd_shuffle) TW_SIMD_LANE(simd_broadcast) TW_SIMD_LANE(simd_shuffle_xor) TW_SIMD_LANE(simd_shuffle_up) TW_SIMD_LANE(simd_shuffle_down)

// Atomics give the value before.
template <class T> TW T atomic_fetch_add(T* p, T v) { return atomicAdd(p, v); }
template <class T> TW T atomic_fetch_sub(T* p, T v) { return atomicAdd(p, (T)(-v)); }
template <class T> TW T atomic_fetch_min(T* p, T v) { return atomicMin(p, v); }
template <class T> TW T atomic_fetch_max(T* p, T v) { return atomicMax(p, v); }
template <class T> TW T atomic_fetch_and(T* p, T v) { return atomicAnd(p, v); }
template <class T> TW T atomic_fetch_or(T* p, T v) { return atomicOr(p, v); }
template <class T> TW T atomic_fetch_xor(T* p, T v) { return atomicXor(p, v); }
template <class T> TW T atomic_exchange(T* p, T v) { return atomicExch(p, v); }
template <class T> TW T atomic_load(T* p) { return *(volatile T*)p; }
template <class T> TW void atomic_store(T* p, T v) { atomicExch(p, v); }
}  // namespace tw
`
