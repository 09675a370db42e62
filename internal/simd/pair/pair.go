package pair

import (
	"math/bits"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// Pairs says which pairs of which lines are mixed. Everything is counted in
// elements. The kernels read it, so the order and size of its fields are part
// of the assembly.
type Pairs struct {
	Row, Col           int // how far the rows of a block are apart, and the columns
	Span               int // of a pair, a power of two
	Blocks             int // of 2*Span elements, at least one
	Lines              int // at least one
	DstApart, SrcApart int // of lines
}

// Factor mixes the elements of every line that are h = Span apart:
//
//	for l := range Lines {
//		x, y := src[l*SrcApart:], dst[l*DstApart:]
//		for p := range Blocks * h {
//			i := p/h*2*h + p%h
//			y[i], y[i+h] = w[p]*x[i] + w[Col+p]*x[i+h], w[Row+p]*x[i] + w[Row+Col+p]*x[i+h]
//		}
//	}
//
// dst may be src with the same lines. A block is read once for all lines.
type Factor func(dst, src, w *byte, p *Pairs)

// Kernel is the factors of one element type. How a pair is rounded does not
// depend on the span, nor on the number of lines; all vector kernels of a type
// give the same bits. Portable ones round products and sums one by one.
type Kernel struct {
	Lanes int      // a line has at least twice as many elements, or one pair
	far   Factor   // for spans of Lanes and more
	near  []Factor // for spans of 1, 2, 4 ... Lanes/2

	// Beside is how many lines lie side by side in rows, 0 if there are no
	// kernels for that.
	Beside  int
	Rows    [2]RowFactor // of one factor, and of two
	In, Out Turn
}

// Factor is the kernel for a span.
func (k Kernel) Factor(span int) Factor {
	if span >= k.Lanes {
		return k.far
	}
	return k.near[bits.TrailingZeros(uint(span))]
}

// Table is the kernels of a level.
type Table struct{ F32, F64, C64, C128 Kernel }

// For is the kernels of a level.
func For(l simd.Level) Table {
	if t, ok := vectors(l); ok {
		return t
	}
	return Table{
		F32: portable(mixReal[float32]), F64: portable(mixReal[float64]),
		C64: portable(mixComplex[float32]), C128: portable(mixComplex[float64]),
	}
}

// portable takes line after line, run after run of pairs.
func portable[T any](mix func(lo, hi, u, v, w00, w01, w10, w11 []T)) Kernel {
	return Kernel{Lanes: 1, far: func(dst, src, w *byte, p *Pairs) {
		h := p.Span
		for l := range p.Lines {
			for b := range p.Blocks {
				x, y := l*p.SrcApart+2*h*b, l*p.DstApart+2*h*b
				mix(run[T](dst, y, h), run[T](dst, y+h, h), run[T](src, x, h), run[T](src, x+h, h),
					run[T](w, b*h, h), run[T](w, p.Col+b*h, h), run[T](w, p.Row+b*h, h), run[T](w, p.Row+p.Col+b*h, h))
			}
		}
	}}
}

// run is n elements, the first of them at a place.
func run[T any](p *byte, at, n int) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(p), at*int(unsafe.Sizeof(zero)))), n)
}

func mixReal[R float32 | float64](lo, hi, u, v, w00, w01, w10, w11 []R) {
	for i, x := range u {
		y := v[i]
		lo[i] = R(w00[i]*x) + R(w01[i]*y)
		hi[i] = R(w10[i]*x) + R(w11[i]*y)
	}
}

// mixComplex works on numbers as pairs of parts: Go's complex product may be
// fused on some machines, and then the bits would differ.
func mixComplex[R float32 | float64](lo, hi, u, v, w00, w01, w10, w11 [][2]R) {
	for i, x := range u {
		y := v[i]
		lo[i] = row(w00[i], w01[i], x, y)
		hi[i] = row(w10[i], w11[i], x, y)
	}
}

// row is a*u + b*v, the products with real parts added first.
func row[R float32 | float64](a, b, u, v [2]R) [2]R {
	return [2]R{
		R(R(a[0]*u[0])+R(b[0]*v[0])) - R(R(a[1]*u[1])+R(b[1]*v[1])),
		R(R(a[0]*u[1])+R(b[0]*v[1])) + R(R(a[1]*u[0])+R(b[1]*v[0])),
	}
}
