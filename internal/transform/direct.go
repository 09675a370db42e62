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
	whole butterfly.Kernel
	pass  *butterfly.Pass
}

// newDirect is the transform of a Direct recipe.
func newDirect[R butterfly.Float](s shape, n int) line {
	if n == 1 {
		return empty{s}
	}
	kernel, lanes := butterfly.Whole[R](s.level, n)
	radices, turn := []int{n}, 0
	if n > butterfly.MaxRadix {
		radices, turn = directRadices(n, butterfly.Lanes(s.level, 8*s.size))
	}
	c := newChain[R](s, radices, turn)
	if kernel == nil {
		return c
	}
	table := roots.Of(n)
	var w []R
	for j := 1; j < n/lanes; j++ {
		w = appendLanes(w, table, 0, j, lanes)
	}
	return &direct{c, kernel, &butterfly.Pass{Rows: 1, Twiddle: unsafe.Pointer(unsafe.SliceData(w))}}
}

// directRadices splits a power of two for the cases that have no kernel.
func directRadices(n, lanes int) (radices []int, turn int) {
	if lanes > 1 && n >= lanes*lanes {
		radices, turn, n = append(radices, lanes), 1, n/lanes
	}
	for n > 16 {
		radices, n = append(radices, 8), n/8
	}
	return append(radices, n), turn
}

func (d *direct) run(dst, src view, work unsafe.Pointer, scale float64) {
	if dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved {
		d.whole(d.pass, dst.re, dst.im, src.re, src.im, scale)
		return
	}
	d.chain.run(dst, src, work, scale)
}
