package wide

import "math/bits"

// chirp is a transform of any length as a convolution (Bluestein): with
// c[j] = exp(-i pi j j / n), X[k] is c[k] times the sum of x[j] c[j] conj(c[k-j]).
type chirp struct {
	n      int
	roots  *roots // of order 2n
	inner  *mixed // long enough for the convolution
	filter []uint64
	signs  []uint8 // of the filter's spectrum, which is kept without: 1 the real, 2 the imaginary part
}

func newChirp(n, limbs int) *chirp {
	m := 1 << bits.Len(uint(2*n-2))
	c := &chirp{n: n, roots: newRoots(2*n, limbs), inner: newMixed(m, limbs)}
	w := newWork(limbs)
	each := 2 * limbs
	line := make([]uint64, m*each)
	// Of the conjugate chirp 2^-head is taken: sums of it stay below 1, and so do
	// those of the spectrum that is multiplied by it.
	head := bits.Len(uint(m))
	one := make([]uint64, each)
	one[limbs-1] = 1 << (63 - head)
	for j := range n {
		r := c.at(j)
		r.sinNeg = !r.sinNeg
		w.turn(line[j*each:(j+1)*each], one, r)
		if j > 0 {
			copy(line[(m-j)*each:], line[j*each:(j+1)*each])
		}
	}
	c.filter, c.signs = make([]uint64, m*each), make([]uint8, m)
	c.inner.run(w, c.filter, line)
	for k := range m {
		for part := range 2 {
			if v := c.filter[k*each+part*limbs : k*each+(part+1)*limbs]; negative(v) {
				negate(v, v)
				c.signs[k] |= 1 << part
			}
		}
	}
	return c
}

// at is c[j].
func (c *chirp) at(j int) root {
	hi, lo := bits.Mul64(uint64(j), uint64(j))
	_, rest := bits.Div64(hi, lo, uint64(2*c.n))
	return c.roots.at(int(rest))
}

// headroom is how many bits must be free above the sum of magnitudes.
func (c *chirp) headroom() int { return bits.Len(uint(c.inner.n)) + 1 }

// chirpDrop is the bits by which the convolution's result is less: the filter
// is 2^-head times half of itself, and head has one bit more than the length.
const chirpDrop = 2

// doubt is as that of mixed: both transforms multiply errors by their length,
// and the filter's own are as large as those of the first.
func (c *chirp) doubt(units, limbs int) int {
	first := c.inner.doubt(units+3*(limbs+2), limbs)
	return first + bits.Len(uint(c.inner.n)) + 6
}

// run transforms src to dst; both have room for the convolution.
func (c *chirp) run(w *work, dst, src []uint64) {
	each, l := 2*w.limbs, w.limbs
	for j := range c.n {
		w.turn(src[j*each:(j+1)*each], src[j*each:], c.at(j))
	}
	clear(src[c.n*each:])
	c.inner.run(w, dst, src)
	for k := range c.inner.n {
		f := c.filter[k*each:]
		by := root{cos: f[:l:l], sin: f[l:each:each], cosNeg: c.signs[k]&1 != 0, sinNeg: c.signs[k]&2 != 0}
		// Conjugated, so that the transform that follows is an inverse one.
		v := src[k*each : (k+1)*each]
		w.turn(v, dst[k*each:], by)
		negate(v[l:], v[l:])
	}
	c.inner.run(w, dst, src)
	for k := range c.n {
		v := dst[k*each : (k+1)*each]
		negate(v[l:], v[l:])
		w.turn(v, v, c.at(k))
	}
}
