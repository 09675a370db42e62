package machine_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc/check"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// job is a kernel with everything it needs.
type job struct {
	name         string
	header, body string
	atomic       bool
	grid, group  [3]int
	n            int // elements of every operand; 64 if not given
	limit        int64
}

var operands = check.Spec{
	Name: "k",
	Inputs: []check.Operand{{Name: "a", Type: elem.Float32}, {Name: "h", Type: elem.Float16}, {Name: "z", Type: elem.Complex64},
		{Name: "n", Type: elem.Int32}, {Name: "u", Type: elem.Uint32}, {Name: "m", Type: elem.Bool}, {Name: "d", Type: elem.Float64},
		{Name: "q", Type: elem.Int64}, {Name: "c", Type: elem.Uint8}, {Name: "bf", Type: elem.BFloat16}},
	Outputs: []check.Operand{{Name: "y", Type: elem.Float32}, {Name: "w", Type: elem.Complex64}, {Name: "i", Type: elem.Int32},
		{Name: "v", Type: elem.Float64}, {Name: "g", Type: elem.Float16}, {Name: "o", Type: elem.Uint8}, {Name: "l", Type: elem.Int64}},
}

func (j job) compile(t testing.TB) *ktree.Program {
	t.Helper()
	src := source.NewSource(source.File{Name: "k.h", Text: j.header}, source.File{Name: "k.metal", Text: j.body})
	spec := operands
	if j.atomic {
		spec.Atomic = true
		spec.Outputs = []check.Operand{{Name: "y", Type: elem.Float32}, {Name: "i", Type: elem.Int32}}
	}
	p, err := check.Check(spec, src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (j job) launch(p *ktree.Program, seed uint64) machine.Launch {
	r := rand.New(rand.NewPCG(seed, 1))
	l := machine.Launch{Grid: j.grid, Group: j.group, Limit: j.limit}
	for i := range 3 {
		l.Grid[i], l.Group[i] = max(l.Grid[i], 1), max(l.Group[i], 1)
	}
	n := j.n
	if n == 0 {
		n = 64
	}
	for _, v := range p.Inputs {
		data := make([]byte, n*v.Type.Comps()*v.Type.Kind.Bits()/8)
		for i := range int64(n * v.Type.Comps()) {
			x := ktree.Num{I: r.Int64N(60) - 20, F: r.NormFloat64() * 3}
			if v.Type.Kind == ktree.Bool {
				x.I &= 1
			}
			if !v.Type.Kind.IsSigned() && x.I < 0 {
				x.I = -x.I
			}
			putScalar(data, v.Type.Kind, i, x)
		}
		l.Inputs = append(l.Inputs, machine.Operand{Data: data, Shape: []int{n / 4, 4}, Strides: []int{4, 1}})
	}
	for _, v := range p.Outputs {
		l.Outputs = append(l.Outputs, machine.Operand{Data: make([]byte, n*v.Type.Comps()*v.Type.Kind.Bits()/8)})
	}
	return l
}

func parallel(tasks int, run func(int)) {
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() { run(t) })
	}
	wg.Wait()
}

// same runs a job on both machines and compares every output.
func same(t *testing.T, j job) {
	t.Helper()
	p := j.compile(t)
	fp, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	want := j.launch(p, 7)
	if err := runNaive(j.compile(t), want); err != nil {
		t.Fatal(err)
	}
	for run := range 3 + len(simd.Available()) {
		level := simd.Active()
		if run > 2 {
			level = simd.Available()[run-3]
		}
		code := machine.Compile(fp, vec.For(level))
		got := j.launch(p, 7)
		if run > 0 {
			got.Parallel = parallel
		}
		got.Check = run == 2 && !strings.Contains(j.name, "unchecked")
		if err := code.Run(got); err != nil {
			t.Fatal(err)
		}
		for o, v := range p.Outputs {
			k := v.Type.Kind
			count := len(got.Outputs[o].Data) * 8 / k.Bits()
			for i := range int64(count) {
				x, y := getScalar(got.Outputs[o].Data, k, i), getScalar(want.Outputs[o].Data, k, i)
				if x.I != y.I || !near(k, x.F, y.F) {
					t.Fatalf("run %d: %s scalar %d is %v, want %v", run, v.Name, i, x, y)
				}
			}
		}
	}
}

