package fft

import "unsafe"

// span is where a slice lies in memory.
type span struct{ start, end uintptr }

func spanOf[T any](s []T) span {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(s)))
	var zero T
	return span{start, start + uintptr(len(s))*unsafe.Sizeof(zero)}
}

// overlaps reports whether two spans share a byte.
func (a span) overlaps(b span) bool { return a.start < b.end && b.start < a.end }

// partly reports whether two spans overlap without being the same.
func (a span) partly(b span) bool { return a != b && a.overlaps(b) }
