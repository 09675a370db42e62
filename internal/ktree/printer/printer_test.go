package printer_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc/check"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/cudatest"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

var update = flag.Bool("update", false, "write the golden texts anew")

type kernel struct {
	name, header, body string
	in, out            []check.Operand
	template           []check.Template
	atomic             bool
	group              [3]int
	noWGSL             string // what WGSL refuses it for
}

func op(name string, t elem.Type) check.Operand { return check.Operand{Name: name, Type: t} }

var f32, i32, u32 = elem.Float32, elem.Int32, elem.Uint32

var sources = []kernel{
	{name: "expo", body: "uint i = thread_position_in_grid;\ny[i] = exp(x[i]);\n",
		in: []check.Operand{op("x", f32)}, out: []check.Operand{op("y", f32)}, group: [3]int{256, 1, 1}},
	{name: "matmul", header: "constant int SIZE = 16;\n",
		body: `threadgroup float at[SIZE][SIZE];
threadgroup float bt[SIZE][SIZE];
uint2 t = thread_position_in_threadgroup.xy;
uint2 p = thread_position_in_grid.xy;
float acc = 0;
for (int k = 0; k < K; k += SIZE) {
    at[t.y][t.x] = a[p.y * K + k + t.x];
    bt[t.y][t.x] = b[(k + t.y) * threads_per_grid.x + p.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (int j = 0; j < SIZE; j++)
        acc = fma(at[t.y][j], bt[j][t.x], acc);
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
c[p.y * threads_per_grid.x + p.x] = acc;
`, in: []check.Operand{op("a", f32), op("b", f32)}, out: []check.Operand{op("c", f32)},
		template: []check.Template{{Name: "K", Kind: ktree.Int, Int: 64}}, group: [3]int{16, 16, 1}},
	{name: "rowsum", body: `threadgroup float parts[32];
uint row = threadgroup_position_in_grid.x;
float s = 0;
for (uint i = thread_position_in_threadgroup.x; i < uint(x_shape[1]); i += threads_per_threadgroup.x)
    s += x[row * x_shape[1] + i];
s = simd_sum(s);
if (thread_index_in_simdgroup == 0)
    parts[simdgroup_index_in_threadgroup] = s;
threadgroup_barrier(mem_flags::mem_threadgroup);
if (simdgroup_index_in_threadgroup == 0) {
    s = thread_index_in_simdgroup < simdgroups_per_threadgroup ? parts[thread_index_in_simdgroup] : 0.0f;
    s = simd_sum(s);
    if (thread_index_in_simdgroup == 0) y[row] = s;
}
`, in: []check.Operand{op("x", f32)}, out: []check.Operand{op("y", f32)}, group: [3]int{256, 1, 1}},
	{name: "histogram", body: "uint i = thread_position_in_grid.x;\natomic_fetch_add_explicit(&count[x[i] & 7u], 1, memory_order_relaxed);\natomic_fetch_add_explicit(&total[0], float(x[i]), memory_order_relaxed);\n",
		in: []check.Operand{op("x", u32)}, out: []check.Operand{op("count", i32), op("total", f32)}, atomic: true, group: [3]int{64, 1, 1}},
	{name: "helpers", header: `constant float taps[3] = {0.25f, 0.5f, 0.25f};
constant float2 phase = float2(0.5f, -1.0f);
float2 cmul(float2 a, float2 b) { return float2(a.x*b.x - a.y*b.y, a.x*b.y + a.y*b.x); }
float clampIndex(device const float* p, int i, int n) { if (i < 0) return p[0]; if (i >= n) { return p[n - 1]; } return p[i]; }
int search(device const float* p, int n, float v) { for (int i = 0; i < n; i++) { if (p[i] > v) return i; } return n; }
void rotate(thread float& x, thread float& y) { float t = x; x = -y; y = t; }
`, body: `uint i = thread_position_in_grid.x;
int n = threads_per_grid.x;
float s = 0;
for (int k = 0; k < 3; k++) s += taps[k] * clampIndex(x, int(i) + k - 1, n);
float2 v = cmul(z[i], phase);
rotate(v.x, v.y);
float4 q = float4(v, s, 1);
q.xy = q.yx;
q.zw *= 2.0f;
device const float* p = x;
p += i;
bool big = *p > 1 && i > 3;
q.x = big ? q.x : -q.x;
int k = search(x, n, s);
w[i] = q.xz + select(float2(0.0f), q.yw, q.xy > 0.0f) + float(k++);
y[i] = dot(q, q) + mix(s, 1.0f, 0.5f) + as_type<float>(as_type<uint>(s) & 0xffffff00u) + float(k) + clamp(i / uint(n - 3), 0u, 5u) + (k << 2);
`, in: []check.Operand{op("x", f32), op("z", elem.Complex64)}, out: []check.Operand{op("y", f32), op("w", elem.Complex64)}, group: [3]int{64, 1, 1}},
	{name: "halves", body: "uint i = thread_position_in_grid.x;\nhalf4 v = half4(h[i]);\nhalf s = v.x * 2.0h + half(0.5f);\ng[i] = max(s, 0.0h) + exp(v.y);\n",
		in: []check.Operand{op("h", elem.Float16)}, out: []check.Operand{op("g", elem.Float16)}, group: [3]int{64, 1, 1}},
	{name: "kinds", body: `uint i = thread_position_in_grid.x;
long a = q[i] * 3 + (q[i] >> 2);
short s = short(a);
s = s / short(b[i]);
uchar c = uchar(d[i]);
float4 v = float4(1, 2, 3, 4);
v[i & 3] = float(bf[i]);
int4 w = int4(v) << 2;
l[i] = a + s + c + w.x + popcount(b[i]) + clz(b[i]) + mulhi(b[i], 7) + v[i & 3] + int(m[i]);
int k = 0;
do { k++; if (k == 3) continue; } while (k < 5);
o[i] = uchar(d[i]) + uchar(k) + simd_shuffle_xor(c, 1) + isnan(d[i]);
e[i] = pow(d[i], 2.0) + rint(d[i]) + fmod(d[i], 3.0) + 1.0 / 0.0;
`, in: []check.Operand{op("q", elem.Int64), op("b", i32), op("d", elem.Float64), op("bf", elem.BFloat16), op("m", elem.Bool)},
		out:   []check.Operand{op("l", elem.Int64), op("o", elem.Uint8), op("e", elem.Float64)},
		group: [3]int{64, 1, 1}, noWGSL: "of doubles"},
	{name: "shared", header: "void fill(threadgroup float2* t, uint i, float v) { t[i] = float2(v, -v); }",
		body: `threadgroup float2 pairs[64];
threadgroup atomic_uint hits;
uint i = thread_index_in_threadgroup;
if (i == 0) atomic_store_explicit(&hits, 0u, memory_order_relaxed);
fill(pairs, i, x[thread_position_in_grid.x]);
threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
float2 p = pairs[i ^ 1];
if (p.x > 0) atomic_fetch_add_explicit(&hits, 1u, memory_order_relaxed);
float local[4] = {p.x, p.y};
for (int k = 2; k < 4; k++) local[k] = local[k - 2] * 2;
threadgroup_barrier(mem_flags::mem_threadgroup);
y[thread_position_in_grid.x] = local[i & 3] + float(atomic_load_explicit(&hits, memory_order_relaxed));
`, in: []check.Operand{op("x", f32)}, out: []check.Operand{op("y", f32)}, group: [3]int{64, 1, 1}},
}

