package vec

import (
	"fmt"
	"unsafe"
)

// tile is the side of the squares a transpose goes by, in elements: a column
// of cache lines of one side and a row of the other stay in L1 together.
const tile = 16

func transpose(size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int, _ bool) {
	switch size {
	case 1:
		transposeOf[uint8](dst, src, dstStride, srcStride, rows, cols)
	case 2:
		transposeOf[uint16](dst, src, dstStride, srcStride, rows, cols)
	case 4:
		transposeOf[uint32](dst, src, dstStride, srcStride, rows, cols)
	case 8:
		transposeOf[uint64](dst, src, dstStride, srcStride, rows, cols)
	case 16:
		transposeOf[wide](dst, src, dstStride, srcStride, rows, cols)
	default:
		panic(fmt.Sprintf("vec: transpose: element of %d bytes", size))
	}
}

func transposeOf[T any](dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	down, across := dstStride*size, srcStride*size
	for r0 := 0; r0 < rows; r0 += tile {
		r1 := min(r0+tile, rows)
		for c0 := 0; c0 < cols; c0 += tile {
			c1 := min(c0+tile, cols)
			for c := c0; c < c1; c++ {
				to := unsafe.Slice((*T)(unsafe.Add(dst, c*down+r0*size)), r1-r0)
				from := unsafe.Add(src, r0*across+c*size)
				for i := range to {
					to[i] = *(*T)(unsafe.Add(from, i*across))
				}
			}
		}
	}
}
