package linalg

import (
	"cmp"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// tridiagonal is a symmetric tridiagonal matrix on its way to being diagonal.
type tridiagonal struct {
	d, e []float64 // the diagonal, and what is beside it
	v    square    // zeros, for rows of eigenvectors
}

// divideFrom is the least side that is divided: smaller matrices are rotated (implicit QL).
const divideFrom = 33

// solve leaves eigenvalues in d, least first, and vectors in the rows of v, by dividing and
// conquering (Cuppen; Gu and Eisenstat). It is false where rotations take too long.
func (t tridiagonal) solve() bool {
	return t.part(0, len(t.d))
}

// part solves the rows and columns from low up to high.
func (t tridiagonal) part(low, high int) bool {
	if high-low < divideFrom {
		return t.rotate(low, high)
	}
	// The matrix is that of two parts, and weight times z z' with a one in z on either side
	// of the cut.
	mid := (low + high) / 2
	beside := t.e[mid-1]
	weight := math.Abs(beside)
	t.d[mid-1] -= weight
	t.d[mid] -= weight
	if !t.part(low, mid) || !t.part(mid, high) {
		return false
	}
	if weight == 0 || math.IsNaN(weight) {
		t.sort(low, high)
		return !math.IsNaN(weight)
	}
	m := merge{d: t.d[low:high], z: make([]float64, high-low), rows: make([][]float64, high-low), split: mid - low}
	sign := math.Copysign(1, beside) * math.Sqrt2 / 2
	for i := low; i < high; i++ {
		row := t.v.row(i)
		m.rows[i-low] = row[low:high]
		if i < mid {
			m.z[i-low] = row[mid-1] * (math.Sqrt2 / 2)
		} else {
			m.z[i-low] = row[mid] * sign
		}
	}
	m.weight = 2 * weight
	return m.run()
}

// rotate solves a small part by rotations.
func (t tridiagonal) rotate(low, high int) bool {
	for i := low; i < high; i++ {
		t.v.row(i)[i] = 1
	}
	e := slices.Clone(t.e[low:high])
	e[high-low-1] = 0
	rows := make([][]float64, high-low)
	from, to := low&^15, rowLength(high)
	for i := range rows {
		rows[i] = t.v.row(low + i)[from:to]
	}
	if !diagonalise(t.d[low:high], e, rows) {
		return false
	}
	t.sort(low, high)
	return true
}

// sort puts values and vectors in order.
func (t tridiagonal) sort(low, high int) {
	for i := low; i < high; i++ {
		least := i
		for j := i + 1; j < high; j++ {
			if t.d[j] < t.d[least] {
				least = j
			}
		}
		if least != i {
			t.d[i], t.d[least] = t.d[least], t.d[i]
			x, y := t.v.row(i)[low:high], t.v.row(least)[low:high]
			for k := range x {
				x[k], y[k] = y[k], x[k]
			}
		}
	}
}

// mostTurns bounds the turns for a value; it takes about two.
const mostTurns = 50

// vanishing is nothing beside a matrix with a largest element of about 1; its square is not zero.
const vanishing = 0x1p-400

// diagonalise rotates neighbouring rows of v until e, what is beside the diagonal d, is zero
// (implicit QL). The largest elements are about 1; v may be nil.
func diagonalise(d, e []float64, v [][]float64) bool {
	n := len(d)
	for l := range n {
		for turn := 0; ; turn++ {
			m := l
			for m+1 < n && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1]))+vanishing {
				m++
			}
			if m == l {
				break
			}
			if turn == mostTurns {
				return false
			}
			// The shift is the eigenvalue of the leading two rows that is closer.
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Sqrt(g*g+1), g))
			sine, cosine, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := sine*e[i], cosine*e[i]
				r := math.Sqrt(f*f + g*g)
				e[i+1] = r
				if r == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				sine, cosine = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*sine + 2*cosine*b
				p = sine * r
				d[i+1] = g + p
				g = cosine*r - b
				if v != nil {
					rowOps.Rotate(v[i], v[i+1], cosine, -sine)
				}
			}
			if i >= l {
				continue
			}
			d[l] -= p
			e[l], e[m] = g, 0
		}
	}
	return true
}

