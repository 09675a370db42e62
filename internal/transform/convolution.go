package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
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
	in, out  []int32  // g^j, and where g^-j is 1, 2 ...
	spectrum *factors // of the roots, over n-1
}

func newRader[R butterfly.Float](s shape, n int, inner line) *rader[R] {
	m := n - 1
	r := &rader[R]{shape: s, n: n, inner: inner}
	var down []int32
	r.in, down, r.out = residues(n)
	table := roots.Of(n)
	re, im := make([]R, m), make([]R, m)
	for j, k := range down {
		c, s := table.At(int(k))
		re[j], im[j] = R(c/float64(m)), R(s/float64(m))
	}
	transformed(inner, re, im)
	r.spectrum = newFactors(s, re, im)
	return r
}

// residues are g^j and g^-j, for j < n-1, of a generator g of the residues of a prime n, and
// the j of g^-j = 1, 2 ...
func residues(n int) (up, down, where []int32) {
	m := n - 1
	up, down, where = make([]int32, m), make([]int32, m), make([]int32, m)
	g := recipe.PrimitiveRoot(n)
	residue := uint64(1) // g^j
	for j := range m {
		up[j] = int32(residue)
		down[(m-j)%m] = int32(residue)
		where[residue-1] = int32((m - j) % m)
		residue = residue * uint64(g) % uint64(n)
	}
	return up, down, where
}

// transformed applies a line to two slices once, at plan building.
func transformed[R butterfly.Float](l line, re, im []R) {
	v := view{unsafe.Pointer(&re[0]), unsafe.Pointer(&im[0]), butterfly.Split}
	work := make([]byte, l.workBytes()+cacheLine)
	l.run(v, v, aligned(unsafe.Pointer(&work[0])), 1)
}

// factors multiply a line, element by element.
type factors struct {
	pass   *butterfly.Pass
	kernel [2][2]butterfly.Kernel
}

func newFactors[R butterfly.Float](s shape, re, im []R) *factors {
	f := &factors{}
	lanes := 1
	for load := range f.kernel {
		for store := range f.kernel[load] {
			f.kernel[load][store], lanes = butterfly.Times[R](s.level, butterfly.Form(load), butterfly.Form(store), len(re))
		}
	}
	tiles := butterfly.Tiles(len(re), lanes)
	w := make([]R, 0, 2*lanes*len(tiles))
	for _, start := range tiles {
		w = append(append(w, re[start:start+lanes]...), im[start:start+lanes]...)
	}
	f.pass = &butterfly.Pass{Rows: 1, Cols: len(re), Twiddle: unsafe.Pointer(unsafe.SliceData(w))}
	return f
}

func (f *factors) run(dst, src view, scale float64) {
	f.kernel[src.form][dst.form](f.pass, dst.re, dst.im, src.re, src.im, scale)
}

func (r *rader[R]) workBytes() int { return 2*r.pairBytes(r.n-1) + r.inner.workBytes() }

func (r *rader[R]) run(dst, src view, work unsafe.Pointer, scale float64) {
	m := r.n - 1
	first, second := work, unsafe.Add(work, r.pairBytes(m))
	work = unsafe.Add(work, 2*r.pairBytes(m))
	// Elements of interleaved lines stay in one piece.
	whole := src.form == butterfly.Interleaved && dst.form == butterfly.Interleaved
	a, b := r.splitAt(first, m), r.splitAt(second, m)
	if whole {
		a, b = src.moved(first, r.size), src.moved(second, r.size)
		butterfly.Collect(r.level, first, src.lower(), r.in, 2*r.size)
	} else {
		in := src.stride()
		for j, k := range r.in {
			*at[R](a.re, j), *at[R](a.im, j) = *at[R](src.re, int(k)*in), *at[R](src.im, int(k)*in)
		}
	}
	x0r, x0i := *at[R](src.re, 0), *at[R](src.im, 0)
	r.inner.run(b, a, work, 1)
	k := R(scale)
	*at[R](dst.re, 0), *at[R](dst.im, 0) = (x0r+*at[R](b.re, 0))*k, (x0i+*at[R](b.im, 0))*k
	r.spectrum.run(a, b, 1)
	// Adding x[0] to the first bin adds it to every element of the inverse.
	*at[R](a.re, 0) += x0r
	*at[R](a.im, 0) += x0i
	if whole && scale == 1 {
		r.inner.run(dst.moved(second, r.size).swapped(), a.swapped(), work, 1)
		butterfly.Collect(r.level, unsafe.Add(dst.lower(), 2*r.size), second, r.out, 2*r.size)
		return
	}
	r.inner.run(b.swapped(), a.swapped(), work, 1)
	in, out := b.stride(), dst.stride()
	for i, j := range r.out {
		*at[R](dst.re, (i+1)*out) = *at[R](b.re, int(j)*in) * k
		*at[R](dst.im, (i+1)*out) = *at[R](b.im, int(j)*in) * k
	}
}

// bluestein transforms any length: jk = (j^2 + k^2 - (k-j)^2)/2 makes the
// transform a convolution with a chirp between two multiplications by it.
type bluestein[R butterfly.Float] struct {
	shape
	n, m     int
	inner    line
	first    line     // inner for the padded line
	filled   int      // elements of the padded line that first reads
	chirp    *factors // exp(-pi*i*j^2/n), n elements
	spectrum *factors // of the conjugate chirp, wrapped around m, over m
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
	b := &bluestein[R]{shape: s, n: n, m: m, inner: inner, first: inner, filled: m}
	if half := halved(inner); half != nil && 2*n <= m {
		b.first, b.filled = half, m/2
	}
	transformed(inner, br, bi)
	b.chirp, b.spectrum = newFactors(s, cr, ci), newFactors(s, br, bi)
	return b
}

func (b *bluestein[R]) workBytes() int { return 2*b.pairBytes(b.m) + b.inner.workBytes() }

func (b *bluestein[R]) run(dst, src view, work unsafe.Pointer, scale float64) {
	x := b.splitAt(work, b.m)
	y := b.splitAt(unsafe.Add(work, b.pairBytes(b.m)), b.m)
	work = unsafe.Add(work, 2*b.pairBytes(b.m))
	b.chirp.run(x, src, 1)
	rest := x.add(b.n, b.size)
	clear(unsafe.Slice((*R)(rest.re), b.filled-b.n))
	clear(unsafe.Slice((*R)(rest.im), b.filled-b.n))
	b.first.run(y, x, work, 1)
	b.spectrum.run(x, y, 1)
	b.inner.run(y.swapped(), x.swapped(), work, 1)
	b.chirp.run(dst, y, scale)
}