func (s kernel) compile(t *testing.T) (*ktree.Program, *flat.Program) {
	t.Helper()
	src := source.NewSource(source.File{Name: s.name + ".h", Text: s.header}, source.File{Name: s.name + ".metal", Text: s.body})
	p, err := check.Check(check.Spec{Name: s.name, Inputs: s.in, Outputs: s.out, Template: s.template, Atomic: s.atomic}, src)
	if err != nil {
		t.Fatal(err)
	}
	f, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; run go test -update and look at the change. Got:\n%s", file, got)
	}
}

func TestMetal(t *testing.T) {
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			p, _ := s.compile(t)
			golden(t, s.name+".metal", printer.Metal(p))
		})
	}
}

// The prelude is the same in every CUDA text and is left out of the goldens.
func TestCUDA(t *testing.T) {
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			p, _ := s.compile(t)
			text := printer.CUDA(p, s.group, 1)
			_, own, ok := strings.Cut(text, "}  // namespace tw\n")
			if !ok {
				t.Fatal("no prelude")
			}
			golden(t, s.name+".cu", own)
			texts := []string{text}
			if turns := printer.Turns(p); turns > 1 {
				text := printer.CUDA(p, s.group, turns)
				_, own, _ := strings.Cut(text, "}  // namespace tw\n")
				golden(t, s.name+".turns.cu", own)
				texts = append(texts, text)
			}
			nvrtc, err := cudatest.OpenCompiler()
			if err != nil {
				t.Skip(err)
			}
			checked, _ := printer.CUDAChecked(p, s.group)
			for _, arch := range []string{"compute_80", "compute_90"} {
				for i, text := range append(texts, checked) {
					if _, err := nvrtc.PTX(text, arch); err != nil {
						t.Errorf("%s, text %d: %v", arch, i, err)
					}
				}
			}
		})
	}
}

