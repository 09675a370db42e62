package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// step is one radix pass of a chain, with a kernel per form of its input and
// output.
type step struct {
	pass   *butterfly.Pass
	kernel [2][2]butterfly.Kernel
}

func (s *step) run(dst, src view, scale float64) {
	s.kernel[src.form][dst.form](s.pass, dst.re, dst.im, src.re, src.im, scale)
}

// chain runs radix passes over a whole line, from src through two scratch
// buffers to dst (Stockham: the output comes out in order).
type chain struct {
	shape
	n     int
	steps []step
}

func newChain[R butterfly.Float](s shape, radices []int) *chain {
	c := &chain{shape: s, n: 1}
	for _, r := range radices {
		c.n *= r
	}
	rest, stride := c.n, 1
	for _, r := range radices {
		rest /= r
		p := &butterfly.Pass{
			Rows: rest, Cols: stride,
			InRow: stride, InLeg: stride * rest,
			OutRow: stride * r, OutLeg: stride,
		}
		if rest > 1 {
			p.Twiddle = rowTwiddles[R](r, rest)
		}
		c.steps = append(c.steps, newStep[R](s, r, p))
		stride *= r
	}
	return c
}

func newStep[R butterfly.Float](_ shape, radix int, p *butterfly.Pass) step {
	st := step{pass: p}
	for load := range st.kernel {
		for store := range st.kernel[load] {
			st.kernel[load][store] = butterfly.Portable[R](radix, butterfly.Form(load), butterfly.Form(store))
		}
	}
	return st
}

// rowTwiddles is exp(-2*pi*i*p*j/(r*rows)) for row p and leg j >= 1.
func rowTwiddles[R butterfly.Float](r, rows int) unsafe.Pointer {
	table := roots.Of(r * rows)
	w := make([]R, 0, 2*(r-1)*rows)
	for p := range rows {
		for j := 1; j < r; j++ {
			re, im := table.At(p * j)
			w = append(w, R(re), R(im))
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

func (c *chain) workBytes() int { return 2 * c.pairBytes(c.n) }

func (c *chain) run(dst, src view, work unsafe.Pointer, scale float64) {
	buffers := [2]view{c.splitAt(work, c.n), c.splitAt(unsafe.Add(work, c.pairBytes(c.n)), c.n)}
	last := len(c.steps) - 1
	for i := range last {
		to := buffers[i&1]
		c.steps[i].run(to, src, 1)
		src = to
	}
	c.steps[last].run(dst, src, scale)
}

// empty is the transform of length 1.
type empty struct{ shape }

func (empty) workBytes() int { return 0 }

func (e empty) run(dst, src view, _ unsafe.Pointer, scale float64) {
	if e.size == 4 {
		re, im := *(*float32)(src.re), *(*float32)(src.im)
		*(*float32)(dst.re), *(*float32)(dst.im) = re*float32(scale), im*float32(scale)
		return
	}
	re, im := *(*float64)(src.re), *(*float64)(src.im)
	*(*float64)(dst.re), *(*float64)(dst.im) = re*scale, im*scale
}
