//go:build linux && amd64

package cudatest

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// GPU is the first NVIDIA device of the machine.
type GPU struct {
	Arch string // as NVRTC wants it

	context    uintptr
	setCurrent func(ctx uintptr) int32
	load       func(module *uintptr, image *byte) int32
	unload     func(module uintptr) int32
	function   func(f *uintptr, module uintptr, name string) int32
	global     func(p, bytes *uintptr, module uintptr, name string) int32
	alloc      func(p *uintptr, bytes uintptr) int32
	free       func(p uintptr) int32
	toDevice   func(dst uintptr, src unsafe.Pointer, bytes uintptr) int32
	toHost     func(dst unsafe.Pointer, src uintptr, bytes uintptr) int32
	launch     func(f uintptr, gx, gy, gz, bx, by, bz, shared uint32, stream uintptr, params, extra uintptr) int32
	sync       func() int32
}

// OpenGPU finds libcuda and the device.
var OpenGPU = sync.OnceValues(func() (*GPU, error) {
	lib, err := purego.Dlopen("libcuda.so.1", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, errors.New("libcuda not found: no NVIDIA GPU here")
	}
	g := &GPU{}
	var initialise func(flags uint32) int32
	var device func(d *int32, index int32) int32
	var attribute func(v *int32, a, d int32) int32
	var retain func(ctx *uintptr, d int32) int32
	purego.RegisterLibFunc(&initialise, lib, "cuInit")
	purego.RegisterLibFunc(&device, lib, "cuDeviceGet")
	purego.RegisterLibFunc(&attribute, lib, "cuDeviceGetAttribute")
	purego.RegisterLibFunc(&retain, lib, "cuDevicePrimaryCtxRetain")
	purego.RegisterLibFunc(&g.setCurrent, lib, "cuCtxSetCurrent")
	purego.RegisterLibFunc(&g.load, lib, "cuModuleLoadData")
	purego.RegisterLibFunc(&g.unload, lib, "cuModuleUnload")
	purego.RegisterLibFunc(&g.function, lib, "cuModuleGetFunction")
	purego.RegisterLibFunc(&g.global, lib, "cuModuleGetGlobal_v2")
	purego.RegisterLibFunc(&g.alloc, lib, "cuMemAlloc_v2")
	purego.RegisterLibFunc(&g.free, lib, "cuMemFree_v2")
	purego.RegisterLibFunc(&g.toDevice, lib, "cuMemcpyHtoD_v2")
	purego.RegisterLibFunc(&g.toHost, lib, "cuMemcpyDtoH_v2")
	purego.RegisterLibFunc(&g.launch, lib, "cuLaunchKernel")
	purego.RegisterLibFunc(&g.sync, lib, "cuCtxSynchronize")
	var d, major, minor int32
	if code := initialise(0); code != 0 {
		return nil, fmt.Errorf("cuInit: error %d", code)
	}
	if code := device(&d, 0); code != 0 {
		return nil, fmt.Errorf("cuDeviceGet: error %d", code)
	}
	attribute(&major, 75, d) // compute capability
	attribute(&minor, 76, d)
	g.Arch = fmt.Sprintf("compute_%d%d", major, minor)
	if code := retain(&g.context, d); code != 0 {
		return nil, fmt.Errorf("cuDevicePrimaryCtxRetain: error %d", code)
	}
	return g, nil
})

// Run launches a kernel over blocks and waits for it. An argument is an int32,
// a uint32, a uint64, or a []byte that is copied to the device and back.
func (g *GPU) Run(ptx []byte, kernel string, blocks, block [3]int, args ...any) error {
	return g.RunReading(nil, ptx, kernel, blocks, block, args...)
}

// RunReading is Run that reads variables of the module afterwards, by name.
func (g *GPU) RunReading(variables map[string][]byte, ptx []byte, kernel string, blocks, block [3]int, args ...any) (err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	check := func(what string, code int32) {
		if code != 0 && err == nil {
			err = fmt.Errorf("%s: error %d", what, code)
		}
	}
	check("cuCtxSetCurrent", g.setCurrent(g.context))
	var module, f uintptr
	check("cuModuleLoadData", g.load(&module, &ptx[0]))
	if err != nil {
		return err
	}
	defer g.unload(module)
	check("cuModuleGetFunction", g.function(&f, module, kernel))

	// Every argument has a word of its own; the driver reads as much of it as
	// the parameter has.
	words := make([]uint64, len(args))
	ptrs := make([]uintptr, len(args))
	var pinned runtime.Pinner
	defer pinned.Unpin()
	pinned.Pin(&words[0])
	memory := make([]uintptr, len(args))
	for i, a := range args {
		ptrs[i] = uintptr(unsafe.Pointer(&words[i]))
		switch a := a.(type) {
		case int32:
			words[i] = uint64(uint32(a))
		case uint32:
			words[i] = uint64(a)
		case uint64:
			words[i] = a
		case []byte:
			check("cuMemAlloc", g.alloc(&memory[i], uintptr(max(len(a), 16))))
			defer func() { g.free(memory[i]) }()
			if len(a) > 0 {
				check("cuMemcpyHtoD", g.toDevice(memory[i], unsafe.Pointer(&a[0]), uintptr(len(a))))
			}
			words[i] = uint64(memory[i])
		}
	}
	if err != nil {
		return err
	}
	pinned.Pin(&ptrs[0])
	check("cuLaunchKernel", g.launch(f, uint32(blocks[0]), uint32(blocks[1]), uint32(blocks[2]),
		uint32(block[0]), uint32(block[1]), uint32(block[2]), 0, 0, uintptr(unsafe.Pointer(&ptrs[0])), 0))
	check("cuCtxSynchronize", g.sync())
	for i, a := range args {
		if b, ok := a.([]byte); ok && len(b) > 0 {
			check("cuMemcpyDtoH", g.toHost(unsafe.Pointer(&b[0]), memory[i], uintptr(len(b))))
		}
	}
	for name, b := range variables {
		var p, bytes uintptr
		check("cuModuleGetGlobal", g.global(&p, &bytes, module, name))
		check("cuMemcpyDtoH", g.toHost(unsafe.Pointer(&b[0]), p, min(bytes, uintptr(len(b)))))
	}
	return err
}
