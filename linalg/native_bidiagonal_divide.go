package linalg

import "math"

// divided is an upper bidiagonal matrix, d on the diagonal and e above it, on its way to U' diag(d) V.
type divided struct {
	d, e []float64
	u, v square // zeros, for rows of left and right vectors
	room *mergeRoom
}

// part solves the rows from low up to high by dividing and conquering (Gu and Eisenstat): values ascend in d. With extra, the
// rows have an element of column high, and there is one more right vector, which they take to nothing.
func (b divided) part(low, high int, extra bool) bool {
	columns := high
	if extra {
		columns++
	}
	if high-low <= 1 {
		for i := low; i < columns; i++ {
			b.v.row(i)[i] = 1
		}
		if low < high {
			b.single(low, extra)
		}
		return true
	}
	// Row mid is beside both parts. In terms of their vectors it is z, and others have their value on the diagonal. The vector
	// that the first part takes to nothing is that of the middle.
	mid := (low + high) / 2
	if !b.part(low, mid, true) || !b.part(mid+1, high, extra) {
		return false
	}
	m := b.room.newMerge(b.d[low:high])
	m.lefts, m.middle, m.split, m.weight, m.small = b.room.lefts[:high-low], mid-low, mid+1-low, 1, 0x1p-53
	for i := low; i < high; i++ {
		m.rows[i-low], m.lefts[i-low] = b.v.row(i)[low:columns], b.u.row(i)[low:high]
		if i <= mid {
			m.z[i-low] = b.d[mid] * b.v.row(i)[mid]
		} else {
			m.z[i-low] = b.e[mid] * b.v.row(i)[mid+1]
		}
	}
	b.u.row(mid)[mid], b.d[mid] = 1, 0
	if extra {
		z := &m.z[mid-low]
		if beside := b.e[mid] * b.v.row(high)[mid+1]; beside != 0 {
			length := math.Hypot(*z, beside)
			rowOps.Rotate(m.rows[mid-low], b.v.row(high)[low:columns], *z/length, beside/length)
			*z = length
		}
	}
	if z := &m.z[mid-low]; math.Abs(*z) < vanishing {
		*z = 0
	}
	return m.run()
}

// single solves a row of one element, or of two.
func (b divided) single(i int, extra bool) {
	b.u.row(i)[i] = 1
	if extra && b.e[i] != 0 {
		length := math.Hypot(b.d[i], b.e[i])
		c, s := b.d[i]/length, b.e[i]/length
		v, null := b.v.row(i), b.v.row(i+1)
		v[i], v[i+1], null[i], null[i+1] = c, s, -s, c
		b.d[i] = length
	}
	if b.d[i] < 0 {
		b.d[i], b.u.row(i)[i] = -b.d[i], -1
	}
}
