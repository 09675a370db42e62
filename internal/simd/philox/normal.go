package philox

import "math"

// Normal has mean 0 and variance 1: the cosine branch of Box-Muller on two
// 53-bit uniforms, the one under the logarithm in (0, 1].
//
// Its bits are the same on every machine. The logarithm and the cosine are the
// polynomials of Go's math (FreeBSD's e_log and Cephes' cos) for the arguments that
// occur, written out: math has assembly for some machines, and fuses products with
// sums on others. Conversions to float64 round a product before it is added.
func Normal(key, counter uint64) float64 {
	b := Block(key, counter)
	u := float64(words(b[0], b[1])>>11+1) * 0x1p-53
	v := float64(words(b[2], b[3])>>11) * 0x1p-53
	return math.Sqrt(-2*unitLog(u)) * turnCos(2*math.Pi*v)
}

// unitLog is the logarithm of a number above 0 and up to 1.
func unitLog(x float64) float64 {
	f, e := math.Frexp(x)
	n := float64(e)
	if f < math.Sqrt2/2 {
		f, n = 2*f, n-1
	}
	f--
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	odd := horner(s4, 1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01)
	even := horner(s4, 1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01)
	r := float64(s2*odd) + float64(s4*even)
	h := float64(0.5 * f * f)
	rest := float64(s*(h+r)) + float64(n*1.90821492927058770002e-10)
	return float64(n*6.93147180369123816490e-01) - (h - rest - f)
}

// turnCos is the cosine of a number from 0 to 2 pi.
func turnCos(x float64) float64 {
	j := int(x * (4 / math.Pi))
	j += j & 1
	y := float64(j)
	z := x - float64(y*7.85398125648498535156e-1) - float64(y*3.77489470793079817668e-8) - float64(y*2.69515142907905952645e-15)
	zz := float64(z * z)
	var v float64
	if j&2 != 0 {
		p := horner(zz, 1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
			-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1)
		v = z + float64(z*zz*p)
	} else {
		p := horner(zz, -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
			2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2)
		v = 1 - float64(0.5*zz) + float64(zz*zz*p)
	}
	if j&2 != 0 != (j&4 != 0) {
		return -v
	}
	return v
}

// horner is a polynomial of x, its coefficients from the greatest power down.
func horner(x float64, c ...float64) float64 {
	p := c[0]
	for _, a := range c[1:] {
		p = float64(p*x) + a
	}
	return p
}
