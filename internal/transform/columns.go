package transform

import (
	"unsafe"
)

// ColumnsScratchLen is the number of scratch elements Columns needs.
func (p *Plan[C]) ColumnsScratchLen(count int) int {
	return p.elements(2*p.shape.pairBytes(p.n) + p.line.workBytes())
}

// Columns transforms count adjacent lines whose elements lie stride apart:
// element j of line i is at i + j*stride, in dst and in src alike.
func (p *Plan[C]) Columns(dst, src, scratch []C, count, dstStride, srcStride int, inverse bool) {
	if count <= 0 {
		return
	}
	_, _ = dst[(p.n-1)*dstStride+count-1], src[(p.n-1)*srcStride+count-1]
	work := p.work(scratch, 2*p.shape.pairBytes(p.n)+p.line.workBytes())
	in := p.shape.splitAt(work, p.n)
	out := p.shape.splitAt(unsafe.Add(work, p.shape.pairBytes(p.n)), p.n)
	work = unsafe.Add(work, 2*p.shape.pairBytes(p.n))
	for i := range count {
		gather(p, in, src[i:], srcStride)
		if inverse {
			p.line.run(out.swapped(), in.swapped(), work, p.scale)
		} else {
			p.line.run(out, in, work, p.scale)
		}
		scatter(p, dst[i:], out, dstStride)
	}
}

// gather splits a strided line into planes.
func gather[C Complex](p *Plan[C], to view, from []C, stride int) {
	switch x := any(from).(type) {
	case []complex64:
		for j := range p.n {
			*at[float32](to.re, j), *at[float32](to.im, j) = real(x[j*stride]), imag(x[j*stride])
		}
	case []complex128:
		for j := range p.n {
			*at[float64](to.re, j), *at[float64](to.im, j) = real(x[j*stride]), imag(x[j*stride])
		}
	}
}

// scatter is the reverse of gather.
func scatter[C Complex](p *Plan[C], to []C, from view, stride int) {
	switch x := any(to).(type) {
	case []complex64:
		for j := range p.n {
			x[j*stride] = complex(*at[float32](from.re, j), *at[float32](from.im, j))
		}
	case []complex128:
		for j := range p.n {
			x[j*stride] = complex(*at[float64](from.re, j), *at[float64](from.im, j))
		}
	}
}
