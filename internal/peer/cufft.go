package peer

import (
	_ "embed"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// CUFFT is NVIDIA's library on one GPU. It works on memory of its own, in the
// context that every library of the process shares, and is timed by events.
type CUFFT struct {
	context uintptr
	driver  gpuDriver
	cufft   struct{ plan, c2c, z2z, r2c, c2r, d2z, z2d, destroy uintptr }

	pad, multiply, finish uintptr // kernels of Convolution
	segment, power, peaks uintptr // and of Peaks
	hold                  uintptr
}

// gpuDriver is what is used of libcuda.
type gpuDriver struct {
	init, device, retain, current, alloc, free, toDevice, load, function, launch, sync uintptr
	eventCreate, eventRecord, eventSync, eventElapsed, eventDestroy                    uintptr
}

var (
	//go:embed conv.ptx
	convKernels []byte
	//go:embed welch.ptx
	welchKernels []byte
	//go:embed hold.ptx
	holdKernel []byte
)

// Types of transforms, from cufft.h.
const (
	cufftR2C = 0x2a
	cufftC2R = 0x2c
	cufftC2C = 0x29
	cufftD2Z = 0x6a
	cufftZ2D = 0x6c
	cufftZ2Z = 0x69
)

// OpenCUFFT opens the library for the GPU with an index.
func OpenCUFFT(index int) (*CUFFT, error) {
	cuda, err := open("cuda", "TWIDDLE_CUDA", "libcuda.so.1", "libcuda.so")
	if err != nil {
		return nil, err
	}
	lib, err := open("cufft", "TWIDDLE_CUFFT", "libcufft.so.12", "libcufft.so.11", "libcufft.so")
	if err != nil {
		return nil, err
	}
	c := &CUFFT{}
	d, f := &c.driver, &c.cufft
	if err := cuda.symbols(map[string]*uintptr{
		"cuInit": &d.init, "cuDeviceGet": &d.device, "cuDevicePrimaryCtxRetain": &d.retain, "cuCtxSetCurrent": &d.current,
		"cuMemAlloc_v2": &d.alloc, "cuMemFree_v2": &d.free, "cuMemcpyHtoD_v2": &d.toDevice, "cuModuleLoadData": &d.load,
		"cuModuleGetFunction": &d.function, "cuLaunchKernel": &d.launch, "cuCtxSynchronize": &d.sync,
		"cuEventCreate": &d.eventCreate, "cuEventRecord": &d.eventRecord, "cuEventSynchronize": &d.eventSync,
		"cuEventElapsedTime": &d.eventElapsed, "cuEventDestroy_v2": &d.eventDestroy,
	}); err != nil {
		return nil, err
	}
	if err := lib.symbols(map[string]*uintptr{
		"cufftPlanMany": &f.plan, "cufftExecC2C": &f.c2c, "cufftExecZ2Z": &f.z2z, "cufftExecR2C": &f.r2c,
		"cufftExecC2R": &f.c2r, "cufftExecD2Z": &f.d2z, "cufftExecZ2D": &f.z2d, "cufftDestroy": &f.destroy,
	}); err != nil {
		return nil, err
	}
	var g gpuCalls
	var device int32
	g.do("cuInit", d.init, 0)
	g.do("cuDeviceGet", d.device, at(&device), uintptr(index))
	g.do("cuDevicePrimaryCtxRetain", d.retain, at(&c.context), uintptr(device))
	if g.err != nil {
		return nil, g.err
	}
	return c, c.within(c.loadKernels)
}

// Name is "cufft".
func (*CUFFT) Name() string { return "cufft" }

// gpuCalls calls functions that return 0, until one does not.
type gpuCalls struct{ err error }

// at is the address of something that does not move: what a pinner has seen
// lies on the heap, where nothing moves.
func at[T any](p *T) uintptr {
	var pin runtime.Pinner
	pin.Pin(p)
	defer pin.Unpin()
	return uintptr(unsafe.Pointer(p))
}

func (g *gpuCalls) do(name string, function uintptr, args ...uintptr) {
	if g.err != nil {
		return
	}
	if code := int32(clib.Call(function, args...)); code != 0 {
		g.err = fmt.Errorf("peer: %s: error %d", name, code)
	}
}

// within runs f on a thread that has the context.
func (c *CUFFT) within(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var g gpuCalls
	g.do("cuCtxSetCurrent", c.driver.current, c.context)
	if g.err != nil {
		return g.err
	}
	return f()
}

func (c *CUFFT) loadKernels() error {
	var g gpuCalls
	for _, m := range []struct {
		text    []byte
		kernels map[string]*uintptr
	}{
		{convKernels, map[string]*uintptr{"pad": &c.pad, "multiply": &c.multiply, "finish": &c.finish}},
		{welchKernels, map[string]*uintptr{"segment": &c.segment, "power": &c.power, "peaks": &c.peaks}},
		{holdKernel, map[string]*uintptr{"hold": &c.hold}},
	} {
		var module uintptr
		image := append(slices.Clone(m.text), 0)
		g.do("cuModuleLoadData", c.driver.load, at(&module), at(&image[0]))
		for name, f := range m.kernels {
			text := append([]byte(name), 0)
			g.do("cuModuleGetFunction", c.driver.function, at(f), module, at(&text[0]))
		}
	}
	return g.err
}

// GPUWork is prepared work on a GPU, with memory of its own.
type GPUWork struct {
	c      *CUFFT
	memory []uintptr
	plans  []uintptr
	run    func(g *gpuCalls)
	closed sync.Once
}

// alloc gives memory full of numbers in [-0.5, 0.5), as float32 or float64.
func (w *GPUWork) alloc(g *gpuCalls, bytes, bits int) uintptr {
	var p uintptr
	g.do("cuMemAlloc", w.c.driver.alloc, at(&p), uintptr(max(bytes, 16)))
	if g.err != nil {
		return 0
	}
	w.memory = append(w.memory, p)
	const piece = 8 << 20
	block := numbers(piece, bits)
	for done := 0; done < bytes; done += piece {
		n := min(piece, bytes-done)
		g.do("cuMemcpyHtoD", w.c.driver.toDevice, p+uintptr(done), at(&block[0]), uintptr(n))
	}
	return p
}

// numbers is bytes of them, by a simple generator: what they are does not
// matter, only that they are no zeros.
func numbers(bytes, bits int) []byte {
	b := make([]byte, bytes)
	state := uint32(1)
	next := func() float64 {
		state = state*1664525 + 1013904223
		return float64(state>>8)/(1<<24) - 0.5
	}
	if bits == 32 {
		for i, list := 0, unsafe.Slice((*float32)(unsafe.Pointer(&b[0])), bytes/4); i < len(list); i++ {
			list[i] = float32(next())
		}
		return b
	}
	for i, list := 0, unsafe.Slice((*float64)(unsafe.Pointer(&b[0])), bytes/8); i < len(list); i++ {
		list[i] = next()
	}
	return b
}

// plan prepares a transform.
func (w *GPUWork) plan(g *gpuCalls, t Transform) uintptr {
	kind := cufftC2C
	switch {
	case t.Real && t.Inverse:
		kind = cufftC2R
	case t.Real:
		kind = cufftR2C
	}
	if t.Bits == 64 {
		kind += cufftZ2Z - cufftC2C
	}
	n, handle := int32(t.N), int32(0)
	in, out := t.N, t.bins()
	if t.Inverse {
		in, out = out, in
	}
	g.do("cufftPlanMany", w.c.cufft.plan, at(&handle), 1, at(&n),
		0, 1, uintptr(in), 0, 1, uintptr(out), uintptr(kind), uintptr(t.Batch))
	if g.err != nil {
		return 0
	}
	w.plans = append(w.plans, uintptr(handle))
	return uintptr(handle)
}

// Close gives memory back.
func (w *GPUWork) Close() {
	w.closed.Do(func() {
		_ = w.c.within(func() error {
			for _, p := range w.plans {
				clib.Call(w.c.cufft.destroy, p)
			}
			for _, p := range w.memory {
				clib.Call(w.c.driver.free, p)
			}
			return nil
		})
	})
}

// What is timed runs several times, and is queued while the GPU is held: so it
// never waits for the host, which takes longer to queue small work than the GPU
// to do it.
const (
	timedReps = 4
	holdFor   = 300_000 // nanoseconds
)

// Times gives the nanoseconds of each of some runs, by the GPU's clock, after
// a few that do not count.
func (w *GPUWork) Times(runs int) ([]float64, error) {
	var times []float64
	err := w.c.within(func() error {
		var g gpuCalls
		d := &w.c.driver
		var events [2]uintptr
		for i := range events {
			g.do("cuEventCreate", d.eventCreate, at(&events[i]), 0)
		}
		for i := range runs + 3 {
			w.launchBlocks(&g, w.c.hold, 1, 0, holdFor)
			g.do("cuEventRecord", d.eventRecord, events[0], 0)
			for range timedReps {
				w.run(&g)
			}
			g.do("cuEventRecord", d.eventRecord, events[1], 0)
			g.do("cuEventSynchronize", d.eventSync, events[1])
			var ms float32
			g.do("cuEventElapsedTime", d.eventElapsed, at(&ms), events[0], events[1])
			if g.err != nil {
				return g.err
			}
			if i >= 3 {
				times = append(times, float64(ms)*1e6/timedReps)
			}
		}
		for _, e := range events {
			clib.Call(d.eventDestroy, e)
		}
		return nil
	})
	return times, err
}

// Transform prepares a transform.
func (c *CUFFT) Transform(t Transform) (*GPUWork, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	return c.prepare(func(w *GPUWork, g *gpuCalls) {
		in, out := t.lineBytes()
		from, to := w.alloc(g, in*t.Batch, t.Bits), w.alloc(g, out*t.Batch, t.Bits)
		handle := w.plan(g, t)
		w.run = func(g *gpuCalls) { w.exec(g, t, handle, from, to) }
	})
}

// TransformN prepares a batch of complex transforms along several axes, with
// components of so many bits.
func (c *CUFFT) TransformN(dims []int, batch, bits int) (*GPUWork, error) {
	points, lengths := 1, make([]int32, len(dims))
	for i, n := range dims {
		if n < 1 || n > math.MaxInt32/points {
			return nil, fmt.Errorf("peer: cufft: a transform of shape %v", dims)
		}
		points *= n
		lengths[i] = int32(n)
	}
	if len(dims) < 1 || len(dims) > 3 || batch < 1 || bits != 32 && bits != 64 {
		return nil, fmt.Errorf("peer: cufft: %d transforms of shape %v, %d bits: want 1 to 3 axes, 32 or 64 bits", batch, dims, bits)
	}
	t := Transform{N: points, Batch: batch, Bits: bits}
	return c.prepare(func(w *GPUWork, g *gpuCalls) {
		bytes := points * bits / 4 * batch
		from, to := w.alloc(g, bytes, bits), w.alloc(g, bytes, bits)
		kind, handle := cufftC2C, int32(0)
		if bits == 64 {
			kind = cufftZ2Z
		}
		g.do("cufftPlanMany", w.c.cufft.plan, at(&handle), uintptr(len(dims)), at(&lengths[0]),
			0, 1, uintptr(points), 0, 1, uintptr(points), uintptr(kind), uintptr(batch))
		if g.err == nil {
			w.plans = append(w.plans, uintptr(handle))
		}
		w.run = func(g *gpuCalls) { w.exec(g, t, uintptr(handle), from, to) }
	})
}

// prepare makes work: f gives it memory, plans and what to run.
func (c *CUFFT) prepare(f func(*GPUWork, *gpuCalls)) (*GPUWork, error) {
	w := &GPUWork{c: c}
	err := c.within(func() error {
		var g gpuCalls
		f(w, &g)
		return g.err
	})
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// exec queues a transform.
func (w *GPUWork) exec(g *gpuCalls, t Transform, handle, from, to uintptr) {
	f := &w.c.cufft
	const forward, inverse = math.MaxUint32, 1 // -1 as an int
	direction := uintptr(forward)
	if t.Inverse {
		direction = inverse
	}
	double := t.Bits == 64
	switch {
	case t.Real && t.Inverse && double:
		g.do("cufftExecZ2D", f.z2d, handle, from, to)
	case t.Real && t.Inverse:
		g.do("cufftExecC2R", f.c2r, handle, from, to)
	case t.Real && double:
		g.do("cufftExecD2Z", f.d2z, handle, from, to)
	case t.Real:
		g.do("cufftExecR2C", f.r2c, handle, from, to)
	case double:
		g.do("cufftExecZ2Z", f.z2z, handle, from, to, direction)
	default:
		g.do("cufftExecC2C", f.c2c, handle, from, to, direction)
	}
}
