package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// realRader transforms real lines of a prime length n, as rader does, with a convolution of real
// lines. The roots c+is at g^-j and g^-(j+h), where h = (n-1)/2, are conjugates. So of the samples
// convolved with c+s, elements q and q+h are the sum and the difference of the two parts of the
// bin at g^-q. The same convolution of the sums and differences of parts is the inverse.
type realRader[R Float, C Complex] struct {
	n        int
	inner    *Real[R, C] // of n-1 samples
	in, out  []int32     // g^j, and where g^-j is 1, 2 ...
	from, to [][2]int32  // where g^-j and g^j are 1 to h, and their negatives
	spectrum *factors    // of c+s, over n-1
}

func newRealRader[R Float, C Complex](n int, level simd.Level) (*realRader[R, C], error) {
	m := n - 1
	inner, err := NewReal[R, C](recipe.ForReal(m, Target[C](level)), level)
	if err != nil {
		return nil, err
	}
	p := &realRader[R, C]{n: n, inner: inner}
	var down []int32
	p.in, down, p.out = residues(n)
	p.from, p.to = make([][2]int32, m/2), make([][2]int32, m/2)
	for j := range m {
		both := [2]int32{int32(j), int32((j + m/2) % m)}
		if k := down[j]; int(k) <= m/2 {
			p.from[k-1] = both
		}
		if k := p.in[j]; int(k) <= m/2 {
			p.to[k-1] = both
		}
	}
	table := roots.Of(n)
	x := make([]R, m)
	for j, k := range down {
		c, s := table.At(int(k))
		x[j] = R((c + s) / float64(m))
	}
	bins := make([]C, inner.Bins())
	inner.Forward(bins, x, make([]C, inner.ScratchLen()))
	re, im := make([]R, len(bins)), make([]R, len(bins))
	for i, b := range bins {
		re[i], im[i] = unpack[R](b)
	}
	p.spectrum = newFactors(inner.half.shape, re, im)
	return p, nil
}

// room is the elements of bins, in whole cache lines.
func (p *realRader[R, C]) room() int { return (p.inner.Bins() + 7) &^ 7 }

// scratchLen is bins twice and what the line inside needs.
func (p *realRader[R, C]) scratchLen() int { return 2*p.room() + p.inner.ScratchLen() }

// samples are what the first bins of scratch can hold.
func (p *realRader[R, C]) samples(scratch []C) []R {
	return unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(scratch))), p.n-1)
}

// convolve takes n-1 samples in front of scratch. It returns their convolution with c+s, plus
// first, and their sum.
func (p *realRader[R, C]) convolve(scratch []C, first R) (x []R, sum R) {
	room, bins, size := p.room(), p.inner.Bins(), p.inner.half.shape.size
	a, b, rest := scratch[:bins], scratch[room:room+bins], scratch[2*room:]
	p.inner.Forward(b, p.samples(a), rest)
	sum, _ = unpack[R](b[0])
	p.spectrum.run(interleaved(a, size), interleaved(b, size), 1)
	re, im := unpack[R](a[0])
	a[0] = pack[R, C](re+first, im) // which adds it to every sample
	x = p.samples(b)
	p.inner.Inverse(x, a, rest)
	return x, sum
}

func (p *realRader[R, C]) forward(dst []C, src []R, scratch []C, scale float64) {
	s := p.inner.half.shape
	butterfly.Collect(s.level, unsafe.Pointer(unsafe.SliceData(scratch)), unsafe.Pointer(unsafe.SliceData(src)), p.in, s.size)
	x, sum := p.convolve(scratch, src[0])
	dst[0] = pack[R, C]((src[0]+sum)*R(scale), 0)
	half, k := len(p.from), R(scale)/2
	parts := unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(dst[1:]))), 2*half)
	for i, j := range p.from {
		a, b := x[j[0]], x[j[1]]
		parts[2*i], parts[2*i+1] = (a+b)*k, (a-b)*k
	}
}

func (p *realRader[R, C]) inverse(dst []R, src []C, scratch []C, scale float64) {
	half, a := len(p.to), p.samples(scratch)
	parts := unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(src[1:]))), 2*half)
	for i, j := range p.to {
		re, im := parts[2*i], parts[2*i+1]
		a[j[0]], a[j[1]] = re+im, re-im
	}
	x0, _ := unpack[R](src[0])
	x, sum := p.convolve(scratch, x0)
	k := R(scale)
	dst[0] = (x0 + sum) * k
	for i, j := range p.out {
		dst[i+1] = x[j] * k
	}
}
