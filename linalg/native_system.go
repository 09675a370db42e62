package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/nd"
)

// Whole systems of equations, one matrix after the other: elimination with exchanges of rows, the
// right sides beside the matrix, all in float64.

var (
	solveKernel    = onlyNative("solve", []string{"a", "b"}, []string{"x", "fault"}, nativeSolve)
	detKernel      = onlyNative("det", []string{"a"}, []string{"det", "sign", "log"}, nativeDet)
	choleskyKernel = onlyNative("cholesky", []string{"a"}, []string{"l", "fault"}, nativeCholesky)
)

// wholeMost is the greatest side of a single matrix that is factored as a whole, by one core: of
// larger ones products take most of the time, which all cores share. The choice does not depend on
// their number, so neither do bits.
const wholeMost = 512

// takesWhole reports whether a, square matrices, is for these kernels.
func takesWhole(a *nd.Array) bool {
	return takesNative(a) && (a.Dim(1) <= wholeMost || a.Dim(0) >= 8)
}

// solveOf solves a x = b. fault, int64 (batch), is -1, or counts through the elements of a,
// those of b, and the pivots: the first that is not finite, or zero.
func solveOf(a, b *nd.Array) (x, fault *nd.Array) {
	batch, n, k := b.Dim(0), b.Dim(1), b.Dim(2)
	ops := float64(n+4) * float64(n+4) * float64(n+3*k+8)
	out := solveKernel.Call(eachMatrix(batch, ops, nd.Launch{Inputs: []*nd.Array{a, b}, Shapes: [][]int{{batch, n, k}, {batch}},
		DTypes: []nd.DType{a.DType(), nd.Int64}}))
	return out[0], out[1]
}

// solvable asks that fault, as solveOf gives it, is none.
func (c *calculation) solvable(fault *nd.Array, n, k int) {
	c.require(fault, func(matrix []int, place int) error {
		if place < n*n {
			return &NotFiniteError{Name: "a", Matrix: matrix, Row: place / n, Column: place % n}
		}
		if place -= n * n; place < n*k {
			return &NotFiniteError{Name: "b", Matrix: matrix, Row: place / k, Column: place % k}
		}
		return &SingularError{Matrix: matrix, Pivot: place - n*k}
	})
}

// detOf is determinants, and their signs and the logarithms of their moduli.
func detOf(a *nd.Array) (det, sign, log *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	out := detKernel.Call(eachMatrix(batch, math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{{batch}, {batch}, {batch}}}))
	return out[0], out[1], out[2]
}

// choleskyOf factors matrices of which the lower half is looked at. fault, int64 (batch), is -1, or
// counts through the elements and the pivots: the first that is not finite, or not positive.
func choleskyOf(a *nd.Array) (l, fault *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	out := choleskyKernel.Call(eachMatrix(batch, math.Pow(float64(n+4), 3)/2, nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{a.Shape(), {batch}},
		DTypes: []nd.DType{a.DType(), nd.Int64}}))
	return out[0], out[1]
}

// system64 is a matrix with right sides beside it, in scratch.
type system64 struct {
	n, width, length int // rows, columns in use, columns there are
	v                []float64
	swaps            int
}

// prepare makes room for n rows and a number of columns, and for whole vectors that begin in any of
// them. What is behind them counts for nothing: a matrix that overflows may leave anything there.
func (s *system64) prepare(n, width int) {
	s.n, s.width, s.length, s.swaps = n, width, rowLength(width+16), 0
	if len(s.v) != n*s.length {
		s.v = make([]float64, n*s.length)
	}
}

// from is row i from a column on, in whole vectors.
func (s *system64) from(i, column int) []float64 {
	return s.v[i*s.length+column:][:rowLength(s.width-column)]
}

func (s *system64) matrix(row, column int) gemm.Matrix[float64] {
	return gemm.Matrix[float64]{Data: s.v, Offset: row*s.length + column, Row: s.length, Col: 1}
}

const (
	// narrow is how many columns are eliminated before their rows are.
	narrow = 4
	// panelSteps is how many are eliminated by steps before a product takes over.
	panelSteps = 32
)

// eliminate factors the first n columns with exchanges of rows, and takes all others with them.
func (s *system64) eliminate() {
	for first := 0; first < s.n; first += panelSteps {
		end := min(first+panelSteps, s.n)
		if s.n <= 2*panelSteps {
			s.steps(first, end, s.width)
			continue
		}
		s.steps(first, end, end)
		// Rows of the panel, behind it.
		for i := first + 1; i < end; i++ {
			s.combine(i, first, i, end, s.width)
		}
		if end == s.n {
			return
		}
		under := make([]float64, (s.n-end)*(end-first))
		for i := end; i < s.n; i++ {
			for j, v := range s.v[i*s.length+first:][:end-first] {
				under[(i-end)*(end-first)+j] = -v
			}
		}
		gemm.AddMul(s.n-end, s.width-end, end-first, s.matrix(end, end), gemm.Matrix[float64]{Data: under, Row: end - first, Col: 1}, s.matrix(first, end), nil)
	}
}

