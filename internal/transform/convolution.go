package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// at is element i of a plane.
func at[R butterfly.Float](p unsafe.Pointer, i int) *R {
	return (*R)(unsafe.Add(p, i*int(unsafe.Sizeof(*(*R)(nil)))))
}

// rader transforms a prime length n: with a generator g of the group of
// residues, the outputs at g^-k are a cyclic convolution of the inputs at g^j
// with the roots at g^-j.
type rader[R butterfly.Float] struct {
	shape
	n        int
	inner    line
	in, out  []int32 // g^j, and g^-k
	spectrum view    // of the roots, over n-1
}

func newRader[R butterfly.Float](s shape, n int, inner line) *rader[R] {
	m := n - 1
	r := &rader[R]{shape: s, n: n, inner: inner, in: make([]int32, m), out: make([]int32, m)}
	g := generator(n)
	at1 := 1
	for j := range m {
		r.in[j] = int32(at1)
		r.out[(m-j)%m] = int32(at1)
		at1 = int(uint64(at1) * uint64(g) % uint64(n))
	}
	table := roots.Of(n)
	re, im := make([]R, m), make([]R, m)
	for j, k := range r.out {
		c, s := table.At(int(k))
		re[j], im[j] = R(c/float64(m)), R(s/float64(m))
	}
	r.spectrum = transformed(s, inner, re, im)
	return r
}

// transformed applies a line to two slices once, at plan building.
func transformed[R butterfly.Float](s shape, l line, re, im []R) view {
	v := view{unsafe.Pointer(&re[0]), unsafe.Pointer(&im[0]), butterfly.Split}
	work := make([]byte, l.workBytes()+cacheLine)
	l.run(v, v, aligned(unsafe.Pointer(&work[0])), 1)
	return v
}

// generator returns the smallest primitive root of the prime n.
func generator(n int) int {
	var factors []int
	rest := n - 1
	for f := 2; f*f <= rest; f++ {
		for first := true; rest%f == 0; first = false {
			if first {
				factors = append(factors, f)
			}
			rest /= f
		}
	}
	if rest > 1 {
		factors = append(factors, rest)
	}
next:
	for g := 1; ; g++ {
		for _, f := range factors {
			if power(g, (n-1)/f, n) == 1 {
				continue next
			}
		}
		return g
	}
}

func power(base, exponent, modulus int) int {
	b, m, result := uint64(base), uint64(modulus), uint64(1)%uint64(modulus)
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 != 0 {
			result = result * b % m
		}
		b = b * b % m
	}
	return int(result)
}

func (r *rader[R]) workBytes() int { return 2*r.pairBytes(r.n-1) + r.inner.workBytes() }

func (r *rader[R]) run(dst, src view, work unsafe.Pointer, scale float64) {
	m := r.n - 1
	a := r.splitAt(work, m)
	b := r.splitAt(unsafe.Add(work, r.pairBytes(m)), m)
	work = unsafe.Add(work, 2*r.pairBytes(m))
	in, out := step1(src.form), step1(dst.form)
	for j, k := range r.in {
		*at[R](a.re, j) = *at[R](src.re, int(k)*in)
		*at[R](a.im, j) = *at[R](src.im, int(k)*in)
	}
	x0r, x0i := *at[R](src.re, 0), *at[R](src.im, 0)
	r.inner.run(b, a, work, 1)
	k := R(scale)
	*at[R](dst.re, 0), *at[R](dst.im, 0) = (x0r+*at[R](b.re, 0))*k, (x0i+*at[R](b.im, 0))*k
	multiply[R](b, b, r.spectrum, m)
	// Adding x[0] to the first bin adds it to every element of the inverse.
	*at[R](b.re, 0) += x0r
	*at[R](b.im, 0) += x0i
	r.inner.run(a.swapped(), b.swapped(), work, 1)
	for j, at1 := range r.out {
		*at[R](dst.re, int(at1)*out) = *at[R](a.re, j) * k
		*at[R](dst.im, int(at1)*out) = *at[R](a.im, j) * k
	}
}

func step1(f butterfly.Form) int {
	if f == butterfly.Interleaved {
		return 2
	}
	return 1
}

// multiply is dst = a*b over n elements of split planes.
func multiply[R butterfly.Float](dst, a, b view, n int) {
	for i := range n {
		ar, ai := *at[R](a.re, i), *at[R](a.im, i)
		br, bi := *at[R](b.re, i), *at[R](b.im, i)
		*at[R](dst.re, i), *at[R](dst.im, i) = ar*br-ai*bi, ar*bi+ai*br
	}
}

// bluestein transforms any length: jk = (j^2 + k^2 - (k-j)^2)/2 makes the
// transform a convolution with a chirp between two multiplications by it.
type bluestein[R butterfly.Float] struct {
	shape
	n, m     int
	inner    line
	chirp    view // exp(-pi*i*j^2/n), n elements
	spectrum view // of the conjugate chirp, wrapped around m, over m
}

func newBluestein[R butterfly.Float](s shape, n, m int, inner line) *bluestein[R] {
	table := roots.Of(2 * n)
	cr, ci := make([]R, n), make([]R, n)
	br, bi := make([]R, m), make([]R, m)
	square := 0 // j^2 mod 2n
	for j := range n {
		c, s := table.At(square)
		cr[j], ci[j] = R(c), R(s)
		br[j], bi[j] = R(c/float64(m)), R(-s/float64(m))
		if j > 0 {
			br[m-j], bi[m-j] = br[j], bi[j]
		}
		square = (square + 2*j + 1) % (2 * n)
	}
	b := &bluestein[R]{shape: s, n: n, m: m, inner: inner}
	b.chirp = view{unsafe.Pointer(&cr[0]), unsafe.Pointer(&ci[0]), butterfly.Split}
	b.spectrum = transformed(s, inner, br, bi)
	return b
}

func (b *bluestein[R]) workBytes() int { return 2*b.pairBytes(b.m) + b.inner.workBytes() }

func (b *bluestein[R]) run(dst, src view, work unsafe.Pointer, scale float64) {
	x := b.splitAt(work, b.m)
	y := b.splitAt(unsafe.Add(work, b.pairBytes(b.m)), b.m)
	work = unsafe.Add(work, 2*b.pairBytes(b.m))
	in, out := step1(src.form), step1(dst.form)
	for j := range b.n {
		ar, ai := *at[R](src.re, j*in), *at[R](src.im, j*in)
		br, bi := *at[R](b.chirp.re, j), *at[R](b.chirp.im, j)
		*at[R](x.re, j), *at[R](x.im, j) = ar*br-ai*bi, ar*bi+ai*br
	}
	for j := b.n; j < b.m; j++ {
		*at[R](x.re, j), *at[R](x.im, j) = 0, 0
	}
	b.inner.run(y, x, work, 1)
	multiply[R](y, y, b.spectrum, b.m)
	b.inner.run(x.swapped(), y.swapped(), work, 1)
	k := R(scale)
	for j := range b.n {
		ar, ai := *at[R](x.re, j)*k, *at[R](x.im, j)*k
		br, bi := *at[R](b.chirp.re, j), *at[R](b.chirp.im, j)
		*at[R](dst.re, j*out), *at[R](dst.im, j*out) = ar*br-ai*bi, ar*bi+ai*br
	}
}
