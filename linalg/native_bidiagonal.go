package linalg

import (
	"math"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/nd"
)

// bidiagonal is a square matrix in scratch, with a largest element of about 1, on its way to a diagonal and what is
// above it: by a reflection of rows and one of columns in turns. A panel of them reads the matrix as it was
// before the panel, which has become W - P'Q.
type bidiagonal struct {
	n             int
	square                  // W
	p, q          square    // rows 2j: the axis that reflects rows, and what it makes of them; rows 2j+1: what columns make, and their axis
	diagonal      []float64 // of the result
	above         []float64 // beside it; the last is zero
	negative      []float64 // of p
	sums          []float64 // of squares of columns
	unused, empty []float64

	// Where vectors are wanted:
	lefts, rights *bidiagonalSide
	room          *mergeRoom
	reflections   []float64 // room for those of vectors
}

// bidiagonalSide is what left or right vectors are made of: they are those of the bidiagonal form, reflected.
type bidiagonalSide struct {
	axes    square    // row k is the axis of reflection k
	scales  []float64 // 2 over the square of each axis, or 0
	vectors square
}

// bidiagonalPanel is how many pairs of reflections a panel has: of few columns, what a panel has to take out of
// each row and column is as much as there is to read of the matrix.
func bidiagonalPanel(n int) int {
	if n <= 192 {
		return 8
	}
	return 16
}

// bidiagonals keeps scratch from one launch to the next: of small matrices it is half of the work. What is zero
// behind n stays so.
var bidiagonals sync.Pool

func newBidiagonal(n int, vectors bool) *bidiagonal {
	length, count := rowLength(n), 2*bidiagonalPanel(n)
	list := func(n int) []float64 { return make([]float64, n) }
	b := &bidiagonal{
		n: n, square: newPadded(n), p: square{length, list(count * length)}, q: square{length, list(count * length)},
		diagonal: list(n), above: list(n), negative: list(count * length), sums: list(n), unused: list(length), empty: list(length),
	}
	if vectors {
		side := func() *bidiagonalSide { return &bidiagonalSide{newPadded(n), list(n), newPadded(n)} }
		b.lefts, b.rights, b.room, b.reflections = side(), side(), newMergeRoom(n, true), list(reflectionRoom(n))
	}
	return b
}

// of finds the singular values of a, the greatest first, and, where they are wanted, vectors as the columns of u and v. It is
// false where rows or columns have very different lengths: reflections mix them, which would cost digits of small values.
func (b *bidiagonal) of(g *nd.Group, a, values, u, v []float64) bool {
	n := b.n
	most, least := 0.0, math.Inf(1)
	down := b.sums[:n]
	clear(down)
	for i := range n {
		across := 0.0
		for j, v := range a[i*n:][:n] {
			across += v * v
			down[j] += v * v
		}
		most, least = max(most, across), min(least, across)
	}
	if !(least >= startRange*startRange*most && slices.Min(down) >= startRange*startRange*slices.Max(down) && most <= math.MaxFloat64) {
		return false
	}
	// A power of two brings squares into range, and rounds nothing that counts.
	_, exponent := math.Frexp(most)
	by := math.Ldexp(1, -exponent/2)
	for i := range n {
		for j, v := range a[i*n:][:n] {
			b.v[i*b.length+j] = v * by
		}
	}
	b.reduce(g)
	if g.Context.Err() != nil {
		return false
	}
	if b.room != nil {
		clear(b.lefts.vectors.v)
		clear(b.rights.vectors.v)
		if !(divided{b.diagonal, b.above, b.lefts.vectors, b.rights.vectors, b.room}).part(0, n, false) {
			return false
		}
		b.lefts.put(n, u, b.reflections)
		b.rights.put(n, v, b.reflections)
	} else {
		if !bidiagonalValues(b.diagonal, b.above) {
			return false
		}
		slices.Sort(b.diagonal)
	}
	for i, v := range b.diagonal {
		values[n-1-i] = v / by
	}
	return true
}

// keep keeps a reflection for vectors.
func (s *bidiagonalSide) keep(k, from int, axis []float64, by float64) {
	if s != nil {
		copy(s.axes.row(k)[from:], axis[from:])
		s.scales[k] = by
	}
}

// put reflects the rows of vectors and puts them into columns, the last first.
func (s *bidiagonalSide) put(n int, to, room []float64) {
	reflectRows(n, s.axes, s.scales, s.vectors, room)
	for i := range n / 2 {
		rowOps.Exchange(s.vectors.row(i), s.vectors.row(n-1-i))
	}
	columnsOf(to, s.vectors, n)
}