// steps eliminates the columns from first up to end, and takes those up to another with them.
func (s *system64) steps(first, end, to int) {
	for c := first; c < end; c += narrow {
		next := min(c+narrow, end)
		for j := c; j < next; j++ {
			s.exchange(j, s.largest(j))
			line := s.v[j*s.length:][:next]
			up, by := byPivot(line[j])
			for i := j + 1; i < s.n; i++ {
				row := s.v[i*s.length:][:next]
				l := row[j] * up * by
				row[j] = l
				for k := j + 1; k < next; k++ {
					row[k] -= l * line[k]
				}
			}
		}
		if next == to {
			return
		}
		for i := c + 1; i < next; i++ {
			s.combine(i, c, i, next, to)
		}
		for i := next; i < s.n; i++ {
			s.combine(i, c, next, next, to)
		}
	}
}

// largest is the row with the largest modulus of column j, from row j on; what is not a number
// counts as infinite. Moduli are compared by their bits, which are in the same order.
func (s *system64) largest(j int) int {
	infinite := math.Float64bits(math.Inf(1))
	best, place := uint64(0), j
	for i := j; i < s.n; i++ {
		if v := min(math.Float64bits(s.v[i*s.length+j])&^(1<<63), infinite); v > best {
			best, place = v, i
		}
	}
	return place
}

// exchange changes the places of two rows.
func (s *system64) exchange(i, j int) {
	if i == j {
		return
	}
	s.swaps++
	x, y := s.v[i*s.length:][:s.width], s.v[j*s.length:][:s.width]
	for k, v := range x {
		x[k], y[k] = y[k], v
	}
}

// combine takes the rows from first up to last out of row i, each as many times as its element in
// their column says, in the columns from one up to another.
func (s *system64) combine(i, first, last, from, to int) {
	row, n := s.v[i*s.length:][:s.length], to-from
	if to == s.width {
		n = rowLength(n) // nobody reads what is behind
	}
	part := row[from:][:n]
	for ; first+4 <= last; first += 4 {
		rowOps.Four(s.v[first*s.length+from:], s.length, part, part, [4]float64{-row[first], -row[first+1], -row[first+2], -row[first+3]})
	}
	for ; first < last; first++ {
		rowOps.AddScaled(part, s.v[first*s.length+from:][:n], -row[first])
	}
}

// back solves with the upper triangle, for the columns beside the matrix.
func (s *system64) back() {
	if s.width-s.n <= 2 {
		s.backDots()
		return
	}
	for end := s.n; end > 0; {
		first := (end - 1) / panelSteps * panelSteps
		if end < s.n {
			rows, columns := end-first, s.n-end
			beside := make([]float64, rows*columns)
			for i := range rows {
				for j, v := range s.v[(first+i)*s.length+end:][:columns] {
					beside[i*columns+j] = -v
				}
			}
			gemm.AddMul(rows, s.width-s.n, columns, s.matrix(first, s.n), gemm.Matrix[float64]{Data: beside, Row: columns, Col: 1}, s.matrix(end, s.n), nil)
		}
		for i := end - 1; i >= first; i-- {
			s.combine(i, i+1, end, s.n, s.width)
			up, by := byPivot(s.v[i*s.length+i])
			row := s.v[i*s.length:][s.n:s.width]
			for k := range row {
				row[k] = row[k] * up * by
			}
		}
		end = first
	}
}

// backDots is back for a column or two, by sums along rows.
func (s *system64) backDots() {
	found, line := make([]float64, rowLength(s.n+16)), make([]float64, rowLength(s.n))
	for c := s.n; c < s.width; c++ {
		clear(found)
		clear(line)
		for i := s.n - 1; i >= 0; i-- {
			row, n := s.v[i*s.length:][:s.length], rowLength(s.n-i-1)
			copy(line, row[i+1:s.n]) // what is behind may not be finite
			_, sum, _ := rowOps.Products(line[:n], found[i+1:][:n])
			found[i] = (row[c] - sum) / row[i]
		}
		for i, v := range found[:s.n] {
			s.v[i*s.length+c] = v
		}
	}
}

