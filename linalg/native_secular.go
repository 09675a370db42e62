package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// secular is the equation 1 + sum of weights[i] / (poles[i] - x) = 0. Poles ascend, weights
// are above zero: one root lies behind each pole. Behind count they are filled up to rows with
// poles that are infinite and weights of zero.
//
// With squares, poles and roots are the roots of those of the equation, the first pole is zero, and its weight may be.
type secular struct {
	count          int
	squares        bool
	poles, weights []float64
	shifted, sums  []float64 // in use while it is solved
	w              []float64
}

func (r *mergeRoom) newSecular(count int, squares bool) secular {
	length := rowLength(count)
	s := secular{count, squares, r.take(length), r.take(length), r.take(length), r.take(length), r.take(count)}
	for i := count; i < length; i++ {
		s.poles[i], s.weights[i] = math.Inf(1), 0
	}
	return s
}

var numbers = vec.For(simd.Active()).F64

// from makes shifted how far the poles of the equation are from pole i.
func (s secular) from(i int) {
	at := s.poles[i]
	numbers.Sub.VS(s.shifted, s.poles, at, false)
	if s.squares {
		numbers.Add.VS(s.sums, s.poles, at, false)
		numbers.Mul.VV(s.shifted, s.shifted, s.sums, false)
	}
}

// solve finds all roots, and the vectors of diag(poles) + w w', where w are the roots of weights
// with the signs of z[left[i]]: element i of a vector is in column place[i] of its row. With squares, these are right
// vectors of a matrix with w as its first row and poles on the diagonal behind; others are left ones.
//
// Row i of gaps is all poles less root i, to all of their digits, in between.
func (s secular) solve(values, gaps, vectors, others []float64, place []int, z []float64, left []int) bool {
	k, poles, shifted := s.count, s.poles[:s.count], s.shifted
	for i := range k {
		origin, x := s.root(i)
		if math.IsNaN(x) {
			return false
		}
		values[i] = poles[origin] + x
		if p := poles[origin]; s.squares && x != 0 {
			values[i] = p + x/(p+math.Sqrt(p*p+x))
		}
		numbers.Sub.VS(gaps[i*k:][:k], shifted[:k], x, false)
	}
	// Weights for which the roots are exact make vectors that are orthogonal.
	w := s.w
	for j := range w {
		w[j] = 1
	}
	for i := range k {
		s.from(i)
		shifted[i] = -1
		numbers.Div.VV(shifted[:k], gaps[i*k:][:k], shifted[:k], false)
		numbers.Mul.VV(w, w, shifted[:k], false)
	}
	for j := range w {
		w[j] = math.Copysign(math.Sqrt(math.Abs(w[j])), z[left[j]])
	}
	for i := range k {
		row := gaps[i*k:][:k]
		numbers.Div.VV(row, w, row, false)
		null := i == 0 && s.weights[0] == 0 // the value is zero, and the right vector that of the pole
		if s.squares {
			line := shifted[:k]
			numbers.Mul.VV(line, poles, row, false)
			line[0] = -1
			unitVector(others[i*k:][:k], line, place)
		}
		if null {
			clear(row)
			row[0] = 1
		}
		unitVector(vectors[i*k:][:k], row, place)
	}
	return true
}

// unitVector puts the vector of length 1 along v into places.
func unitVector(to, v []float64, place []int) {
	square, _, _ := rowOps.Products(v, v)
	by := 1 / math.Sqrt(square)
	for j, x := range v {
		to[place[j]] = x * by
	}
}

// root finds the root behind pole i, as a difference x from the pole origin, which is the
// nearer one; shifted becomes all poles less that one.
//
// Steps go to the root of c + a/(p - x) + w/(q - x), p and q the poles beside the root: w is the
// weight of the origin, c and a are such that the value and the slope are right.
func (s secular) root(i int) (origin int, x float64) {
	k := s.count
	shifted := s.shifted
	s.from(i)
	origin = i
	if s.weights[i] == 0 {
		return origin, 0
	}
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
		s.from(q)
		origin = q
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