// merge is a diagonal matrix and weight z z', z of length 1, with the rows of the vectors of
// both parts: those before split have elements before split alone, others behind it.
type merge struct {
	d, z   []float64
	rows   [][]float64
	split  int
	weight float64
}

// run finds the values and the vectors of the sum.
func (m merge) run() bool {
	n := len(m.d)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.d[a], m.d[b]) })
	left, done, side := m.deflate(order)
	k := len(left)
	s := newSecular(k)
	for i, at := range left {
		s.poles[i], s.weights[i] = m.d[at], m.weight*m.z[at]*m.z[at]
	}
	// Vectors take rows of the first part alone first, then those of both, then those of the
	// second: column place[i] is of row left[i].
	place := make([]int, k)
	var counts [3]int
	for _, at := range left {
		counts[side[at]]++
	}
	starts := [3]int{0, counts[0], counts[0] + counts[1]}
	for i, at := range left {
		place[i] = starts[side[at]]
		starts[side[at]]++
	}
	values := make([]float64, k)
	vectors := make([]float64, k*k)
	if !s.solve(values, vectors, place, m.z, left) {
		return false
	}
	first, second := counts[0]+counts[1], counts[1]+counts[2]
	width := n - m.split
	low, high := make([]float64, first*m.split), make([]float64, second*width)
	for i, at := range left {
		if p := place[i]; p < first {
			copy(low[p*m.split:][:m.split], m.rows[at])
		}
		if p := place[i] - counts[0]; p >= 0 {
			copy(high[p*width:][:width], m.rows[at][m.split:])
		}
	}
	turned := make([]float64, k*n)
	gemm.Mul(k, m.split, first, gemm.Matrix[float64]{Data: turned, Row: n, Col: 1},
		gemm.Matrix[float64]{Data: vectors, Row: k, Col: 1}, gemm.Matrix[float64]{Data: low, Row: m.split, Col: 1}, nil)
	gemm.Mul(k, width, second, gemm.Matrix[float64]{Data: turned, Offset: m.split, Row: n, Col: 1},
		gemm.Matrix[float64]{Data: vectors, Offset: counts[0], Row: k, Col: 1}, gemm.Matrix[float64]{Data: high, Row: width, Col: 1}, nil)
	// All in order of their values.
	type vector struct {
		value float64
		row   []float64
	}
	all := make([]vector, 0, n)
	for i, v := range values {
		all = append(all, vector{v, turned[i*n:][:n]})
	}
	for _, at := range done {
		all = append(all, vector{m.d[at], slices.Clone(m.rows[at])})
	}
	slices.SortStableFunc(all, func(a, b vector) int { return cmp.Compare(a.value, b.value) })
	for i, v := range all {
		m.d[i] = v.value
		copy(m.rows[i], v.row)
	}
	return true
}

// deflate finds the vectors that are those of the sum already, for their element of z is nothing,
// and makes more of them by turning pairs with values that are next to equal. side says for
// each row whether it has elements of the first part, of both or of the second.
func (m merge) deflate(order []int) (left, done []int, side []int) {
	side = make([]int, len(m.d))
	for i := m.split; i < len(side); i++ {
		side[i] = 2
	}
	most, largest := 0.0, 0.0
	for i, d := range m.d {
		most, largest = max(most, math.Abs(d)), max(largest, math.Abs(m.z[i]))
	}
	tolerance := 0x1p-50 * max(most, largest)
	last := -1
	for _, at := range order {
		if m.weight*math.Abs(m.z[at]) <= tolerance {
			done = append(done, at)
			continue
		}
		if last < 0 {
			last = at
			continue
		}
		length := math.Hypot(m.z[at], m.z[last])
		c, s := m.z[at]/length, m.z[last]/length
		if math.Abs((m.d[at]-m.d[last])*c*s) > tolerance {
			left = append(left, last)
			last = at
			continue
		}
		m.z[at], m.z[last] = length, 0
		if side[at] != side[last] {
			side[at] = 1
		}
		// row last becomes c last - s at, row at becomes c at + s last.
		rowOps.Rotate(m.rows[last], m.rows[at], c, -s)
		m.d[last], m.d[at] = m.d[last]*c*c+m.d[at]*s*s, m.d[last]*s*s+m.d[at]*c*c
		done = append(done, last)
		last = at
	}
	if last >= 0 {
		left = append(left, last)
	}
	return left, done, side
}
