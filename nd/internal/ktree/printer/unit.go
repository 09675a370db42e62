package printer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/ktree"
)

// CUDAUnit is kernels of the engine as one translation unit for NVRTC, to be
// compiled with --fmad=false. It names the functions of CUDA directly, and of
// what CUDA lacks has only what the kernels use: small ones compile in a few
// dozen milliseconds.
func CUDAUnit(kernels ...*ktree.Program) string {
	c := &cuda{engine: true, parts: map[string]bool{}}
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
	if funcs != "" {
		head.WriteString("namespace user {\n" + funcs + "}\n")
	}
	return head.String() + c.b.String()
}

// engineKernel prints a kernel with its own parameters.
func (c *cuda) engineKernel() {
	var params []string
	for _, v := range c.p.Params {
		switch {
		case v.Role == ktree.Number:
			params = append(params, fmt.Sprintf("const %s %s", c.value(v.Type), v.Name))
		default:
			restrict := "__restrict__ "
			if v.Aliased {
				restrict = ""
			}
			params = append(params, fmt.Sprintf("%s %s%s", c.typ(v.Type), restrict, v.Name))
		}
	}
	bounds := fmt.Sprint(c.p.Threads)
	if c.p.Beside > 0 {
		bounds += fmt.Sprintf(", %d", c.p.Beside)
	}
	c.line("extern \"C\" __global__ void __launch_bounds__(%s) %s(%s) {", bounds, c.p.Name, strings.Join(params, ", "))
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
	{"widen_f16", `TW float widen_f16(half h) { float f; asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h.b)); return f; }
`},
	{"narrow_f16", `TW half narrow_f16(float f) { half h; asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h.b) : "f"(f)); return h; }
`},
	{"widen_bf16", `TW float widen_bf16(bfloat h) { return __uint_as_float((u32)h.b << 16); }
`},
	// cvt.rn.bf16.f32 needs sm_80; this gives the same bits everywhere.
	{"narrow_bf16", `TW bfloat narrow_bf16(float f) {
  u32 u = __float_as_uint(f);
  return {(u & 0x7fffffffu) > 0x7f800000u ? (u16)(u >> 16 | 0x40u) : (u16)((u + 0x7fffu + (u >> 16 & 1u)) >> 16)};
}
`},
	// Float to integer truncates, saturates and maps NaN to 0.
	{"to_u8", `TW u8 to_u8(double x) { return (u8)(int)fmin(fmax(x, 0.0), 255.0); }
TW u8 to_u8(float x) { return (u8)(int)fminf(fmaxf(x, 0.0f), 255.0f); }
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
	{"rsqrt_near", `TW float rsqrt_near(float x) { float r; asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
`},
	{"rcp_near", `TW float rcp_near(float x) { float r; asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
`},
	// The greatest and the least of a number over a warp, for sm_80 and later.
	{"simd_max", `TW u32 simd_max(u32 x) { u32 r; asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
	{"simd_min", `TW u32 simd_min(u32 x) { u32 r; asm volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(x)); return r; }
`},
}
