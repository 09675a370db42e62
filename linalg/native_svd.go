package linalg

import (
	"cmp"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

var svdKernel = onlyNative("svd", []string{"a"}, []string{"u", "s", "v", "outcome"}, nativeSVD)

// svdSquare is the factors of square float64 matrices by the CPU; u and v are zeros where vectors are
// not wanted.
func (c *calculation) svdSquare(a *nd.Array, vectors bool) (u, s, v *nd.Array) {
	batch, n := a.Dim(0), a.Dim(1)
	shape := ifWanted(vectors, batch, n, n)
	a, home := onHostFor(a)
	out := svdKernel.Call(eachMatrix(batch, 30*math.Pow(float64(n+4), 3), nd.Launch{Inputs: []*nd.Array{a}, Shapes: [][]int{shape, {batch, n}, shape, {batch, 2}},
		Template: map[string]any{"VECTORS": vectors, "MOST": mostSweeps}}))
	c.converges(home(out[3]), jacobiTolerance(n), mostSweeps)
	return home(out[0]), home(out[1]), home(out[2])
}

// bidiagonalFrom is from how many columns on vectors come from a bidiagonal form. Rotations take 297 and that 328 us for 48
// columns, 554 and 539 for 64, 2.6 and 2.1 ms for 128.
const bidiagonalFrom = 64

func nativeSVD(g *nd.Group) {
	n, vectors := g.Inputs[0].Shape[1], g.Constant("VECTORS") != 0
	var b *bidiagonal
	if !vectors || n >= bidiagonalFrom {
		if b, _ = bidiagonals.Get().(*bidiagonal); b == nil || b.n != n || vectors != (b.room != nil) {
			b = newBidiagonal(n, vectors)
		}
		defer bidiagonals.Put(b)
	}
	if !vectors && g.Position[2] == 0 {
		clear(nd.Elements[float64](g.Outputs[0]))
		clear(nd.Elements[float64](g.Outputs[2]))
	}
	each(g, func(m int) {
		a, s := matrixOf[float64](g.Inputs[0], m, n*n), matrixOf[float64](g.Outputs[1], m, n)
		outcome := matrixOf[float64](g.Outputs[3], m, 2)
		var u, v []float64
		if vectors {
			u, v = matrixOf[float64](g.Outputs[0], m, n*n), matrixOf[float64](g.Outputs[2], m, n*n)
		}
		if b != nil && b.of(g, a, s, u, v) {
			outcome[0], outcome[1] = 0, 0
			return
		}
		f := newFactors(a, n, vectors)
		outcome[0], outcome[1] = float64(f.run(g)), f.worst
		f.sort(s)
		if vectors {
			f.put(u, v, s)
		}
	})
}

// rowFactors is the rows, or the columns, of a square matrix on their way to being orthogonal.
type rowFactors struct {
	rotations
	n       int
	columns bool // it is the columns that are turned
}

// newFactors starts with the rows of a matrix, or with its columns if their sizes differ more: turning
// lists of different sizes keeps the digits of the small ones.
func newFactors(a []float64, n int, vectors bool) *rowFactors {
	f := &rowFactors{n: n}
	f.tolerance, f.enough = jacobiTolerance(n), jacobiTolerance(n)
	total := 0.0
	across, down := make([]float64, n), make([]float64, n)
	for i := range n {
		for j, v := range a[i*n:][:n] {
			across[i] += v * v
			down[j] += v * v
		}
		total += across[i]
	}
	f.least = 0x1p-200 * total
	if !vectors {
		f.drift = make([]float64, n)
	}
	f.columns = slices.Min(down)*slices.Max(across) < slices.Min(across)*slices.Max(down)
	rows, made := newSquare(n), newSquare(n)
	for i := range n {
		row := rows.row(i)
		for j := range n {
			if f.columns {
				row[j] = a[j*n+i]
			} else {
				row[j] = a[i*n+j]
			}
		}
		f.rows = append(f.rows, row)
		if vectors {
			made.row(i)[i] = 1
			f.made = append(f.made, made.row(i))
		} else {
			f.made = append(f.made, nil)
		}
	}
	// A start mixes rows, which would cost digits of small columns.
	if slices.Min(down) >= startRange*startRange*slices.Max(down) {
		f.start()
	}
	return f
}

// sort puts the longest row first, and gives lengths.
func (f *rowFactors) sort(lengths []float64) {
	type line struct {
		length    float64
		row, made []float64
	}
	lines := make([]line, f.n)
	for i, row := range f.rows {
		square, _, _ := rowOps.Products(row, row)
		lines[i] = line{math.Sqrt(square), row, f.made[i]}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(b.length, a.length) })
	for i, l := range lines {
		lengths[i], f.rows[i], f.made[i] = l.length, l.row, l.made
	}
}

// put gives the vectors as columns. Rows of no length are other directions.
func (f *rowFactors) put(u, v, lengths []float64) {
	n := f.n
	if f.columns {
		u, v = v, u
	}
	done := newSquare(n)
	b := basis{rows: done.v, least: 1e-30, length: n, rowLength: done.length}
	coefficients := make([]complex128, n)
	for i, row := range f.rows {
		to := done.row(i)
		if lengths[i]*lengths[i] > f.least {
			rowOps.AddScaled(to, row, 1/lengths[i])
		} else {
			b.extend(to, coefficients[:i+1])
		}
		for k, x := range to[:n] {
			v[k*n+i] = x
		}
		for k, x := range f.made[i][:n] {
			u[k*n+i] = x
		}
	}
}
