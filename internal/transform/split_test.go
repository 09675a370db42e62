package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// ForwardSplit is Forward over separate planes of real and imaginary parts.
// R must be the component type of C.
func ForwardSplit[C Complex, R Float](p *Plan[C], dstRe, dstIm, srcRe, srcIm []R, scratch []C) {
	p.line.run(splitView(p, dstRe, dstIm), splitView(p, srcRe, srcIm), p.work(scratch, p.line.workBytes()), p.scale)
}

// InverseSplit is Inverse over separate planes of real and imaginary parts.
func InverseSplit[C Complex, R Float](p *Plan[C], dstRe, dstIm, srcRe, srcIm []R, scratch []C) {
	p.line.run(splitView(p, dstIm, dstRe), splitView(p, srcIm, srcRe), p.work(scratch, p.line.workBytes()), p.scale)
}

func splitView[C Complex, R Float](p *Plan[C], re, im []R) view {
	if int(unsafe.Sizeof(R(0))) != p.shape.size {
		panic("transform: split: the planes have another precision than the plan")
	}
	return view{unsafe.Pointer(unsafe.SliceData(re[:p.n])), unsafe.Pointer(unsafe.SliceData(im[:p.n])), butterfly.Split}
}
