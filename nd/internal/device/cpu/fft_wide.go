package cpu

import (
	"math/cmplx"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/wide"
)

// widePlan transforms lines one by one with more digits than they have. Lines
// that are not finite go the way of all others.
type widePlan struct {
	linePlan
	wide     *wide.Plan
	kind     ir.FFTKind
	n        int
	have     int // elements of an input line
	result   int // of an output line
	from, to elem.Type
	// widen and narrow are conversions to complex numbers of 128 bits and back.
	widen, narrow stepFunc
}

func (d *Device) newWidePlan(p *ir.FFT, plain linePlan) linePlan {
	format := accum.Float64
	if p.Out.Type == elem.Float32 || p.Out.Type == elem.Complex64 {
		format = accum.Float32
	}
	inverse := p.Inverse || p.Kind == ir.FFTRealInverse
	return widePlan{linePlan: plain, wide: wide.New(p.N, inverse, p.Scale, p.Mode, format), kind: p.Kind, n: p.N, have: plain.reads(), result: p.OutLen(),
		from: p.In.Type, to: p.Out.Type,
		widen: castForms(d.vec, p.In.Type, elem.Complex128, false).vv, narrow: castForms(d.vec, elem.Complex128, p.Out.Type, false).vv}
}

func (p widePlan) scratchBytes(count int) int {
	return max(p.linePlan.scratchBytes(count), 2*p.n*int(unsafe.Sizeof(complex128(0))))
}

func (p widePlan) shared(_, _, _ unsafe.Pointer, _ transform.Parallel) bool { return false }

func (p widePlan) batch(dst, src, scratch unsafe.Pointer, count, dstDist, srcDist int) {
	x, y := slice[complex128](scratch, p.n), slice[complex128](unsafe.Add(scratch, p.n*16), p.n)
	for i := range count {
		to, from := unsafe.Add(dst, i*dstDist*p.to.Size()), unsafe.Add(src, i*srcDist*p.from.Size())
		p.load(x, from)
		if p.wide.Line(y, x) {
			p.narrow(to, unsafe.Pointer(unsafe.SliceData(y)), nil, nil, p.result) // the numbers that the kind gives
		} else {
			p.linePlan.batch(to, from, scratch, 1, p.result, p.have)
		}
	}
}

// load makes a line a complex one of full length.
func (p widePlan) load(x []complex128, src unsafe.Pointer) {
	clear(x)
	p.widen(unsafe.Pointer(unsafe.SliceData(x)), src, nil, nil, p.have)
	if p.kind == ir.FFTRealInverse {
		for k := 0; k <= p.n/2; k++ {
			if m := (p.n - k) % p.n; m == k {
				x[k] = complex(real(x[k]), 0)
			} else {
				x[m] = cmplx.Conj(x[k])
			}
		}
	}
}
