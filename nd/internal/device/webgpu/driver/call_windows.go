//go:build windows && (amd64 || arm64) && !nogpu

package driver

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

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
func call(function uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(function, args...)
	return r
}

// callWith calls a function whose last parameter is a callbackInfo by value, which
// is passed by its address.
func callWith(function uintptr, info *callbackInfo, args ...uintptr) {
	p := *info
	_, _, _ = syscall.SyscallN(function, append(append([]uintptr(nil), args...), uintptr(unsafe.Pointer(&p)))...)
	runtime.KeepAlive(&p)
}

// A message is passed by its address, too, on amd64; it is two words on arm64.
func messageAt(p uintptr) string {
	v := (*(**stringView)(unsafe.Pointer(&p)))
	return v.String()
}

var twoWords = sync.OnceValue(func() uintptr {
	if runtime.GOARCH == "arm64" {
		return syscall.NewCallback(func(a, b, text, length, user1, user2 uintptr) uintptr {
			deliver(user1, outcome{a, b, textAt(text, length)})
			return 0
		})
	}
	return syscall.NewCallback(func(a, b, message, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a, b, messageAt(message)})
		return 0
	})
})

var oneWord = sync.OnceValue(func() uintptr {
	if runtime.GOARCH == "arm64" {
		return syscall.NewCallback(func(a, text, length, user1, user2 uintptr) uintptr {
			deliver(user1, outcome{a: a, message: textAt(text, length)})
			return 0
		})
	}
	return syscall.NewCallback(func(a, message, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a: a, message: messageAt(message)})
		return 0
	})
})
