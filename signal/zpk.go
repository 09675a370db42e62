package signal

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
)

// ZPK is a filter as the zeros, the poles and the gain of its transfer
// function.
//
// Complex zeros and poles come with their conjugates, so that coefficients are
// real.
type ZPK struct {
	Z, P []complex128
	K    float64
}

// product is that of the negatives.
func product(v []complex128) complex128 {
	r := complex128(1)
	for _, x := range v {
		r *= -x
	}
	return r
}

// degree is how many more poles there are than zeros.
func (a ZPK) degree() int { return len(a.P) - len(a.Z) }

// each applies f to zeros and poles.
func (a ZPK) each(f func(complex128) []complex128) ZPK {
	b := ZPK{K: a.K}
	for _, v := range a.Z {
		b.Z = append(b.Z, f(v)...)
	}
	for _, v := range a.P {
		b.P = append(b.P, f(v)...)
	}
	return b
}

// lowpass moves the cutoff of a prototype from 1 to w.
func (a ZPK) lowpass(w float64) ZPK {
	b := a.each(func(v complex128) []complex128 { return []complex128{v * complex(w, 0)} })
	b.K *= math.Pow(w, float64(a.degree()))
	return b
}

// highpass turns a prototype around, with its cutoff at w.
func (a ZPK) highpass(w float64) ZPK {
	b := a.each(func(v complex128) []complex128 { return []complex128{complex(w, 0) / v} })
	b.Z = append(b.Z, slices.Repeat([]complex128{0}, a.degree())...)
	b.K *= real(product(a.Z) / product(a.P))
	return b
}

// bandpass puts a prototype of the given width around w and -w.
func (a ZPK) bandpass(w, width float64) ZPK {
	b := a.each(func(v complex128) []complex128 { return around(v*complex(width/2, 0), w) })
	b.Z = append(b.Z, slices.Repeat([]complex128{0}, a.degree())...)
	b.K *= math.Pow(width, float64(a.degree()))
	return b
}

// bandstop is highpass around w and -w.
func (a ZPK) bandstop(w, width float64) ZPK {
	b := a.each(func(v complex128) []complex128 { return around(complex(width/2, 0)/v, w) })
	b.Z = append(b.Z, slices.Repeat([]complex128{complex(0, w), complex(0, -w)}, a.degree())...)
	b.K *= real(product(a.Z) / product(a.P))
	return b
}

func around(v complex128, w float64) []complex128 {
	r := cmplx.Sqrt(v*v - complex(w*w, 0))
	return []complex128{v + r, v - r}
}

// bilinear is the digital filter for an analog one at a sampling frequency.
func (a ZPK) bilinear(fs float64) ZPK {
	two := complex(2*fs, 0)
	b := a.each(func(v complex128) []complex128 { return []complex128{(two + v) / (two - v)} })
	b.Z = append(b.Z, slices.Repeat([]complex128{-1}, a.degree())...)
	num, den := complex128(1), complex128(1)
	for _, v := range a.Z {
		num *= two - v
	}
	for _, v := range a.P {
		den *= two - v
	}
	b.K *= real(num / den)
	return b
}

// sections pairs poles with the zeros nearest to them, from the poles nearest
// to the unit circle on, which come last: so no section amplifies much more
// than another. This is the pairing that SciPy calls nearest.
func (a ZPK) sections() SOS {
	z, p := a.Z, a.P
	n := max(len(z), len(p))
	n += n % 2
	z, p = halves(z, n), halves(p, n)
	s := make(SOS, n/2)
	for i := len(s) - 1; i >= 0; i-- {
		p1 := take(&p, worst(p))
		switch {
		case isReal(p1) && reals(p) == 0:
			z1 := take(&z, nearest(z, p1, isReal))
			s[i] = section(z1, 0, p1, 0)
		case len(p)+1 == len(z) && !isReal(p1) && reals(p) == 1 && reals(z) == 1:
			// One real pole and one real zero are left for each other.
			z1 := take(&z, nearest(z, p1, isComplex))
			s[i] = section(z1, cmplx.Conj(z1), p1, cmplx.Conj(p1))
		default:
			p2 := cmplx.Conj(p1)
			if isReal(p1) {
				p2 = take(&p, worstReal(p))
			}
			z1 := take(&z, nearest(z, p1, func(complex128) bool { return true }))
			z2 := cmplx.Conj(z1)
			if isReal(z1) {
				z2 = take(&z, nearest(z, p1, isReal))
			}
			s[i] = section(z1, z2, p1, p2)
		}
	}
	if len(s) == 0 { // neither zeros nor poles: a gain
		s = SOS{{1, 0, 0, 1, 0, 0}}
	}
	for j := range 3 {
		s[0][j] *= a.K
	}
	return s
}

func isReal(v complex128) bool    { return imag(v) == 0 }
func isComplex(v complex128) bool { return imag(v) != 0 }

func reals(v []complex128) int {
	n := 0
	for _, x := range v {
		if isReal(x) {
			n++
		}
	}
	return n
}

// halves is the upper half of conjugate pairs, in order, then real numbers, as
// many as make n with the lower halves by adding zeros.
func halves(v []complex128, n int) []complex128 {
	var pairs, single []complex128
	for _, x := range v {
		switch {
		case math.Abs(imag(x)) <= 100*0x1p-52*cmplx.Abs(x):
			single = append(single, complex(real(x), 0))
		case imag(x) > 0:
			pairs = append(pairs, x)
		}
	}
	for len(single)+2*len(pairs) < n {
		single = append(single, 0)
	}
	byParts := func(a, b complex128) int { return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b))) }
	slices.SortFunc(pairs, byParts)
	slices.SortFunc(single, byParts)
	return append(pairs, single...)
}

// take removes an element and gives it.
func take(v *[]complex128, i int) complex128 {
	x := (*v)[i]
	*v = slices.Delete(slices.Clone(*v), i, i+1)
	return x
}

// worst is where the number nearest to the unit circle is.
func worst(v []complex128) int {
	best := 0
	for i, x := range v {
		if math.Abs(1-cmplx.Abs(x)) < math.Abs(1-cmplx.Abs(v[best])) {
			best = i
		}
	}
	return best
}

func worstReal(v []complex128) int {
	best := -1
	for i, x := range v {
		if isReal(x) && (best < 0 || math.Abs(1-cmplx.Abs(x)) < math.Abs(1-cmplx.Abs(v[best]))) {
			best = i
		}
	}
	return best
}

// nearest is where, of those that are eligible, the number nearest to x is.
func nearest(v []complex128, x complex128, eligible func(complex128) bool) int {
	best := -1
	for i, y := range v {
		if eligible(y) && (best < 0 || cmplx.Abs(y-x) < cmplx.Abs(v[best]-x)) {
			best = i
		}
	}
	return best
}

// section is two zeros over two poles.
func section(z1, z2, p1, p2 complex128) [6]float64 {
	return [6]float64{1, -real(z1 + z2), real(z1 * z2), 1, -real(p1 + p2), real(p1 * p2)}
}
