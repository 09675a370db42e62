package signal

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
)

// Polynomials have their highest power first, as in NumPy and SciPy.

// polyval is the value of a polynomial.
func polyval(p []float64, z complex128) complex128 {
	v := complex128(0)
	for _, c := range p {
		v = v*z + complex(c, 0)
	}
	return v
}

// polysize is the sum of the moduli of the terms of a polynomial at a number of modulus z.
func polysize(p []float64, z float64) float64 {
	v := 0.0
	for _, c := range p {
		v = v*z + math.Abs(c)
	}
	return v
}

// polymul is the product of polynomials.
func polymul(a, b []float64) []float64 {
	c := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			c[i+j] += x * y
		}
	}
	return c
}

// polyOf is the polynomial with the given roots and 1 before the highest power.
// Roots are taken in pairs of conjugates, so that its coefficients are real.
func polyOf(roots []complex128) []float64 {
	c := []complex128{1}
	for _, r := range roots {
		c = append(c, 0)
		for i := len(c) - 1; i > 0; i-- {
			c[i] -= r * c[i-1]
		}
	}
	p := make([]float64, len(c))
	for i, v := range c {
		p[i] = real(v)
	}
	return p
}

// trimmed is a polynomial without leading zeros.
func trimmed(p []float64) []float64 {
	for len(p) > 1 && p[0] == 0 {
		p = p[1:]
	}
	return p
}

// roots is the roots of a polynomial, by Aberth's iteration: Newton's steps for
// all at once, each repelled by the others, or as eigenvalues where that gives a
// better factorisation. Conjugates are exactly that.
func roots(p []float64) []complex128 {
	p = trimmed(p)
	zeros := 0
	for len(p) > 1 && p[len(p)-1] == 0 {
		p, zeros = p[:len(p)-1], zeros+1
	}
	n := len(p) - 1
	out := make([]complex128, n, n+zeros)
	derived := make([]float64, max(n, 1))
	for i := range n {
		derived[i] = p[i] * float64(n-i)
	}
	// Roots are begun on a circle of their geometric mean, off the real axis.
	radius := math.Pow(math.Abs(p[n]/p[0]), 1/float64(max(n, 1)))
	for i := range out {
		out[i] = cmplx.Rect(radius, 2*math.Pi*float64(i)/float64(n)+0.4)
	}
	back, backDerived := slices.Clone(p), make([]float64, max(n, 1))
	slices.Reverse(back)
	for i := range n {
		backDerived[i] = back[i] * float64(n-i)
	}
	found := make([]bool, n)
	for range 500 {
		left := 0
		for i, z := range out {
			if found[i] {
				continue
			}
			left++
			var step complex128
			// A step from where the polynomial is rounding is the last: those that follow are noise.
			step, found[i] = newton(p, derived, back, backDerived, z)
			push := complex128(0)
			for j, other := range out {
				if j != i {
					push += 1 / (z - other)
				}
			}
			step /= 1 - step*push
			if cmplx.IsNaN(step) || cmplx.IsInf(step) {
				continue
			}
			out[i] -= step
		}
		if left == 0 {
			break
		}
	}
	out = conjugates(out)
	// Where roots are many, Newton's steps are noise: each root may be right to as many digits as
	// it has, and together they are still those of another polynomial.
	if off := misfit(p, out); off > float64(n)*0x1p-48 && n <= mostCompanion {
		if again, ok := eigenroots(p); ok {
			if again = conjugates(again); misfit(p, again) < off {
				out = again
			}
		}
	}
	return append(out, slices.Repeat([]complex128{0}, zeros)...)
}

// misfit is how far the polynomial with the given roots is from p: the greatest difference of
// coefficients over the greatest coefficient.
func misfit(p []float64, roots []complex128) float64 {
	top, off := 0.0, 0.0
	for i, v := range polyOf(spread(roots)) {
		top, off = max(top, math.Abs(p[i])), max(off, math.Abs(v*p[0]-p[i]))
	}
	if math.IsNaN(off) {
		return math.Inf(1)
	}
	return off / top
}

// spread is roots in the order of Leja: each is far from all before it, so that the product of their
// factors does not grow and cancel on the way.
func spread(roots []complex128) []complex128 {
	left, far := slices.Clone(roots), make([]float64, len(roots)) // the logarithm of how far each is from those taken
	for i, z := range left {
		far[i] = cmplx.Abs(z)
	}
	for k := range left {
		next := k
		for i := k + 1; i < len(left); i++ {
			if far[i] > far[next] {
				next = i
			}
		}
		left[k], left[next], far[next] = left[next], left[k], far[k]
		for i := k + 1; i < len(left); i++ {
			if k == 0 {
				far[i] = 0
			}
			far[i] += math.Log(cmplx.Abs(left[i] - left[k]))
		}
	}
	return left
}

// newton is p/p' at z, and whether p is no more there than the rounding of its sum. Outside the unit
// circle it is computed of the reversed polynomial, so that powers do not overflow.
func newton(p, derived, back, backDerived []float64, z complex128) (step complex128, rounding bool) {
	size := cmplx.Abs(z)
	rest := 0x1p-52 * math.Sqrt(float64(len(p))) // of a sum of so many terms, a part of their moduli
	if size <= 1 {
		v := polyval(p, z)
		return v / polyval(derived, z), cmplx.Abs(v) <= rest*polysize(p, size)
	}
	n, w := complex(float64(len(p)-1), 0), 1/z
	v := polyval(back, w)
	return v / (w * (n*v - w*polyval(backDerived, w))), cmplx.Abs(v) <= rest*polysize(back, 1/size)
}

// conjugates makes the roots of a real polynomial exact pairs, and exactly real
// where they are nearer to the axis than to any other that could be their pair.
func conjugates(r []complex128) []complex128 {
	left := slices.Clone(r)
	var out []complex128
	for len(left) > 0 {
		z := left[0]
		left = left[1:]
		best := -1
		for i, v := range left {
			if best < 0 || cmplx.Abs(v-cmplx.Conj(z)) < cmplx.Abs(left[best]-cmplx.Conj(z)) {
				best = i
			}
		}
		if best < 0 || 2*math.Abs(imag(z)) <= cmplx.Abs(left[best]-cmplx.Conj(z)) || math.Abs(imag(z)) < 1e-14*cmplx.Abs(z) {
			out = append(out, complex(real(z), 0))
			continue
		}
		mean := (z + cmplx.Conj(left[best])) / 2
		left = slices.Delete(left, best, best+1)
		out = append(out, mean, cmplx.Conj(mean))
	}
	slices.SortStableFunc(out, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b)))
	})
	return out
}
