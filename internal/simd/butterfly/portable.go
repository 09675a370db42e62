package butterfly

import (
	"fmt"
	"sync"
	"unsafe"
)

// Portable returns the plain Go kernel for a pass of the given radix: the
// reference for the vector kernels, and the only kernel where there is none.
func Portable[R Float](radix int, load, store Form) Kernel {
	if radix < 2 || radix > MaxRadix {
		panic(fmt.Sprintf("butterfly: portable: radix %d outside 2..%d", radix, MaxRadix))
	}
	in, out := load.stride(), store.stride()
	body := small[R](radix)
	// The body is called through a pointer, so its working set cannot stay on
	// the stack; lending it keeps a pass free of allocations.
	working := sync.Pool{New: func() any { return new(legs[R]) }}
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		x := working.Get().(*legs[R])
		defer working.Put(x)
		k := R(scale)
		for row := range p.Rows {
			for q := range p.Cols {
				x.load(srcRe, srcIm, (row*p.InRow+q)*in, p.InLeg*in, radix)
				body(x)
				if p.Twiddle != nil {
					x.twiddle(unsafe.Add(p.Twiddle, row*2*(radix-1)*sizeof[R]()), radix)
				}
				x.store(dstRe, dstIm, (row*p.OutRow+q)*out, p.OutLeg*out, radix, k)
			}
		}
	}
}

// PortableMixed is the reference for the kernels of [Mixed] with the given columns in the lanes
// of their vectors.
func PortableMixed[R Float](lanes []int, radix int) Kernel {
	body, n := small[R](radix), len(lanes)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		var x legs[R]
		k := R(scale)
		for row := range p.Rows {
			for q := range p.Cols {
				x.load(srcRe, srcIm, row*p.InRow+q, p.InLeg, radix)
				body(&x)
				x.store(dstRe, dstIm, 2*(row*p.OutRow+q-q%n+lanes[q%n]), 2*p.OutLeg, radix, k)
			}
		}
	}
}

func (f Form) stride() int {
	if f == Interleaved {
		return 2
	}
	return 1
}

func sizeof[R Float]() int {
	var r R
	return int(unsafe.Sizeof(r))
}

// at is element i of the plane that starts at p. The pass says which elements
// exist, so there is no length to check against.
func at[R Float](p unsafe.Pointer, i int) *R {
	return (*R)(unsafe.Add(p, i*sizeof[R]()))
}

// maxLegs is the most legs of a butterfly: a stage of a whole line of 2048 elements has them.
// It is a power of two.
const maxLegs = 64

// legs is the working set of one butterfly.
type legs[R Float] struct{ re, im [maxLegs]R }

func (x *legs[R]) load(re, im unsafe.Pointer, i, step, radix int) {
	for j := range radix {
		x.re[j&(maxLegs-1)], x.im[j&(maxLegs-1)] = *at[R](re, i), *at[R](im, i)
		i += step
	}
}

func (x *legs[R]) twiddle(table unsafe.Pointer, radix int) {
	for j := 1; j < radix; j++ {
		wr, wi := *at[R](table, 2*j-2), *at[R](table, 2*j-1)
		re, im := x.re[j&(maxLegs-1)], x.im[j&(maxLegs-1)]
		x.re[j&(maxLegs-1)], x.im[j&(maxLegs-1)] = re*wr-im*wi, im*wr+re*wi
	}
}

func (x *legs[R]) store(re, im unsafe.Pointer, i, step, radix int, scale R) {
	for j := range radix {
		*at[R](re, i), *at[R](im, i) = x.re[j&(maxLegs-1)]*scale, x.im[j&(maxLegs-1)]*scale
		i += step
	}
}
