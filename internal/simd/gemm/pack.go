package gemm

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// packRun does to[p*width+i] = src(i, p) for i < count and p < depth, and fills
// the columns from count to width with zeros. whole is for runs of whole
// vectors, or nil.
func packRun[R float32 | float64](level simd.Level, whole strip, to []R, width int, src source[R], count, depth int) {
	size := int(unsafe.Sizeof(to[0]))
	if src.row == 1 && whole != nil {
		units := size / 4
		whole((*float32)(unsafe.Pointer(&to[0])), (*float32)(src.base), src.col*units, depth, count*units)
		return
	}
	if count < width {
		clear(to)
	}
	switch {
	case src.row == 0: // every row is the same
		for p := range depth {
			line, v := to[p*width:][:count], *src.at(0, p)
			for i := range line {
				line[i] = v
			}
		}
	case src.row == 1:
		for p := range depth {
			copy(to[p*width:][:count], unsafe.Slice(src.at(0, p), count))
		}
	case src.col == 1 && src.row > 0:
		vec.For(level).Move.Transpose(size, unsafe.Pointer(&to[0]), src.base, width, src.row, count, depth, false)
	default:
		for p := range depth {
			line := to[p*width:][:count]
			from := unsafe.Pointer(src.at(0, p))
			for i := range line {
				line[i] = *(*R)(unsafe.Add(from, i*src.row*size))
			}
		}
	}
}

// packPairs packs rows of a complex matrix: the real parts of a column make
// one step, the imaginary parts the next.
func packPairs[R float32 | float64](to []R, src source[R], row, rows, col, cols int) {
	for p := range cols {
		re, im := to[2*p*rows:][:rows], to[(2*p+1)*rows:][:rows]
		for i := range re {
			z := (*[2]R)(unsafe.Pointer(src.at(row+i, col+p)))
			re[i], im[i] = z[0], z[1]
		}
	}
}

// packBlocks packs columns of a complex matrix, each element as the block
// (re im; -im re).
func packBlocks[R float32 | float64](to []R, width int, src source[R], col, cols, row, rows int) {
	if 2*cols < width {
		clear(to)
	}
	for p := range rows {
		up, down := to[2*p*width:][:2*cols], to[(2*p+1)*width:][:2*cols]
		for j := range cols {
			z := (*[2]R)(unsafe.Pointer(src.at(row+p, col+j)))
			up[2*j], up[2*j+1] = z[0], z[1]
			down[2*j], down[2*j+1] = -z[1], z[0]
		}
	}
}
