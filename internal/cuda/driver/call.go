package driver

import "github.com/twiddle-go/twiddle/internal/clib"

// call calls a function of the libraries.
//
//go:uintptrescapes
func call(function uintptr, args ...uintptr) Result {
	return Result(int32(clib.Call(function, args...)))
}

// hot is call without an allocation. No argument may be the address of a Go
// variable, unless that is known to be on the heap.
func hot(function uintptr, args ...uintptr) Result {
	return Result(int32(clib.CallHot(function, args...)))
}
