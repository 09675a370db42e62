// What generated kernels use of CUDA, for a C++ compiler. Threads of a block
// are fibers: they run one after another between barriers, in an order that
// changes from barrier to barrier, so that a missing one shows.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <utility>

#define __device__
#define __global__
#define __constant__ static
#define __forceinline__ inline
#define __restrict__
#define __shared__ static
#define __align__(n) alignas(n)
#define __launch_bounds__(...)

struct dim3_ { unsigned x, y, z; };
static dim3_ threadIdx, blockIdx, blockDim, gridDim;
struct alignas(8) uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct alignas(8) float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }

namespace emu {
enum state { ready, at_block, at_warp, done };
struct fiber { ucontext_t ctx; state s; char* stack; };
static fiber* fibers;
static ucontext_t scheduler;
static int current, count;
static void (*body)();
static const size_t stack_bytes = 64 << 10;
alignas(16) static char dynamic[256 << 10];

static void stop(state s) {
  fibers[current].s = s;
  swapcontext(&fibers[current].ctx, &scheduler);
}
static void start() {
  body();
  fibers[current].s = done;
  swapcontext(&fibers[current].ctx, &scheduler);
}
static void run_block() {
#ifdef EMU_ALONE
  for (int t = 0; t < count; t++) {
    current = t;
    threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
    body();
  }
  return;
#endif
  for (int t = 0; t < count; t++) {
    fiber& f = fibers[t];
    f.s = ready;
    getcontext(&f.ctx);
    f.ctx.uc_stack.ss_sp = f.stack;
    f.ctx.uc_stack.ss_size = stack_bytes;
    f.ctx.uc_link = 0;
    makecontext(&f.ctx, start, 0);
  }
  for (int pass = 0;; pass++) {
    bool ran = false;
    for (int k = 0; k < count; k++) {
      int t = pass & 1 ? count - 1 - k : k;
      if (fibers[t].s != ready) continue;
      ran = true;
      current = t;
      threadIdx = {t % blockDim.x, t / blockDim.x % blockDim.y, t / blockDim.x / blockDim.y};
      swapcontext(&scheduler, &fibers[t].ctx);
    }
    bool all_done = true, all_block = true, released = false;
    for (int w = 0; w < count; w += 32) {
      bool all_warp = true, any = false;
      for (int t = w; t < count && t < w + 32; t++) {
        state s = fibers[t].s;
        all_done = all_done && s == done;
        all_block = all_block && (s == done || s == at_block);
        if (s == at_warp) any = true;
        else if (s != done) all_warp = false;
      }
      if (any && all_warp) {
        for (int t = w; t < count && t < w + 32; t++) if (fibers[t].s == at_warp) fibers[t].s = ready;
        released = true;
      }
    }
    if (all_done) return;
    if (all_block) {
      for (int t = 0; t < count; t++) if (fibers[t].s == at_block) fibers[t].s = ready;
      released = true;
    }
    if (!released && !ran) { fprintf(stderr, "threads wait for each other\n"); exit(3); }
  }
}
static uint64_t slots[1024];
}  // namespace emu

