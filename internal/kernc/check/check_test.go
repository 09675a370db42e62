package check

import (
	"errors"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

var testSpec = Spec{
	Name: "k",
	Inputs: []Operand{{"a", elem.Float32}, {"h", elem.Float16}, {"z", elem.Complex64}, {"n", elem.Int32},
		{"m", elem.Bool}, {"d", elem.Float64}, {"big", elem.Int64}},
	Outputs: []Operand{{"y", elem.Float32}, {"w", elem.Complex64}},
	Template: []Template{{Name: "N", Kind: ktree.Int, Int: 4}, {Name: "FLAG", Kind: ktree.Bool, Int: 1},
		{Name: "T", Type: elem.Float16}},
}

func run(spec Spec, header, body string) (*ktree.Program, error) {
	return Check(spec, source.NewSource(source.File{Name: "k.h", Text: header}, source.File{Name: "k.metal", Text: body}))
}

func TestAccepts(t *testing.T) {
	for _, c := range []struct{ name, header, body string }{
		{"exp", "", "uint i = thread_position_in_grid.x; y[i] = exp(a[i]);"},
		{"scalar position", "", "uint i = thread_position_in_grid; y[i] = a[i];"},
		{"position as index", "", "y[thread_position_in_grid] = 1;"},
		{"position pair", "", "uint2 p = thread_position_in_grid; y[p.x + p.y] = 1;"},
		{"prologue", "#include <metal_stdlib>\nusing namespace metal;\n", "y[0] = 1;"},
		{"prologue in body", "", "#include <metal_stdlib>\nusing namespace metal;\ny[0] = 1;"},
		{"tile", "", "threadgroup float tile[16][16]; tile[1][2] = 3; y[0] = tile[0][1];"},
		{"literals", "", "float x = 2.0f; half b = 2.0h; float c = .5; float e = 1e-3f; uint u = 3u; long l = 5l; int q = 0x1F; int o = 017; y[0] = x + b + c + e + u + l + q + o;"},
		{"swizzles", "", "float4 v = float4(1, 2, 3, 4); float2 p = v.zx; v.xy = p; v.w += 1; y[0] = v.x + v.rgba.w;"},
		{"vector index", "", "float4 v = 1.0f; int i = n[0]; v[i] = 2; y[0] = v[i] + v[2];"},
		{"complex", "", "float2 p = z[0], q = z[1]; w[0] = float2(p.x*q.x - p.y*q.y, p.x*q.y + p.y*q.x);"},
		{"functions", "inline float sq(float x) { return x * x; }\nstatic float twice(float x) { return sq(x) + sq(x); }", "y[0] = twice(a[0]);"},
		{"later function", "float f(float x) { return g(x); } float g(float x) { return x; }", "y[0] = f(a[0]);"},
		{"constants", "constant float PI = 3.14f; constexpr constant int M = 3; constant float w3[3] = {1, 2, 3};\n#define UNUSED\nconstant int K = M * 2;", "float t[K]; t[M] = w3[2]; y[0] = t[M] * PI;"},
		{"macros", "#define SIZE 8\n#define TWICE (SIZE * 2)\n", "float t[TWICE]; t[15] = 1; y[0] = t[15];"},
		{"template", "", "T x = T(a[0]); float t[N]; if (FLAG) t[0] = x; y[0] = t[0];"},
		{"meta", "", "y[0] = a_shape[0] + a_strides[1] + a_ndim;"},
		{"control", "", "for (int i = 0, j = 9; i < j; i++, --j) { if (i == 3) continue; if (i == 5) break; } int k = 0; while (k < 3) k++; do { k--; } while (k > 0); y[0] = k;"},
		{"expressions", "", "int i = 0; int j = i++ + 2; i = j = 3; i <<= 2; y[i] = (i > 2 ? a[i] : 0.0f) + (i & 1) + !i + ~i + -i;"},
		{"pointers", "float first(device const float* p, int i) { return p[i]; }", "device const float* p = a + 3; p += 2; y[0] = first(p, 1) + *p + first(&a[4], 2);"},
		{"tile pointer", "void fill(threadgroup float* t, float v) { t[0] = v; }", "threadgroup float tile[8]; fill(tile, 1); fill(&tile[2], 3); y[0] = tile[0];"},
		{"reference", "void inc(thread float& x) { x += 1; }", "float v = 1; inc(v); y[0] = v;"},
		{"array parameter", "float total(thread float* t) { return t[0] + t[1]; }", "float t[2] = {1, 2}; y[0] = total(t);"},
		{"half arithmetic", "", "half x = h[0] * 2.0h; y[0] = x;"},
		{"double literal", "", "double x = d[0] * 0.1; y[0] = float(x);"},
		{"casts", "", "y[0] = (float)n[0] + float(n[1]) + static_cast<float>(n[2]) + as_type<float>(n[3]) + (float)(big[0]);"},
		{"vector math", "", "float3 v = float3(1, 2, 3); y[0] = dot(v, v) + length(v) + max(v, 1.0f).x + any(v > 1.0f) + select(v, v * 2, v > 1.0f).y;"},
		{"namespaces", "", "y[0] = metal::exp(a[0]) + precise::sin(a[1]) + fast::cos(a[2]);"},
		{"simd", "", "y[0] = simd_sum(a[0]) + simd_shuffle(a[1], 3) + simd_broadcast(a[2], 0);"},
		{"auto", "", "auto x = a[0]; y[0] = x;"},
		{"vector by components", "", "float2 v; v.x = 1; v.y = 2; y[0] = v.x + v.y;"},
		{"set on both paths", "", "float v; if (n[0] > 0) v = 1; else v = 2; y[0] = v;"},
		{"unsigned int", "", "unsigned int i = 3; unsigned j = 4; y[i] = j;"},
		{"alias", "using real = float; typedef int index;", "real x = a[0]; index i = 2; y[i] = x;"},
		{"bool array", "", "if (m[0]) y[0] = 1;"},
		{"return", "", "if (thread_position_in_grid.x > 3) return; y[0] = 1;"},
		{"positions", "", "y[thread_index_in_threadgroup + thread_index_in_simdgroup + simdgroup_index_in_threadgroup] = threads_per_simdgroup;"},
		{"names of CUDA", "", "uint lane = thread_position_in_grid.x % WARP_SIZE; y[lane] = grid_size.x;"},
		{"empty", "", ""},
		{"list initialiser", "", "float2 v = {1, 2}; float t[2][2] = {{1, 2}, {3, 4}}; float u[3] = {}; y[0] = v.x + t[1][1] + u[0];"},
		{"const local", "", "const int k = 4; constexpr float f = 2.5; float t[k]; t[3] = f; y[0] = t[3];"},
		{"forever", "", "float v; while (true) { v = 1; break; } y[0] = v;"},
		{"pragma", "", "#pragma unroll\nfor (int i = 0; i < 4; i++) y[i] = i;"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := run(testSpec, c.header, c.body); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct{ name, header, body, want string }{
		{"missing semicolon", "", "y[0] = 1", "k.metal:1:9: expected \";\""},
		{"unknown name", "", "y[0] = thread_position_in_gird.x;", "unknown name \"thread_position_in_gird\" (did you mean \"thread_position_in_grid\"?)"},
		{"a capital", "", "y[0] = A[0];", "unknown name \"A\" (did you mean \"a\"?)"},
		{"CUDA's name", "", "y[threadIdx.x] = a[0];", "unknown name \"threadIdx\" (here it is \"thread_position_in_threadgroup\")"},
		{"CUDA's storage", "", "__shared__ float t[4];", "\"__shared__\" is not part of the dialect (use threadgroup)"},
		{"CUDA's function", "", "y[0] = 1; __syncthreads();", "unknown function \"__syncthreads\" (here it is \"threadgroup_barrier\")"},
		{"unknown function", "", "y[0] = epx(a[0]);", "did you mean \"exp\"?"},
		{"unknown type", "", "flaot x = 1;", "unknown type \"flaot\" (did you mean \"float\"?)"},
		{"input write", "", "a[0] = 1;", "a is an input"},
		{"input write through pointer", "", "device float* p = a;", "points at what may not be written"},
		{"const write", "", "const float x = a[0]; x = 2;", "x is constant"},
		{"output itself", "", "y = 1;", "write one of its elements"},
		{"position write", "", "thread_position_in_grid.x = 1;", "cannot be written"},
		{"unset", "", "float x; y[0] = x;", "x may be read before it is set"},
		{"unset on a path", "", "float x; if (n[0] > 0) x = 1; y[0] = x;", "x may be read"},
		{"unset after loop", "", "float x; for (int i = 0; i < n[0]; i++) x = 1; y[0] = x;", "x may be read"},
		{"unset component", "", "float2 v; v.x = 1; y[0] = v.y;", "v may be read"},
		{"unset by continue", "", "for (int i = 0; i < 3; i++) { float x; if (i > 1) { x = 2; } y[i] = x; }", "x may be read"},
		{"float index", "", "y[a[0]] = 1;", "an index is an integer"},
		{"vector condition", "", "if (thread_position_in_grid > 3) y[0] = 1;", "use thread_position_in_grid.x"},
		{"vector to scalar", "", "y[0] = float2(1, 2);", "float2 where float is wanted"},
		{"vector kinds", "", "float2 v = float2(1, 2) + int2(3, 4);", "+ of float2 and int2"},
		{"vector widths", "", "float3 v = float3(1, 2, 3) * float2(1, 2);", "* of float3 and float2"},
		{"bad swizzle", "", "float2 v = float2(1, 2); y[0] = v.z;", "float2 has no component \"z\""},
		{"not components", "", "float2 v = float2(1, 2); y[0] = v.foo;", "not a selection"},
		{"double component", "", "float2 v = float2(1, 2); v.xx = float2(3, 4);", "written twice"},
		{"float remainder", "", "y[0] = a[0] % 2.0f;", "use fmod"},
		{"float shift", "", "y[0] = a[0] << 2;", "<< of float and int"},
		{"zero division", "", "int x = 3 / 0; y[0] = x;", "division by zero"},
		{"constant index", "", "float t[3]; t[3] = 1; y[0] = t[0];", "index 3 is outside float[3]"},
		{"array size", "", "float t[n[0]]; y[0] = 1;", "not a constant"},
		{"array too large", "", "float t[100000]; y[0] = 1;", "too large"},
		{"threadgroup too large", "", "threadgroup float t[100][100]; y[0] = 1;", "threadgroup memory"},
		{"threadgroup in function", "void f() { threadgroup float t[3]; }", "f();", "must be declared in the body"},
		{"threadgroup initialised", "", "threadgroup float t[2] = {1, 2};", "cannot be initialised"},
		{"recursion", "float f(float x) { return f(x); }", "y[0] = f(1);", "recursion"},
		{"mutual recursion", "float f(float x) { return g(x); } float g(float x) { return f(x); }", "y[0] = f(1);", "recursion"},
		{"no return", "float f(float x) { if (x > 0) return 1; }", "y[0] = f(1);", "does not return a value on every path"},
		{"argument count", "float f(float x) { return x; }", "y[0] = f(1, 2);", "takes 1 argument, 2 given"},
		{"intrinsic count", "", "y[0] = exp(1, 2);", "exp takes 1 argument"},
		{"break outside", "", "break;", "break outside a loop"},
		{"redeclared", "", "float x = 1; float x = 2;", "already declared"},
		{"hides operand", "", "float a = 1;", "hides the operand"},
		{"unused value", "", "a[0] + 1;", "not used"},
		{"struct", "struct P { float x; };", "y[0] = 1;", "not part of the dialect"},
		{"switch", "", "switch (n[0]) { case 1: break; }", "use if/else"},
		{"kernel signature", "", "kernel void f() {}", "write the body only"},
		{"if directive", "#ifdef X\n#endif\n", "y[0] = 1;", "#ifdef is not part"},
		{"macro with arguments", "#define SQ(x) ((x)*(x))\n", "y[0] = 1;", "write a function"},
		{"header variable", "float x = 1;", "y[0] = x;", "must be constant"},
		{"function uses operand", "float f() { return a[0]; }", "y[0] = f();", "functions see only their parameters"},
		{"function uses position", "uint f() { return thread_position_in_grid.x; }", "y[0] = f();", "functions see only their parameters"},
		{"unclosed", "", "if (n[0] > 1) { y[0] = 1;", "never closed"},
		{"unmatched", "", "y[0] = 1; }", "unmatched }"},
		{"bad number", "", "y[0] = 3abc;", "bad number"},
		{"bad character", "", "y[0] = 1 @ 2;", "unexpected character"},
		{"comment", "", "y[0] = 1; /* oops", "comment does not end"},
		{"not atomic", "", "atomic_fetch_add_explicit(&y[0], 1.0f, memory_order_relaxed);", "y is not atomic"},
		{"barrier flag", "", "threadgroup_barrier(mem_flags::mem_thredgroup);", "did you mean \"mem_threadgroup\"?"},
		{"pointer type", "", "device const float* p = h;", "pointers do not change their type"},
		{"pointer space", "float f(threadgroup float* t) { return t[0]; }", "y[0] = f(a);", "memory"},
		{"pointer unset", "", "device const float* p; p = a;", "must be given a target"},
		{"output meta", "", "y[0] = y_shape[0];", "only inputs have"},
		{"many errors", "", "x1 = 1; x2 = 2; x3 = 3;", "k.metal:1:17"},
		{"as_type size", "", "y[0] = as_type<half>(1.0f);", "of one size"},
		{"header place", "float f(float x) { return q; }", "y[0] = f(1);", "k.h:1:27"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(testSpec, c.header, c.body)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v\nwant %q", err, c.want)
			}
			var list source.Errors
			if !errors.As(err, &list) || list[0].Line < 1 || list[0].Column < 1 {
				t.Fatalf("no place in %#v", err)
			}
		})
	}
}

// An error shows the line and points at the column.
func TestErrorForm(t *testing.T) {
	_, err := run(testSpec, "", "uint i = thread_position_in_grid.x;\n\ty[i] = exq(a[i]);\n")
	want := "k.metal:2:9: unknown function \"exq\" (did you mean \"exp\"?)\n" +
		"    \ty[i] = exq(a[i]);\n" +
		"    \t       ^"
	if err == nil || err.Error() != want {
		t.Fatalf("got\n%v\nwant\n%s", err, want)
	}
}

func TestBadSpec(t *testing.T) {
	for _, c := range []struct {
		name string
		spec Spec
		want string
	}{
		{"name twice", Spec{Inputs: []Operand{{"a", elem.Float32}}, Outputs: []Operand{{"a", elem.Float32}}}, "used twice"},
		{"not a name", Spec{Inputs: []Operand{{"2a", elem.Float32}}}, "not an identifier"},
		{"a type", Spec{Inputs: []Operand{{"float", elem.Float32}}}, "is a type"},
		{"no dtype", Spec{Outputs: []Operand{{"y", elem.Invalid}}}, "no element type"},
		{"atomic half", Spec{Outputs: []Operand{{"y", elem.Float16}}, Atomic: true}, "atomic outputs are"},
	} {
		if _, err := run(c.spec, "", ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// Huge and deeply nested sources are refused in bounded time.
func TestLimits(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"parentheses", strings.Repeat("(", 100000), "nested more than"},
		{"blocks", strings.Repeat("{", 100000), "nested more than"},
		{"chain", "y[0] = 1" + strings.Repeat("+1", 10000) + ";", "operators in one expression"},
		{"unary", "y[0] = " + strings.Repeat("-", 20000) + "1;", "nested more than"},
		{"tokens", strings.Repeat("y[0] = 1;", 20000), "tokens"},
		{"bytes", strings.Repeat(" ", 2<<20), "bytes"},
		{"junk", strings.Repeat("@", 500000), "unexpected character"},
		{"ifs", strings.Repeat("if (1) ", 9000) + ";", "nested more than"},
		{"members", "float2 v = float2(1, 2); y[0] = v" + strings.Repeat(".xy", 9000) + ".x;", "selections"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := run(testSpec, "", c.body)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				msg := err.Error()
				t.Fatalf("got %.300s, want %q", msg, c.want)
			}
		})
	}
}

