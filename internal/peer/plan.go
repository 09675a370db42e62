package peer

import (
	"errors"
	"fmt"
	"math"
	"unsafe"
)

// Transform says which transforms a peer prepares: Batch one-dimensional
// transforms of length N, contiguous and one after another, out of place.
type Transform struct {
	N       int
	Batch   int  // 0 means 1
	Bits    int  // of one real number: 32 or 64
	Real    bool // real to half-complex; inverse: half-complex to real
	Inverse bool // unscaled, with exp(+i...)
	Threads int  // 0 means 1
	Quick   bool // plan without measuring, where speed does not matter
}

func (t Transform) withDefaults() (Transform, error) {
	if t.Batch == 0 {
		t.Batch = 1
	}
	if t.Threads == 0 {
		t.Threads = 1
	}
	switch {
	case t.N < 1 || t.Batch < 1 || t.Threads < 1:
		return t, fmt.Errorf("peer: plan: length %d, batch %d, %d threads: want at least 1 of each", t.N, t.Batch, t.Threads)
	case t.N > math.MaxInt32/t.Batch:
		return t, fmt.Errorf("peer: plan: %d transforms of length %d: more elements than the peers count", t.Batch, t.N)
	case t.Bits != 32 && t.Bits != 64:
		return t, fmt.Errorf("peer: plan: %d bits: want 32 or 64", t.Bits)
	}
	return t, nil
}

// bins is how many complex numbers one line of the spectrum has.
func (t Transform) bins() int {
	if t.Real {
		return t.N/2 + 1
	}
	return t.N
}

// lineBytes are the sizes of one line going in and one coming out.
func (t Transform) lineBytes() (in, out int) {
	signal, spectrum := t.N*2*t.Bits/8, t.bins()*2*t.Bits/8
	if t.Real {
		signal /= 2
	}
	if t.Inverse {
		return spectrum, signal
	}
	return signal, spectrum
}

// Plan is a transform that a peer has prepared, on buffers of its own.
type Plan struct {
	Transform
	in, out []byte
	run     func(reps int)
	destroy func()
}

func newPlan(t Transform) *Plan {
	in, out := t.lineBytes()
	return &Plan{Transform: t, in: aligned(in * t.Batch), out: aligned(out * t.Batch)}
}

// aligned is a buffer that starts on a cache line, as the peers like best.
func aligned(size int) []byte {
	const line = 64
	b := make([]byte, size+line)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (line - 1)
	return b[skip : skip+size : skip+size]
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// Run performs the transform reps times.
func (p *Plan) Run(reps int) { p.run(reps) }

// Close gives back what the peer holds for the plan, which must not be used
// afterwards.
func (p *Plan) Close() {
	if p.destroy != nil {
		p.destroy()
		p.destroy = nil
	}
}

// In is the plan's input as values of type T: complex64 or complex128 and,
// for the signal side of a real transform, float32 or float64.
func In[T float32 | float64 | complex64 | complex128](p *Plan) []T { return values[T](p.in) }

// Out is the plan's output, typed like In.
func Out[T float32 | float64 | complex64 | complex128](p *Plan) []T { return values[T](p.out) }

func values[T float32 | float64 | complex64 | complex128](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// FFT is a peer that transforms.
type FFT interface {
	Name() string
	// Plan prepares a transform, as well as the peer knows how to. Planning
	// may overwrite the plan's buffers: fill them afterwards.
	Plan(Transform) (*Plan, error)
}

// OpenFFT opens the peer of that name: "fftw", "mkl" or "vdsp".
func OpenFFT(name string) (FFT, error) {
	switch name {
	case "fftw":
		return openFFTW()
	case "mkl":
		return openMKL()
	case "vdsp":
		return openVDSP()
	}
	return nil, errors.New("peer: open: no peer is called " + name + "; there are fftw, mkl and vdsp")
}
