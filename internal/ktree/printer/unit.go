package printer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// CUDAUnit is kernels of the engine as one translation unit for NVRTC, to be
// compiled with --fmad=false. It names the functions of CUDA directly, and of
// what CUDA lacks has only what the kernels use: small ones compile in a few
// dozen milliseconds.
func CUDAUnit(kernels ...*ktree.Program) string {
	c := &cuda{engine: true, parts: map[string]bool{}, overlays: map[*ktree.Var]int{}}
	chip := 0
	for _, p := range kernels {
		chip = max(chip, c.overlay(p))
	}
	seen := map[string]bool{}
	for _, p := range kernels {
		for _, f := range p.Funcs {
			if !seen[f.Name] {
				seen[f.Name] = true
				c.function(f)
			}
		}
	}
	funcs := c.b.String()
	c.b.Reset()
	for _, p := range kernels {
		c.p = p
		c.engineKernel()
	}
	var head strings.Builder
	head.WriteString(unitBasics)
	for _, p := range unitParts {
		if c.parts[p.name] {
			head.WriteString(p.text)
		}
	}
	head.WriteString("}\n")
	if chip > 0 {
		fmt.Fprintf(&head, "alignas(16) static __shared__ unsigned char tw_chip[%d];\n", chip)
	}
	for _, p := range kernels {
		if p.Pool > 0 {
			fmt.Fprintf(&head, "extern __shared__ __align__(%d) unsigned char tw_pool[];\n", poolAlign(kernels))
			break
		}
	}
	if funcs != "" {
		head.WriteString("namespace user {\n" + funcs + "}\n")
	}
	return head.String() + c.b.String()
}

// poolAlign is where the pools of kernels begin: what is brought to one lies there by 128
// bytes.
func poolAlign(kernels []*ktree.Program) int {
	if slices.ContainsFunc(kernels, func(p *ktree.Program) bool { return p.Landings > 0 }) {
		return 128
	}
	return 16
}

// overlay finds places for arrays that share memory with others, and how much
// there has to be.
func (c *cuda) overlay(p *ktree.Program) (bytes int) {
	at := map[int]int{}
	for _, v := range p.Groups {
		if v.Overlay > 0 {
			c.overlays[v] = at[v.Overlay]
			at[v.Overlay] += (v.Type.Len()*v.Type.Comps()*v.Type.Kind.Bits()/8 + 15) &^ 15
			bytes = max(bytes, at[v.Overlay])
		}
	}
	return bytes
}

// engineKernel prints a kernel with its own parameters.
func (c *cuda) engineKernel() {
	var params []string
	for _, v := range c.p.Params {
		switch {
		case v.Role == ktree.Map:
			params = append(params, fmt.Sprintf("const __grid_constant__ %s %s", c.part("runs_map"), c.name(v)))
		case v.Role == ktree.Number:
			params = append(params, fmt.Sprintf("const %s %s", c.value(v.Type), c.name(v)))
		default:
			restrict := "__restrict__ "
			if v.Aliased {
				restrict = ""
			}
			params = append(params, fmt.Sprintf("%s %s%s", c.typ(v.Type), restrict, c.name(v)))
		}
	}
	bounds := fmt.Sprint(c.p.Threads)
	if c.p.Beside > 0 {
		bounds += fmt.Sprintf(", %d", c.p.Beside)
	}
	cluster := ""
	if c.p.Cluster > 1 {
		cluster = fmt.Sprintf("__cluster_dims__(%d, 1, 1) ", c.p.Cluster)
	}
	c.line("extern \"C\" __global__ void %s__launch_bounds__(%s) %s(%s) {", cluster, bounds, c.p.Name, strings.Join(params, ", "))
	if c.p.Counted > 0 {
		c.line("__shared__ tw::u64 tw_counted;")
		c.line("%s(&tw_counted, %d);", c.part("count"), c.p.Counted)
	}
	if c.p.Landings > 0 {
		c.line("__shared__ tw::u64 tw_landing[%d];", c.p.Landings)
		c.line("%s(tw_landing, %d);", c.part("landings"), c.p.Landings)
	}
	c.block(c.p.Body)
	c.line("}")
}

