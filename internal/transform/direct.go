package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// direct transforms a whole line in registers, by one kernel. Only interleaved
// lines have such kernels; anything else goes through a chain.
type direct struct {
	*chain
	kernel butterfly.Kernel
	pass   *butterfly.Pass
}

// newDirect is the transform of a Direct recipe.
func newDirect[R butterfly.Float](s shape, n int) line {
	if n == 1 {
		return empty{s}
	}
	radices, turn := directRadices(n, butterfly.Lanes(s.level, 8*s.size))
	c := newChain[R](s, radices, turn)
	kernel, layout := butterfly.Whole[R](s.level, n)
	if kernel == nil {
		if kernel = butterfly.Short[R](s.level, n); kernel == nil {
			return c
		}
		return &direct{c, kernel, &butterfly.Pass{Rows: 1}}
	}
	return &direct{c, kernel, &butterfly.Pass{Rows: 1, Twiddle: wholeTwiddles[R](n, layout)}}
}

// wholeTwiddles is the table of a whole-line kernel.
func wholeTwiddles[R butterfly.Float](n int, l butterfly.Layout) unsafe.Pointer {
	table := roots.Of(n)
	var w []R
	for first := 0; first < n/l.Rows; first += len(l.Lanes) {
		for j := 1; j < l.Rows; j++ {
			w = appendMixed(w, table, j*first, j, l.Lanes)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// directRadices splits a length for the cases that have no kernel.
func directRadices(n, lanes int) (radices []int, turn int) {
	switch {
	case n <= 16 || n%4 != 0:
		return []int{n}, 0
	case n&(n-1) != 0:
		return []int{n / 4, 4}, 0
	}
	if lanes > 1 && n >= lanes*lanes {
		radices, turn, n = append(radices, lanes), 1, n/lanes
	}
	for n > 16 {
		radices, n = append(radices, 8), n/8
	}
	return append(radices, n), turn
}

func (d *direct) run(dst, src view, work unsafe.Pointer, scale float64) {
	if dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved && dst.exchanged() == src.exchanged() {
		d.kernel(d.pass, dst.re, dst.im, src.re, src.im, scale)
		return
	}
	d.chain.run(dst, src, work, scale)
}
