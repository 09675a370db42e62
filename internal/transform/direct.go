package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// direct transforms a whole line in registers, by one kernel. Only interleaved
// lines have such kernels; anything else goes through a chain.
type direct struct {
	line    // of passes
	n, size int
	kernel  butterfly.Kernel
	pass    *butterfly.Pass
	many    []butterfly.ManyKernel // for a batch of short lines
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
			if p := newPrime[R](s, n); p != nil {
				return p
			}
			return c
		}
		return &direct{c, n, s.size, kernel, &butterfly.Pass{Rows: 1}, butterfly.Many[R](s.level, n)}
	}
	return &direct{c, n, s.size, kernel, &butterfly.Pass{Rows: 1, Twiddle: wholeTwiddles[R](n, layout)}, nil}
}

// newComposed is a short line with a kernel that does the passes of a recipe in one piece, or nil.
// Batches go in lanes, through the passes, or one by one, and have the same bits.
func newComposed[R butterfly.Float](s shape, r *recipe.Recipe, passes line) line {
	kernel := butterfly.Composed[R](s.level, r.Radices)
	if kernel == nil || r.Turn > 0 {
		return passes
	}
	return &direct{passes, r.N, s.size, kernel, &butterfly.Pass{Rows: 1}, nil}
}

// oneByOne says that batches of such lines keep to the kernel. Its vectors are as wide as those of
// lanes there, and a line takes 0.6 to 0.95 of the instructions.
func (s shape) oneByOne() bool { return s.level == simd.NEON }

// wholeTwiddles is the table of a whole-line kernel.
func wholeTwiddles[R butterfly.Float](n int, l butterfly.Layout) unsafe.Pointer {
	if l.Tilted {
		return butterfly.TiltedTable[R](n, l)
	}
	table := roots.Of(n)
	var w []R
	for first := 0; first < n/l.Rows; first += l.Width() {
		for j := 1; j < l.Rows; j++ {
			w = appendMixed(w, table, j*first, j, l.Lanes)
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// directRadices splits a length for the cases that have no kernel.
func directRadices(n, lanes int) (radices []int, turn int) {
	switch {
	case n == 14: // the one radix below 16 that has no kernel at every level
		return []int{7, 2}, 0
	case n == 768:
		return []int{16, 4, 12}, min(1, lanes-1)
	case n == 1536:
		return []int{16, 8, 12}, min(1, lanes-1)
	case n == 3072:
		return []int{16, 12, 16}, min(1, lanes-1)
	case n <= 16 || n%4 != 0:
		return []int{n}, 0
	case n&(n-1) != 0:
		return []int{n / 4, 4}, 0
	case n == recipe.DirectAlone && lanes < 16:
		return []int{8, 16, 16}, min(1, lanes-1)
	case n == recipe.MaxDirect:
		return []int{16, 16, 16}, min(1, lanes-1)
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
	d.line.run(dst, src, work, scale)
}

// prime transforms lines of a prime length that has no kernel for a single line, in any
// form, with a kernel whose lanes are results.
type prime struct {
	kernel [2][2]butterfly.Kernel
	pass   *butterfly.Pass
}

// leastPrime is the shortest line that it is faster for than portable code.
const leastPrime = 11

// newPrime is nil where there is no such kernel.
func newPrime[R butterfly.Float](s shape, n int) *prime {
	level := s.level
	for level > simd.Portable && butterfly.Lanes(level, 8*s.size) > n {
		level--
	}
	if n < leastPrime || n%2 == 0 || n > butterfly.MaxRadix || butterfly.Prime[R](level, butterfly.Split, butterfly.Split) == nil {
		return nil
	}
	p := &prime{pass: &butterfly.Pass{Rows: 1, Cols: 1, InLeg: 1, OutLeg: 1, Factors: butterfly.PrimeTable[R](level, n)}}
	for load := range p.kernel {
		for store := range p.kernel[load] {
			p.kernel[load][store] = butterfly.Prime[R](level, butterfly.Form(load), butterfly.Form(store))
		}
	}
	return p
}

func (p *prime) workBytes() int { return 0 }

func (p *prime) run(dst, src view, _ unsafe.Pointer, scale float64) {
	p.kernel[src.form][dst.form](p.pass, dst.re, dst.im, src.re, src.im, scale)
}

func (p *prime) runBatch(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) {
	pass := p.pass.CopyTo(work)
	pass.Rows, pass.InRow, pass.OutRow = count, srcDist, dstDist
	p.kernel[src.form][dst.form](pass, dst.re, dst.im, src.re, src.im, scale)
	runtime.KeepAlive(p)
}
