package main

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// gpuLarge is how many float32 the memory figures of a GPU work on: 1 GiB, far
// beyond its caches, and long enough for launches not to matter.
const gpuLarge = 256 << 20

// gpuFigures measure the engine on a GPU, by the GPU's own clock where its work
// is meant, and by the host's where the host's is.
var gpuFigures = []struct {
	name string
	run  func(context.Context, *nd.Device, int) ([]coreRow, error)
}{
	{"chain", gpuChain},
	{"sum", gpuSum},
	{"transpose", gpuTranspose},
	{"matmul", gpuMatMul},
	{"cached", gpuCached},
	{"kernels", gpuKernels},
	{"compiled", gpuCompiled},
	{"transfer", gpuTransfer},
	{"from host", gpuFromHost},
}

// copyKernel is one way to copy: every thread copies one number, and a group of
// them a line of memory.
var copyKernel = nd.Kernel{Name: "copy_all", Inputs: []string{"x"}, Outputs: []string{"y"},
	Source: "uint i = thread_position_in_grid.x; y[i] = x[i];"}

func gpuCopy(x *nd.Array) *nd.Array {
	return copyKernel.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{x.Shape()}, Grid: [3]int{x.Len()}, Threadgroup: [3]int{1024}})[0]
}

// holdKernel keeps a GPU busy for 0.3 ms, while what is to be timed is queued:
// so it never waits for the host, which takes longer to submit small work than
// the GPU to do it.
var holdKernel = nd.Kernel{Name: "hold", Outputs: []string{"y"}, CUDA: `
extern "C" __global__ void hold(float* y) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)); while (now - start < 300000);
  y[0] = 0;
}`}

func gpuHold(s *nd.Stream) *nd.Array {
	return holdKernel.Call(nd.Launch{Shapes: [][]int{{1}}, DTypes: []nd.DType{nd.Float32}, Grid: [3]int{1}, Stream: s, Whole: true})[0]
}

// warmUp is how long a GPU that was idle works before it is timed. Its clocks rise
// while it does.
const warmUp = 2 * time.Second

// warmed has the devices that have worked for so long.
var warmed sync.Map

// gpuTimes lets ways to compute something take turns and gives the median time
// of one evaluation of each, in nanoseconds, by the GPU's clock.
func gpuTimes(ctx context.Context, dev *nd.Device, rounds int, ways ...func() *nd.Array) ([]float64, error) {
	const reps = 4
	samples := make([][]float64, len(ways))
	s := dev.Stream()
	turn := func(keep bool) error {
		for i, build := range ways {
			if dev.Info().Arch > 0 {
				held := gpuHold(s)
				nd.Async(held)
				held.Release()
			}
			from := s.Stamp()
			var last *nd.Pending
			for range reps {
				y := build()
				last = nd.Async(y)
				y.Release()
			}
			took, err := s.Stamp().Since(ctx, from)
			if err == nil {
				err = last.Wait(ctx)
			}
			if err != nil {
				return err
			}
			if keep {
				samples[i] = append(samples[i], float64(took.Nanoseconds())/reps)
			}
		}
		return nil
	}
	if err := turn(false); err != nil { // compiles
		return nil, err
	}
	_, warm := warmed.LoadOrStore(dev, true)
	warm = warm || dev.Info().Software
	for begun, filled := time.Now(), false; !filled || !warm && time.Since(begun) < warmUp; filled = true { // the pool
		if err := turn(false); err != nil {
			return nil, err
		}
	}
	for range rounds {
		if err := turn(true); err != nil {
			return nil, err
		}
	}
	out := make([]float64, len(ways))
	for i, list := range samples {
		out[i] = median(list)
	}
	return out, nil
}

// gpuInput is evaluated numbers on the device.
func gpuInput(ctx context.Context, dev *nd.Device, shape ...int) (*nd.Array, error) {
	x := nd.Uniform(1, nd.Float32, shape...).On(dev.Stream())
	return x, nd.Eval(ctx, x)
}

// gpuAgainstCopy times what build makes against a pass over x that reads and
// writes as many bytes: by a kernel or a map, whichever is faster. It releases
// x.
func gpuAgainstCopy(ctx context.Context, dev *nd.Device, rounds int, x *nd.Array, build func() *nd.Array) (ours, copying float64, err error) {
	defer x.Release()
	ns, err := gpuTimes(ctx, dev, rounds, build, func() *nd.Array { return gpuCopy(x) }, func() *nd.Array { return x.Neg() })
	if err != nil {
		return 0, 0, err
	}
	return ns[0], min(ns[1], ns[2]), nil
}

func gpuChain(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	x, err := gpuInput(ctx, dev, gpuLarge)
	if err != nil {
		return nil, err
	}
	ours, base, err := gpuAgainstCopy(ctx, dev, rounds, x, func() *nd.Array {
		return x.AddScalar(1).MulScalar(0.5).SubScalar(0.25).Abs().Mul(x).MaximumScalar(0.125).Neg().AddScalar(3)
	})
	if err != nil {
		return nil, err
	}
	row := atMost("chain", "eight element-by-element operations on 256 Mi float32, over one copy of the same bytes", ours/base, 1.05, "x")
	row.NS, row.BaseNS = ours, base
	speed := atLeast("copy", "bytes read and written by that copy", 8*gpuLarge/base/1000, 0, "TB/s")
	speed.NS = base
	return []coreRow{row, speed}, nil
}

