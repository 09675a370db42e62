//go:build (linux || darwin) && (amd64 || arm64)

package clib

import (
	"runtime"

	"github.com/ebitengine/purego"
)

func open(path string, scope Scope) (uintptr, error) {
	runtime.LockOSThread() // what failed is remembered for the thread
	defer runtime.UnlockOSThread()
	if scope == Global {
		return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	}
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func lookup(library uintptr, name string) uintptr {
	address, err := purego.Dlsym(library, name)
	if err != nil {
		return 0
	}
	return address
}

func enter(function uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(function, args...)
	return r
}

func callback(f any) uintptr { return purego.NewCallback(f) }