// part notes that the text uses a helper and gives its name.
func (c *cuda) part(name string) string {
	if !c.parts[name] {
		if !slices.ContainsFunc(unitParts, func(p unitPart) bool { return p.name == name }) {
			panic("printer: CUDA has no part " + name)
		}
		c.parts[name] = true
	}
	return "tw::" + name
}

// unitBasics are the types that every unit may name. Half types are bits.
const unitBasics = `#define TW static __device__ __forceinline__
namespace tw {
typedef signed char i8; typedef unsigned char u8; typedef unsigned short u16; typedef unsigned int u32;
typedef long long i64; typedef unsigned long long u64;
struct half { u16 b; }; struct bfloat { u16 b; };
template <class T, int N> struct vec;
template <class T> struct alignas(2 * sizeof(T)) vec<T, 2> { T x, y; };
template <class T> struct alignas(16) vec<T, 4> { T x, y, z, w; };
`

// unitPart is a helper of the text.
type unitPart struct{ name, text string }

var unitParts = []unitPart{
	{"half_pairs", halfPairs},
	{"bfloat_pairs", bfloatPairs},
	{"widen_f16", `TW float widen_f16(half h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.b)); return f; }
`},
	{"narrow_f16", `TW half narrow_f16(float f) { half h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.b) : "f"(f)); return h; }
`},
	{"widen_bf16", `TW float widen_bf16(bfloat h) { float f; asm("mov.b32 %0, {%1, %2};" : "=f"(f) : "h"((u16)0), "h"(h.b)); return f; }
`},
	// cvt.rn.bf16.f32, of which compilers make one instruction for two numbers that are
	// stored side by side, needs sm_80; without it the same bits, but for those of a NaN.
	{"narrow_bf16", `TW bfloat narrow_bf16(float f) {
#if __CUDA_ARCH__ >= 800
  bfloat h; asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h.b) : "f"(f)); return h;
#else
  u32 u = __float_as_uint(f);
  return {(u & 0x7fffffffu) > 0x7f800000u ? (u16)(u >> 16 | 0x40u) : (u16)((u + 0x7fffu + (u >> 16 & 1u)) >> 16)};
#endif
}
`},
	// Float to integer truncates, saturates and maps NaN to 0.
	{"to_u8", `TW u8 to_u8(double x) { return (u8)(int)fmin(fmax(x, 0.0), 255.0); }
TW u8 to_u8(float x) { return (u8)(int)fminf(fmaxf(x, 0.0f), 255.0f); }
`},
	{"to_i8", `TW i8 to_i8(double x) { return (i8)(x != x ? 0 : (int)fmin(fmax(x, -128.0), 127.0)); }
TW i8 to_i8(float x) { return (i8)(x != x ? 0 : (int)fminf(fmaxf(x, -128.0f), 127.0f)); }
`},
	{"to_i16", `TW short to_i16(double x) { return (short)(x != x ? 0 : (int)fmin(fmax(x, -32768.0), 32767.0)); }
TW short to_i16(float x) { return (short)(x != x ? 0 : (int)fminf(fmaxf(x, -32768.0f), 32767.0f)); }
`},
	{"to_i32", `TW int to_i32(float x) { return __float2int_rz(x); }
TW int to_i32(double x) { return x != x ? 0 : __double2int_rz(x); }
`},
	{"to_u32", `TW u32 to_u32(float x) { return __float2uint_rz(x); }
TW u32 to_u32(double x) { return x != x ? 0 : __double2uint_rz(x); }
`},
	{"to_i64", `TW i64 to_i64(float x) { return x != x ? 0 : __float2ll_rz(x); }
TW i64 to_i64(double x) { return x != x ? 0 : __double2ll_rz(x); }
`},
	{"to_u64", `TW u64 to_u64(float x) { return x != x ? 0 : __float2ull_rz(x); }
TW u64 to_u64(double x) { return x != x ? 0 : __double2ull_rz(x); }
`},
	// A constant that is loaded here and not where it is used, so many bytes behind p.
	{"load_now", `template <int N> TW vec<float, 2> load_now(const vec<float, 2>* p) { vec<float, 2> r; asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2 + %3];" : "=f"(r.x), "=f"(r.y) : "l"(p), "n"(N)); return r; }
template <int N> TW vec<double, 2> load_now(const vec<double, 2>* p) { vec<double, 2> r; asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2 + %3];" : "=d"(r.x), "=d"(r.y) : "l"(p), "n"(N)); return r; }
`},
	// A number that the multiprocessor reads once: its cache is left to others.
	{"load_once", `TW vec<float, 2> load_once(const vec<float, 2>* p) { vec<float, 2> r; asm volatile("ld.global.cg.v2.f32 {%0, %1}, [%2];" : "=f"(r.x), "=f"(r.y) : "l"(p)); return r; }
TW vec<double, 2> load_once(const vec<double, 2>* p) { vec<double, 2> r; asm volatile("ld.global.cg.v2.f64 {%0, %1}, [%2];" : "=d"(r.x), "=d"(r.y) : "l"(p)); return r; }
`},
	// Bytes of memory to the second-level cache, by the units of 16 that they are in, for
	// sm_90 and later.
	{"prefetch", `TW void prefetch(const void* p, u32 bytes) { const u32 before = (u32)((u64)p & 15ull); asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" :: "l"((u64)p - before), "r"((bytes + before + 15u) & ~15u)); }
`},
	// Runs of memory to shared memory by one instruction, for sm_90 and later: a box of a
	// tensor, whose first axis is all elements of the buffer. A barrier in shared memory counts the bytes.
	{"runs_map", `struct alignas(64) runs_map { u64 words[16]; };
`},
	{"landings", `TW void landings(u64* at, u32 count) { if (threadIdx.x == 0) { for (u32 i = 0; i < count; i++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"((u32)__cvta_generic_to_shared(at + i)) : "memory"); asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); } __syncthreads(); }
`},
	{"bring", `TW void bring(const void* to, const runs_map* map, int first, u64* at, u32 bytes) { const u32 landing = (u32)__cvta_generic_to_shared(at); asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" :: "r"(landing), "r"(bytes) : "memory"); asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %3}], [%4];" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(map), "r"(first), "r"(0), "r"(landing) : "memory"); }
`},
	// Loads from shared memory may be under way behind a barrier, which only orders them with
	// what threads store.
	{"vacate", `TW void vacate() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
`},
	{"landed", `TW void landed(u64* at, bool odd) { u32 done; do { asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"((u32)__cvta_generic_to_shared(at)), "r"((u32)odd) : "memory"); } while (!done); }
`},
	{"rsqrt_near", `TW float rsqrt_near(float x) { float r; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
`},
	{"rcp_near", `TW float rcp_near(float x) { float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
`},
	// What matrix products on tensor cores are made of, for sm_80 and later: 16
	// bytes from memory to shared memory without a register between, or zeros.
	// Copies are waited for in groups.
	{"copy_async", `TW void copy_async(void* to, const void* from, bool there) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from), "r"(there ? 16 : 0) : "memory"); }
`},
	{"copy_commit", `TW void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
`},
	{"copy_wait", `template <int N> TW void copy_wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }
`},
	{"load_matrices", `TW void load_matrices(u32* r, const void* p) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(p)) : "memory"); }
`},
	{"load_turned", `TW void load_turned(u32* r, const void* p) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(p)) : "memory"); }
`},
	{"mma_f16", mmaText("f16")},
	{"mma_bf16", mmaText("bf16")},
	// A number in the shared memory of another block of the cluster, for sm_90 and
	// later. Stores stay in order with the barriers of the cluster, and nothing else in
	// the thread looks there before one: so other memory need not mind them.
	{"push", pushText("float", "f32", "f") + pushText("double", "f64", "d")},
	// A barrier in the shared memory of the block that pushes go to counts their bytes. Its
	// first use is behind a barrier of the cluster, which this fence orders it with.
	{"count", `TW void count(u64* at, u32 bytes) { if (threadIdx.x == 0) asm volatile("{ .reg .b64 s; mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" :: "r"((u32)__cvta_generic_to_shared(at)), "r"(bytes) : "memory"); }
`},
	{"push_counted", pushCountedText("float", "f32", "f") + pushCountedText("double", "f64", "d")},
	{"collect", `TW void collect(u64* at) { u32 done; do { asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"((u32)__cvta_generic_to_shared(at)) : "memory"); } while (!done); }
`},
	{"cluster_arrive", `TW void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
`},
	// An arrival that hands nothing on: reads are done, which a fence of the block says.
	// A release to the cluster is a fence of the whole GPU.
	{"cluster_ready", `TW void cluster_ready() { asm volatile("fence.acq_rel.cta; barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); }
`},
	// What is computed between the halves of a barrier, or while copies are under way, is to
	// be computed there. The compiler moves it behind the barrier or the wait, but not over a
	// branch that it cannot foresee.
	{"keep_order", `TW void keep_order() { u32 processor; asm volatile("mov.u32 %0, %%smid;" : "=r"(processor)); if (processor == 0xffffffffu) asm volatile("trap;"); }
`},
	{"cluster_wait", `TW void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
`},
	// The greatest and the least of a number over a warp, for sm_80 and later.
	{"simd_max", `TW u32 simd_max(u32 x) { u32 r; asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
	// A matrix of 8 x 8 halves, rows to columns, for sm_75 and later.
	{"simd_turn", `template <class T> TW vec<T, 2> simd_turn(vec<T, 2> v) { vec<T, 2> r; asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r.b) : "r"(v.b)); return r; }
