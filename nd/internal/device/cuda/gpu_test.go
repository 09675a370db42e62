package cuda

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// openGPU skips the test where there is no GPU.
func openGPU(t testing.TB) *Device {
	t.Helper()
	if _, err := Count(); err != nil {
		t.Skip(err)
	}
	d, err := Open(0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func TestConformance(t *testing.T) {
	if _, err := Count(); err != nil {
		t.Skip(err)
	}
	t.Run("warm", func(t *testing.T) {
		d := openGPU(t)
		warm(t, d.card, d.compiler, d.cache)
	})
	devicetest.Run(t, func() device.Device {
		d, err := Open(0)
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

// With TWIDDLE_TEST_KERNELS=keep, the suite's kernels for an H200 are compiled
// and kept where TWIDDLE_CACHE says, to be taken to a machine that has one.
func TestKeepKernels(t *testing.T) {
	if os.Getenv("TWIDDLE_TEST_KERNELS") != "keep" {
		t.Skip("only with TWIDDLE_TEST_KERNELS=keep")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Fatal(err)
	}
	warm(t, cards[1], nvrtc, openCache(cacheFolder()))
}

// warm compiles the suite's kernels on all cores, into the cache: the suite
// itself would compile them one after the other.
func warm(t *testing.T, card emit.Card, nvrtc compiler, kept *cache) {
	texts := make(chan string, 1<<16)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for text := range texts {
				k := keyOf(text, card.Arch, nvrtc.Version())
				if _, ok := kept.get(k); ok {
					continue
				}
				code, _, err := nvrtc.Compile("warm", text, driver.Options(card.Arch)...)
				if err != nil {
					t.Error(err)
					continue
				}
				kept.put(k, code)
			}
		})
	}
	seen := map[string]bool{}
	t.Run("suite", func(t *testing.T) {
		devicetest.Run(t, func() device.Device {
			return openSimWith(t, func(p ir.Program) error {
				m, err := generate(p, card)
				if err == nil && !seen[m.Text] {
					seen[m.Text] = true
					texts <- m.Text
				}
				return err
			})
		})
	})
	close(texts)
	workers.Wait()
}

// custom is a kernel of one float32 input and output of n elements.
func custom(t testing.TB, n int, body string, check bool) *ir.Custom {
	t.Helper()
	operand := func(name string) []kernc.Operand { return []kernc.Operand{{Name: name, Type: elem.Float32}} }
	u, err := kernc.Compile(kernc.Spec{Name: "k", Inputs: operand("x"), Outputs: operand("y"), Source: body})
	if err != nil {
		t.Fatal(err)
	}
	return customOf(u, n, check)
}

func customOf(u *kernc.Unit, n int, check bool) *ir.Custom {
	dims := []int{n}
	o := []ir.Operand{ir.Contiguous(elem.Float32, dims)}
	return &ir.Custom{Unit: u, Grid: [3]int{n, 1, 1}, Threadgroup: [3]int{min(n, 128), 1, 1}, In: o, Out: o,
		InShapes: [][]int{dims}, OutShapes: [][]int{dims}, Written: []bool{false}, Init: 7, Check: check}
}

// patience is how long a test waits for something that should take a moment, on a machine
// that has much else to do.
const patience = 2 * time.Minute

// bench is a device with a queue and buffers to use it on.
type bench struct {
	testing.TB
	dev *Device
	q   device.Queue
}

func newBench(t testing.TB, d *Device) *bench {
	t.Helper()
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	return &bench{t, d, q}
}

func (b *bench) floats(v ...float32) device.Buffer {
	b.Helper()
	x, err := b.dev.Alloc(4 * len(v))
	if err != nil {
		b.Fatal(err)
	}
	b.q.Write(x, elem.Bytes(v))
	return x
}

func (b *bench) kernel(p ir.Program) device.Kernel {
	b.Helper()
	k, err := b.dev.Compile(p)
	if err != nil {
		b.Fatal(err)
	}
	return k
}

func (b *bench) run(k device.Kernel, label string, x, y device.Buffer) {
	b.q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}, Label: device.Label{Op: label}})
}

func (b *bench) read(x device.Buffer) ([]float32, error) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	v := make([]float32, x.Bytes()/4)
	return v, b.q.Read(ctx, elem.Bytes(v), x)
}

