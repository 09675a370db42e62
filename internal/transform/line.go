package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// view is a pair of planes and how they lie in memory.
type view struct {
	re, im unsafe.Pointer
	form   butterfly.Form
}

// swapped exchanges the planes, which turns a forward into an inverse
// transform when done on both sides.
func (v view) swapped() view { return view{v.im, v.re, v.form} }

// exchanged says that the planes of an interleaved view are.
func (v view) exchanged() bool { return uintptr(v.im) < uintptr(v.re) }

// lower is where the planes begin.
func (v view) lower() unsafe.Pointer {
	if v.exchanged() {
		return v.im
	}
	return v.re
}

// moved is an interleaved view of other memory, with its planes in the same order.
func (v view) moved(base unsafe.Pointer, size int) view {
	w := view{base, unsafe.Add(base, size), v.form}
	if v.exchanged() {
		return w.swapped()
	}
	return w
}

// add moves the view on by a number of elements of the given size.
func (v view) add(elements, size int) view {
	bytes := elements * v.stride() * size
	return view{unsafe.Add(v.re, bytes), unsafe.Add(v.im, bytes), v.form}
}

// stride is the distance of elements within a plane.
func (v view) stride() int {
	if v.form == butterfly.Interleaved {
		return 2
	}
	return 1
}

// line is an executable transform of one length. work is scratch of
// workBytes, aligned to a cache line; its contents do not matter. dst and src
// are equal or disjoint.
type line interface {
	workBytes() int
	run(dst, src view, work unsafe.Pointer, scale float64)
}

// shape is what every part of a plan needs to know.
type shape struct {
	size  int // bytes of a component
	level simd.Level
}

// splitAt lays two planes of n elements at p.
func (s shape) splitAt(p unsafe.Pointer, n int) view {
	return view{p, unsafe.Add(p, s.planeBytes(n)), butterfly.Split}
}

// cacheLine is the alignment of everything laid out in scratch.
const cacheLine = 64

// planeBytes is the room for a plane of n elements. It is a whole number of
// cache lines and an odd one, so that the two planes of a pair, and the rows
// of a power of two, do not fall on the same cache sets.
func (s shape) planeBytes(n int) int {
	lines := (n*s.size + cacheLine - 1) / cacheLine
	return (lines | 1) * cacheLine
}

// pairBytes is the room for two planes of n elements.
func (s shape) pairBytes(n int) int { return 2 * s.planeBytes(n) }

func aligned(p unsafe.Pointer) unsafe.Pointer {
	return unsafe.Add(p, -uintptr(p)&(cacheLine-1))
}
