package peer

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// FFTW's flags and signs, from fftw3.h.
const (
	fftwMeasure       = 0
	fftwPreserveInput = 1 << 4
	fftwEstimate      = 1 << 6
	fftwForward       = ^uintptr(0) // -1
	fftwBackward      = 1
)

// fftw is the library in one precision. Its planner is not safe for
// concurrent use, hence the lock.
type fftw struct {
	mu                sync.Mutex
	planMany          uintptr
	planManyR2C       uintptr
	planManyC2R       uintptr
	execute           uintptr
	destroy           uintptr
	planWithThreads   uintptr // 0 without the threads library
	threadsLibraryErr error
}

// fftwPair is FFTW in both precisions, which are two libraries.
type fftwPair struct{ single, double *fftw }

var openFFTW = sync.OnceValues(func() (FFT, error) {
	single, err := loadFFTW("f")
	if err != nil {
		return nil, err
	}
	double, err := loadFFTW("")
	if err != nil {
		return nil, err
	}
	return &fftwPair{single: single, double: double}, nil
})

func loadFFTW(suffix string) (*fftw, error) {
	base, prefix := "libfftw3"+suffix, "fftw"+suffix+"_"
	lib, err := open("fftw", "TWIDDLE_FFTW"+map[string]string{"f": "F"}[suffix], base+".so.3", base+".3.dylib", base+".so")
	if err != nil {
		return nil, err
	}
	var f fftw
	if err := lib.symbols(map[string]*uintptr{
		prefix + "plan_many_dft":     &f.planMany,
		prefix + "plan_many_dft_r2c": &f.planManyR2C,
		prefix + "plan_many_dft_c2r": &f.planManyC2R,
		prefix + "execute":           &f.execute,
		prefix + "destroy_plan":      &f.destroy,
	}); err != nil {
		return nil, err
	}
	f.threadsLibraryErr = f.loadThreads(base, prefix)
	return &f, nil
}

// loadThreads opens the threads part, which is a library beside the main one.
func (f *fftw) loadThreads(base, prefix string) error {
	lib, err := open("fftw threads", "TWIDDLE_FFTW_THREADS", base+"_threads.so.3", base+"_threads.3.dylib", base+"_threads.so")
	if err != nil {
		return err
	}
	var initThreads uintptr
	if err := lib.symbols(map[string]*uintptr{
		prefix + "init_threads":       &initThreads,
		prefix + "plan_with_nthreads": &f.planWithThreads,
	}); err != nil {
		return err
	}
	if clib.Call(initThreads) == 0 {
		return errors.New("peer: fftw threads: init_threads failed")
	}
	return nil
}

func (*fftwPair) Name() string { return "fftw" }

func (p *fftwPair) Plan(t Transform) (*Plan, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	if t.Bits == 32 {
		return p.single.plan(t)
	}
	return p.double.plan(t)
}

func (f *fftw) plan(t Transform) (*Plan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.planWithThreads != 0 {
		clib.Call(f.planWithThreads, uintptr(t.Threads))
	} else if t.Threads > 1 {
		return nil, f.threadsLibraryErr
	}
	p := newPlan(t)
	n := new(int32)
	*n = int32(t.N)
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(n)
	length, howMany := uintptr(unsafe.Pointer(n)), uintptr(t.Batch)
	in, out := address(p.in), address(p.out)
	signal, spectrum := uintptr(t.N), uintptr(t.bins())
	flags := uintptr(fftwMeasure | fftwPreserveInput)
	if t.Quick {
		flags = fftwEstimate | fftwPreserveInput
	}
	var handle uintptr
	switch {
	case !t.Real:
		sign := fftwForward
		if t.Inverse {
			sign = fftwBackward
		}
		handle = clib.Call(f.planMany, 1, length, howMany, in, 0, 1, signal, out, 0, 1, spectrum, sign, flags)
	case t.Inverse:
		handle = clib.Call(f.planManyC2R, 1, length, howMany, in, 0, 1, spectrum, out, 0, 1, signal, flags)
	default:
		handle = clib.Call(f.planManyR2C, 1, length, howMany, in, 0, 1, signal, out, 0, 1, spectrum, flags)
	}
	if handle == 0 {
		return nil, fmt.Errorf("peer: fftw: no plan for %+v", t)
	}
	p.run = func(reps int) {
		repeat(reps, f.execute, handle, 0, 0)
		runtime.KeepAlive(p)
	}
	p.destroy = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		clib.Call(f.destroy, handle)
	}
	return p, nil
}
