package webgpu

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// theirs is a user's kernel with an input x and an output y.
type theirs struct {
	name        string
	in, out     elem.Type
	body        string
	grid, group [3]int
	outputs     int // elements; 0 is as many as threads
	atomic      bool
	init        float64
	strided     bool
	loose       bool // sums in another order
}

const tid = "uint t = thread_position_in_grid.x; "

var kernels = []theirs{
	{name: "plain", body: tid + "y[t] = 2 * x[t] + 1;", grid: [3]int{1000, 1, 1}, group: [3]int{64, 1, 1}},
	{name: "bytes", in: elem.Uint8, out: elem.Uint8, body: tid + "y[t] = x[t] + 200;", grid: [3]int{1003, 1, 1}, group: [3]int{64, 1, 1}},
	{name: "halves", in: elem.Float16, out: elem.BFloat16, body: tid + "y[t] = bfloat(x[t] * x[t]);", grid: [3]int{333, 1, 1}, group: [3]int{32, 1, 1}},
	{name: "long", in: elem.Int64, out: elem.Int64, body: tid + "y[t] = x[t] * 4294967299L - long(t);", grid: [3]int{100, 1, 1}, group: [3]int{32, 1, 1}},
	{name: "complex", in: elem.Complex64, out: elem.Complex64, body: tid + "y[t] = float2(x[t].y, -x[t].x);", grid: [3]int{100, 1, 1}, group: [3]int{32, 1, 1}},
	{name: "three axes", body: "uint3 p = thread_position_in_grid; uint3 n = threads_per_grid; uint i = p.x + n.x * (p.y + n.y * p.z); y[i] = x[i] + p.y * 10 + p.z;",
		grid: [3]int{13, 7, 5}, group: [3]int{4, 2, 3}},
	{name: "shape", body: tid + "y[t] = x[t] + x_shape[0] * 10 + x_shape[1] + x_ndim;", grid: [3]int{96, 1, 1}, group: [3]int{32, 1, 1}},
	{name: "strides", strided: true, body: tid + "y[t] = x[(t / 12) * x_strides[0] + (t % 12) * x_strides[1]];", grid: [3]int{96, 1, 1}, group: [3]int{32, 1, 1}},
	{name: "first value", body: tid + "if (t % 3 == 0) y[t] = x[t];", grid: [3]int{100, 1, 1}, group: [3]int{32, 1, 1}, init: 7},
	{name: "first value of bytes", in: elem.Uint8, out: elem.Uint8, body: tid + "if (t % 3 == 0) y[t] = x[t];", grid: [3]int{101, 1, 1}, group: [3]int{32, 1, 1}, init: 9},
	// The last group has fewer threads, who meet all the same.
	{name: "reversed in groups", body: `threadgroup float s[64]; uint t = thread_position_in_grid.x, i = thread_position_in_threadgroup.x, n = threads_per_threadgroup.x;
s[i] = x[t]; threadgroup_barrier(mem_flags::mem_threadgroup); y[t] = s[n - 1 - i];`, grid: [3]int{1000, 1, 1}, group: [3]int{64, 1, 1}},
	{name: "meeting in three axes", body: `threadgroup float s[64]; uint3 p = thread_position_in_grid, n = threads_per_grid; uint i = thread_index_in_threadgroup;
uint3 e = threads_per_threadgroup; uint at = p.x + n.x * (p.y + n.y * p.z);
s[i] = x[at]; threadgroup_barrier(mem_flags::mem_threadgroup); y[at] = s[e.x * e.y * e.z - 1 - i];`, grid: [3]int{13, 7, 5}, group: [3]int{4, 4, 4}},
	{name: "across simdgroups", body: tid + "y[t] = simd_sum(x[t]) + simd_shuffle_xor(x[t], 1) + simd_max(x[t]);", grid: [3]int{200, 1, 1}, group: [3]int{64, 1, 1}, loose: true},
	{name: "histogram", in: elem.Uint8, out: elem.Int32, body: tid + "atomic_fetch_add_explicit(&y[x[t] % 16], 1, memory_order_relaxed);",
		grid: [3]int{5000, 1, 1}, group: [3]int{128, 1, 1}, outputs: 16, atomic: true},
	{name: "sum", out: elem.Float32, body: tid + "atomic_fetch_add_explicit(&y[0], x[t], memory_order_relaxed);",
		grid: [3]int{300, 1, 1}, group: [3]int{128, 1, 1}, outputs: 1, atomic: true, loose: true},
	// More threads than an adapter may have in a group, which the kernel cannot tell.
	{name: "large groups", body: tid + "y[t] = -x[t];", grid: [3]int{5000, 1, 1}, group: [3]int{1024, 1, 1}},
	{name: "deep groups", body: "uint3 p = thread_position_in_grid; y[p.z] = x[p.z] + p.x + p.y;", grid: [3]int{1, 1, 500}, group: [3]int{1, 1, 500}},
	{name: "moving pointer", body: tid + "device const float* p = x + t; float a = 0; for (int i = 0; i < 4; i++) { a += *p; p += 1; } y[t] = a;", grid: [3]int{96, 1, 1}, group: [3]int{32, 1, 1}},
}

