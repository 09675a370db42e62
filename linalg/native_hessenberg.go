package linalg

import "math"

// general is a square matrix without symmetry on its way to triangular form: a = z t z', where t is what the
// matrix has become. Its rows, and those of z' if vectors are wanted, lie in scratch.
type general struct {
	n      int
	t      [][]float64
	zt     [][]float64 // rows of z'; nil if nobody asked
	scales []float64   // row i and column i were multiplied by 1/scales[i] and scales[i]; nil if not
}

// rowsOf64 is n rows of n zeros.
func rowsOf64[T any](n int) [][]T {
	all, list := make([]T, n*n), make([][]T, n)
	for i := range list {
		list[i] = all[i*n:][:n:n]
	}
	return list
}

func newGeneral(a []float64, n int, vectors bool) *general {
	g := &general{n: n, t: rowsOf64[float64](n)}
	for i, row := range g.t {
		copy(row, a[i*n:])
	}
	if vectors {
		g.zt = rowsOf64[float64](n)
		for i := range n {
			g.zt[i][i] = 1
		}
	}
	return g
}

// scaledBy brings elements into a range where squares neither overflow nor vanish, by a power of two as
// two factors: it may be out of range itself. Nothing that counts is rounded.
func scaledBy(most float64) (by, and float64) {
	_, exponent := math.Frexp(most)
	return math.Ldexp(1, -exponent/2), math.Ldexp(1, -exponent+exponent/2)
}

// balances finds powers of two for which rows and columns of the same number have similar sums of moduli, off the
// diagonal: eigenvalues of badly scaled matrices keep their digits then. size is the modulus of an element, and
// scale multiplies a row by 1/f and the column by f.
func balances(n int, size func(i, j int) float64, scale func(i int, f float64)) (scales []float64) {
	scales = make([]float64, n)
	for i := range scales {
		scales[i] = 1
	}
	for again, rounds := true, 0; again && rounds < mostBalances; rounds++ {
		again = false
		for i := range n {
			across, down := 0.0, 0.0
			for j := range n {
				if j != i {
					across, down = across+size(i, j), down+size(j, i)
				}
			}
			if across == 0 || down == 0 {
				continue
			}
			_, e := math.Frexp(across / down)
			f := math.Ldexp(1, int(math.Floor(float64(e)/2)))
			next := scales[i] * f
			if down*f+across/f >= 0.95*(down+across) || next < 0x1p-300 || next > 0x1p300 {
				continue
			}
			again, scales[i] = true, next
			scale(i, f)
		}
	}
	return scales
}

// mostBalances bounds the rounds of balances; it takes about four.
const mostBalances = 30

func (g *general) balance() {
	g.scales = balances(g.n, func(i, j int) float64 { return math.Abs(g.t[i][j]) }, func(i int, f float64) {
		for j := range g.n {
			g.t[i][j] /= f
		}
		for j := range g.n {
			g.t[j][i] *= f
		}
	})
}

// hessenberg makes zeros below the first subdiagonal, by reflections from both sides.
func (g *general) hessenberg() {
	n := g.n
	v, sum := make([]float64, n), make([]float64, n)
	for k := 0; k+2 < n; k++ {
		for i := k + 1; i < n; i++ {
			v[i] = g.t[i][k]
		}
		head, by := reflect(v[k+1:], 0)
		for i := k + 1; i < n; i++ {
			g.t[i][k] = 0
		}
		g.t[k+1][k] = head
		if by == 0 {
			continue
		}
		left := func(rows [][]float64, from int) {
			clear(sum)
			for i := k + 1; i < n; i++ {
				rowOps.AddScaled(sum[from:], rows[i][from:], v[i])
			}
			for i := k + 1; i < n; i++ {
				rowOps.AddScaled(rows[i][from:], sum[from:], -by*v[i])
			}
		}
		left(g.t, k+1)
		for _, row := range g.t {
			_, dot, _ := rowOps.Products(row[k+1:], v[k+1:])
			rowOps.AddScaled(row[k+1:], v[k+1:], -by*dot)
		}
		if g.zt != nil {
			left(g.zt, 0)
		}
	}
}