static inline void __syncthreads() { emu::stop(emu::at_block); }
static inline void __syncwarp(unsigned = ~0u) { emu::stop(emu::at_warp); }
static inline int __syncthreads_or(int p) {
  memcpy(&emu::slots[emu::current], &p, sizeof(p));
  emu::stop(emu::at_block);
  int r = 0;
  for (int t = 0; t < (int)(blockDim.x * blockDim.y * blockDim.z); t++) {
    int q;
    memcpy(&q, &emu::slots[t], sizeof(q));
    r |= q != 0;
  }
  emu::stop(emu::at_block);
  return r;
}
static inline void __threadfence() {}
static inline void __threadfence_block() {}
template <class T> static T emu_shuffle(T v, int from) {
  int t = emu::current;
  memcpy(&emu::slots[t], &v, sizeof(T));
  emu::stop(emu::at_warp);
  T r;
  memcpy(&r, &emu::slots[(t & ~31) + (from & 31)], sizeof(T));
  emu::stop(emu::at_warp);
  return r;
}
template <class T> static T __shfl_sync(unsigned, T v, int from) { return emu_shuffle(v, from); }
template <class T> static T __shfl_xor_sync(unsigned, T v, int by) { return emu_shuffle(v, (emu::current & 31) ^ by); }
template <class T> static T __shfl_up_sync(unsigned, T v, int by) { int l = emu::current & 31; return emu_shuffle(v, l >= by ? l - by : l); }
template <class T> static T __shfl_down_sync(unsigned, T v, int by) { int l = emu::current & 31; return emu_shuffle(v, l + by < 32 ? l + by : l); }
static inline float rsqrt_near(float x) { return (float)(1.0 / sqrt((double)x)); }
static inline float rcp_near(float x) { return 1.0f / x; }
static inline unsigned __ballot_sync(unsigned, int p) {
  unsigned r = 0;
  int v = p != 0;
  for (int l = 0; l < 32; l++) r |= (unsigned)emu_shuffle(v, l) << l;
  return r;
}
static inline int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
static inline unsigned warp_max(unsigned x) {
  for (int by = 16; by; by /= 2) { unsigned y = __shfl_xor_sync(~0u, x, by); x = x > y ? x : y; }
  return x;
}
static inline unsigned warp_min(unsigned x) {
  for (int by = 16; by; by /= 2) { unsigned y = __shfl_xor_sync(~0u, x, by); x = x < y ? x : y; }
  return x;
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __clz(unsigned x) { return x ? __builtin_clz(x) : 32; }

static inline int min(int a, int b) { return b < a ? b : a; }
static inline int max(int a, int b) { return a < b ? b : a; }
static inline unsigned min(unsigned a, unsigned b) { return b < a ? b : a; }
static inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
static inline long long min(long long a, long long b) { return b < a ? b : a; }
static inline long long max(long long a, long long b) { return a < b ? b : a; }
static inline unsigned long long min(unsigned long long a, unsigned long long b) { return b < a ? b : a; }
static inline unsigned long long max(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float rsqrtf(float x) { return 1 / sqrtf(x); }
static inline double rsqrt(double x) { return 1 / sqrt(x); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((uint64_t)a * b >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)((unsigned __int128)a * b >> 64); }
template <class T, class F> static inline T emu_bits(F x) { T r; memcpy(&r, &x, sizeof(r)); return r; }
static inline double __longlong_as_double(long long x) { return emu_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return emu_bits<long long>(x); }
static inline float __uint_as_float(unsigned x) { return emu_bits<float>(x); }
static inline unsigned __float_as_uint(float x) { return emu_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return emu_bits<float>(x); }
static inline int __float_as_int(float x) { return emu_bits<int>(x); }
template <class T> static inline T emu_convert(double x, double lo, double hi, T least, T most) { return x != x ? 0 : x <= lo ? least : x >= hi ? most : (T)x; }
static inline int __double2int_rz(double x) { return emu_convert<int>(x, INT32_MIN, INT32_MAX, INT32_MIN, INT32_MAX); }
static inline unsigned __double2uint_rz(double x) { return emu_convert<unsigned>(x, 0, UINT32_MAX, 0, UINT32_MAX); }
static inline long long __double2ll_rz(double x) { return emu_convert<long long>(x, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX); }
static inline int __float2int_rz(float x) { return __double2int_rz(x); }
static inline unsigned __float2uint_rz(float x) { return __double2uint_rz(x); }
static inline long long __float2ll_rz(float x) { return __double2ll_rz(x); }
template <class T> static inline T atomicAdd(T* p, T v) { T old = *p; *p = old + v; return old; }
template <class T> static inline T atomicMax(T* p, T v) { T old = *p; if (old < v) *p = v; return old; }
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T load_now(const T* p) { return *p; }

// Conversions that the kernels write in PTX.
static inline float widen_f16(unsigned short h) {
  unsigned sign = (h & 0x8000u) << 16, exp = h >> 10 & 31, frac = h & 1023;
  if (exp == 0) { float f = (float)frac * 0x1p-24f; return sign ? -f : f; }
  return emu_bits<float>(exp == 31 ? sign | 0x7f800000u | frac << 13 : sign | (exp + 112) << 23 | frac << 13);
}
static inline unsigned short narrow_f16(float f) {
  unsigned b = emu_bits<unsigned>(f), sign = b >> 16 & 0x8000u, a = b & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7e00;
  if (a >= 0x47800000u) return sign | 0x7c00;
  if (a < 0x38800000u) return sign | (emu_bits<unsigned>(emu_bits<float>(a) + 0.5f) - 0x3f000000u);
  a += 0xc8000fffu + (a >> 13 & 1);
  return sign | a >> 13;
}