// program is the kernel over data of this test.
func (k *theirs) program(t *testing.T, check bool) (*ir.Custom, []byte) {
	t.Helper()
	if k.in == elem.Invalid {
		k.in = elem.Float32
	}
	if k.out == elem.Invalid {
		k.out = elem.Float32
	}
	u, err := kernc.Compile(kernc.Spec{Name: "k", Inputs: []kernc.Operand{{Name: "x", Type: k.in}}, Outputs: []kernc.Operand{{Name: "y", Type: k.out}}, Source: k.body, Atomic: k.atomic})
	if err != nil {
		t.Fatal(err)
	}
	threads := k.grid[0] * k.grid[1] * k.grid[2]
	n := (threads+8+11)/12*12 + 12
	shape, operand := []int{n / 12, 12}, ir.Operand{Type: k.in, Offset: 3, Strides: []int{12, 1}}
	total := n + 3
	if k.strided {
		operand.Strides = []int{30, 2}
		total = 3 + n/12*30
	}
	outputs := k.outputs
	if outputs == 0 {
		outputs = threads
	}
	data := make([]byte, total*k.in.Size())
	for i := range total {
		v := float64(i%113) - 40
		if k.in == elem.Uint8 {
			v += 40
		}
		store(data, k.in, i, v)
	}
	return &ir.Custom{Unit: u, Grid: k.grid, Threadgroup: k.group, Check: check, Strided: k.strided, Init: k.init,
		In: []ir.Operand{operand}, InShapes: [][]int{shape},
		Out: []ir.Operand{ir.Contiguous(k.out, []int{outputs})}, OutShapes: [][]int{{outputs}}, Written: []bool{false}}, data
}

func store(data []byte, t elem.Type, i int, v float64) {
	switch t {
	case elem.Uint8:
		data[i] = uint8(v)
	case elem.Float16:
		elem.Slice[elem.F16](data)[i] = elem.F16From(float32(v))
	case elem.Int64:
		elem.Slice[int64](data)[i] = int64(v)
	case elem.Complex64:
		elem.Slice[complex64](data)[i] = complex(float32(v), float32(-v/3))
	default:
		elem.Slice[float32](data)[i] = float32(v)
	}
}

// Users' kernels compute here what they do on the CPU, checked or not.
func TestCustomKernels(t *testing.T) {
	gpu := newBench(t, openSome(t, nil))
	host := cpu.Open(cpu.Options{})
	defer host.Close()
	here := newBench(t, host)
	for _, k := range kernels {
		t.Run(k.name, func(t *testing.T) {
			for _, check := range []bool{false, true} {
				c, x := k.program(t, check)
				sizes := []int{ir.Count(c.OutShapes[0]) * k.out.Size()}
				plain := *c
				plain.Check = false
				want, err := here.all(&plain, [][]byte{x}, sizes)
				if err != nil {
					t.Fatal(err)
				}
				got, err := gpu.all(c, [][]byte{x}, sizes)
				if err != nil {
					t.Fatalf("check %t: %v", check, err)
				}
				if !k.loose && !bytes.Equal(got[0], want[0]) {
					t.Errorf("check %t: other bytes than on the CPU: % x, want % x", check, got[0][:min(64, len(got[0]))], want[0][:min(64, len(want[0]))])
				}
				if k.loose {
					a, b := elem.Slice[float32](got[0]), elem.Slice[float32](want[0])
					for i := range a {
						if math.Abs(float64(a[i]-b[i])) > 1e-3*(1+math.Abs(float64(b[i]))) {
							t.Fatalf("check %t: element %d is %v, want %v", check, i, a[i], b[i])
						}
					}
				}
			}
		})
	}
}

