package linalg

import (
	"cmp"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/nd"
)

// nativeJacobiSmall is body/jacobi_small. A loop need not deal out pairs to threads, so it
// takes them in tiles that stay in a cache, and turns every pair so that the
// longer row comes first, which takes fewer sweeps.
func nativeJacobiSmall(g *nd.Group) {
	batch, n := g.Position[2], g.Constant("SIDE")
	r := matrixOf[float64](g.Inputs[0], batch, n*n)
	vt, lengths := matrixOf[float64](g.Outputs[0], batch, n*n), matrixOf[float64](g.Outputs[1], batch, n)
	outcome := matrixOf[float64](g.Outputs[2], batch, 2)
	j := rotations{tolerance: smallTurn, enough: smallTolerance, made: make([][]float64, n)}
	rows, all := newSquare(n), 0.0
	for i := range n {
		copy(rows.row(i), r[i*n:(i+1)*n])
		j.rows = append(j.rows, rows.row(i))
		square, _, _ := rowOps.Products(rows.row(i), rows.row(i))
		all += square
	}
	j.least = smallLeast * all
	j.start()
	outcome[0], outcome[1] = float64(j.run(g)), j.worst
	length := func(row []float64) float64 {
		square, _, _ := rowOps.Products(row, row)
		return math.Sqrt(square)
	}
	slices.SortStableFunc(j.rows, func(a, b []float64) int { return cmp.Compare(length(b), length(a)) })
	for i, row := range j.rows {
		lengths[i] = length(row)
		by := 0.0
		if lengths[i] != 0 {
			by = 1 / lengths[i]
		}
		for k, x := range row[:n] {
			vt[i*n+k] = x * by
		}
	}
}

// nativeJacobiComplex is body/jacobi_complex. A row lies as real parts followed by
// imaginary parts, so that what is done to rows of real numbers can be done to it.
func nativeJacobiComplex(g *nd.Group) {
	batch := g.Position[2]
	count, length, width := g.Constant("COUNT"), g.Constant("LEN"), g.Constant("WIDTH")
	a := matrixOf[complex128](g.Inputs[0], batch, count*length)
	w := matrixOf[complex128](g.Outputs[0], batch, (count+1)*length)
	v := matrixOf[complex128](g.Outputs[1], batch, (count+1)*width)
	outcome := matrixOf[float64](g.Outputs[2], batch, 2)
	j := rotations{
		complex:   true,
		tolerance: nd.Elements[float64](g.Inputs[1])[0],
		least:     nd.Elements[float64](g.Inputs[2])[batch],
	}
	j.enough = j.tolerance
	for i := range count {
		j.rows = append(j.rows, parted(a[i*length:(i+1)*length]))
		made := make([]float64, 2*width)
		made[i] = 1
		j.made = append(j.made, made)
	}
	outcome[0], outcome[1] = float64(j.run(g)), j.worst
	clear(w[count*length:])
	clear(v[count*width:])
	for i := range count {
		whole(w[i*length:(i+1)*length], j.rows[i])
		whole(v[i*width:(i+1)*width], j.made[i])
	}
}

// rotations is the rows of a matrix on their way to being orthogonal, and how
// they are made of the rows that it had.
type rotations struct {
	complex          bool        // rows are parted
	rows, made       [][]float64 // of made, all rows may be empty
	tolerance, least float64
	enough           float64 // if a sweep saw no larger cosine, it was the last
	worst            float64 // cosine that a sweep saw
	started          bool    // rows have been turned to near the end

	// drift says, of rows that are not made of others, how much rounded rotations have added to the squares
	// of their lengths. Those that are made tell.
	drift []float64
}

// run turns rows until they are orthogonal, and counts sweeps. Once rows have been near to the end,
// a product of matrices tells which pairs are not at right angles.
func (j *rotations) run(g *nd.Group) (sweeps int) {
	near := j.started
	for sweeps < g.Constant("MOST") && g.Context.Err() == nil {
		j.worst = 0
		if near {
			j.turnOblique()
		} else {
			j.sweep()
		}
		near = !j.complex && len(j.rows) >= startRows && j.worst < nearlyRight
		sweeps++
		if !(j.worst > j.enough) {
			break
		}
	}
	j.normalise()
	return sweeps
}

// nearlyRight is a cosine whose square is rounding: a sweep that saw no larger one leaves few
// pairs to turn.
const nearlyRight = 1e-7

// turnOblique turns the pairs that are not orthogonal by their products, all found at once.
func (j *rotations) turnOblique() {
	n, length := len(j.rows), len(j.rows[0])
	rows := gemm.Matrix[float64]{Data: make([]float64, n*length), Row: length, Col: 1}
	for i, row := range j.rows {
		copy(rows.Data[i*length:], row)
	}
	dots := gemm.Matrix[float64]{Data: make([]float64, n*n), Row: n, Col: 1}
	gemm.Mul(n, n, length, dots, rows, transposedOf(rows), nil)
	type pair struct{ p, q int }
	var oblique []pair
	for p := range n {
		alpha := dots.Data[p*n+p]
		for q := p + 1; q < n; q++ {
			if dot := dots.Data[p*n+q]; dot*dot > j.tolerance*j.tolerance*alpha*dots.Data[q*n+q] {
				oblique = append(oblique, pair{p, q})
			}
		}
	}
	for _, o := range oblique {
		j.turn(o.p, o.q)
	}
}

