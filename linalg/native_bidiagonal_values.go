package linalg

import "math"

// Singular values of bidiagonal matrices by differential quotients and differences with shifts (Fernando and Parlett):
// nothing is subtracted but shifts, so that small values keep their digits, and no root waits for another.

// mostSteps bounds the passes for a value; it takes about five.
const mostSteps = 60

// small is the square of what counts as nothing beside a value.
const small = 0x1p-98

// quotients is the squares of the diagonal and of what is above it.
type quotients struct {
	q, e   []float64 // e[i] is between q[i] and q[i+1], -1 where parts end
	q2, e2 []float64 // after a pass

	// What a pass leaves: its differences at the last places, and the least of all up to each of them.
	last, least [3]float64
}

// bidiagonalValues makes d the singular values of the matrix with diagonal d and e above it, in no order, with all of
// their digits. Elements are at most about 1. It is false where that takes too long.
func bidiagonalValues(d, e []float64) bool {
	const scale = 0x1p240 // products of squares are neither zero nor infinite
	n := len(d)
	room := make([]float64, 6*n)
	s := quotients{q: room[:n], e: room[n : 2*n], q2: room[2*n : 3*n], e2: room[3*n : 4*n]}
	sums, rests := room[4*n:5*n], room[5*n:] // of shifts, for what ends at a place, and what rounding left of them
	for i, v := range d {
		s.q[i] = v * scale * v * scale
		s.e[i] = e[i] * scale * e[i] * scale
	}
	s.e[n-1] = 0
	known := false // the last pass says something of the next
	root := func(at int, v float64) { d[at] = math.Sqrt(max(v, 0)+sums[at]) / scale }
	for high, left := n-1, mostSteps*n; high >= 0; left-- {
		if left < 0 {
			return false
		}
		sum := sums[high]
		low, fresh := high, false
		for ; low > 0 && s.e[low-1] >= 0; low-- {
			// At the end of a part, e is negligible beside the last q. Elsewhere pass decides.
			if beside := s.e[low-1]; beside <= small*sum || low == high && beside <= small*s.q[low] {
				s.e[low-1], sums[low-1], rests[low-1], fresh = -1, sum, rests[high], true
				break
			}
		}
		switch high - low {
		case 0:
			root(high, s.q[high])
			high--
			// Differences move down by a place.
			s.last, s.least = [3]float64{s.last[1], s.last[2]}, [3]float64{s.least[1], s.least[2]}
			known = known && fresh
			continue
		case 1:
			larger, lesser := valuesOfTwo(math.Sqrt(s.q[low]), math.Sqrt(s.e[low]), math.Sqrt(s.q[high]))
			sums[low] = sum
			root(low, larger*larger)
			root(high, lesser*lesser)
			high -= 2
			known = false
			continue
		}
		if 1.5*s.q[low] < s.q[high] {
			s.flip(low, high)
			known = false
		}
		shift := 0.0
		if known {
			shift = s.shift(low, high)
		}
		for tries := 0; !s.pass(low, high, shift); tries++ {
			switch late := shift + s.last[0]; {
			case shift == 0:
				return false // it is not finite
			case tries < 2 && s.least[1] > 0 && late > 0:
				shift = late * (1 - 0x1p-51)
			case tries < 2:
				shift /= 4
			default:
				shift = 0
			}
		}
		known = true
		copy(s.q[low:], s.q2[low:high+1])
		copy(s.e[low:], s.e2[low:high])
		rests[high] += shift
		sums[high] = sum + rests[high]
		rests[high] -= sums[high] - sum
	}
	return true
}

// flip turns a part round, which has the same values: passes move small ones to the end.
func (s *quotients) flip(low, high int) {
	for i, j := low, high; i < j; i, j = i+1, j-1 {
		s.q[i], s.q[j] = s.q[j], s.q[i]
	}
	for i, j := low, high-1; i < j; i, j = i+1, j-1 {
		s.e[i], s.e[j] = s.e[j], s.e[i]
	}
}

// pass leaves in q2 and e2 what has all values less by a shift. It is false if the shift is above the least.
func (s *quotients) pass(low, high int, shift float64) bool {
	q, e := s.q[low:high+1], s.e[low:high]
	q2, e2 := s.q2[low : high+1][:len(q)], s.e2[low:high][:len(e)]
	d := q[0] - shift
	least := d
	for i, beside := range e {
		if i+2 >= len(e) {
			s.last[len(e)-i], s.least[len(e)-i] = d, least
		}
		sum := d + beside
		next := q[i+1]
		q2[i], e2[i] = sum, beside*(next/sum)
		if beside <= small*d { // q may be far larger than d, and small values depend on d
			e2[i] = 0
		}
		d = d*next/sum - shift // another quotient, which does not wait for a product
		if !(d >= least) {
			least = d
		}
	}
	q2[len(e)] = d
	s.last[0], s.least[0] = d, least
	return least >= 0
}

// shift is a guess of the least value from below, by what the last pass left.
func (s *quotients) shift(low, high int) float64 {
	least, last := s.least, s.last
	switch {
	case !(least[0] >= 0) || least[0] == math.Inf(1):
		return 0
	case least[0] != last[0]:
		return least[0] / 4
	}
	// The last place is close to the least value: by how much depends on the gap to others.
	if least[1] == last[1] {
		b1, b2 := math.Sqrt(s.q[high]*s.e[high-1]), math.Sqrt(s.q[high-1]*s.e[high-2])
		a := s.q[high-1] + s.e[high-1]
		gap := a - last[0] - (b1 + b2)
		if far := least[2]*0.75 - a; far > 0 && far > b2 {
			gap = a - last[0] - b2/far*b2
		}
		if gap > 0 && gap > b1 {
			return max(last[0]-b1/gap*b1, least[0]/2)
		}
	}
	// What a vector that ends here has before its end.
	sum, term := 0.0, 1.0
	for i := high - 1; i >= low && sum < 0.5; i-- {
		term *= s.e[i] / s.q[i]
		sum += term
		if 100*term < sum {
			break
		}
	}
	if sum *= 1.05; sum < 0.5 {
		return last[0] * (1 - math.Sqrt(sum)) / (1 + sum)
	}
	return least[0] / 4
}

// valuesOfTwo is the singular values of f and h, none of them negative, with g above h.
func valuesOfTwo(f, g, h float64) (larger, lesser float64) {
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
