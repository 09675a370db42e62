//go:build linux

package render_test

import (
	"runtime"
	"unsafe"
)

// pin gives C the addresses of texts and keeps them in place.
func pin(texts [][]byte, ptrs []uintptr) *runtime.Pinner {
	p := &runtime.Pinner{}
	for i, t := range texts {
		p.Pin(&t[0])
		ptrs[i] = uintptr(unsafe.Pointer(&t[0]))
	}
	return p
}
