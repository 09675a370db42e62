package linalg

import (
	"cmp"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// merge is a diagonal matrix and weight z z', z of length 1, with the rows of the vectors of
// both parts: those before split have elements before split alone, others behind it.
//
// Of singular values, it is a diagonal matrix with a row z at place middle, where the diagonal is zero.
type merge struct {
	d, z   []float64
	rows   [][]float64
	lefts  [][]float64 // left vectors, with singular values alone
	middle int
	split  int
	weight float64
	small  float64 // what is left out beside the largest
	room   *mergeRoom
}

// mergeRoom is memory that one merge after the other uses.
type mergeRoom struct {
	numbers     []float64
	places      []int
	rows, lefts [][]float64
	unused      []float64 // of numbers
	free        []int     // of places
}

// newMergeRoom is for matrices of n columns, with singular or with eigenvalues.
func newMergeRoom(n int, singular bool) *mergeRoom {
	squares := 3
	if singular {
		squares++
	}
	return &mergeRoom{numbers: make([]float64, squares*n*n+8*rowLength(n)), places: make([]int, 6*n), rows: make([][]float64, n), lefts: make([][]float64, n)}
}

// newMerge begins with a diagonal.
func (r *mergeRoom) newMerge(d []float64) merge {
	r.unused, r.free = r.numbers, r.places
	return merge{d: d, z: r.take(len(d)), rows: r.rows[:len(d)], room: r}
}

// take is room for n numbers, of any values.
func (r *mergeRoom) take(n int) []float64 {
	list := r.unused[:n:n]
	r.unused = r.unused[n:]
	return list
}

func (r *mergeRoom) takePlaces(n int) []int {
	list := r.free[:n:n]
	r.free = r.free[n:]
	return list
}

// run finds the values and the vectors of the sum.
func (m merge) run() bool {
	n := len(m.d)
	order, k, side := m.deflate()
	left := order[:k]
	s := m.room.newSecular(k, m.lefts != nil)
	for i, at := range left {
		s.poles[i], s.weights[i] = m.d[at], m.weight*m.z[at]*m.z[at]
	}
	// Vectors take rows of the first part alone first, then those of both, then those of the
	// second: column place[i] is of row left[i].
	place := m.room.takePlaces(k)
	var counts [3]int
	for _, at := range left {
		counts[side[at]]++
	}
	starts := [3]int{0, counts[0], counts[0] + counts[1]}
	for i, at := range left {
		place[i] = starts[side[at]]
		starts[side[at]]++
	}
	gaps, values := m.room.take(k*len(m.rows[0])), m.room.take(k)
	vectors := m.room.take(k * k)
	var others []float64
	if m.lefts != nil {
		others = m.room.take(k * k)
	}
	if !s.solve(values, gaps, vectors, others, place, m.z, left) {
		return false
	}
	// All in order of their values.
	for i, at := range left {
		m.d[at] = values[i]
	}
	to, sorted := m.room.takePlaces(n), m.room.take(n)
	for i := range to {
		to[i] = i
	}
	slices.SortStableFunc(to, func(a, b int) int { return cmp.Compare(m.d[order[a]], m.d[order[b]]) })
	rank := side[:n] // in use no more
	for i, from := range to {
		sorted[i], rank[from] = m.d[order[from]], i
	}
	copy(m.d, sorted)
	m.turn(m.rows, vectors, gaps, order, rank, place, counts)
	if m.lefts != nil {
		m.turn(m.lefts, others, gaps, order, rank, place, counts)
	}
	return true
}

// turn makes row rank[i] what vectors make of the first rows in order, or what row order[i] was.
func (m merge) turn(rows [][]float64, vectors, turned []float64, order, rank, place []int, counts [3]int) {
	k, n := len(place), len(rows[0])
	first, second, width := counts[0]+counts[1], counts[1]+counts[2], n-m.split
	unused := m.room.unused
	low, high := m.room.take(first*m.split), m.room.take(second*width)
	for i, p := range place {
		row := rows[order[i]]
		if p < first {
			copy(low[p*m.split:][:m.split], row)
		}
		if p -= counts[0]; p >= 0 {
			copy(high[p*width:][:width], row[m.split:])
		}
	}
	turn := func(rows, columns, from, offset int, by []float64) {
		gemm.Mul(k, columns, rows, gemm.Matrix[float64]{Data: turned, Offset: offset, Row: n, Col: 1},
			gemm.Matrix[float64]{Data: vectors, Offset: from, Row: k, Col: 1}, gemm.Matrix[float64]{Data: by, Row: columns, Col: 1}, nil)
	}
	turn(first, m.split, 0, 0, low)
	turn(second, width, counts[0], m.split, high)
	m.room.unused = unused
	done := m.room.take((len(order) - k) * n)
	for i, at := range order[k:] {
		copy(done[i*n:][:n], rows[at])
	}
	for i, to := range rank {
		if i < k {
			copy(rows[to], turned[i*n:][:n])
		} else {
			copy(rows[to], done[(i-k)*n:])
		}
	}
	m.room.unused = unused
}

// deflate finds the vectors that are those of the sum already, for their element of z is nothing,
// and makes more of them by turning pairs with values that are next to equal. side says for
// each row whether it has elements of the first part, of both or of the second. The first count rows in order are left.
func (m merge) deflate() (order []int, count int, side []int) {
	n := len(m.d)
	order, side = m.room.takePlaces(n), m.room.takePlaces(n)
	left, done := m.room.takePlaces(n)[:0], m.room.takePlaces(n)[:0]
	for i := range n {
		order[i], side[i] = i, 0
		if i >= m.split {
			side[i] = 2
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.d[a], m.d[b]) })
	most, largest := 0.0, 0.0
	for i, d := range m.d {
		most, largest = max(most, math.Abs(d)), max(largest, math.Abs(m.z[i]))
	}
	tolerance := m.small * max(most, largest)
	if m.lefts != nil {
		left = append(left, m.middle)
		if len(m.rows[0]) > len(m.d) {
			side[m.middle] = 1
		}
	}
	last := -1
	for _, at := range order {
		if m.lefts != nil && at == m.middle {
			continue
		}
		if m.weight*math.Abs(m.z[at]) <= tolerance {
			done = append(done, at)
			continue
		}
		if m.lefts != nil && m.d[at] <= tolerance {
			m.toMiddle(at, side)
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
		if m.lefts != nil {
			rowOps.Rotate(m.lefts[last], m.lefts[at], c, -s)
		}
		more := (m.d[at] - m.d[last]) * s * s // rounded, they stay between each other
		m.d[last], m.d[at] = m.d[last]+more, m.d[at]-more
		done = append(done, last)
		last = at
	}
	if last >= 0 {
		left = append(left, last)
	}
	copy(order[copy(order, left):], done)
	return order, len(left), side
}

// toMiddle turns a right vector, whose value is nothing, with that of the middle until its element of z is zero.
func (m merge) toMiddle(at int, side []int) {
	length := math.Copysign(math.Hypot(m.z[m.middle], m.z[at]), m.z[m.middle]) // so that the value keeps its sign
	c, s := m.z[m.middle]/length, m.z[at]/length
	rowOps.Rotate(m.rows[m.middle], m.rows[at], c, s)
	m.z[m.middle], m.z[at] = length, 0
	m.d[at] *= c
	if side[m.middle] != side[at] {
		side[m.middle] = 1
	}
}
