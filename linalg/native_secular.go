package linalg

import "math"

// secular is the equation 1 + sum of weights[i] / (poles[i] - x) = 0. Poles ascend, weights
// are above zero: one root lies behind each pole. Behind count they are filled up to rows with
// poles that are infinite and weights of zero.
type secular struct {
	count          int
	poles, weights []float64
}

func newSecular(count int) secular {
	s := secular{count, make([]float64, rowLength(count)), make([]float64, rowLength(count))}
	for i := count; i < len(s.poles); i++ {
		s.poles[i] = math.Inf(1)
	}
	return s
}

// solve finds all roots, and the vectors of diag(poles) + w w', where w are the roots of weights
// with the signs of z[left[i]]: element i of a vector is in column place[i] of its row.
func (s secular) solve(values, vectors []float64, place []int, z []float64, left []int) bool {
	k, poles := s.count, s.poles[:s.count]
	// Row i of gaps is all poles less root i, to all of their digits.
	gaps, shifted := make([]float64, k*k), make([]float64, len(s.poles))
	for i := range k {
		origin, x := s.root(i, shifted)
		if math.IsNaN(x) {
			return false
		}
		values[i] = poles[origin] + x
		for j, p := range shifted[:k] {
			gaps[i*k+j] = p - x
		}
	}
	// Weights for which the roots are exact make vectors that are orthogonal.
	w := make([]float64, k)
	for j := range w {
		w[j] = -gaps[j*k+j]
	}
	for i := range k {
		row, p := gaps[i*k:][:k], poles[i]
		for j, q := range poles[:i] {
			w[j] *= row[j] / (q - p)
		}
		for j := i + 1; j < k; j++ {
			w[j] *= row[j] / (poles[j] - p)
		}
	}
	for j := range w {
		w[j] = math.Copysign(math.Sqrt(math.Abs(w[j])), z[left[j]])
	}
	for i := range k {
		row := gaps[i*k:][:k]
		square := 0.0
		for j, g := range row {
			row[j] = w[j] / g
			square += row[j] * row[j]
		}
		by := 1 / math.Sqrt(square)
		to := vectors[i*k:][:k]
		for j, v := range row {
			to[place[j]] = v * by
		}
	}
	return true
}

// root finds the root behind pole i, as a difference x from the pole origin, which is the
// nearer one; shifted is set to all poles less that one.
//
// Steps go to the root of c + a/(p - x) + w/(q - x), p and q the poles beside the root: w is the
// weight of the origin, c and a are such that the value and the slope are right.
func (s secular) root(i int, shifted []float64) (origin int, x float64) {
	k := s.count
	move := func(to int) {
		origin = to
		for j, p := range s.poles {
			shifted[j] = p - s.poles[to]
		}
	}
	move(i)
	last := i+1 == k
	p, q := i, i+1
	low, high := 0.0, 0.0
	if last {
		p, q = i-1, i
		for _, w := range s.weights {
			high += w
		}
		if k == 1 {
			return origin, high
		}
	} else {
		high = shifted[q]
	}
	gap, half := shifted[q]-shifted[p], high/2
	// What all other poles add up to half way makes a first guess.
	sum, _, _ := rowOps.Poles(s.weights, shifted, half)
	c := 1 + sum - s.weights[p]/(shifted[p]-half) - s.weights[q]/(shifted[q]-half)
	both := s.weights[p] + s.weights[q]
	switch {
	case last:
		x = largerRoot(c, both-c*gap, -s.weights[q]*gap)
		if 1+sum < 0 {
			low = half
		} else {
			high = half
		}
	case 1+sum < 0:
		move(q)
		low, high = -half, 0
		x = smallerRoot(c, both-c*gap, -s.weights[q]*gap)
	default:
		high = half
		x = smallerRoot(c, both+c*gap, s.weights[p]*gap)
	}
	if !(x > low && x < high) {
		x = low + (high-low)/2
	}
	for range 100 {
		sum, size, slope := rowOps.Poles(s.weights, shifted, x)
		f := 1 + sum
		if f < 0 {
			low = x
		} else {
			high = x
		}
		if math.Abs(f) <= 0x1p-51*(1+size) {
			break
		}
		u, v := shifted[p]-x, shifted[q]-x
		near, far, own := u, v, s.weights[origin]/(u*u)
		if origin == q {
			near, far, own = v, u, s.weights[origin]/(v*v)
		}
		c := f - far*slope + (far-near)*own
		a, b := (u+v)*f-u*v*slope, u*v*f
		step := 0.0
		if last {
			step = largerRoot(c, a, b)
		} else {
			step = smallerRoot(c, a, b)
		}
		next := x + step
		if !(next > low && next < high) || !(step*f < 0) {
			next = x - f/slope // Newton
			if !(next > low && next < high) {
				next = low + (high-low)/2
			}
		}
		if next == x || next == low || next == high {
			break
		}
		x = next
	}
	return origin, x
}

// smallerRoot is the root of c x^2 - a x + b that stays finite as c vanishes.
func smallerRoot(c, a, b float64) float64 {
	root := math.Sqrt(max(a*a-4*b*c, 0))
	if a <= 0 {
		return (a - root) / (2 * c)
	}
	return 2 * b / (a + root)
}

// largerRoot is the other one, for c above zero.
func largerRoot(c, a, b float64) float64 {
	root := math.Sqrt(max(a*a-4*b*c, 0))
	if a >= 0 {
		return (a + root) / (2 * c)
	}
	return 2 * b / (a - root)
}
