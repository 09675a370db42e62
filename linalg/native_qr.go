package linalg

import (
	"math"
	"sync"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/internal/simd/row"
	"github.com/twiddle-go/twiddle/nd"
)

var qrKernel = onlyNative("qr", []string{"a"}, []string{"q", "r"}, nativeQR)

// reflects reports whether reflectedQR is for a. One core takes 0.6 to 0.8 of the time of the graph for 128 to 256 columns, and for 2000 x
// 100; of 512 columns about as long, and the graph shares its products. The number of cores has no say, since bits depend on the choice.
func reflects(a *nd.Array) bool {
	m, n := a.Dim(1), a.Dim(2)
	return a.DType() == nd.Float64 && onCPU(a) && (n <= 256 && m*n <= 1<<18 || prefersGramSchmidt(a))
}

// reflectedQR factors small float64 matrices on the CPU, with at least as many rows as columns, each by reflections in one go. The
// diagonal of r is not negative. Columns of any size are in range.
func reflectedQR(a *nd.Array) (q, r *nd.Array) {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	ops := 2 * float64(n+8) * float64(n+8) * float64(m+16)
	out := qrKernel.Call(eachMatrix(batch, ops, nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{a.Shape(), {batch, n, n}}}))
	return out[0], out[1]
}

// reflected is a matrix in scratch that becomes a product of reflections and a triangle.
type reflected struct {
	m, n    int
	length  int       // of rows, with zeros behind m
	columns []float64 // rows of which are columns of the matrix, and of r
	axes    []float64 // row k is the axis of reflection k, zero up to its place k
	q       []float64 // rows of which are columns of q
	scales  []float64 // 2 over the square of each axis; 0 for no reflection
	sizes   []float64 // what columns were divided by
	unused  []float64
	room    []float64 // of panels, with more columns than one
}

// reflecteds keeps scratch from one launch to the next. What is zero behind m stays so.
var reflecteds sync.Pool

func newReflected(m, n int) *reflected {
	if f, _ := reflecteds.Get().(*reflected); f != nil && f.m == m && f.n == n {
		return f
	}
	length := roundUp(m, 8)
	list := func() []float64 { return make([]float64, n*length) }
	f := &reflected{m: m, n: n, length: length, columns: list(), axes: list(), q: list(), scales: make([]float64, n), sizes: make([]float64, n), unused: make([]float64, length)}
	if n > reflectionPanel {
		f.room = make([]float64, reflectionRoom(n))
	}
	return f
}

func nativeQR(g *nd.Group) {
	m, n := g.Inputs[0].Shape[1], g.Inputs[0].Shape[2]
	f := newReflected(m, n)
	defer reflecteds.Put(f)
	each(g, func(i int) {
		a, q, r := matrixOf[float64](g.Inputs[0], i, m*n), matrixOf[float64](g.Outputs[0], i, m*n), matrixOf[float64](g.Outputs[1], i, n*n)
		if notFinite(a) >= 0 {
			for _, list := range [][]float64{q, r} {
				for k := range list {
					list[k] = math.NaN()
				}
			}
			return
		}
		for j := 0; j < n; j += row.Block {
			across(f.columns[j*f.length:], a[j:], f.length, n, m, min(row.Block, n-j))
		}
		for j := range n {
			f.scale(j)
		}
		f.reduce()
		f.expand()
		for j := range n {
			column, size, sign := f.columns[j*f.length:][:n], f.sizes[j], 1.0
			if column[j] < 0 {
				sign = -1
			}
			for k := range n {
				v := 0.0
				if k <= j {
					// Rows of r have the signs that columns of q take.
					if v = column[k] * size; f.columns[k*f.length+k] < 0 {
						v = -v
					}
				}
				r[k*n+j] = v
			}
			if sign < 0 {
				line := f.q[j*f.length:][:m]
				numbers.Neg(line, line, false)
			}
		}
		for i := 0; i < m; i += row.Block {
			across(q[i*n:], f.q[i:], n, f.length, n, min(row.Block, m-i))
		}
	})
}

// scale divides a column by a power of two where squares would be out of range.
func (f *reflected) scale(j int) {
	column, most := f.columns[j*f.length:][:f.m], 0.0
	for _, v := range column {
		most = max(most, math.Abs(v))
	}
	f.sizes[j] = 1
	if (most > hugeFrom || most < tinyTo) && most != 0 {
		_, exponent := math.Frexp(most)
		f.sizes[j] = math.Ldexp(1, max(exponent, -1000)) // its reciprocal is in range as well
		for i := range column {
			column[i] /= f.sizes[j]
		}
	}
}

// reduce leaves r in the upper triangle.
func (f *reflected) reduce() {
	clear(f.axes)
	for first := 0; first < f.n; first += reflectionPanel {
		next := min(first+reflectionPanel, f.n)
		for k := first; k < next; k++ {
			column, axis := f.columns[k*f.length:][:f.length], f.axes[k*f.length:][:f.length]
			copy(axis[k:], column[k:])
			from := k &^ 7
			column[k], f.scales[k] = reflect(axis[from:], k-from)
			if f.scales[k] == 0 {
				continue
			}
			f.turn(f.columns, k+1, next, axis[from:], f.scales[k])
		}
		if next < f.n {
			f.panel(first, next).turn(f.n-next, f.matrix(f.columns, next, first), false)
		}
	}
}

// expand finds q: the product of all reflections, of the first columns of a unit matrix.
func (f *reflected) expand() {
	clear(f.q)
	for first := (f.n - 1) / reflectionPanel * reflectionPanel; first >= 0; first -= reflectionPanel {
		next := min(first+reflectionPanel, f.n)
		if next < f.n {
			f.panel(first, next).turn(f.n-next, f.matrix(f.q, next, first), true)
		}
		for k := next - 1; k >= first; k-- {
			f.q[k*f.length+k] = 1
			if f.scales[k] == 0 {
				continue
			}
			f.turn(f.q, k, next, f.axes[k*f.length:][k&^7:f.length], f.scales[k])
		}
	}
}

// panel is the reflections from first up to next.
func (f *reflected) panel(first, next int) reflections {
	return reflections{axes: f.matrix(f.axes, first, first), scales: f.scales[first:next], width: f.m - first, room: f.room}
}

// matrix is rows from a row and an element on.
func (f *reflected) matrix(rows []float64, row, from int) gemm.Matrix[float64] {
	return gemm.Matrix[float64]{Data: rows, Offset: row*f.length + from, Row: f.length, Col: 1}
}

// turn reflects rows from j up to end along an axis, which has their last elements.
func (f *reflected) turn(rows []float64, j, end int, axis []float64, by float64) {
	from := f.length - len(axis)
	for ; j+4 <= end; j += 4 {
		dots := rowOps.Four(rows[j*f.length+from:], f.length, axis, f.unused[from:], [4]float64{})
		for r, dot := range dots {
			rowOps.AddScaled(rows[(j+r)*f.length+from:][:len(axis)], axis, -by*dot)
		}
	}
	for ; j < end; j++ {
		row := rows[j*f.length+from:][:len(axis)]
		_, dot, _ := rowOps.Products(row, axis)
		rowOps.AddScaled(row, axis, -by*dot)
	}
}
