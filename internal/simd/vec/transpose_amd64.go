package vec

import (
	"fmt"
	"unsafe"
)

// squares transposes with assembly for one level. The kernels go along bands
// of rows; cutting the columns into blocks bounds the pages that one band
// writes to.
type squares struct {
	by4, by8, by16 func(dst, src *byte, dstStride, srcStride, rows, cols int, stream bool)

	// lines says that a tile writes whole cache lines. Stores that pass by
	// the caches are many times slower than others when they do not.
	lines bool
}

// pages is how many rows of dst a block may write to: of the 1024 and more
// entries of a second-level TLB, half.
const pages = 512

func (s squares) transpose(size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int, stream bool) {
	if rows <= 0 || cols <= 0 {
		return
	}
	down, across := dstStride*size, srcStride*size
	var kernel func(dst, src *byte, dstStride, srcStride, rows, cols int, stream bool)
	switch size {
	case 1, 2:
		transposeSmall(size, dst, src, dstStride, srcStride, rows, cols)
		return
	case 4:
		kernel = s.by4
	case 8:
		kernel = s.by8
	case 16:
		kernel = s.by16
	default:
		panic(fmt.Sprintf("vec: transpose: element of %d bytes", size))
	}
	stream = stream && s.lines && (uintptr(dst)|uintptr(down))%64 == 0
	for c := 0; c < cols; c += pages {
		kernel((*byte)(unsafe.Add(dst, c*down)), (*byte)(unsafe.Add(src, c*size)), down, across, rows, min(pages, cols-c), stream)
	}
}

// transposeSmall leaves what is not a multiple of 8 to the portable kernel.
func transposeSmall(size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int) {
	down, across := dstStride*size, srcStride*size
	fullRows, fullCols := rows&^7, cols&^7
	kernel := transpose1AVX2
	if size == 2 {
		kernel = transpose2AVX2
	}
	for c := 0; c < fullCols; c += pages {
		kernel((*byte)(unsafe.Add(dst, c*down)), (*byte)(unsafe.Add(src, c*size)), down, across, fullRows, min(pages, fullCols-c))
	}
	if fullCols < cols {
		transpose(size, unsafe.Add(dst, fullCols*down), unsafe.Add(src, fullCols*size), dstStride, srcStride, rows, cols-fullCols, false)
	}
	if fullRows < rows {
		transpose(size, unsafe.Add(dst, fullRows*size), unsafe.Add(src, fullRows*across), dstStride, srcStride, rows-fullRows, fullCols, false)
	}
}
