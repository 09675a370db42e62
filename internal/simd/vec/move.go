package vec

import (
	"fmt"
	"unsafe"
)

// wide is an element of 16 bytes.
type wide [2]uint64

func fill[T uint32 | uint64](dst []T, v T, _ bool) {
	for i := range dst {
		dst[i] = v
	}
}

func gather(size int, dst, src unsafe.Pointer, stride, n int) {
	switch size {
	case 1:
		gatherOf[uint8](dst, src, stride, n)
	case 2:
		gatherOf[uint16](dst, src, stride, n)
	case 4:
		gatherOf[uint32](dst, src, stride, n)
	case 8:
		gatherOf[uint64](dst, src, stride, n)
	case 16:
		gatherOf[wide](dst, src, stride, n)
	default:
		panic(fmt.Sprintf("vec: gather: element of %d bytes", size))
	}
}

func gatherOf[T any](dst, src unsafe.Pointer, stride, n int) {
	to := unsafe.Slice((*T)(dst), max(n, 0))
	step := stride * int(unsafe.Sizeof(to[0]))
	i := 0
	// Four independent addresses at a time: the additions to one pointer
	// would wait for each other.
	for ; i+4 <= len(to); i += 4 {
		p := unsafe.Add(src, i*step)
		quad := to[i : i+4 : i+4]
		quad[0] = *(*T)(p)
		quad[1] = *(*T)(unsafe.Add(p, step))
		quad[2] = *(*T)(unsafe.Add(p, 2*step))
		quad[3] = *(*T)(unsafe.Add(p, 3*step))
	}
	for ; i < len(to); i++ {
		to[i] = *(*T)(unsafe.Add(src, i*step))
	}
}

func scatter(size int, dst, src unsafe.Pointer, stride, n int) {
	switch size {
	case 1:
		scatterOf[uint8](dst, src, stride, n)
	case 2:
		scatterOf[uint16](dst, src, stride, n)
	case 4:
		scatterOf[uint32](dst, src, stride, n)
	case 8:
		scatterOf[uint64](dst, src, stride, n)
	case 16:
		scatterOf[wide](dst, src, stride, n)
	default:
		panic(fmt.Sprintf("vec: scatter: element of %d bytes", size))
	}
}

func scatterOf[T any](dst, src unsafe.Pointer, stride, n int) {
	from := unsafe.Slice((*T)(src), max(n, 0))
	step := stride * int(unsafe.Sizeof(from[0]))
	for i, v := range from {
		*(*T)(unsafe.Add(dst, i*step)) = v
	}
}
