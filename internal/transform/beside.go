package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// RealBeside transforms real lines that lie side by side: element j of line i
// is at j*Width+i. Bins are two planes of that kind. A line is a lane of the
// vectors, so there is no shuffle at all; for short lines that is faster than
// one after the other.
type RealBeside[R Float] struct {
	n, width int
	inverse  bool
	bundle   *bundle
	scale    float64

	whole butterfly.RealKernel // does all of it, or nil

	join, ends         butterfly.Kernel
	joinPass, endsPass *butterfly.Pass
	rowBytes, binBytes int // from row to row of samples, of bins
}

// NewRealBeside is the transform of width lines, from a recipe of length n/2 and
// with every result multiplied by scale, or nil if there is none: n is odd or
// short, the recipe needs a convolution, or width is no multiple of the lanes of
// the level.
func NewRealBeside[R Float](n, width int, r *recipe.Recipe, level simd.Level, inverse bool, scale float64) *RealBeside[R] {
	return newRealBeside[R](n, width, width, r, level, inverse, scale)
}

// newRealBeside is NewRealBeside with rows of bins that lie pitch apart.
func newRealBeside[R Float](n, width, pitch int, r *recipe.Recipe, level simd.Level, inverse bool, scale float64) *RealBeside[R] {
	s := shape{int(unsafe.Sizeof(R(0))), level}
	radices := radicesOf(r)
	lanes := butterfly.Lanes(level, 8*s.size)
	if n%2 == 1 || n < 4 || r.N != n/2 || len(radices) == 0 || lanes == 1 || width%lanes != 0 {
		return nil
	}
	if k := butterfly.Real[R](level, n, inverse); k != nil {
		return &RealBeside[R]{n: n, width: width, inverse: inverse, scale: scale, whole: k}
	}
	m := n / 2
	p := &RealBeside[R]{n: n, width: width, inverse: inverse, scale: scale,
		join: butterfly.Beside[R](level, width), ends: butterfly.Ends[R](level, width),
		endsPass: &butterfly.Pass{Rows: 1, Cols: width},
		rowBytes: width * s.size, binBytes: pitch * s.size}
	// Samples are real and imaginary parts row by row in turns.
	in, out, joined := 2*width, pitch, pitch
	if inverse {
		in, out, joined = width, 2*width, width
	}
	p.bundle = layBundle[R](s, radices, width, in, out)
	p.bundle.stay()
	w := make([]R, 0, m)
	walk := roots.Of(n).Walk(1, 1)
	for range m / 2 {
		re, im := walk.Next()
		if inverse {
			w = append(w, R(-re), R(im))
		} else {
			w = append(w, R(re/2), R(im/2))
		}
	}
	p.joinPass = &butterfly.Pass{Rows: m / 2, Cols: width, InRow: pitch, InLeg: (m - 2) * pitch,
		OutRow: joined, OutLeg: (m - 2) * joined, Twiddle: unsafe.Pointer(unsafe.SliceData(w))}
	return p
}

// WorkBytes is the scratch that Run needs, aligned to a cache line.
func (p *RealBeside[R]) WorkBytes() int {
	if p.whole != nil {
		return 0
	}
	return p.bundle.workBytes() + p.bundle.pairBytes(p.n/2*p.width)
}

// Run transforms the lines at samples into those at re and im, or back. What it
// reads and what it writes do not overlap.
func (p *RealBeside[R]) Run(samples, re, im, work unsafe.Pointer) {
	p.run(samples, re, im, work, p.scale)
}

func (p *RealBeside[R]) run(samples, re, im, work unsafe.Pointer, scale float64) {
	if p.whole != nil {
		p.whole(re, im, samples, nil, p.width, p.width, p.width, scale)
		return
	}
	row := func(plane unsafe.Pointer, k int) unsafe.Pointer { return unsafe.Add(plane, k*p.binBytes) }
	m := p.n / 2
	pairs := view{samples, unsafe.Add(samples, p.rowBytes), butterfly.Split}
	passes := unsafe.Add(work, p.bundle.pairBytes(m*p.width))
	if !p.inverse {
		z := view{re, im, butterfly.Split}
		p.bundle.run(z, pairs, passes, scale)
		p.ends(p.endsPass, re, row(re, m), re, im, 1)
		clear(unsafe.Slice((*byte)(im), p.rowBytes))
		clear(unsafe.Slice((*byte)(row(im, m)), p.rowBytes))
		p.join(p.joinPass, row(re, 1), row(im, 1), row(re, 1), row(im, 1), 0.5)
	} else {
		z := p.bundle.splitAt(work, m*p.width)
		p.ends(p.endsPass, z.re, z.im, re, row(re, m), 1)
		p.join(p.joinPass, unsafe.Add(z.re, p.rowBytes), unsafe.Add(z.im, p.rowBytes), row(re, 1), row(im, 1), 1)
		p.bundle.run(pairs.swapped(), z.swapped(), passes, scale)
	}
	runtime.KeepAlive(p)
}

// Windows reports whether RunWindowed can be used.
func (p *RealBeside[R]) Windows() bool { return p.whole != nil }

// RunWindowed is Run where samples are multiplied by those of a window, before
// the transform or behind it, and rows of samples are step apart. The bits are
// those of multiplying apart from it.
func (p *RealBeside[R]) RunWindowed(samples, re, im, window unsafe.Pointer, step int) {
	p.whole(re, im, samples, window, p.width, step, p.width, p.scale)
}