`},
	// By votes: match.any takes a third longer.
	{"simd_match", `TW u32 simd_match(u32 x) {
  u32 same = ~0u;
#pragma unroll
  for (u32 bit = 0; bit < 8; bit++) { u32 set = __ballot_sync(~0u, x >> bit & 1u); same &= x >> bit & 1u ? set : ~set; }
  return same;
}
`},
	{"simd_min", `TW u32 simd_min(u32 x) { u32 r; asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
}

// mmaText defines c += a * b for 16 x 16 by 16 x 8.
func mmaText(t string) string {
	return fmt.Sprintf(`TW void mma_%s(float* c, const u32* a, const u32* b) { asm("mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32 {%%0,%%1,%%2,%%3}, {%%4,%%5,%%6,%%7}, {%%8,%%9}, {%%0,%%1,%%2,%%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
`, t, t, t)
}

// pushText defines a store to the shared memory of a block of the cluster: mapa turns
// the place in the block's own memory into the same place in the other's.
func pushText(t, ptx, constraint string) string {
	return fmt.Sprintf(`TW void push(const vec<%[1]s, 2>* to, u32 rank, vec<%[1]s, 2> v) { u32 there; asm("mapa.shared::cluster.u32 %%0, %%1, %%2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(to)), "r"(rank)); asm volatile("st.shared::cluster.v2.%[2]s [%%0], {%%1, %%2};" :: "r"(there), "%[3]s"(v.x), "%[3]s"(v.y)); }
`, t, ptx, constraint)
}

// pushCountedText defines the same as a store that adds its bytes to a barrier beside it.
func pushCountedText(t, ptx, constraint string) string {
	return fmt.Sprintf(`TW void push_counted(const vec<%[1]s, 2>* to, u32 rank, vec<%[1]s, 2> v, const u64* at) { u32 there, count; asm("mapa.shared::cluster.u32 %%0, %%1, %%2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(to)), "r"(rank)); asm("mapa.shared::cluster.u32 %%0, %%1, %%2;" : "=r"(count) : "r"((u32)__cvta_generic_to_shared(at)), "r"(rank)); asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.%[2]s [%%0], {%%1, %%2}, [%%3];" :: "r"(there), "%[3]s"(v.x), "%[3]s"(v.y), "r"(count)); }
`, t, ptx, constraint)
}
