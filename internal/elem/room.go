package elem

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// roomFrom is the size from which it matters that memory is not cleared first: one
// core clears it no faster than a GPU fills it.
const roomFrom = 1 << 20

// Room gives memory for n elements whose contents are undefined where there are many.
// The caller sets all of them.
func Room[T Value](n int) []T {
	var zero T
	size := n * int(unsafe.Sizeof(zero))
	if size < roomFrom {
		return make([]T, n)
	}
	// The only memory that the standard library gives without clearing it.
	var b strings.Builder
	b.Grow(size)
	b.WriteByte(0)
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.StringData(b.String()))), n)
}

// clonePart is what a goroutine copies at least.
const clonePart = 4 << 20

// Clone copies bytes, with several goroutines if they are many: most of the time goes
// into pages that are touched for the first time.
func Clone(b []byte) []byte {
	parts := min(len(b)/clonePart, runtime.GOMAXPROCS(0), 8)
	if parts < 2 {
		return bytes.Clone(b)
	}
	c := Room[byte](len(b))
	var wg sync.WaitGroup
	for i := range parts {
		from, to := i*len(b)/parts, (i+1)*len(b)/parts
		wg.Go(func() { copy(c[from:to], b[from:to]) })
	}
	wg.Wait()
	return c
}
