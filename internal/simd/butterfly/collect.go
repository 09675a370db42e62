package butterfly

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Collect moves elements of 4, 8 or 16 bytes from the given places of src, one after the other, to
// dst. Both ways that is faster than to scatter them: what is not in the first cache is read in any
// order, but written in order.
func Collect(level simd.Level, dst, src unsafe.Pointer, places []int32, size int) {
	done := collectVector(level, dst, src, places, size)
	if done == len(places) {
		return
	}
	dst, places = unsafe.Add(dst, done*size), places[done:]
	switch size {
	case 4:
		collectOf[uint32](dst, src, places)
	case 8:
		collectOf[uint64](dst, src, places)
	case 16:
		collectOf[[2]uint64](dst, src, places)
	}
}

func collectOf[T any](dst, src unsafe.Pointer, places []int32) {
	to := unsafe.Slice((*T)(dst), len(places))
	from := func(k int32) T { return *(*T)(unsafe.Add(src, uintptr(uint32(k))*unsafe.Sizeof(to[0]))) }
	for len(places) >= 4 {
		p, four := (*[4]int32)(places), (*[4]T)(to)
		four[0], four[1], four[2], four[3] = from(p[0]), from(p[1]), from(p[2]), from(p[3])
		places, to = places[4:], to[4:]
	}
	for j, k := range places {
		to[j] = from(k)
	}
}
