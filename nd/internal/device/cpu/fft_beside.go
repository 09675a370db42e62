package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// mostBeside is the longest real line that is always transformed in a lane of
// the vectors, beside others. In a line program such lines may lie side by side
// as they are; by themselves they are transposed there and back, because the
// other way to transform a line rounds differently.
const mostBeside = 64

// besideLines is a linePlan for lines of which each is a lane.
type besideLines[R transform.Float, C complex64 | complex128] struct {
	plan    *transform.RealBeside[R]
	move    *vec.Move
	parts   *vec.Complex[C, R]
	n, bins int
	width   int // lines done together
	inverse bool
}

// newBesideLines is nil where a line is not transformed beside others.
func (d *Device) newBesideLines(p *ir.FFT) linePlan {
	switch {
	case !p.Halved() || p.N > mostBeside:
		return nil
	case p.In.Type.Real() == elem.Float64:
		return besideLinesOf(p, d.level, &d.vec.Move, &d.vec.C128)
	}
	return besideLinesOf(p, d.level, &d.vec.Move, &d.vec.C64)
}

func besideLinesOf[R transform.Float, C complex64 | complex128](p *ir.FFT, level simd.Level, move *vec.Move, parts *vec.Complex[C, R]) linePlan {
	b := &besideLines[R, C]{move: move, parts: parts, n: p.N, bins: p.N/2 + 1,
		width: transform.Target[C](level).Lanes, inverse: p.Kind == ir.FFTRealInverse}
	if b.plan = newRealBeside[R, C](p, b.width, level); b.plan == nil {
		return nil
	}
	return b
}

// newRealBeside is the transform of width lines, nil if there is none.
func newRealBeside[R transform.Float, C complex64 | complex128](p *ir.FFT, width int, level simd.Level) *transform.RealBeside[R] {
	r := recipe.For(max(1, p.N/2), transform.Target[C](level))
	return transform.NewRealBeside[R](p.N, width, r, level, p.Kind == ir.FFTRealInverse, p.Scale)
}

func (b *besideLines[R, C]) reads() int {
	if b.inverse {
		return b.bins
	}
	return b.n
}

// room is where in the scratch a group of lines is on its way.
type room struct{ samples, re, im, pairs, work, end int }

func (b *besideLines[R, C]) rooms() room {
	at := 0
	cut := func(bytes int) int {
		from := at
		at += (bytes + alignment - 1) &^ (alignment - 1)
		return from
	}
	row := b.width * int(unsafe.Sizeof(R(0)))
	return room{cut(b.n * row), cut(b.bins * row), cut(b.bins * row), cut(2 * b.bins * row), cut(b.plan.WorkBytes()), at}
}

func (b *besideLines[R, C]) scratchBytes(int) int { return b.rooms().end }

func (b *besideLines[R, C]) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	r := b.rooms()
	samples, re, im := unsafe.Add(scratch, r.samples), unsafe.Add(scratch, r.re), unsafe.Add(scratch, r.im)
	pairs, work := unsafe.Add(scratch, r.pairs), unsafe.Add(scratch, r.work)
	real, pair := int(unsafe.Sizeof(R(0))), 2*int(unsafe.Sizeof(R(0)))
	if count < b.width { // lanes without a line hold zeros
		clear(slice[byte](scratch, r.end))
	}
	rows := b.bins * b.width
	for i := 0; i < count; i += b.width {
		lines := min(b.width, count-i)
		if b.inverse {
			b.move.Transpose(pair, pairs, unsafe.Add(src, i*srcDist*pair), b.width, srcDist, lines, b.bins, false)
			b.parts.Real(slice[R](re, rows), slice[C](pairs, rows), false)
			b.parts.Imag(slice[R](im, rows), slice[C](pairs, rows), false)
			b.plan.Run(samples, re, im, work)
			b.move.Transpose(real, unsafe.Add(dst, i*dstDist*real), samples, dstDist, b.width, b.n, lines, false)
		} else {
			b.move.Transpose(real, samples, unsafe.Add(src, i*srcDist*real), b.width, srcDist, lines, b.n, false)
			b.plan.Run(samples, re, im, work)
			b.parts.Make(slice[C](pairs, rows), slice[R](re, rows), slice[R](im, rows), false)
			b.move.Transpose(pair, unsafe.Add(dst, i*dstDist*pair), pairs, dstDist, b.width, b.bins, lines, false)
		}
	}
}

func (b *besideLines[R, C]) shared(_, _, _ unsafe.Pointer, _ transform.Parallel) bool { return false }

type besidePlan interface {
	WorkBytes() int
	Run(samples, re, im, work unsafe.Pointer)
	Windows() bool
	RunWindowed(samples, re, im, window unsafe.Pointer, step int)
}

// newBeside is nil if there is no such transform.
func (d *Device) newBeside(f *ir.FFT, width int) besidePlan {
	if !f.Halved() {
		return nil
	}
	switch f.In.Type.Real() {
	case elem.Float32:
		if p := newRealBeside[float32, complex64](f, width, d.level); p != nil {
			return p
		}
	case elem.Float64:
		if p := newRealBeside[float64, complex128](f, width, d.level); p != nil {
			return p
		}
	}
	return nil
}
