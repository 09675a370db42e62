package linalg

import (
	"math"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// symmetric is a symmetric matrix in scratch on its way to tridiagonal form, with a largest
// element of about 1. Of its blocks of
// 16 rows and columns those on and above the diagonal count.
type symmetric struct {
	n int
	square
	diagonal, beside []float64 // of the tridiagonal matrix; the last of beside is zero
	axes             square    // row k is the axis of reflection k, zero up to its place k
	scales           []float64 // 2 over the square of each axis; 0 for no reflection
	vectors          square    // rows; without rows before they are asked for
	room             *mergeRoom
	reflections      []float64 // room for those of vectors
	panel            symmetricPanel
}

// symmetrics keeps scratch from one matrix to the next: of small ones, memory was almost half of the work. What is
// zero behind n stays so.
var symmetrics sync.Pool

// newSymmetric is scratch for a matrix of n columns, which has to be filled; symmetrics takes it back.
func newSymmetric(n int) *symmetric {
	if s, _ := symmetrics.Get().(*symmetric); s != nil && s.n == n {
		return s
	}
	list := make([]float64, 3*n)
	s := &symmetric{n: n, square: newPadded(n), diagonal: list[:n], beside: list[n:][:n], scales: list[2*n:], axes: newPadded(n)}
	s.panel = symmetricPanel{symmetric: s, products: make([]float64, reflectionPanel*s.length), negative: make([]float64, reflectionPanel*s.length), unused: make([]float64, s.length)}
	return s
}

// newPadded is a square with rows of zeros up to a multiple of 16.
func newPadded(n int) square {
	length := rowLength(n)
	return square{length, make([]float64, length*length)}
}

// matrix is s from a row and a column on, as gemm takes it.
func (s square) matrix(row, column int) gemm.Matrix[float64] {
	return gemm.Matrix[float64]{Data: s.v, Offset: row*s.length + column, Row: s.length, Col: 1}
}

// eigenvectors gives the rows of an orthogonal matrix, eigenvectors of s, which is
// destroyed, in the order of their values in diagonal, least first. They are part of s. ok is false if that
// takes too long, as it does for what is not finite.
func (s *symmetric) eigenvectors() (v square, ok bool) {
	s.reduce()
	if s.vectors.v == nil {
		s.vectors, s.room, s.reflections = newPadded(s.n), newMergeRoom(s.n, false), make([]float64, reflectionRoom(s.n))
	} else {
		clear(s.vectors.v)
	}
	if !(tridiagonal{s.diagonal, s.beside, s.vectors, s.room}).solve() {
		return s.vectors, false
	}
	s.reflect(s.vectors)
	return s.vectors, true
}

// eigenvalues leaves those alone in diagonal, least first.
func (s *symmetric) eigenvalues() bool {
	s.reduce()
	if !diagonalise(s.diagonal, s.beside, nil) {
		return false
	}
	slices.Sort(s.diagonal)
	return true
}

// reduce makes s tridiagonal by reflections. A panel of them reads the matrix as it was before
// the panel: with axes as rows of V and products as rows of W, it has become S - V'W - W'V.
func (s *symmetric) reduce() {
	n := s.n
	s.beside[n-1] = 0
	clear(s.scales)
	clear(s.axes.v)
	p := &s.panel
	for p.first = 0; p.first < n; p.first += reflectionPanel {
		width := min(reflectionPanel, n-p.first)
		clear(p.products)
		for j := range width {
			p.step(j)
		}
		p.update(p.first + width)
	}
}

// symmetricPanel is the reflections from first on, and what the matrix times their axes makes.
type symmetricPanel struct {
	*symmetric
	first    int
	products []float64 // rows as long as those of s
	negative []float64 // the same while it is taken away
	unused   []float64
}

// step makes reflection j of the panel.
func (p *symmetricPanel) step(j int) {
	k, length := p.first+j, p.length
	from, line := k&^15, p.row(k)
	axes, products, unused := p.axes.v[p.first*length+from:], p.products[from:], p.unused[from:]
	for i := 0; i < j; i += 4 { // rows from j on are still zero
		var v, w [4]float64
		for r := range v {
			v[r], w[r] = -axes[(i+r)*length+k-from], -products[(i+r)*length+k-from]
		}
		rowOps.Four(products[i*length:], length, unused, line[from:], v)
		rowOps.Four(axes[i*length:], length, unused, line[from:], w)
	}
	p.diagonal[k] = line[k]
	if k+1 == p.n {
		return
	}
	axis, product := p.axes.row(k), p.products[j*length:][:length]
	p.reflection(k, axis)
	by := p.scales[k]
	if by == 0 {
		return
	}
	p.times(axis, product, (k+1)&^15)
	for i := 0; i < j; i += 4 {
		v := rowOps.Four(axes[i*length:], length, axis[from:], unused, [4]float64{})
		w := rowOps.Four(products[i*length:], length, axis[from:], unused, [4]float64{})
		for r := range v {
			v[r], w[r] = -v[r], -w[r]
			if i+r >= j {
				v[r], w[r] = 0, 0
			}
		}
		rowOps.Four(products[i*length:], length, unused, product[from:], v)
		rowOps.Four(axes[i*length:], length, unused, product[from:], w)
	}
	clear(product[:k+1])
	for i := k + 1; i < p.n; i++ {
		product[i] *= by
	}
	_, dot, _ := rowOps.Products(product[from:], axis[from:])
	rowOps.AddScaled(product[from:], axis[from:], -by*dot/2)
}

// reflection finds the axis that makes row k zero beyond its second place.
func (s *symmetric) reflection(k int, axis []float64) {
	copy(axis[k+1:s.n], s.row(k)[k+1:s.n])
	from, head := (k+1)&^15, axis[k+1]
	s.beside[k] = head
	axis[k+1] = 0 // beside it, squares of small numbers would be lost
	square, _, _ := rowOps.Products(axis[from:], axis[from:])
	if !(square > vanishing*vanishing) {
		clear(axis)
		return // it is tridiagonal here already
	}
	size := math.Copysign(math.Sqrt(head*head+square), head)
	s.beside[k] = -size
	axis[k+1] = head + size
	s.scales[k] = 1 / (size * axis[k+1])
}

// times adds the rows of s from a multiple of 16 on, times x, to y. Every block beside the
// diagonal is read once, for its own rows and for those of its transpose.
func (s *symmetric) times(x, y []float64, from int) {
	unused := make([]float64, 16)
	for block := from; block < s.n; block += 16 {
		next := block + 16
		for i := block; i < next; i += 4 {
			dots := rowOps.Four(s.v[i*s.length+block:], s.length, x[block:next], unused, [4]float64{})
			if next < s.length {
				rest := rowOps.Four(s.v[i*s.length+next:], s.length, x[next:], y[next:], [4]float64(x[i:]))
				for r := range dots {
					dots[r] += rest[r]
				}
			}
			for r, d := range dots {
				y[i+r] += d
			}
		}
	}
}

// update applies a whole panel of reflections to the rows from first on.
func (p *symmetricPanel) update(first int) {
	n, length := p.n, p.length
	if first >= n {
		return
	}
	const rows = 64
	v := gemm.Matrix[float64]{Data: p.axes.v[p.first*length:], Row: length, Col: 1}
	w := gemm.Matrix[float64]{Data: p.negative, Row: length, Col: 1}
	for i, x := range p.products {
		w.Data[i] = -x
	}
	for at := first; at < n; at += rows {
		v.Offset, w.Offset = at, at
		m, c := min(rows, n-at), p.matrix(at, at)
		gemm.AddMul(m, n-at, reflectionPanel, c, transposedOf(v), w, nil)
		gemm.AddMul(m, n-at, reflectionPanel, c, transposedOf(w), v, nil)
	}
}

func transposedOf(m gemm.Matrix[float64]) gemm.Matrix[float64] {
	m.Row, m.Col = m.Col, m.Row
	return m
}

// reflectedRows is up to how many rows reflections are applied to them one by one: products of fewer numbers cost more.
const reflectedRows = 16

// reflect applies the reflections to the rows of v, the last first.
func (s *symmetric) reflect(v square) { reflectRows(s.n, s.axes, s.scales, v, s.reflections) }

// reflectRows applies reflections, whose axes are rows that are zero up to the diagonal, to n rows of v, the last first.
func reflectRows(n int, axes square, scales []float64, v square, room []float64) {
	if n <= reflectedRows {
		for k := n - 1; k >= 0; k-- {
			axis, by := axes.row(k), scales[k]
			if by == 0 {
				continue
			}
			for i := range n {
				row := v.row(i)
				_, dot, _ := rowOps.Products(row, axis)
				rowOps.AddScaled(row, axis, -by*dot)
			}
		}
		return
	}
	for first := (n - 1) / reflectionPanel * reflectionPanel; first >= 0; first -= reflectionPanel {
		b := reflections{axes: axes.matrix(first, first), scales: scales[first:min(first+reflectionPanel, n)], width: n - first, room: room}
		b.reversed(n, v.matrix(0, first))
	}
}
