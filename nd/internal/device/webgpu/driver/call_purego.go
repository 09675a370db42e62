//go:build (linux || darwin) && (amd64 || arm64) && !nogpu

package driver

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

func openLibrary(path string) (uintptr, error) {
	runtime.LockOSThread() // what failed is remembered for the thread
	defer runtime.UnlockOSThread()
	return purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// call calls a C function with integer and pointer arguments.
//
//go:uintptrescapes
func call(function uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(function, args...)
	return r
}

// callWith calls a function whose last parameter is a callbackInfo by value. It has
// more than two words: on amd64 it lies on the stack, behind the registers whether
// those are used or not; on arm64 its address is passed.
//
//go:uintptrescapes
func callWith(function uintptr, info *callbackInfo, args ...uintptr) {
	const registers = 6 // for integers, in the System V ABI
	if runtime.GOARCH == "amd64" {
		list := make([]uintptr, registers, registers+5)
		copy(list, args)
		list = append(list, 0, uintptr(info.mode), info.callback, info.user1, info.user2)
		purego.SyscallN(function, list...)
		return
	}
	purego.SyscallN(function, append(append([]uintptr(nil), args...), uintptr(unsafe.Pointer(info)))...)
	runtime.KeepAlive(info)
}

// A message is two words in registers.
var twoWords = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(a, b, text, length, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a, b, textAt(text, length)})
		return 0
	})
})

var oneWord = sync.OnceValue(func() uintptr {
	return purego.NewCallback(func(a, text, length, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a: a, message: textAt(text, length)})
		return 0
	})
})