// A barrier of a simdgroup waits for all its lanes, whichever of them run at that moment: behind a loop that lanes leave
// one by one they may come to it one by one, too.
func TestSimdgroupBarrierAsCUDA(t *testing.T) {
	p, _ := kernel{name: "tails", body: `threadgroup float tile[32];
uint lane = thread_index_in_simdgroup;
for (uint i = lane; i < 40; i += 32) tile[i % 32] = x[i];
simdgroup_barrier(mem_flags::mem_threadgroup);
y[thread_position_in_grid.x] = tile[31 - lane];
`, in: []check.Operand{op("x", f32)}, out: []check.Operand{op("y", f32)}}.compile(t)
	text := printer.CUDA(p, [3]int{32, 1, 1}, 1)
	body := text[strings.Index(text, "void __launch_bounds__"):]
	if !strings.Contains(body, "__syncwarp();") || strings.Contains(body, "__activemask") {
		t.Errorf("%s", body)
	}
}

// Only a short body that sees nothing of its threadgroup is run in turns.
func TestTurns(t *testing.T) {
	for body, want := range map[string]int{
		"y[thread_position_in_grid.x] = x[0];": 4,
		"uint2 p = thread_position_in_grid.xy; if (p.x > 3) return; y[p.x] = x[threads_per_grid.x - p.x];":   4,
		"float s = 0; for (int k = 0; k < 3; k++) s += x[k]; y[thread_position_in_grid.x] = s;":              8,
		"float s = 0; for (int k = 0; k < 6; k++) s += x[k]; y[thread_position_in_grid.x] = s;":              4,
		"float s = 0; for (int k = 0; k < 9; k++) s += x[k]; y[thread_position_in_grid.x] = s;":              1,
		"float s = 0; for (int k = 0; k < x_shape[0]; k++) s += x[k]; y[thread_position_in_grid.x] = s;":     1,
		"y[thread_position_in_grid.x] = x[thread_position_in_threadgroup.x];":                                1,
		"y[thread_position_in_grid.x] = simd_sum(x[0]);":                                                     1,
		"threadgroup float s[4]; s[thread_position_in_grid.x % 4] = 1; y[thread_position_in_grid.x] = s[0];": 1,
	} {
		s := kernel{name: "k", body: body, in: []check.Operand{op("x", f32)}, out: []check.Operand{op("y", f32)}}
		p, _ := s.compile(t)
		if got := printer.Turns(p); got != want {
			t.Errorf("%s: %d turns, want %d", body, got, want)
		}
	}
}

func TestWGSL(t *testing.T) {
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			_, f := s.compile(t)
			text, err := printer.WGSL(f, s.group)
			if s.noWGSL != "" {
				if err == nil || !strings.Contains(err.Error(), s.noWGSL) {
					t.Fatalf("got %v, want %q", err, s.noWGSL)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			golden(t, s.name+".wgsl", text)
			validate(t, text)
		})
	}
}

// validate runs naga over a shader, where naga is installed.
func validate(t *testing.T, text string) {
	t.Helper()
	naga, err := exec.LookPath("naga")
	if err != nil {
		t.Skip("naga not found: the WGSL is compared with its golden text but not validated")
	}
	// naga has the functions but not yet the declaration that asks for them.
	text = strings.Replace(text, "enable subgroups;\n", "", 1)
	file := filepath.Join(t.TempDir(), "shader.wgsl")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(naga, file).CombinedOutput(); err != nil {
		t.Fatalf("naga: %v\n%s\n%s", err, out, text)
	}
}