func TestCustomKernels(t *testing.T) {
	b := newBench(t, openGPU(t))
	x := b.floats(1, 2, 3, 4)
	y := b.floats(0, 0, 0, 0)
	b.run(b.kernel(custom(t, 4, "uint i = thread_position_in_grid.x; if (i != 2) y[i] = x[i] * 10 + x_shape[0] * 100 + x_ndim * 1000;", false)), "times", x, y)
	if got, err := b.read(y); err != nil || fmt.Sprint(got) != "[1410 1420 7 1440]" {
		t.Errorf("%v, %v", got, err)
	}
	raw, err := kernc.Compile(kernc.Spec{Name: "raw", Inputs: []kernc.Operand{{Name: "x", Type: elem.Float32}}, Outputs: []kernc.Operand{{Name: "y", Type: elem.Float32}},
		CUDA: `extern "C" __global__ void raw(const float* x, float* y, unsigned n) { unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = -x[i]; }`})
	if err != nil {
		t.Fatal(err)
	}
	b.run(b.kernel(customOf(raw, 4, false)), "raw", x, y)
	if got, err := b.read(y); err != nil || fmt.Sprint(got) != "[-1 -2 -3 -4]" {
		t.Errorf("%v, %v", got, err)
	}
	b.run(b.kernel(custom(t, 4, "uint i = thread_position_in_grid.x;\ny[i] = x[i + 2 * (i == 3)];", true)), "outside", x, y)
	_, err = b.read(y)
	var fault *kernc.Fault
	if !errors.As(err, &fault) || fault.Thread != [3]int{3, 0, 0} || !strings.Contains(err.Error(), "k:2:9: index 5 is outside x, which has 4 elements") {
		t.Errorf("outside: %v", err)
	}
	tall := custom(t, 4, "uint3 i = thread_position_in_grid; if (i.y == 69999 && i.z == 1) y[i.x] = x[i.x] + threadgroup_position_in_grid.y;", false)
	tall.Grid = [3]int{4, 70000, 2} // more threadgroups in y than a launch has
	b.run(b.kernel(tall), "tall", x, y)
	if got, err := b.read(y); err != nil || fmt.Sprint(got) != "[70000 70001 70002 70003]" {
		t.Errorf("tall: %v, %v", got, err)
	}
	garbage, err := kernc.Compile(kernc.Spec{Name: "garbage", Inputs: raw.Inputs, Outputs: raw.Outputs, CUDA: "this is no kernel"})
	if err != nil {
		t.Fatal(err)
	}
	var refused *driver.CompileError
	if _, err := b.dev.Compile(customOf(garbage, 4, false)); !errors.As(err, &refused) {
		t.Errorf("garbage: %v", err)
	}
}

// A kernel that brings the context down is named from then on, at once. It
// comes last: the process gets no other context.
func TestLost(t *testing.T) {
	d := openGPU(t)
	b := newBench(t, d)
	x, y, z := b.floats(1, 2, 3, 4), b.floats(0, 0, 0, 0), b.floats(0, 0, 0, 0)
	wild := b.kernel(custom(t, 4, "y[thread_position_in_grid.x + 4000000000u] = x[0];", false))
	good := b.kernel(custom(t, 4, "y[thread_position_in_grid.x] = x[0];", false))
	b.run(wild, "the wild one", x, y)
	b.run(good, "a later one", y, z)
	for name, err := range map[string]error{
		"read":  func() error { _, err := b.read(z); return err }(),
		"alloc": func() error { _, err := d.Alloc(64); return err }(),
		"queue": func() error { _, err := d.NewQueue(); return err }(),
		"other": func() error { _, err := b.read(x); return err }(),
	} {
		var lost *LostError
		var launch *device.LaunchError
		if !errors.As(err, &lost) || !errors.As(err, &launch) || launch.Label.Op != "the wild one" {
			t.Errorf("%s: %v", name, err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- d.Close() }()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("close: %v", err)
		}
	case <-time.After(patience):
		t.Fatal("close hangs")
	}
	if again, err := Open(0); err == nil {
		again.Close() // a driver that gives the GPU back
	} else if !strings.Contains(err.Error(), "new processes only") {
		t.Errorf("opened again: %v", err)
	}
}

// BenchmarkLaunch is the host's share of launching a small map, without and
// with waiting for it.
func BenchmarkLaunch(b *testing.B) {
	h := newBench(b, openGPU(b))
	launchBench(b, h)
}

func launchBench(b *testing.B, h *bench) {
	dims := []int{8}
	o := ir.Contiguous(elem.Float32, dims)
	k := h.kernel(&ir.Map{Dims: dims, Out: []ir.Operand{o}, Value: []ir.ValueID{2}, Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{
		{Kind: ir.Load, Type: elem.Float32}, {Kind: ir.Const, Type: elem.Float32},
		{Kind: ir.Apply, Op: scalar.Add, Type: elem.Float32, A: 0, B: 1}}}})
	x := h.floats(make([]float32, 8)...)
	l := device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{x}, Args: []scalar.Arg{scalar.ArgOf(elem.Float32, 1)}, Label: device.Label{Op: "step"}}
	b.Run("submit", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			h.q.Launch(l)
			if e := h.q.Record(); i%64 == 0 {
				_ = e.Wait(context.Background())
			}
		}
	})
	b.Run("wait", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			h.q.Launch(l)
			if err := h.q.Record().Wait(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
