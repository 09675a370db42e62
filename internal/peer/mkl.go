package peer

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// MKL's DFTI constants, from mkl_dfti.h.
const (
	dftiNumberOfTransforms   = 7
	dftiConjugateEvenStorage = 10
	dftiPlacement            = 11
	dftiInputStrides         = 12
	dftiOutputStrides        = 13
	dftiInputDistance        = 14
	dftiOutputDistance       = 15
	dftiThreadLimit          = 27
	dftiComplex              = 32
	dftiReal                 = 33
	dftiComplexComplex       = 39
	dftiNotInPlace           = 44
)

type mkl struct {
	createSingle, createDouble  uintptr
	set, commit, free, setCount uintptr
	forward, backward           uintptr
}

var openMKL = sync.OnceValues(func() (FFT, error) {
	// Its kernels call the C library's cbrt (at 44100 and other lengths) without naming the
	// library that has it; where that has another name, they may find it without help.
	_, _ = clib.Open("libm.so.6", clib.Global)
	lib, err := open("mkl", "TWIDDLE_MKL", "libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so.1", "libmkl_rt.so", "libmkl_rt.2.dylib")
	if err != nil {
		return nil, err
	}
	var m mkl
	if err := lib.symbols(map[string]*uintptr{
		"DftiCreateDescriptor_s_1d": &m.createSingle,
		"DftiCreateDescriptor_d_1d": &m.createDouble,
		"DftiSetValue":              &m.set,
		"DftiCommitDescriptor":      &m.commit,
		"DftiFreeDescriptor":        &m.free,
		"DftiComputeForward":        &m.forward,
		"DftiComputeBackward":       &m.backward,
		"MKL_Set_Num_Threads":       &m.setCount,
	}); err != nil {
		return nil, err
	}
	return &m, nil
})

func (*mkl) Name() string { return "mkl" }

func (m *mkl) Plan(t Transform) (*Plan, error) {
	t, err := t.withDefaults()
	if err != nil {
		return nil, err
	}
	p := newPlan(t)
	create, domain := m.createDouble, uintptr(dftiComplex)
	if t.Bits == 32 {
		create = m.createSingle
	}
	if t.Real {
		domain = dftiReal
	}
	handle := new(uintptr)
	strides := &[2]int{0, 1}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(handle)
	pin.Pin(strides)
	var status uintptr
	step := func(result uintptr) {
		if status == 0 {
			status = result
		}
	}
	step(clib.Call(create, uintptr(unsafe.Pointer(handle)), domain, uintptr(t.N)))
	if status != 0 {
		return nil, fmt.Errorf("peer: mkl: DFTI status %d creating %+v", int32(status), t)
	}
	// The limit of a descriptor is capped by the library-wide count.
	clib.Call(m.setCount, uintptr(t.Threads))
	inDistance, outDistance := uintptr(t.N), uintptr(t.bins())
	if t.Inverse {
		inDistance, outDistance = outDistance, inDistance
	}
	// Distances count elements of each side's own kind (real or complex).
	step(clib.Call(m.set, *handle, dftiPlacement, dftiNotInPlace))
	step(clib.Call(m.set, *handle, dftiThreadLimit, uintptr(t.Threads)))
	step(clib.Call(m.set, *handle, dftiNumberOfTransforms, uintptr(t.Batch)))
	if t.Real {
		step(clib.Call(m.set, *handle, dftiConjugateEvenStorage, dftiComplexComplex))
		step(clib.Call(m.set, *handle, dftiInputStrides, uintptr(unsafe.Pointer(strides))))
		step(clib.Call(m.set, *handle, dftiOutputStrides, uintptr(unsafe.Pointer(strides))))
	}
	step(clib.Call(m.set, *handle, dftiInputDistance, inDistance))
	step(clib.Call(m.set, *handle, dftiOutputDistance, outDistance))
	step(clib.Call(m.commit, *handle))
	p.destroy = func() {
		clib.Call(m.free, uintptr(unsafe.Pointer(handle)))
		runtime.KeepAlive(handle)
	}
	if status != 0 {
		p.Close()
		return nil, fmt.Errorf("peer: mkl: DFTI status %d preparing %+v", int32(status), t)
	}
	compute := m.forward
	if t.Inverse {
		compute = m.backward
	}
	p.run = func(reps int) {
		repeat(reps, compute, *handle, address(p.in), address(p.out))
		runtime.KeepAlive(p)
	}
	return p, nil
}
