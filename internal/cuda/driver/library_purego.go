//go:build linux && (amd64 || arm64) && !nogpu

package driver

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// Local: the libraries are used through addresses only, and a process may have
// others of the same name.
func openLibrary(path string) (uintptr, error) {
	runtime.LockOSThread() // what failed is remembered for the thread
	defer runtime.UnlockOSThread()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// call calls a C function with integer and pointer arguments.
//
//go:uintptrescapes
func call(function uintptr, args ...uintptr) Result {
	r, _, _ := purego.SyscallN(function, args...)
	return Result(int32(r))
}

// hot is call without an allocation. No argument may be the address of a Go
// variable, unless that is known to be on the heap.
func hot(function uintptr, args ...uintptr) Result {
	list := lists.Get().(*[mostArgs]uintptr)
	n := copy(list[:], args)
	r, _, _ := purego.SyscallN(function, list[:n]...)
	lists.Put(list)
	return Result(int32(r))
}

var (
	driverNames   = []string{"libcuda.so.1", "libcuda.so"}
	compilerNames = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}
	compilerGlob  = "libnvrtc.so*"
)