const (
	// startRows is from how many rows on a start near the end is worth it.
	startRows = 16
	// startRange is how short rows may be beside the longest. Rotations alone
	// keep the digits of rows that are far shorter, a start would mix them.
	startRange = 1e-4
)

// start turns all rows at once to where rotations end, but for rounding: onto
// the eigenvectors of the products of rows. It leaves them alone where that
// would lose digits. Rows of zeros at the end are padding.
func (j *rotations) start() {
	n := len(j.rows)
	longest, shortest := 0.0, math.Inf(1)
	squares := make([]float64, n)
	for i, row := range j.rows {
		squares[i], _, _ = rowOps.Products(row, row)
		longest = max(longest, squares[i])
	}
	for n > 0 && squares[n-1] == 0 {
		n--
	}
	for _, q := range squares[:n] {
		shortest = min(shortest, q)
	}
	if n < startRows || !(shortest >= startRange*startRange*longest) || !(longest < math.Inf(1)) || !(shortest > 0x1p-900) {
		return
	}
	length := len(j.rows[0])
	rows := gemm.Matrix[float64]{Data: make([]float64, n*length), Row: length, Col: 1}
	for i, row := range j.rows[:n] {
		copy(rows.Data[i*length:], row)
	}
	s := newSymmetric(n)
	defer symmetrics.Put(s)
	gemm.Mul(n, n, length, s.matrix(0, 0), rows, transposedOf(rows), nil)
	for p := range n {
		row := s.row(p)[:n]
		for q := range row {
			row[q] /= longest
		}
	}
	turns, ok := s.eigenvectors()
	if !ok {
		return
	}
	turned := gemm.Matrix[float64]{Data: make([]float64, n*length), Row: length, Col: 1}
	gemm.Mul(n, length, n, turned, turns.matrix(0, 0), rows, nil)
	for i := range n {
		from := n - 1 - i // the longest first
		copy(j.rows[i], turned.Data[from*length:][:length])
		copy(j.made[i], turns.row(from)[:n])
		if j.drift != nil {
			square, _, _ := rowOps.Products(turns.row(from), turns.row(from))
			j.drift[i] = square - 1
		}
	}
	j.started = true
}

// tileRows is how many rows are paired with as many others before the next come:
// at a few hundred columns they fill half of a second-level cache.
const tileRows = 16

// sweep turns every pair of rows once.
func (j *rotations) sweep() {
	n := len(j.rows)
	for low := 0; low < n; low += tileRows {
		for high := low; high < n; high += tileRows {
			for p := low; p < min(low+tileRows, n); p++ {
				for q := max(high, p+1); q < min(high+tileRows, n); q++ {
					j.turn(p, q)
				}
			}
		}
	}
}

// turn makes two rows orthogonal.
func (j *rotations) turn(p, q int) {
	x, y := j.rows[p], j.rows[q]
	alpha, gamma, beta := rowOps.Products(x, y)
	if !(alpha > j.least && beta > j.least) {
		return
	}
	re, im := gamma, 0.0
	if j.complex {
		im = crossed(x, y)
		gamma = math.Hypot(re, im)
	}
	cosine := math.Abs(gamma) / (math.Sqrt(alpha) * math.Sqrt(beta))
	j.worst = max(j.worst, cosine)
	if !(cosine > j.tolerance) {
		return
	}
	if im != 0 {
		turnPhase(y, re/gamma, im/gamma)
		turnPhase(j.made[q], re/gamma, im/gamma)
	} else {
		gamma = re
	}
	zeta := (beta - alpha) / (2 * gamma)
	far := math.Abs(zeta)
	if far > 1e9 {
		far += far
	} else {
		far += math.Sqrt(1 + zeta*zeta)
	}
	t := math.Copysign(1/far, zeta)
	c := 1 / math.Sqrt(1+t*t)
	if j.drift != nil {
		j.drifts(p, q, c, c*t)
	}
	if beta > alpha {
		// Rows change places: their names do, not their elements.
		j.rows[p], j.rows[q] = y, x
		j.made[p], j.made[q] = j.made[q], j.made[p]
		if j.drift != nil {
			j.drift[p], j.drift[q] = j.drift[q], j.drift[p]
		}
		rowOps.Rotate(y, x, c, c*t)
		rowOps.Rotate(j.made[p], j.made[q], c, c*t)
		return
	}
	rowOps.Rotate(x, y, c, -c*t)
	rowOps.Rotate(j.made[p], j.made[q], c, -c*t)
}

// drifts turns the drift of two rows as a rotation turns the rows.
func (j *rotations) drifts(p, q int, c, s float64) {
	cc, ss := c*c, s*s
	// c^2 + s^2 - 1 to all digits: that is alike for most rows, and adds up.
	more := (max(cc, ss) - 1) + min(cc, ss) + (math.FMA(c, c, -cc) + math.FMA(s, s, -ss))
	x, y := j.drift[p], j.drift[q]
	j.drift[p], j.drift[q] = cc*x+ss*y+more, ss*x+cc*y+more
}

// normalise takes back what thousands of rounded rotations did to lengths.
func (j *rotations) normalise() {
	for i, made := range j.made {
		square := 1.0
		switch {
		case len(made) != 0:
			square, _, _ = rowOps.Products(made, made)
		case j.drift != nil:
			square += j.drift[i]
		}
		by := 1 / math.Sqrt(square)
		for _, list := range [][]float64{made, j.rows[i]} {
			for k := range list {
				list[k] *= by
			}
		}
	}
}
