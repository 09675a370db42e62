package oracle

import "math/bits"

// largestDirect is the largest prime factor that is transformed by its
// definition; with a larger one the whole length goes through a convolution.
const largestDirect = 64

// FFT is DFT in O(n log n) operations, for any length.
func FFT[C Complex](x []C, inverse bool) Values {
	z := make([]cdd, len(x))
	for i, v := range x {
		z[i] = exact(v)
		if inverse {
			z[i] = z[i].conj()
		}
	}
	y := forward(z)
	if inverse {
		for i := range y {
			y[i] = y[i].conj()
		}
	}
	return Values{y}
}

func forward(x []cdd) []cdd {
	n := len(x)
	if n == 0 {
		return nil
	}
	factors := radices(n)
	for _, f := range factors {
		if f > largestDirect {
			return chirp(x)
		}
	}
	y := make([]cdd, n)
	t := &table{n: n, roots: roots(n, n)}
	t.split(y, x, 1, factors)
	return y
}

// radices are the factors of n, fours first, then primes.
func radices(n int) []int {
	var f []int
	for ; n%4 == 0; n /= 4 {
		f = append(f, 4)
	}
	for p := 2; p*p <= n; p++ {
		for ; n%p == 0; n /= p {
			f = append(f, p)
		}
	}
	if n > 1 {
		f = append(f, n)
	}
	return f
}

type table struct {
	n     int
	roots []cdd
}

// split transforms len(dst) elements of src, step apart, into dst: the
// Cooley-Tukey recursion, decimating in time.
func (t *table) split(dst, src []cdd, step int, factors []int) {
	if len(factors) == 0 {
		dst[0] = src[0]
		return
	}
	radix, m := factors[0], len(dst)/factors[0]
	for q := range radix {
		t.split(dst[q*m:(q+1)*m], src[q*step:], step*radix, factors[1:])
	}
	switch radix {
	case 2:
		for k := range m {
			a, b := dst[k], dst[k+m].mul(t.roots[k*step])
			dst[k], dst[k+m] = a.add(b), a.sub(b)
		}
	case 4:
		for k := range m {
			a, b := dst[k], dst[k+m].mul(t.roots[k*step])
			c, d := dst[k+2*m].mul(t.roots[2*k*step]), dst[k+3*m].mul(t.roots[3*k*step])
			ac, bd := a.add(c), b.add(d)
			dif, turned := a.sub(c), b.sub(d).mulI()
			dst[k], dst[k+m] = ac.add(bd), dif.sub(turned)
			dst[k+2*m], dst[k+3*m] = ac.sub(bd), dif.add(turned)
		}
	default:
		in := make([]cdd, radix)
		for k := range m {
			for q := range in {
				in[q] = dst[k+q*m].mul(t.roots[q*k*step])
			}
			for j := range radix {
				sum := in[0]
				for q := 1; q < radix; q++ {
					sum = sum.add(in[q].mul(t.roots[q*j%radix*(t.n/radix)]))
				}
				dst[k+j*m] = sum
			}
		}
	}
}

// chirp is Bluestein's method: jk = (j^2 + k^2 - (k-j)^2)/2 makes the
// transform a convolution, done at a power of two.
func chirp(x []cdd) []cdd {
	n := len(x)
	m := 1 << bits.Len(uint(2*n-2))
	half := roots(2*n, 2*n)
	at := func(k int) cdd { return half[k*k%(2*n)] }
	a, b := make([]cdd, m), make([]cdd, m)
	for k := range n {
		w := at(k)
		a[k] = x[k].mul(w)
		b[k] = w.conj()
		if k > 0 {
			b[m-k] = w.conj()
		}
	}
	t := &table{n: m, roots: roots(m, m)}
	factors := radices(m)
	fa, fb := make([]cdd, m), make([]cdd, m)
	t.split(fa, a, 1, factors)
	t.split(fb, b, 1, factors)
	for k := range fa {
		fa[k] = fa[k].mul(fb[k]).conj()
	}
	t.split(a, fa, 1, factors)
	y := make([]cdd, n)
	scale := dd{1 / float64(m), 0} // exact: m is a power of two
	for k := range y {
		v := a[k].conj()
		y[k] = cdd{v.re.mul(scale), v.im.mul(scale)}.mul(at(k))
	}
	return y
}
