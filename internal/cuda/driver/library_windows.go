//go:build windows && (amd64 || arm64) && !nogpu

package driver

import "syscall"

func openLibrary(path string) (uintptr, error) {
	h, err := syscall.LoadLibrary(path)
	return uintptr(h), err
}

func symbol(library uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(library), name)
}

// call calls a C function with integer and pointer arguments.
//
//go:uintptrescapes
func call(function uintptr, args ...uintptr) Result {
	r, _, _ := syscall.SyscallN(function, args...)
	return Result(int32(r))
}

// hot is call without an allocation. No argument may be the address of a Go
// variable, unless that is known to be on the heap.
func hot(function uintptr, args ...uintptr) Result {
	list := lists.Get().(*[mostArgs]uintptr)
	n := copy(list[:], args)
	r, _, _ := syscall.SyscallN(function, list[:n]...)
	lists.Put(list)
	return Result(int32(r))
}

var (
	driverNames   = []string{"nvcuda.dll"}
	compilerNames = []string{"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"}
	compilerGlob  = "nvrtc64_*_0.dll"
)
