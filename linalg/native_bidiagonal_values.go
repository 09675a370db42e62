package linalg

import "math"

// Singular values of bidiagonal matrices, by the QR steps of Demmel and Kahan: steps without a shift where one would
// cost digits of small values.

// mostSteps bounds the steps for a value; it takes about two.
const mostSteps = 60

// small is what counts as nothing beside a value: a step triples digits, so that little is gained by more.
const small = 0x1p-49

// bidiagonalValues makes d the singular values of the matrix with diagonal d and e above it, in no order, with all of
// their digits. Elements are at most about 1. It is false where that takes too long.
func bidiagonalValues(d, e []float64) bool {
	n := len(d)
	s := bidiagonalSteps{d: d, e: e, least: vanishing}
	// A bound of the least value: what is that much smaller is nothing anywhere.
	bound := math.Abs(d[0])
	least := bound
	for i := 1; i < n && least > 0; i++ {
		bound = math.Abs(d[i]) * (bound / (bound + math.Abs(e[i-1])))
		least = min(least, bound)
	}
	s.least = max(s.least, small*least/math.Sqrt(float64(n)))
	high, left := n-1, mostSteps*n
	for top, bottom := n, -1; high > 0; {
		if left--; left < 0 {
			return false
		}
		largest, low := math.Abs(d[high]), high-1
		for ; low >= 0; low-- {
			if math.Abs(e[low]) <= s.least {
				e[low] = 0
				break
			}
			largest = max(largest, math.Abs(d[low]), math.Abs(e[low]))
		}
		if low++; low == high {
			high--
			continue
		}
		if low+1 == high {
			d[low], d[high] = valuesOfTwo(d[low], e[low], d[high])
			e[low] = 0
			high -= 2
			continue
		}
		// Steps go towards the end that is smaller. That stays so for what a part is split into.
		if low > bottom || high < top {
			s.down = math.Abs(d[low]) >= math.Abs(d[high])
		}
		top, bottom = low, high
		found, split := s.split(low, high)
		if split {
			continue
		}
		s.step(low, high, s.shift(low, high, found, largest))
	}
	for i, v := range d {
		d[i] = math.Abs(v)
	}
	return true
}

type bidiagonalSteps struct {
	d, e  []float64
	least float64 // of e, what counts
	down  bool
}

// split looks for an element beside the diagonal that is nothing for every value, and gives a bound of the least of them.
func (s *bidiagonalSteps) split(low, high int) (least float64, split bool) {
	d, e := s.d, s.e
	if s.down {
		if math.Abs(e[high-1]) <= small*math.Abs(d[high]) {
			e[high-1] = 0
			return 0, true
		}
		bound := math.Abs(d[low])
		least = bound
		for i := low; i < high; i++ {
			if math.Abs(e[i]) <= small*bound {
				e[i] = 0
				return 0, true
			}
			bound = math.Abs(d[i+1]) * (bound / (bound + math.Abs(e[i])))
			least = min(least, bound)
		}
		return least, false
	}
	if math.Abs(e[low]) <= small*math.Abs(d[low]) {
		e[low] = 0
		return 0, true
	}
	bound := math.Abs(d[high])
	least = bound
	for i := high - 1; i >= low; i-- {
		if math.Abs(e[i]) <= small*bound {
			e[i] = 0
			return 0, true
		}
		bound = math.Abs(d[i]) * (bound / (bound + math.Abs(e[i])))
		least = min(least, bound)
	}
	return least, false
}

// shift is that of the next step: the lesser value of two rows at the end, or nothing.
func (s *bidiagonalSteps) shift(low, high int, least, largest float64) float64 {
	if float64(len(s.d))*small*(least/largest) <= 0x1p-53 {
		return 0
	}
	first, shift := s.d[low], 0.0
	if s.down {
		_, shift = valuesOfTwo(s.d[high-1], s.e[high-1], s.d[high])
	} else {
		first = s.d[high]
		_, shift = valuesOfTwo(s.d[low], s.e[low], s.d[low+1])
	}
	if by := shift / first; first != 0 && by*by < 0x1p-53 {
		return 0
	}
	return shift
}

// step is one from low to high, or the other way.
func (s *bidiagonalSteps) step(low, high int, shift float64) {
	d, e, i, to, on, beside := s.d, s.e, low, high, 1, 0
	if !s.down {
		i, to, on, beside = high, low, -1, -1
	}
	last := to - on + beside // of e
	if shift == 0 {
		c, oldC, oldS := 1.0, 1.0, 0.0
		for start := i; i != to; i += on {
			var sine, r float64
			c, sine, r = rotation(d[i]*c, e[i+beside])
			if i != start {
				e[i-on+beside] = oldS * r
			}
			oldC, oldS, d[i] = rotation(oldC*r, d[i+on]*sine)
		}
		h := d[to] * c
		d[to], e[last] = h*oldC, h*oldS
	} else {
		f := (math.Abs(d[i]) - shift) * (math.Copysign(1, d[i]) + shift/d[i])
		g := e[i+beside]
		for start := i; i != to; i += on {
			c, sine, r := rotation(f, g)
			if i != start {
				e[i-on+beside] = r
			}
			at, next, side := d[i], d[i+on], e[i+beside]
			f, side = c*at+sine*side, c*side-sine*at
			g, next = sine*next, c*next
			c, sine, d[i] = rotation(f, g)
			f = c*side + sine*next
			d[i+on] = c*next - sine*side
			if i+on != to {
				place := i + on + beside
				g, e[place] = sine*e[place], c*e[place]
			}
		}
		e[last] = f
	}
	if math.Abs(e[last]) <= s.least {
		e[last] = 0
	}
}

// rotation is the cosine and the sine that turn (f, g) to (r, 0).
func rotation(f, g float64) (c, s, r float64) {
	square := f*f + g*g
	if !(square > 0x1p-900) {
		if g == 0 {
			return 1, 0, f
		}
		f, g = f*0x1p600, g*0x1p600
		c, s, r = rotation(f, g)
		return c, s, r * 0x1p-600
	}
	r = math.Sqrt(square)
	by := r * (1 / square) // the quotient does not wait for the root
	return f * by, g * by, r
}

// valuesOfTwo is the singular values of f and h with g above h.
func valuesOfTwo(f, g, h float64) (larger, lesser float64) {
	f, g, h = math.Abs(f), math.Abs(g), math.Abs(h)
	low, high := min(f, h), max(f, h)
	switch {
	case low == 0:
		return math.Hypot(high, g), 0
	case g < high:
		a, b, c := 1+low/high, (high-low)/high, g/high
		over := 2 / (math.Sqrt(a*a+c*c) + math.Sqrt(b*b+c*c))
		return high / over, low * over
	}
	by := high / g
	if by == 0 {
		return g, low * high / g
	}
	a, b := (1+low/high)*by, (high-low)/high*by
	over := 1 / (math.Sqrt(1+a*a) + math.Sqrt(1+b*b))
	return g / (2 * over), 2 * (low * over) * by
}
