package butterfly

import (
	"fmt"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// First returns the kernel of a level for a first pass of an odd radix over real columns, no
// fewer than a vector has lanes. It is nil where a level has none.
//
// It reads the real plane only and computes results 0 to radix/2: the others are their
// conjugates. A row of its twiddles has that many factors, but for result 0. It does not
// scale.
func First[R Float](level simd.Level, radix int) Kernel {
	return vectorFirst(level, 8*sizeof[R](), radix)
}

// PortableFirst is the reference for the kernels of First.
func PortableFirst[R Float](radix int) Kernel {
	if radix < 3 || radix > MaxRadix || radix%2 == 0 {
		panic(fmt.Sprintf("butterfly: portable first: radix %d is not odd and in 3..%d", radix, MaxRadix))
	}
	body, kept := small[R](radix), radix/2+1
	return func(p *Pass, dstRe, dstIm, src, _ unsafe.Pointer, _ float64) {
		x := new(legs[R])
		for row := range p.Rows {
			for q := range p.Cols {
				x.im = [maxLegs]R{}
				for j := range radix {
					x.re[j] = *at[R](src, row*p.InRow+j*p.InLeg+q)
				}
				body(x)
				if p.Twiddle != nil {
					x.twiddle(unsafe.Add(p.Twiddle, row*2*(kept-1)*sizeof[R]()), kept)
				}
				x.store(dstRe, dstIm, row*p.OutRow+q, p.OutLeg, kept, 1)
			}
		}
	}
}