// reduce makes the diagonal and what is above it. It stops where the group is no longer wanted.
func (b *bidiagonal) reduce(g *nd.Group) {
	width := bidiagonalPanel(b.n)
	for first := 0; first < b.n && g.Context.Err() == nil; first += width {
		clear(b.p.v)
		clear(b.q.v)
		next := min(first+width, b.n)
		for k := first; k < next; k++ {
			b.step(k, k-first)
		}
		if next == b.n {
			return
		}
		for i, x := range b.p.v {
			b.negative[i] = -x
		}
		p := gemm.Matrix[float64]{Data: b.negative, Offset: next, Row: 1, Col: b.length}
		gemm.AddMul(b.n-next, b.n-next, 2*width, b.matrix(next, next), p, b.q.matrix(0, next), nil)
	}
}

// step reflects rows and columns for place k, j in its panel.
func (b *bidiagonal) step(k, j int) {
	n, from := b.n, k&^15
	u, y, x, v := b.p.row(2*j), b.q.row(2*j), b.p.row(2*j+1), b.q.row(2*j+1)
	for i := k; i < n; i++ {
		u[i] = b.v[i*b.length+k]
	}
	b.take(u, b.p, b.q, k, 2*j)
	clear(u[from:k])
	var by float64
	b.diagonal[k], by = reflect(u[from:], k-from)
	b.lefts.keep(k, from, u, by)
	if k+1 == n {
		b.above[k] = 0
		return
	}
	if by != 0 {
		for i := k &^ 3; i < n; i += 4 {
			rowOps.Four(b.v[i*b.length+from:], b.length, b.empty[from:], y[from:], [4]float64(u[i:]))
		}
		b.project(y, u, b.q, b.p, from, 2*j)
		b.finish(y, k, by)
	}
	copy(v[k+1:n], b.row(k)[k+1:n])
	b.take(v, b.q, b.p, k, 2*j+1)
	clear(v[from : k+1])
	b.above[k], by = reflect(v[from:], k+1-from)
	b.rights.keep(k, from, v, by)
	if by != 0 {
		for i := (k + 1) &^ 3; i < n; i += 4 {
			dots := rowOps.Four(b.v[i*b.length+from:], b.length, v[from:], b.unused[from:], [4]float64{})
			*(*[4]float64)(x[i:]) = dots
		}
		b.project(x, v, b.p, b.q, from, 2*j+1)
		b.finish(x, k, by)
	}
}

// take takes count rows of a out of line, each as many times as element k of a row of b says.
func (b *bidiagonal) take(line []float64, rows, by square, k, count int) {
	from := k &^ 15
	for r := 0; r < count; r += 4 { // rows from count on are zeros, or line itself beside a zero
		var c [4]float64
		for i := range min(4, count-r) {
			c[i] = -by.v[(r+i)*b.length+k]
		}
		rowOps.Four(rows.v[r*b.length+from:], b.length, b.empty[from:], line[from:], c)
	}
}

// project takes count rows out of line, each as many times as the product of another with the axis says.
func (b *bidiagonal) project(line, axis []float64, rows, others square, from, count int) {
	for r := 0; r < count; r += 4 {
		c := rowOps.Four(others.v[r*b.length+from:], b.length, axis[from:], b.unused[from:], [4]float64{})
		for i := range c {
			c[i] = -c[i]
			if r+i >= count {
				c[i] = 0
			}
		}
		rowOps.Four(rows.v[r*b.length+from:], b.length, b.empty[from:], line[from:], c)
	}
}

// finish scales what is behind place k of a line and clears the rest.
func (b *bidiagonal) finish(line []float64, k int, by float64) {
	clear(line[k&^15 : k+1])
	for i := k + 1; i < b.n; i++ {
		line[i] *= by
	}
}

// reflect turns a line, zero before a place, into the axis that reflects it onto that place. head is what is there
// then, by is 2 over the square of the axis, or 0 for no reflection.
func reflect(line []float64, place int) (head, by float64) {
	head = line[place]
	line[place] = 0 // beside it, squares of small numbers would be lost
	square, _, _ := rowOps.Products(line, line)
	if !(square > vanishing*vanishing) {
		clear(line)
		return head, 0
	}
	size := math.Copysign(math.Sqrt(head*head+square), head)
	line[place] = head + size
	return -size, 1 / (size * line[place])
}
