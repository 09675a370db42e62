package driver

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// windowsABI is Microsoft's for amd64: a struct of more than a word is passed by its
// address.
const windowsABI = runtime.GOOS == "windows" && runtime.GOARCH == "amd64"

// callWith calls a function whose last parameter is a callbackInfo by value. It has
// more than two words: in the System V ABI of amd64 it lies on the stack, behind the
// registers whether those are used or not; elsewhere its address is passed.
//
//go:uintptrescapes
func callWith(function uintptr, info *callbackInfo, args ...uintptr) {
	const registers = 6 // for integers, in the System V ABI
	if runtime.GOARCH == "amd64" && !windowsABI {
		list := make([]uintptr, registers, registers+5)
		copy(list, args)
		clib.Call(function, append(list, 0, uintptr(info.mode), info.callback, info.user1, info.user2)...)
		return
	}
	p := *info
	clib.Call(function, append(append([]uintptr(nil), args...), uintptr(unsafe.Pointer(&p)))...)
	runtime.KeepAlive(&p)
}

// twoWords is the callback of results with two words and a message, which is two
// words in registers.
var twoWords = sync.OnceValue(func() uintptr {
	if windowsABI {
		return clib.Callback(func(a, b, message, user1, user2 uintptr) uintptr {
			deliver(user1, outcome{a, b, messageAt(message)})
			return 0
		})
	}
	return clib.Callback(func(a, b, text, length, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a, b, textAt(text, length)})
		return 0
	})
})

// oneWord is that of results with one word.
var oneWord = sync.OnceValue(func() uintptr {
	if windowsABI {
		return clib.Callback(func(a, message, user1, user2 uintptr) uintptr {
			deliver(user1, outcome{a: a, message: messageAt(message)})
			return 0
		})
	}
	return clib.Callback(func(a, text, length, user1, user2 uintptr) uintptr {
		deliver(user1, outcome{a: a, message: textAt(text, length)})
		return 0
	})
})

// messageAt copies a message that is passed by its address.
func messageAt(p uintptr) string { return (*(**stringView)(unsafe.Pointer(&p))).String() }
