package wide

import "math/bits"

// mixed is a transform of a length without large prime factors: X[k] is the sum
// of x[j] exp(-2 pi i j k / n).
type mixed struct {
	n       int
	factors []int // their product is n
	roots   *roots
}

// mostFactor is the largest prime factor that is not worth a convolution: its
// part is done term by term.
const mostFactor = 31

// factorsOf is nil if a length has large prime factors.
func factorsOf(n int) []int {
	var list []int
	for _, p := range []int{4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, mostFactor} {
		for ; n%p == 0; n /= p {
			list = append(list, p)
		}
	}
	if n > 1 {
		return nil
	}
	return append(list, 1)
}

func newMixed(n, limbs int) *mixed {
	return &mixed{n: n, factors: factorsOf(n), roots: newRoots(n, limbs)}
}

// doubt bounds the bits that an error has after the transform of numbers that
// were off by some units: a twiddle adds less than 3 (limbs+2), and there are at most
// two of them for a factor, each of which adds up its inputs.
func (m *mixed) doubt(units, limbs int) int {
	return bits.Len(uint(m.n)) + bits.Len(uint(units+6*(limbs+2)*(len(m.factors)+1)))
}

// work is the numbers that a transform needs beside its lines.
type work struct {
	limbs     int
	acc, p, q []uint64
	legs, sum []uint64 // complex numbers: the inputs of a butterfly, turned; a result
}

func newWork(limbs int) *work {
	v := make([]uint64, 3*limbs+1+2*limbs*(mostFactor+2))
	take := func(n int) []uint64 {
		w := v[:n:n]
		v = v[n:]
		return w
	}
	return &work{limbs, take(limbs + 1), take(limbs), take(limbs), take(2 * limbs * mostFactor), take(2 * limbs)}
}

// run transforms src, of which every stride-th number counts, to dst.
func (m *mixed) run(w *work, dst, src []uint64) { m.part(w, dst, src, m.n, 1, m.factors) }

func (m *mixed) part(w *work, dst, src []uint64, n, stride int, factors []int) {
	each := 2 * w.limbs
	if n == 1 {
		copy(dst[:each], src)
		return
	}
	p := factors[0]
	count := n / p
	for r := range p {
		m.part(w, dst[r*count*each:], src[r*stride*each:], count, stride*p, factors[1:])
	}
	for k := range count {
		copy(w.legs[:each], dst[k*each:])
		for r := 1; r < p; r++ {
			w.turn(w.legs[r*each:(r+1)*each], dst[(r*count+k)*each:], m.roots.at(r*k*stride))
		}
		out := func(q int) []uint64 { return dst[(q*count+k)*each : (q*count+k+1)*each] }
		switch p {
		case 2:
			w.plus(out(0), w.legs, w.legs[each:])
			w.minus(out(1), w.legs, w.legs[each:])
			continue
		case 4:
			w.four(out(0), out(1), out(2), out(3))
			continue
		}
		for q := range p {
			sum := out(q)
			copy(sum, w.legs)
			for r := 1; r < p; r++ {
				w.turn(w.sum, w.legs[r*each:], m.roots.at(q*r%p*(m.n/p)))
				w.plus(sum, sum, w.sum)
			}
		}
	}
}

// four is the butterfly of four legs, where roots are 1, -i, -1 and i.
func (w *work) four(a, b, c, d []uint64) {
	l := w.limbs
	leg := func(i int) []uint64 { return w.legs[2*l*i : 2*l*(i+1)] }
	w.plus(w.sum, leg(0), leg(2))
	w.minus(leg(0), leg(0), leg(2))
	w.plus(leg(2), leg(1), leg(3))
	w.minus(leg(1), leg(1), leg(3))
	w.plus(a, w.sum, leg(2))
	w.minus(c, w.sum, leg(2))
	even, odd := leg(0), leg(1)
	add(b[:l], even[:l], odd[l:]) // even - i odd
	sub(b[l:], even[l:], odd[:l])
	sub(d[:l], even[:l], odd[l:])
	add(d[l:], even[l:], odd[:l])
}

func (w *work) plus(dst, a, b []uint64) {
	l := w.limbs
	add(dst[:l], a[:l], b[:l])
	add(dst[l:2*l], a[l:2*l], b[l:2*l])
}

func (w *work) minus(dst, a, b []uint64) {
	l := w.limbs
	sub(dst[:l], a[:l], b[:l])
	sub(dst[l:2*l], a[l:2*l], b[l:2*l])
}

// turn sets dst to a number times a root. They may be the same.
func (w *work) turn(dst, a []uint64, by root) {
	l := w.limbs
	re, im := a[:l], a[l:2*l]
	toRe, toIm := dst[:l], dst[l:2*l]
	switch {
	case by.unit && !by.swap && !by.cosNeg:
		copy(dst, a[:2*l])
	case by.unit && !by.swap:
		negate(toRe, re)
		negate(toIm, im)
	case by.unit && by.sinNeg: // times -i
		copy(w.p, re)
		copy(toRe, im)
		negate(toIm, w.p)
	case by.unit:
		copy(w.p, re)
		negate(toRe, im)
		copy(toIm, w.p)
	default:
		// re cos - im sin, then re sin + im cos.
		mul(w.p, re, by.cos, w.acc)
		mul(w.q, im, by.sin, w.acc)
		both(w.p, w.p, w.q, by.cosNeg, !by.sinNeg)
		mul(w.q, re, by.sin, w.acc)
		mul(toIm, im, by.cos, w.acc)
		both(toIm, w.q, toIm, by.sinNeg, by.cosNeg)
		copy(toRe, w.p)
	}
}

// both adds two numbers, each as it is or with the other sign.
func both(dst, a, b []uint64, aNeg, bNeg bool) {
	switch {
	case !aNeg && !bNeg:
		add(dst, a, b)
	case !aNeg:
		sub(dst, a, b)
	case !bNeg:
		sub(dst, b, a)
	default:
		add(dst, a, b)
		negate(dst, dst)
	}
}