func TestAtomicOutputs(t *testing.T) {
	spec := Spec{Name: "k", Outputs: []Operand{{"y", elem.Float32}}, Atomic: true}
	if _, err := run(spec, "", "atomic_fetch_add_explicit(&y[0], 1.0f, memory_order_relaxed);"); err != nil {
		t.Error(err)
	}
	if _, err := run(spec, "", "y[0] = 1;"); err == nil || !strings.Contains(err.Error(), "y is atomic") {
		t.Error(err)
	}
	if _, err := run(Spec{Name: "k"}, "", "threadgroup atomic_int c[4]; threadgroup atomic<uint> e; atomic_fetch_max_explicit(&c[1], 3, memory_order_relaxed); atomic_store_explicit(&e, 3u, memory_order_relaxed);"); err != nil {
		t.Error(err)
	}
}

// Metadata and positions appear only if they are mentioned.
func TestInjected(t *testing.T) {
	p, err := run(testSpec, "", "y[thread_position_in_grid.x] = a_shape[0];")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Metas) != 1 || p.Metas[0].Name != "a_shape" {
		t.Errorf("metas %v", p.Metas)
	}
	for g, v := range p.Builtins {
		if (v != nil) != (ktree.Grid(g) == ktree.ThreadPositionInGrid) {
			t.Errorf("%s injected: %t", ktree.GridNames[g], v != nil)
		}
	}
}
