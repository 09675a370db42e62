//go:build amd64 || arm64

package vec

import (
	"fmt"
	"unsafe"
)

// turner transposes a rectangle of elements of one size; strides are in bytes.
// With stream, dst and dstStride are multiples of 64.
type turner func(dst, src *byte, dstStride, srcStride, rows, cols int, stream bool)

// squares transposes with the assembly of one level. The kernels go along bands
// of rows; cutting the columns into blocks bounds the pages that one band
// writes to.
type squares struct {
	by1, by2       smallTurner
	by4, by8, by16 turner
}

// smallTurner is turner for multiples of 8 rows and columns.
type smallTurner func(dst, src *byte, dstStride, srcStride, rows, cols int)

// pages is how many rows of dst a block may write to: of the 1024 and more
// entries of a second-level TLB, half.
const pages = 512

func (s squares) transpose(size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int, stream bool) {
	if rows <= 0 || cols <= 0 {
		return
	}
	down, across := dstStride*size, srcStride*size
	var kernel turner
	switch size {
	case 1:
		transposeSmall(s.by1, size, dst, src, dstStride, srcStride, rows, cols)
		return
	case 2:
		transposeSmall(s.by2, size, dst, src, dstStride, srcStride, rows, cols)
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
	stream = stream && (uintptr(dst)|uintptr(down))%64 == 0
	for c := 0; c < cols; c += pages {
		kernel((*byte)(unsafe.Add(dst, c*down)), (*byte)(unsafe.Add(src, c*size)), down, across, rows, min(pages, cols-c), stream)
	}
}

// byLines is a turner whose tiles are half a cache line wide: stores that pass
// by the caches are many times slower than others unless they fill lines. The
// part of the rectangle that does goes to lines, the rest is not streamed.
func byLines(size int, lines func(dst, src *byte, dstStride, srcStride, rows, cols int), rest turner) turner {
	perLine, perTile := 64/size, min(32/size, 4)
	return func(dst, src *byte, dstStride, srcStride, rows, cols int, stream bool) {
		if !stream {
			rest(dst, src, dstStride, srcStride, rows, cols, false)
			return
		}
		fullRows, fullCols := rows&^(perLine-1), cols&^(perTile-1)
		lines(dst, src, dstStride, srcStride, fullRows, fullCols)
		at := func(p *byte, offset int) *byte { return (*byte)(unsafe.Add(unsafe.Pointer(p), offset)) }
		// Where nothing is left, at would be past the end of memory.
		if fullCols < cols {
			rest(at(dst, fullCols*dstStride), at(src, fullCols*size), dstStride, srcStride, rows, cols-fullCols, false)
		}
		if fullRows < rows {
			rest(at(dst, fullRows*size), at(src, fullRows*srcStride), dstStride, srcStride, rows-fullRows, fullCols, false)
		}
	}
}

// transposeSmall leaves what is not a multiple of 8 to the portable kernel.
func transposeSmall(kernel smallTurner, size int, dst, src unsafe.Pointer, dstStride, srcStride, rows, cols int) {
	down, across := dstStride*size, srcStride*size
	fullRows, fullCols := rows&^7, cols&^7
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
