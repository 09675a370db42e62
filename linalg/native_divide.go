package linalg

import (
	"math"
	"slices"
)

// tridiagonal is a symmetric tridiagonal matrix on its way to being diagonal.
type tridiagonal struct {
	d, e []float64 // the diagonal, and what is beside it
	v    square    // zeros, for rows of eigenvectors
	room *mergeRoom
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
	m := t.room.newMerge(t.d[low:high])
	m.split, m.small = mid-low, 0x1p-50
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