// load copies a matrix of rows of a width to a column on; fault is the place of the first number
// that is not finite, or -1.
func load[T float32 | float64](s *system64, from []T, width, column int) (fault int) {
	bad := 0.0
	for i := range s.n {
		line, to := from[i*width:][:width], s.v[i*s.length+column:][:width]
		for j, v := range line {
			to[j] = float64(v)
			bad += float64(v - v)
		}
	}
	if bad == 0 {
		return -1
	}
	for i, v := range from {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

func nativeSolve(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		solveSystems[float64](g)
		return
	}
	solveSystems[float32](g)
}

func solveSystems[T float32 | float64](g *nd.Group) {
	n, k := g.Inputs[1].Shape[1], g.Inputs[1].Shape[2]
	var s system64
	each(g, func(m int) {
		x, fault := matrixOf[T](g.Outputs[0], m, n*k), &nd.Elements[int64](g.Outputs[1])[m]
		s.prepare(n, n+k)
		*fault = int64(load(&s, matrixOf[T](g.Inputs[0], m, n*n), n, 0))
		if place := load(&s, matrixOf[T](g.Inputs[1], m, n*k), k, n); *fault < 0 && place >= 0 {
			*fault = int64(n*n + place)
		}
		if *fault >= 0 {
			return
		}
		s.eliminate()
		for i := range n {
			if s.v[i*s.length+i] == 0 {
				*fault = int64(n*n + n*k + i)
				return
			}
		}
		s.back()
		for i := range n {
			for j, v := range s.v[i*s.length+n:][:k] {
				x[i*k+j] = T(v)
			}
		}
	})
}

func nativeDet(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		determinants[float64](g)
		return
	}
	determinants[float32](g)
}

func determinants[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	det, signs, logs := nd.Elements[T](g.Outputs[0]), nd.Elements[T](g.Outputs[1]), nd.Elements[T](g.Outputs[2])
	var s system64
	each(g, func(m int) {
		s.prepare(n, n)
		load(&s, matrixOf[T](g.Inputs[0], m, n*n), n, 0)
		s.eliminate()
		product, sign, log := 1.0, 1.0, 0.0
		if s.swaps%2 != 0 {
			product, sign = -1, -1
		}
		// A number and a power of two: products on the way neither overflow nor vanish.
		power := 0
		for i := range n {
			d := s.v[i*s.length+i]
			f, e := math.Frexp(d)
			f, e2 := math.Frexp(product * f)
			product, power = f, power+e+e2
			log += math.Log(math.Abs(d))
			switch {
			case d < 0:
				sign = -sign
			case !(d > 0):
				sign *= d // zero, or not a number
			}
		}
		det[m], signs[m], logs[m] = T(math.Ldexp(product, power)), T(sign), T(log)
	})
}

func nativeCholesky(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		choleskyMatrices[float64](g)
		return
	}
	choleskyMatrices[float32](g)
}

func choleskyMatrices[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	var s system64
	each(g, func(m int) {
		a, l, fault := matrixOf[T](g.Inputs[0], m, n*n), matrixOf[T](g.Outputs[0], m, n*n), &nd.Elements[int64](g.Outputs[1])[m]
		s.prepare(n, n)
		*fault = -1
		bad := 0.0
		for i := range n {
			for j, v := range a[i*n:][:i+1] {
				s.v[j*s.length+i] = float64(v)
				bad += float64(v - v)
			}
		}
		if bad != 0 {
			for i := n*n - 1; i >= 0; i-- {
				if v := a[i]; i%n <= i/n && v-v != 0 {
					*fault = int64(i)
				}
			}
			return
		}
		if place := s.root(); place >= 0 {
			*fault = int64(n*n + place)
			return
		}
		for i := range n {
			for j := range i + 1 {
				l[i*n+j] = T(s.v[j*s.length+i])
			}
			clear(l[i*n+i+1 : (i+1)*n])
		}
	})
}

// root makes the upper half R, where R' R is what it was. It gives the first pivot that is not
// positive, or -1.
func (s *system64) root() int {
	for first := 0; first < s.n; first += panelSteps {
		end := min(first+panelSteps, s.n)
		for c := first; c < end; c += narrow {
			next := min(c+narrow, end)
			for i := c; i < next; i++ {
				s.project(i, c, i)
				row := s.from(i, i)
				if !(row[0] > 0) {
					return i
				}
				by := 1 / math.Sqrt(row[0])
				for k := range row {
					row[k] *= by
				}
			}
			// Rows of the panel alone: those behind it take all of it in one product.
			for i := next; i < end; i++ {
				s.project(i, c, next)
			}
		}
		const rows = 64
		over := s.matrix(first, 0)
		for at := end; at < s.n; at += rows {
			m := min(rows, s.n-at)
			negative := make([]float64, (end-first)*m)
			for i := first; i < end; i++ {
				for j, v := range s.v[i*s.length+at:][:m] {
					negative[(i-first)*m+j] = -v
				}
			}
			over.Offset = first*s.length + at
			gemm.AddMul(m, s.n-at, end-first, s.matrix(at, at), gemm.Matrix[float64]{Data: negative, Row: 1, Col: m}, over, nil)
		}
	}
	return -1
}

// project takes the rows from first up to last out of row i, each as many times as its element in
// column i says.
func (s *system64) project(i, first, last int) {
	row := s.from(i, i)
	at := func(k int) float64 { return -s.v[k*s.length+i] }
	for ; first+4 <= last; first += 4 {
		rowOps.Four(s.v[first*s.length+i:], s.length, row, row, [4]float64{at(first), at(first + 1), at(first + 2), at(first + 3)})
	}
	for ; first < last; first++ {
		rowOps.AddScaled(row, s.from(first, i), at(first))
	}
}
