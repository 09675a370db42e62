package linalg

import (
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/internal/simd/row"
)

// Elimination with exchanges of rows. Columns are halved down to row.Block of them, which a kernel eliminates
// step by step; all others are products.

// system64 is a matrix with right sides beside it, in scratch.
type system64 struct {
	n, width, length int // rows, columns in use, columns there are
	v, beside        []float64
	swaps            int
	block            row.Panel
	check            [64]float64
}

// systems keeps scratch from one launch to the next: of small matrices it is half of the work.
var systems = sync.Pool{New: func() any { return new(system64) }}

// prepare makes room for n rows and a number of columns, and for whole vectors that begin in any of
// them, and blocks of rows. What is behind them counts for nothing: a matrix that overflows may leave
// anything there.
func (s *system64) prepare(n, width int) {
	s.n, s.width, s.length, s.swaps = n, width, rowLength(width+16), 0
	size := roundUp(n, row.Block) * s.length
	if cap(s.v) < size {
		s.v = make([]float64, size)
	}
	s.v = s.v[:size]
}

func (s *system64) row(i int) []float64 { return s.v[i*s.length:][:s.length] }

func (s *system64) matrix(row, column int) gemm.Matrix[float64] {
	return gemm.Matrix[float64]{Data: s.v, Offset: row*s.length + column, Row: s.length, Col: 1}
}

// eliminate makes the first n columns an upper triangle, with the multipliers, negative, below it. The other
// columns are taken along.
func (s *system64) eliminate() { s.factor(0, s.n, s.width) }

// factor eliminates the columns from first up to end, and takes those up to another with them.
func (s *system64) factor(first, end, to int) {
	if end-first <= row.Block {
		s.panel(first, end)
		s.take(first, end, first+row.Block, to)
		return
	}
	mid := first + roundUp((end-first)/2, row.Block)
	s.factor(first, mid, mid)
	s.take(first, mid, mid, to)
	s.factor(mid, end, to)
}

// panel eliminates up to row.Block columns; what is behind them in a block is taken along.
func (s *system64) panel(first, end int) {
	place := s.largest(first)
	for j := first; j < end; j++ {
		if place != j {
			s.swaps++
			rowOps.Exchange(s.row(j)[:rowLength(s.width)], s.row(place)[:rowLength(s.width)])
		}
		if place = j + 1; place < s.n {
			s.block.Pivot = [row.Block]float64(s.row(j)[first:])
			up, by := byPivot(s.block.Pivot[j-first])
			place += rowOps.Eliminate(&s.block, s.v[place*s.length+first:], s.length, s.n-place, j-first, up, by)
		}
	}
}

// largest is the row with the largest modulus of column j, from row j on; what is not a number
// counts as larger. Moduli are compared by their bits, which are in the same order.
func (s *system64) largest(j int) int {
	best, place := uint64(0), j
	for i := j; i < s.n; i++ {
		if v := math.Float64bits(s.v[i*s.length+j]) &^ (1 << 63); v > best {
			best, place = v, i
		}
	}
	return place
}

// take takes the rows from first up to end, whose columns of these numbers have been eliminated, out of the
// rows behind each, in the columns from one up to another.
func (s *system64) take(first, end, from, to int) {
	n := to - from
	if n <= 0 {
		return
	}
	by := &s.block.By
	for r := first; r < end; r += row.Block {
		rows := min(row.Block, end-r)
		gemm.AddMul(rows, n, r-first, s.matrix(r, from), s.matrix(r, first), s.matrix(first, from), nil)
		for i := range rows {
			copy(by[i*row.Block:][:i], s.row(r + i)[r:])
			by[i*row.Block+i] = 1
		}
		// Columns behind the last are nobody's, and so are rows.
		rowOps.Substitute(&s.block, s.v, r*s.length+from, s.length, roundUp(n, row.Block))
	}
	gemm.AddMul(s.n-end, n, end-first, s.matrix(end, from), s.matrix(end, first), s.matrix(first, from), nil)
}

// back solves with the upper triangle, for the columns beside the matrix.
func (s *system64) back() {
	if s.width-s.n <= 2 {
		s.backDots()
		return
	}
	// Rows behind the last are zeros: so they are in the block that has them.
	clear(s.v[s.n*s.length:])
	k := s.width - s.n
	for first := (s.n - 1) / row.Block * row.Block; first >= 0; first -= row.Block {
		end := min(first+row.Block, s.n)
		// Rows that are done are negative until all are.
		gemm.AddMul(end-first, k, s.n-end, s.matrix(first, s.n), s.matrix(first, end), s.matrix(end, s.n), nil)
		s.backBlock(first, end)
	}
	for i := range s.n {
		line := s.row(i)[s.n:s.width]
		for c, v := range line {
			line[c] = -v
		}
	}
}

// backBlock solves with the triangle of rows up to row.Block in number, from the last to the first.
func (s *system64) backBlock(first, end int) {
	by := &s.block.By
	clear(by[:])
	const last = row.Block - 1
	for i := first; i < end; i++ {
		r := last - (i - first)
		line := s.row(i)[first:end]
		up, over := byPivot(line[i-first])
		if up != 1 {
			s.backSmall(first, end)
			return
		}
		by[r*row.Block+r] = -over
		for c := i + 1; c < end; c++ {
			by[r*row.Block+last-(c-first)] = line[c-first]
		}
	}
	rowOps.Substitute(&s.block, s.v, (first+last)*s.length+s.n, -s.length, roundUp(s.width-s.n, row.Block))
}

// backSmall is backBlock where pivots may be subnormal.
func (s *system64) backSmall(first, end int) {
	for i := end - 1; i >= first; i-- {
		line := s.row(i)
		up, by := byPivot(line[i])
		found := line[s.n:s.width]
		for c := i + 1; c < end; c++ {
			rowOps.AddScaled(found, s.row(c)[s.n:s.width], line[c])
		}
		for c := range found {
			found[c] = -found[c] * up * by
		}
	}
}

// backDots is back for a column or two, by sums along rows.
func (s *system64) backDots() {
	n, k := s.n, s.width-s.n
	length := rowLength(n)
	if size := (k + 2) * length; cap(s.beside) < size {
		s.beside = make([]float64, size)
	}
	// Sums take whole vectors: what is behind a row of the matrix has to be zeros, for it may not be finite.
	unused, found, sides := s.beside[:length], s.beside[length:2*length], s.beside[2*length:(2+k)*length]
	for i := range n {
		line := s.row(i)[n:][:16]
		for c, v := range line[:k] {
			sides[c*length+i] = v
		}
		clear(line)
	}
	for c := range k {
		side := sides[c*length:][:n]
		clear(found)
		for first := (n - 1) / row.Block * row.Block; first >= 0; first -= row.Block {
			end := min(first+row.Block, n)
			var sums [row.Block]float64
			if rest := rowLength(n - end); rest > 0 {
				for half := 0; half < end-first; half += 4 {
					*(*[4]float64)(sums[half:]) = rowOps.Four(s.v[(first+half)*s.length+end:], s.length, found[end:][:rest], unused[:rest], [4]float64{})
				}
			}
			for i := end - 1; i >= first; i-- {
				v := (side[i] - sums[i-first]) / s.v[i*s.length+i]
				found[i] = v
				for r := range i - first {
					sums[r] += s.v[(first+r)*s.length+i] * v
				}
			}
		}
		copy(side, found)
	}
	for i := range n {
		line := s.row(i)[n:][:k]
		for c := range line {
			line[c] = sides[c*length+i]
		}
	}
}