// near allows the two units in the last place by which elementary functions
// may differ.
func near(k ktree.Kind, x, y float64) bool {
	if x == y || x != x && y != y {
		return true
	}
	eps := map[ktree.Kind]float64{ktree.Float: 0x1p-22, ktree.Double: 0x1p-50, ktree.Half: 0x1p-10, ktree.Bfloat: 0x1p-7}[k]
	return math.Abs(x-y) <= eps*math.Max(math.Abs(x), math.Abs(y))
}

const tid = "uint t = thread_position_in_grid.x; "

var jobs = []job{
	{name: "exp", body: tid + "y[t] = exp(a[t]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "partial group", body: tid + "y[t] = a[t] * 2;", grid: [3]int{61}, group: [3]int{16}},
	{name: "guard", body: tid + "if (t < 50) y[t] = a[t] + 1; else i[t] = 7;", grid: [3]int{64}, group: [3]int{16}},
	{name: "reverse", body: tid + "y[63 - t] = a[t];", grid: [3]int{64}, group: [3]int{32}},
	{name: "stencil", body: tid + "float p = t > 0 ? a[t-1] : 0.0f; float r = t + 1 < 64 ? a[t+1] : 0.0f; y[t] = p + 2*a[t] + r;", grid: [3]int{64}, group: [3]int{16}},
	{name: "2d", body: "uint2 p = thread_position_in_grid.xy; y[p.y*8 + p.x] = a[p.x*8 + p.y];", grid: [3]int{8, 8}, group: [3]int{4, 2}},
	{name: "3d", body: "uint3 p = thread_position_in_grid; y[(p.z*4 + p.y)*4 + p.x] = a[p.x*16 + p.y*4 + p.z];", grid: [3]int{4, 4, 4}, group: [3]int{2, 4, 2}},
	{name: "ragged 2d", body: "uint2 p = thread_position_in_grid.xy; i[p.y*8 + p.x] = threads_per_threadgroup.x*100 + threads_per_threadgroup.y*10 + thread_index_in_threadgroup;", grid: [3]int{7, 5}, group: [3]int{4, 3}},
	{name: "wrapping index", body: tid + "uint j = t - 5; if (j < 60) y[t] = a[j]; else y[t] = -1;", grid: [3]int{64}, group: [3]int{64}},
	{name: "gather", body: tid + "int j = n[t]; if (j >= 0 && j < 64) y[t] = a[j];", grid: [3]int{64}, group: [3]int{16}},
	{name: "loop", body: tid + "float s = 0; for (uint k = 0; k <= t; k++) s += a[k]; y[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "break and continue", body: tid + "int s = 0; for (int k = 0; k < 40; k++) { if (n[k] < 0) continue; if (s > int(t)) break; s += n[k]; if (n[t] == k) continue; s++; } i[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "nested loops", body: tid + "int s = 0; for (int p = 0; p < n[t]; p++) { for (int r = 0; r < 9; r++) { if (r > p) break; if (((r + t) & 3) == 1) continue; s += r * p; } if (s > 500) break; } i[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "while", body: tid + "uint x = t + 1; int s = 0; while (x != 1) { x = (x & 1) ? 3*x + 1 : x / 2; s++; } i[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "do", body: tid + "int s = n[t]; do { s -= 7; if (s == 3) continue; i[t] += 1; } while (s > 0);", grid: [3]int{64}, group: [3]int{16}},
	{name: "early return", body: tid + "if (n[t] < 0) return; y[t] = 1; if (a[t] > 0) { i[t] = 3; return; } i[t] = 4;", grid: [3]int{64}, group: [3]int{16}},
	{name: "return in loop", body: tid + "for (int k = 0; k < 64; k++) { if (n[k] > int(t)) { i[t] = k; return; } } i[t] = -1;", grid: [3]int{64}, group: [3]int{16}},
	{name: "function", header: "float sq(float x) { return x*x; } float poly(float x) { return sq(x) + sq(sq(x)) + 1; }", body: tid + "y[t] = poly(a[t]) + poly(2);", grid: [3]int{64}, group: [3]int{16}},
	{name: "function returns early", header: "int f(int x) { if (x < 0) return -x; for (int k = 0; k < 9; k++) { if (k * k > x) return k; } return 100; }", body: tid + "i[t] = f(n[t]) + f(3);", grid: [3]int{64}, group: [3]int{16}},
	{name: "references", header: "void two(thread float& p, thread float& r) { float s = p; p = r; r = s; }", body: tid + "float p = a[t], r = d[t]; two(p, r); y[t] = p; v[t] = r; float2 s = float2(p, r); two(s.x, s.y); w[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "pointers", header: "float at(device const float* p, int k) { return p[k]; } void inc(device float* p) { *p += 1; p[1] = 2; }", body: tid + "device const float* p = a + t; y[t*1] = at(p, 0) + *p; p -= t; p += 2; y[t] += *p + at(&a[3], 1);", grid: [3]int{60}, group: [3]int{16}},
	{name: "pointer loop", body: tid + "device const float* p = a; float s = 0; for (int k = 0; k < 8; k++, p += 8) s += p[t & 7]; y[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "local array", body: tid + "float b[4]; for (int k = 0; k < 4; k++) b[k] = a[(t + k) & 63]; float s = 0; for (int k = 0; k < 4; k++) s += b[3 - k] * k; y[t] = s + b[t & 3];", grid: [3]int{64}, group: [3]int{16}},
	{name: "local array, masked", body: tid + "float b[2][2] = {{1, 2}, {3, 4}}; if (t & 1) { b[0][1] = a[t]; b[t / 2 & 1][1] = 9; } y[t] = b[0][1] + b[1][1] * b[1][0];", grid: [3]int{64}, group: [3]int{16}},
	{name: "array parameter", header: "float total(thread float* p) { float s = 0; for (int k = 0; k < 3; k++) s += p[k]; p[0] = 5; return s; }", body: tid + "float b[3] = {a[t], 1, 2}; y[t] = total(b) + b[0];", grid: [3]int{64}, group: [3]int{16}},
	{name: "table", header: "constant float taps[3] = {0.25f, 0.5f, 0.25f}; constant float2 pairs[2] = {{1, 2}, {3, 4}};", body: tid + "float s = 0; for (int k = 0; k < 3; k++) s += taps[k] * a[(t + k) & 63]; y[t] = s + pairs[t & 1].y;", grid: [3]int{64}, group: [3]int{16}},
	{name: "tile reverse", body: "threadgroup float tile[16]; uint p = thread_position_in_threadgroup.x; " + tid + "tile[p] = a[t]; threadgroup_barrier(mem_flags::mem_threadgroup); y[t] = tile[15 - p];", grid: [3]int{64}, group: [3]int{16}},
	{name: "tile transpose", body: "threadgroup float tile[4][5]; uint2 p = thread_position_in_threadgroup.xy; uint2 r = thread_position_in_grid.xy; tile[p.y][p.x] = a[r.y*8 + r.x]; threadgroup_barrier(mem_flags::mem_threadgroup); y[r.y*8 + r.x] = tile[p.x][p.y];", grid: [3]int{8, 8}, group: [3]int{4, 4}},
	{name: "tree reduction", body: "threadgroup float s[32]; uint p = thread_index_in_threadgroup; s[p] = a[thread_position_in_grid.x]; for (uint k = 16; k > 0; k >>= 1) { threadgroup_barrier(mem_flags::mem_threadgroup); if (p < k) s[p] += s[p + k]; } if (p == 0) y[threadgroup_position_in_grid.x] = s[0];", grid: [3]int{64}, group: [3]int{32}},
	{name: "threadgroup scalar", body: "threadgroup int count; if (thread_index_in_threadgroup == 3) count = threadgroup_position_in_grid.x + 10; threadgroup_barrier(mem_flags::mem_threadgroup); i[thread_position_in_grid.x] = count;", grid: [3]int{64}, group: [3]int{16}},
	{name: "threadgroup pointer", header: "void fill(threadgroup float* p, float x, uint k) { p[k] = x; }", body: "threadgroup float s[2][16]; uint p = thread_index_in_threadgroup; " + tid + "fill(s[0], a[t], p); fill(&s[1][0], 2*a[t], p); threadgroup_barrier(mem_flags::mem_threadgroup); y[t] = s[1][15 - p] - s[0][p];", grid: [3]int{64}, group: [3]int{16}},
	{name: "simd sum", body: tid + "y[t] = simd_sum(a[t]) + simd_max(a[t]) * simd_min(a[t]) + simd_product(1 + a[t] * 0.01f);", grid: [3]int{64}, group: [3]int{64}},
	{name: "simd ragged", body: tid + "y[t] = simd_sum(a[t]); i[t] = simd_sum(n[t]) + simd_max(n[t]);", grid: [3]int{55}, group: [3]int{40}},
	{name: "simd shuffles", body: tid + "y[t] = simd_shuffle(a[t], t & 7) + simd_shuffle_xor(a[t], 5) * 2 + simd_shuffle_up(a[t], 3) * 4 + simd_shuffle_down(a[t], 2) * 8 + simd_broadcast(a[t], 9);", grid: [3]int{64}, group: [3]int{64}},
	{name: "simd prefix", body: tid + "i[t] = simd_prefix_inclusive_sum(n[t]) * 1000 + simd_prefix_exclusive_sum(n[t]); o[t] = simd_all(n[t] > -50) + 2 * simd_any(n[t] > 30);", grid: [3]int{64}, group: [3]int{64}},
	{name: "simd divergent", body: tid + "if (t & 1) { y[t] = simd_sum(a[t]); } else { y[t] = simd_max(a[t]); }", grid: [3]int{64}, group: [3]int{64}},
	{name: "simd then threadgroup", body: "threadgroup float s[32]; " + tid + "float x = simd_sum(a[t]); if (thread_index_in_simdgroup == 0) s[simdgroup_index_in_threadgroup] = x; threadgroup_barrier(mem_flags::mem_threadgroup); if (simdgroup_index_in_threadgroup == 0) { float r = thread_index_in_simdgroup < simdgroups_per_threadgroup ? s[thread_index_in_simdgroup] : 0.0f; r = simd_sum(r); if (thread_index_in_simdgroup == 0) y[threadgroup_position_in_grid.x] = r; }", grid: [3]int{64}, group: [3]int{64}},
	{name: "complex", header: "float2 mul(float2 p, float2 r) { return float2(p.x*r.x - p.y*r.y, p.x*r.y + p.y*r.x); }", body: tid + "w[t] = mul(z[t], z[63 - t]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "swizzles", body: tid + "float4 p = float4(z[t], a[t], 2); p.xy = p.yx; p.zw += p.xx; p.x *= 2; float3 r = p.wzy; r[t % 3] = 7; w[t] = r.xz + p.yw; y[t] = p[t & 3] + dot(p, p) + length(r);", grid: [3]int{64}, group: [3]int{16}},
	{name: "half", body: tid + "half p = h[t]; half r = p * p + 1.0h; g[t] = r; y[t] = float(p) * 1.5f + half(a[t]); g[t] += bf[t];", grid: [3]int{64}, group: [3]int{16}},
	{name: "double", body: tid + "v[t] = d[t] * 0.1 + sqrt(fabs(d[t])) + n[t]; y[t] = float(d[t]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "integers", body: tid + "int x = n[t]; uint k = u[t]; long b = q[t]; i[t] = (x / 3) * 7 + x % 5 + (x << 3) + (x >> 1) + (x & 12 | 3) ^ (x * 11) + ~x + -x; l[t] = b * 1000003 + k / 3 + (b >> 2) + (k >> 3) + k % 7 + (b / 5) % 3; o[t] = c[t] * 3 + uchar(x);", grid: [3]int{64}, group: [3]int{16}},
	{name: "division by nothing", body: tid + "i[t] = 5 / (n[t] - n[t]) + 5 % (n[t] * 0); l[t] = q[t] / (q[t] - q[t]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "small kinds", body: tid + "short s = short(n[t] * 3000); ushort k = ushort(s); char b = char(n[t] * 10); i[t] = s + k * 2 + b; short4 p = short4(s); p += short4(30000); l[t] = p.x;", grid: [3]int{64}, group: [3]int{16}},
	{name: "conversions", body: tid + "i[t] = int(a[t] * 1e9f) + int(u[t]); l[t] = long(a[t] * 1e3f) + uint(fabs(a[t]) * 10) + long(d[t]); y[t] = float(u[t] * 100000000u) + m[t] + float(q[t]); o[t] = uchar(a[t] * 100); v[t] = u[t] + bool(n[t]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "bits", body: tid + "i[t] = as_type<int>(a[t]) ^ 5; y[t] = as_type<float>(as_type<uint>(a[t]) & 0xffff0000u); o[t] = popcount(u[t]) + clz(n[t]) + ctz(u[t]); l[t] = reverse_bits(u[t]) + mulhi(u[t] * 100000000u, 99u);", grid: [3]int{64}, group: [3]int{16}},
	{name: "math", body: tid + "float x = a[t]; y[t] = sin(x) + cos(x) + tanh(x) + pow(fabs(x), 1.5f) + floor(x) + ceil(x) * 2 + trunc(x) * 3 + rint(x) * 5 + round(x) * 7 + sign(x) + fract(x) + rsqrt(1 + x*x); v[t] = exp(d[t]) + log(1 + fabs(d[t])) + atan2(d[t], 2) + fmod(d[t], 0.7) + exp2(d[t] * 0.5);", grid: [3]int{64}, group: [3]int{16}},
	{name: "choices", body: tid + "float x = a[t]; y[t] = clamp(x, -1.0f, 1.0f) + max(x, 0.5f) + min(x, 0.25f) * 3 + fmax(x, -0.5f) + saturate(x) + mix(x, 2.0f, 0.25f) + step(0.5f, x) + smoothstep(-1.0f, 1.0f, x) + select(x, -x, x < 0) + fma(x, 3.0f, 1.0f); i[t] = clamp(n[t], -3, 9) + max(n[t], 4) + abs(n[t]) + min(u[t], 7u);", grid: [3]int{64}, group: [3]int{16}},
	{name: "bool lanes", body: tid + "bool p = n[t] > 0; bool r = a[t] > 0; o[t] = (p && r) + (p || r) * 2 + (p != r) * 4 + (p == r) * 8 + (!p) * 16 + m[t] * 32; bool4 f = bool4(p, r, m[t], true); i[t] = any(f) + 2 * all(f) + isnan(a[t] / 0.0f * 0.0f);", grid: [3]int{64}, group: [3]int{16}},
	{name: "side effects", body: tid + "int k = 3; int p = k++ + 2; int r = ++k; k = p = r + 1; int s = (k > 2 && (p++ > 0)) ? p : r; i[t] = k + p * 10 + r * 100 + s * 1000; int e = 0; while (e++ < 5) i[t] += e; for (int x = 0, b = 10; x < b; x++, b--) i[t] += b; i[t] += (k, p);", grid: [3]int{64}, group: [3]int{16}},
	{name: "short circuit", body: tid + "int j = n[t]; bool p = j >= 0 && a[j] > 0; bool r = j < 0 || a[j] < 0; o[t] = p + 2 * r; y[t] = j >= 0 ? a[j] : -1.0f;", grid: [3]int{64}, group: [3]int{16}},
	{name: "meta", body: tid + "i[t] = a_shape[0] * 1000 + a_shape[1] * 100 + a_ndim * 10 + int(a_strides[0]); y[t] = a[(t / a_shape[1]) * a_strides[0] + t % a_shape[1]];", grid: [3]int{64}, group: [3]int{16}},
	{name: "uniform input", body: tid + "int k = n[0]; float s = 0; for (int j = 0; j < 5; j++) s += a[j] * exp(a[k & 7]); y[t] = s + c[2] + bf[1] + h[3] + float(m[1]) + float(d[2]);", grid: [3]int{64}, group: [3]int{16}},
	{name: "atomic sums", atomic: true, body: tid + "atomic_fetch_add_explicit(&y[t & 3], 0.1f * t, memory_order_relaxed); atomic_fetch_add_explicit(&i[t % 5], n[t], memory_order_relaxed); atomic_fetch_max_explicit(&i[10], n[t], memory_order_relaxed); atomic_fetch_or_explicit(&i[11], n[t], memory_order_relaxed); atomic_fetch_min_explicit(&i[12], n[t], memory_order_relaxed);", grid: [3]int{64}, group: [3]int{8}},
	{name: "atomic order", atomic: true, body: tid + "int k = atomic_fetch_add_explicit(&i[0], 1, memory_order_relaxed); atomic_store_explicit(&i[k + 1], int(t), memory_order_relaxed);", grid: [3]int{60}, group: [3]int{8}},
	{name: "threadgroup atomics", body: "threadgroup atomic_int h4[4]; uint p = thread_index_in_threadgroup; if (p < 4) atomic_store_explicit(&h4[p], 0, memory_order_relaxed); threadgroup_barrier(mem_flags::mem_threadgroup); atomic_fetch_add_explicit(&h4[u[thread_position_in_grid.x] & 3], 1, memory_order_relaxed); threadgroup_barrier(mem_flags::mem_threadgroup); if (p < 4) i[threadgroup_position_in_grid.x * 4 + p] = atomic_load_explicit(&h4[p], memory_order_relaxed);", grid: [3]int{64}, group: [3]int{16}},
	{name: "condition variable changes", body: tid + "bool p = n[t] > 3; int s = 0; if (p) { p = false; s = 1; } else { s = 2; } i[t] = s + p;", grid: [3]int{64}, group: [3]int{16}},
	{name: "variable in condition", body: tid + "int s = 5; if (n[t] > 0) { int k = 3; for (int j = 0; j < k; j++) s += j; k = 7; s *= k; } i[t] = s;", grid: [3]int{64}, group: [3]int{16}},
	{name: "comparison of positions", body: tid + "if (t == 5) i[t] = 1; if (t != 5) i[t] += 2; if (t >= 20 && t <= 30) i[t] += 4; if (20 > t) i[t] += 8; if (t > 70) i[t] += 16; if (int(t) - 10 < 0) i[t] += 32;", grid: [3]int{64}, group: [3]int{16}},
	{name: "large tile", body: tid + "y[t] = a[t] + 1; if (t > 2000) i[t] = 1;", grid: [3]int{4096}, group: [3]int{32}, n: 4096},
}

func TestAgainstNaive(t *testing.T) {
	for _, j := range jobs {
		t.Run(j.name, func(t *testing.T) { same(t, j) })
	}
}

func start(t *testing.T, j job, change func(*machine.Launch)) error {
	t.Helper()
	p := j.compile(t)
	fp, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	l := j.launch(p, 3)
	if change != nil {
		change(&l)
	}
	return machine.Compile(fp, vec.For(simd.Active())).Run(l)
}

// faults are kernels that must stop, and what they must say.
var faults = []struct {
	job
	want  string
	check bool
}{
	{job: job{name: "read past the end", body: tid + "\ny[t] = a[t + 1];", grid: [3]int{64}, group: [3]int{16}},
		want: "k.metal:2:9: index 64 is outside a, which has 64 elements, in thread (63, 0, 0)"},
	{job: job{name: "write past the end", body: tid + "y[t * 2] = 1;", grid: [3]int{64}, group: [3]int{16}}, want: "index 64 is outside y"},
	{job: job{name: "negative", body: tid + "y[int(t) - 1] = 1;", grid: [3]int{64}, group: [3]int{16}}, want: "index -1 is outside y, which has 64 elements, in thread (0, 0, 0)"},
	{job: job{name: "unsigned below zero", body: tid + "y[t] = a[t - 1];", grid: [3]int{64}, group: [3]int{16}}, want: "index 4294967295 is outside a"},
	{job: job{name: "uniform index", body: tid + "y[t] = a[n[0] + 1000];", grid: [3]int{64}, group: [3]int{16}}, want: "is outside a"},
	{job: job{name: "gathered index", body: tid + "y[t] = a[n[t] * 100];", grid: [3]int{64}, group: [3]int{16}}, want: "is outside a"},
	{job: job{name: "threadgroup", body: "threadgroup float s[8]; s[thread_index_in_threadgroup] = 1;", grid: [3]int{64}, group: [3]int{16}}, want: "index 8 is outside s, which has 8 elements, in thread (8, 0, 0)"},
	{job: job{name: "local", body: tid + "float b[4]; b[t & 7] = 1; y[t] = b[0];", grid: [3]int{64}, group: [3]int{16}}, want: "index 4 is outside b"},
	{job: job{name: "in the second row", body: "uint2 p = thread_position_in_grid.xy; y[p.y * 60 + p.x] = 1;", grid: [3]int{8, 2}, group: [3]int{8, 2}}, want: "in thread (4, 1, 0)"},
	{job: job{name: "endless", body: tid + "int k = 0; while (true) { k++; } y[t] = k;", grid: [3]int{64}, group: [3]int{16}, limit: 1000}, want: "loops took more than 1000 turns"},
	{job: job{name: "metadata", body: tid + "y[t] = a_shape[2];", grid: [3]int{64}, group: [3]int{16}}, want: "index 2 is outside a_shape"},
	{job: job{name: "in a function", header: "float f(device const float* p, uint k) {\n return p[k]; }", body: tid + "y[t] = f(a + 32, t);", grid: [3]int{64}, group: [3]int{16}}, want: "k.h:2:10: index 64 is outside a"},
	// Check mode.
	{check: true, job: job{name: "missing barrier", body: "threadgroup float s[16]; uint p = thread_index_in_threadgroup; " + tid + "s[p] = a[t];\ny[t] = s[15 - p];", grid: [3]int{64}, group: [3]int{16}},
		want: "k.metal:2:9: s[15] is read here and was written by another thread of its group with no barrier between"},
	{check: true, job: job{name: "barrier of no memory", body: "threadgroup float s[16]; uint p = thread_index_in_threadgroup; " + tid + "s[p] = a[t]; threadgroup_barrier(mem_flags::mem_none); y[t] = s[15 - p];", grid: [3]int{64}, group: [3]int{16}}, want: "is read here and was written"},
	{check: true, job: job{name: "write after read", body: "threadgroup float s[16]; uint p = thread_index_in_threadgroup; " + tid + "s[p] = 1; threadgroup_barrier(mem_flags::mem_threadgroup); float x = s[15 - p]; s[p] = x;", grid: [3]int{64}, group: [3]int{16}}, want: "is written here and was read by another thread"},
	{check: true, job: job{name: "one place", body: "threadgroup float s[16]; s[0] = thread_index_in_threadgroup;", grid: [3]int{64}, group: [3]int{16}}, want: "s[0] is written here and by another thread of its group"},
	{check: true, job: job{name: "unwritten", body: "threadgroup float s[16]; " + tid + "y[t] = s[3];", grid: [3]int{64}, group: [3]int{16}}, want: "s[3] is read before it is written"},
	{check: true, job: job{name: "one output", body: tid + "y[t / 2] = t;", grid: [3]int{64}, group: [3]int{16}}, want: "y[0] is written here and by another thread"},
	{check: true, job: job{name: "groups meet", body: "if (thread_index_in_threadgroup == 0) y[0] = threadgroup_position_in_grid.x;", grid: [3]int{64}, group: [3]int{16}}, want: "y[0] is written here and by a thread of another group"},
	{check: true, job: job{name: "simdgroup barrier is not enough", body: "threadgroup float s[64]; uint p = thread_index_in_threadgroup; " + tid + "s[p] = a[t]; simdgroup_barrier(mem_flags::mem_threadgroup); y[t] = s[63 - p];", grid: [3]int{64}, group: [3]int{64}}, want: "is read here and was written"},
}

// A running kernel's fault names the line and the thread.
func TestFaults(t *testing.T) {
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			err := start(t, c.job, func(l *machine.Launch) {
				l.Check = c.check
				if !c.check {
					l.Parallel = parallel
				}
			})
			var f *machine.Fault
			if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v\nwant %q", err, c.want)
			}
		})
	}
}

// What the check mode must not complain about.
func TestCheckAccepts(t *testing.T) {
	for _, c := range []job{
		{name: "simdgroup barrier", body: "threadgroup float s[64]; uint p = thread_index_in_threadgroup; " + tid + "s[p] = a[t]; simdgroup_barrier(mem_flags::mem_threadgroup); y[t] = s[p ^ 1];", grid: [3]int{64}, group: [3]int{64}},
		{name: "own element again", body: tid + "y[t] = 1; y[t] += 2; y[t] *= 3;", grid: [3]int{64}, group: [3]int{16}},
		{name: "device barrier", body: "uint p = thread_index_in_threadgroup; uint lo = threadgroup_position_in_grid.x * 16; y[lo + p] = 1; threadgroup_barrier(mem_flags::mem_device); y[lo + 15 - p] = 2;", grid: [3]int{64}, group: [3]int{16}},
		{name: "shared read", body: "threadgroup float s[16]; uint p = thread_index_in_threadgroup; s[p] = p; threadgroup_barrier(mem_flags::mem_threadgroup); y[thread_position_in_grid.x] = s[3] + s[p];", grid: [3]int{64}, group: [3]int{16}},
	} {
		if err := start(t, c, func(l *machine.Launch) { l.Check = true }); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The first fault is told whatever the order of tasks.
func TestFirstFaultWins(t *testing.T) {
	j := job{body: tid + "if (t > 9) y[t + 1000] = 1;", grid: [3]int{64}, group: [3]int{1}}
	j.body += " threadgroup_barrier(mem_flags::mem_none);" // keep the groups apart
	for range 20 {
		err := start(t, j, func(l *machine.Launch) { l.Parallel = parallel })
		if err == nil || !strings.Contains(err.Error(), "in thread (10, 0, 0)") {
			t.Fatal(err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	j := job{body: tid + "y[t] = 1;", grid: [3]int{64}, group: [3]int{16}}
	if err := start(t, j, func(l *machine.Launch) { l.Context = ctx }); !errors.Is(err, reason) {
		t.Fatal(err)
	}
}

// An endless loop ends with its context.
func TestEndlessLoopIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	j := job{body: tid + "int k = 0; while (true) { k++; } y[t] = k;", grid: [3]int{64}, group: [3]int{16}}
	if err := start(t, j, func(l *machine.Launch) { l.Context = ctx }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestBadLaunch(t *testing.T) {
	j := job{body: tid + "y[t] = 1;"}
	for _, c := range []struct{ grid, group [3]int }{
		{[3]int{0, 1, 1}, [3]int{1, 1, 1}}, {[3]int{1, 1, 1}, [3]int{1, -1, 1}}, {[3]int{64, 1, 1}, [3]int{1025, 1, 1}}, {[3]int{64, 64, 1}, [3]int{64, 64, 1}},
	} {
		if err := start(t, j, func(l *machine.Launch) { l.Grid, l.Group = c.grid, c.group }); err == nil {
			t.Errorf("grid %v in groups of %v was accepted", c.grid, c.group)
		}
	}
}

// FMA32 rounds once: checked against big-float arithmetic by exact products.
func TestFMA32(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		x := math.Float32frombits(r.Uint32())
		y := math.Float32frombits(r.Uint32())
		z := math.Float32frombits(r.Uint32())
		got := machine.FMA32(x, y, z)
		want := exactFMA(x, y, z)
		if got != want && (got == got || want == want) {
			t.Fatalf("fma(%g, %g, %g) = %g, want %g", x, y, z, got, want)
		}
	}
}

func ExampleFault() {
	src := source.NewSource(source.File{Name: "header"}, source.File{Name: "sum.metal", Text: "y[0] = a[9];"})
	p, _ := check.Check(check.Spec{Name: "sum", Inputs: []check.Operand{{Name: "a", Type: elem.Float32}},
		Outputs: []check.Operand{{Name: "y", Type: elem.Float32}}}, src)
	fp, _ := flat.Flatten(p)
	err := machine.Compile(fp, vec.For(simd.Active())).Run(machine.Launch{Grid: [3]int{1, 1, 1}, Group: [3]int{1, 1, 1},
		Inputs: []machine.Operand{{Data: make([]byte, 16)}}, Outputs: []machine.Operand{{Data: make([]byte, 4)}}})
	fmt.Println(err)
	// Output:
	// sum.metal:1:9: index 9 is outside a, which has 4 elements, in thread (0, 0, 0)
	//     y[0] = a[9];
	//             ^
}
