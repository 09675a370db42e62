//go:build (linux || darwin || freebsd) && (amd64 || arm64)

package peer

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func dlopen(path string) (uintptr, error) {
	runtime.LockOSThread() // what failed is remembered for the thread
	defer runtime.UnlockOSThread()
	// Global: MKL opens its own parts later and looks up symbols across them.
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func dlsym(handle uintptr, name string) (uintptr, error) { return purego.Dlsym(handle, name) }

// call calls a C function with integer and pointer arguments.
func call(function uintptr, args ...uintptr) uintptr {
	result, _, _ := purego.SyscallN(function, args...)
	return result
}