func gpuSum(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	x, err := gpuInput(ctx, dev, gpuLarge)
	if err != nil {
		return nil, err
	}
	ours, base, err := gpuAgainstCopy(ctx, dev, rounds, x, func() *nd.Array { return x.Sum() })
	if err != nil {
		return nil, err
	}
	row := atMost("sum", "the sum of 256 Mi float32, over half of a copy", ours/(base/2), 1.1, "x")
	row.NS, row.BaseNS = ours, base/2
	return []coreRow{row}, nil
}

func gpuTranspose(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	const side = 16384
	x, err := gpuInput(ctx, dev, side, side)
	if err != nil {
		return nil, err
	}
	ours, base, err := gpuAgainstCopy(ctx, dev, rounds, x, func() *nd.Array { return x.Transpose().Flatten() })
	if err != nil {
		return nil, err
	}
	row := atMost("transpose", "a transposed copy of 16384 x 16384 float32, over a straight copy", ours/base, 1.3, "x")
	row.NS, row.BaseNS = ours, base
	return []coreRow{row}, nil
}

func gpuMatMul(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	const n = 4096
	x, err := gpuInput(ctx, dev, n, n)
	if err != nil {
		return nil, err
	}
	defer x.Release()
	half := x.Cast(nd.BFloat16)
	if err := nd.Eval(ctx, half); err != nil {
		return nil, err
	}
	defer half.Release()
	ns, err := gpuTimes(ctx, dev, rounds, func() *nd.Array { return x.MatMul(x) }, func() *nd.Array { return half.MatMul(half) })
	if err != nil {
		return nil, err
	}
	const ops = 2.0 * n * n * n
	full := atLeast("matmul", "a float32 product of 4096 x 4096 matrices", ops/ns[0]/1000, 35, "TFLOP/s")
	full.NS = ns[0]
	halves := atLeast("matmul half", "the same of bfloat16", ops/ns[1]/1000, 200, "TFLOP/s")
	halves.NS = ns[1]
	return []coreRow{full, halves}, nil
}

// gpuCached is about the host: what it takes to evaluate a graph of one launch
// whose plan is cached, until it is submitted and until it is done.
func gpuCached(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	x, err := gpuInput(ctx, dev, 64)
	if err != nil {
		return nil, err
	}
	signals, err := gpuInput(ctx, dev, 8, 64, 1024)
	if err != nil {
		return nil, err
	}
	filter := nd.Uniform(2, nd.Float32, 64, 1024).On(dev.Stream()).RFFT()
	bias := nd.Uniform(3, nd.Float32, 64, 1).On(dev.Stream())
	if err := nd.Eval(ctx, filter, bias); err != nil {
		return nil, err
	}
	const batch = 64
	type best struct{ submit, whole, allocs float64 }
	measure := func(build func() *nd.Array) (best, error) {
		b := best{1e18, 1e18, 1e18}
		graphs := make([]*nd.Array, batch)
		var before, after runtime.MemStats
		for range max(rounds, 3) * 2 {
			for i := range graphs {
				graphs[i] = build()
			}
			runtime.ReadMemStats(&before)
			start := time.Now()
			for _, g := range graphs {
				if err := nd.Eval(ctx, g); err != nil {
					return b, err
				}
			}
			whole := time.Since(start)
			runtime.ReadMemStats(&after)
			for i := range graphs {
				graphs[i].Release()
				graphs[i] = build()
			}
			start = time.Now()
			var last *nd.Pending
			for _, g := range graphs {
				last = nd.Async(g)
			}
			//twiddle:ignore TW011 submitting is measured by itself
			submit := time.Since(start)
			if err := last.Wait(ctx); err != nil {
				return b, err
			}
			for _, g := range graphs {
				g.Release()
			}
			b.whole = min(b.whole, float64(whole.Nanoseconds())/batch)
			b.submit = min(b.submit, float64(submit.Nanoseconds())/batch)
			b.allocs = min(b.allocs, float64(after.Mallocs-before.Mallocs)/batch)
		}
		return b, nil
	}
	small, err := measure(func() *nd.Array { return x.AddScalar(1) })
	if err != nil {
		return nil, err
	}
	conv, err := measure(func() *nd.Array { return signals.RFFT().Mul(filter).IRFFT(nd.FFT{N: 1024}).Add(bias) })
	if err != nil {
		return nil, err
	}
	host := atMost("host", "the host's time to submit a cached graph of one launch", small.submit/1e3, 10, "us")
	host.NS, host.BaseNS = small.submit, small.whole
	allocs := atMost("host allocs", "objects allocated by its evaluation", small.allocs, 1, "objects")
	whole := atMost("conv", "a circular convolution of 8x64x1024 from a cached graph, end to end (base: submitting it)", conv.whole/1e3, 20, "us")
	whole.NS, whole.BaseNS = conv.whole, conv.submit
	return []coreRow{host, allocs, whole}, nil
}

// benchGPU measures the figures in only on a device.
func benchGPU(ctx context.Context, dev *nd.Device, only []string, rounds int) (*coreReport, error) {
	r := &coreReport{Device: dev.Info().Description}
	for _, name := range only {
		found := false
		for _, f := range gpuFigures {
			if f.name != name {
				continue
			}
			found = true
			rows, err := f.run(ctx, dev, rounds)
			if err != nil {
				return nil, fmt.Errorf("bench core: %s: %w", f.name, err)
			}
			r.Rows = append(r.Rows, rows...)
		}
		if !found {
			return nil, usagef("--only: no figure %q on a GPU", name)
		}
	}
	return r, nil
}
