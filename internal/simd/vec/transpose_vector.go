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
		kernel = s.by1.turner(1)
	case 2:
		kernel = s.by2.turner(2)
	case 4:
		kernel = s.by4
	case 8:
		kernel = s.by8
	case 16:
		kernel = s.by16
	default:
		panic(fmt.Sprintf("vec: transpose: element of %d bytes", size))
	}
	stream = stream && size > 2 && (uintptr(dst)|uintptr(down))%64 == 0
	if !stream && cols > claimRows && down >= claimStep && (cols-1)*down >= claimFrom {
		kernel.claiming(size, dst, src, down, across, rows, cols)
		return
	}
	for c := 0; c < cols; c += pages {
		kernel((*byte)(unsafe.Add(dst, c*down)), (*byte)(unsafe.Add(src, c*size)), down, across, rows, min(pages, cols-c), stream)
	}
}

// Rows of dst this far apart, in all of it, are claimed before they are written: stores wait
// for memory one after the other, so columns of 1024 x 513 complex128 took 8.4 ms instead of 4.4.
// On 12 cores, loads instead took 0.8 ms where claims take 0.5, of spectra that others wrote last.
// Nearer rows are in a cache, and processors fetch nearer or fewer ones by themselves.
const (
	claimStep = 256
	claimFrom = 1 << 20
	claimRun  = 1024 // bytes of a row that are claimed and written together
	claimRows = 16   // rows of a block; the next is claimed while one is written
)

// claiming is a turner in blocks, each of which is claimed while the one before it is written.
func (kernel turner) claiming(size int, dst, src unsafe.Pointer, down, across, rows, cols int) {
	for r := 0; r < rows; r += claimRun / size {
		to, from, n := unsafe.Add(dst, r*size), unsafe.Add(src, r*across), min(claimRun/size, rows-r)
		claim(to, down, claimRows, n*size)
		for c := 0; c < cols; c += claimRows {
			if next := c + claimRows; next < cols {
				claim(unsafe.Add(to, next*down), down, min(claimRows, cols-next), n*size)
			}
			kernel((*byte)(unsafe.Add(to, c*down)), (*byte)(unsafe.Add(from, c*size)), down, across, n, min(claimRows, cols-c), false)
		}
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

// turner leaves what is not a multiple of 8 to the portable kernel.
func (kernel smallTurner) turner(size int) turner {
	return func(dst, src *byte, down, across, rows, cols int, _ bool) {
		fullRows, fullCols := rows&^7, cols&^7
		kernel(dst, src, down, across, fullRows, fullCols)
		to, from := unsafe.Pointer(dst), unsafe.Pointer(src)
		if fullCols < cols {
			transpose(size, unsafe.Add(to, fullCols*down), unsafe.Add(from, fullCols*size), down/size, across/size, rows, cols-fullCols, false)
		}
		if fullRows < rows {
			transpose(size, unsafe.Add(to, fullRows*size), unsafe.Add(from, fullRows*across), down/size, across/size, rows-fullRows, fullCols, false)
		}
	}
}