// A checked kernel names the place and the thread of an index that is outside, as on
// the CPU; what is not checked stays inside of its memory.
func TestCustomFaults(t *testing.T) {
	d := openSome(t, nil)
	gpu := newBench(t, d)
	for _, k := range []struct {
		theirs
		want string
	}{
		{theirs{body: tid + "y[t + 1] = x[t];", grid: [3]int{64, 1, 1}, group: [3]int{16, 1, 1}}, "k:1:38: index 64 is outside y, which has 64 elements, in thread (63, 0, 0)"},
		{theirs{body: tid + "y[t] = x[int(t) - 1];", grid: [3]int{64, 1, 1}, group: [3]int{16, 1, 1}}, "index -1 is outside x, which has 84 elements, in thread (0, 0, 0)"},
		{theirs{body: tid + "y[t] = x[t - 1];", grid: [3]int{64, 1, 1}, group: [3]int{16, 1, 1}}, "index 4294967295 is outside x"},
		{theirs{body: tid + "int a[4]; a[t / 16] = 1; y[t] = a[3] + x[t / 2];", grid: [3]int{65, 1, 1}, group: [3]int{16, 1, 1}}, "index 4 is outside a, which has 4 elements, in thread (64, 0, 0)"},
		{theirs{body: "uint3 p = thread_position_in_grid; y[p.x + 5 * p.y + 15 * p.z] = x[p.y == 2 && p.z == 1 && p.x == 3 ? 1000 : 0];",
			grid: [3]int{5, 3, 2}, group: [3]int{4, 2, 1}}, "index 1000 is outside x, which has 60 elements, in thread (3, 2, 1)"},
		{theirs{body: tid + "atomic_fetch_add_explicit(&y[t == 5 ? -7 : 0], x[t], memory_order_relaxed);", grid: [3]int{20, 1, 1}, group: [3]int{8, 1, 1}, atomic: true}, "index -7 is outside y"},
	} {
		c, x := k.program(t, true)
		_, err := gpu.all(c, [][]byte{x}, []int{4 * ir.Count(c.OutShapes[0])})
		var fault *kernc.Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v, want %s", err, k.want)
		}
		c, x = k.program(t, false)
		if _, err := gpu.all(c, [][]byte{x}, []int{4 * ir.Count(c.OutShapes[0])}); err != nil {
			t.Errorf("not checked: %v", err)
		}
	}
	if err := d.lost.Err(); err != nil {
		t.Error(err)
	}
}

// What cannot be run is an error that says so, before the library sees it.
func TestCustomRefused(t *testing.T) {
	d := openSome(t, nil)
	for _, k := range []struct {
		theirs
		limit int64
		want  string
	}{
		{theirs: theirs{body: tid + "y[t] = float(x[t]);", in: elem.Float64, grid: [3]int{4, 1, 1}, group: [3]int{4, 1, 1}}, want: "webgpu:0 has no float64: cast to float32 first"},
		{theirs: theirs{body: "y[0] = x[threads_per_threadgroup.x];", grid: [3]int{1 << 20, 1, 1}, group: [3]int{1 << 15, 1, 1}}, want: "threadgroups of [32768 1 1] threads"},
		{theirs: theirs{body: "threadgroup uchar a[20000]; a[thread_index_in_threadgroup] = 1; threadgroup_barrier(mem_flags::mem_threadgroup); y[0] = a[7];", grid: [3]int{8, 1, 1}, group: [3]int{8, 1, 1}},
			want: "80000 bytes of workgroup memory"},
		{theirs: theirs{body: tid + "y[t] = x[t];", grid: [3]int{4, 1, 1}, group: [3]int{4, 1, 1}}, limit: 5, want: "loops are only limited on the CPU"},
	} {
		c, _ := k.program(t, false)
		c.Limit = k.limit
		if _, err := d.Compile(c); !errors.Is(err, device.ErrUnsupported) || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%v, want %s", err, k.want)
		}
	}
	if _, err := d.Compile(&ir.Custom{Unit: cudaOnly(t), Grid: [3]int{1, 1, 1}, Threadgroup: [3]int{1, 1, 1},
		Out: []ir.Operand{ir.Contiguous(elem.Float32, []int{1})}, OutShapes: [][]int{{1}}, Written: []bool{false}}); !errors.Is(err, kernc.ErrNoBody) {
		t.Error(err)
	}
	if err := d.lost.Err(); err != nil {
		t.Error(err)
	}
}

func cudaOnly(t *testing.T) *kernc.Unit {
	u, err := kernc.Compile(kernc.Spec{Name: "k", Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}}, CUDA: "extern \"C\" __global__ void k(float* y) {}"})
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Groups at the edges of a grid are launches of their own where threads meet.
func TestParts(t *testing.T) {
	grid, group := [3]int{10, 7, 4}, [3]int{4, 7, 8}
	threads := 0
	for _, p := range partsOf(grid, group, true) {
		n := 1
		for i := range 3 {
			if p.extent[i] > group[i] || p.from[i]*group[i]+(p.groups[i]-1)*group[i]+p.extent[i] > grid[i] {
				t.Errorf("%+v leaves the grid", p)
			}
			n *= p.groups[i] * p.extent[i]
		}
		threads += n
	}
	if threads != 10*7*4 {
		t.Errorf("%d threads", threads)
	}
	if parts := partsOf(grid, group, false); len(parts) != 1 || parts[0].groups != [3]int{3, 1, 1} {
		t.Errorf("%+v", parts)
	}
}
