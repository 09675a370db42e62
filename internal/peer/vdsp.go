package peer

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// ErrUnsupported is what a plan for a transform that a peer does not have wraps.
var ErrUnsupported = errors.New("no such transform")

// vdsp is Apple's library, whose transforms of interleaved complex numbers are
// there since macOS 12. It runs on one thread.
type vdsp struct{ single, double vdspFunctions }

type vdspFunctions struct{ create, execute, destroy uintptr }

// From vDSP.h.
const (
	vdspForward          = 1
	vdspInverse          = ^uintptr(0) // -1
	vdspComplexToComplex = 0
)

var openVDSP = sync.OnceValues(func() (FFT, error) {
	lib, err := open("vdsp", "TWIDDLE_VDSP", "/System/Library/Frameworks/Accelerate.framework/Accelerate")
	if err != nil {
		return nil, err
	}
	var v vdsp
	for suffix, f := range map[string]*vdspFunctions{"": &v.single, "D": &v.double} {
		if err := lib.symbols(map[string]*uintptr{
			"vDSP_DFT_Interleaved_CreateSetup" + suffix:  &f.create,
			"vDSP_DFT_Interleaved_Execute" + suffix:      &f.execute,
			"vDSP_DFT_Interleaved_DestroySetup" + suffix: &f.destroy,
		}); err != nil {
			return nil, err
		}
	}
	return &v, nil
})

func (*vdsp) Name() string { return "vdsp" }

// Plan has complex transforms of 1, 3, 5 or 15 times a power of two: real ones are
// packed in another way than ours.
func (v *vdsp) Plan(t Transform) (*Plan, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	if t.Real || t.Threads > 1 {
		return nil, fmt.Errorf("peer: vdsp: real transforms or several threads: %w", ErrUnsupported)
	}
	f := v.double
	if t.Bits == 32 {
		f = v.single
	}
	direction := uintptr(vdspForward)
	if t.Inverse {
		direction = vdspInverse
	}
	setup := clib.Call(f.create, 0, uintptr(t.N), direction, vdspComplexToComplex)
	if setup == 0 {
		return nil, fmt.Errorf("peer: vdsp: length %d: %w", t.N, ErrUnsupported)
	}
	p := newPlan(t)
	in, out := t.lineBytes()
	p.run = func(reps int) {
		if t.Batch == 1 {
			repeat(reps, f.execute, setup, address(p.in), address(p.out))
		} else {
			for range reps {
				for b := range t.Batch {
					clib.Call(f.execute, setup, address(p.in[b*in:]), address(p.out[b*out:]))
				}
			}
		}
		runtime.KeepAlive(p)
	}
	p.destroy = func() { clib.Call(f.destroy, setup) }
	return p, nil
}
