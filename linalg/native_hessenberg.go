package linalg

import "math"

// similar is a square matrix without symmetry on its way to triangular form: a = z t z', where t is what the
// matrix has become. Rows of t, and of z' if vectors are wanted, lie in scratch.
type similar[T float64 | complex128] struct {
	balance
	n  int
	t  [][]T
	zh [][]T // rows of z'; nil if nobody asked
	// whole says that all of t counts. Otherwise only the blocks on its diagonal do, which have the eigenvalues.
	whole bool
}

// general is a real matrix on that way.
type general struct{ similar[float64] }

// scratchRows is n rows of n zeros.
func scratchRows[T any](n int) [][]T {
	all, list := make([]T, n*n), make([][]T, n)
	for i := range list {
		list[i] = all[i*n:][:n:n]
	}
	return list
}

// what is wanted of a matrix.
type wanted int

const (
	onlyValues  wanted = iota
	withVectors        // of a balanced matrix, as values alone are
	asItIs             // a Schur form
)

// newSimilar starts with a over 2^exponent, so that squares neither overflow nor vanish: nothing that counts is rounded.
// modulus is near that of an element, and times multiplies by a power of two.
func newSimilar[T float64 | complex128](a []T, n int, want wanted, modulus func(T) float64, times func(T, float64) T) similar[T] {
	moduli := scratchRows[float64](n)
	for i, row := range moduli {
		for j := range row {
			row[j] = modulus(a[i*n+j])
		}
	}
	g := similar[T]{n: n, t: scratchRows[T](n), whole: want != onlyValues}
	if want == asItIs {
		g.balance = unbalanced(moduli)
	} else {
		g.balance = balanced(moduli)
	}
	for i, row := range g.t {
		from := a[g.order[i]*n:][:n]
		for j := range row {
			by, and := powerOfTwo(g.powers[j] - g.powers[i] - g.exponent)
			row[j] = times(times(from[g.order[j]], by), and)
		}
	}
	if g.whole {
		g.zh = scratchRows[T](n)
		for i := range n {
			g.zh[i][i] = 1
		}
	}
	return g
}

func newGeneral(a []float64, n int, want wanted) *general {
	return &general{newSimilar(a, n, want, math.Abs, func(x, by float64) float64 { return x * by })}
}

// hessenberg makes zeros below the first subdiagonal, by reflections from both sides.
func (g *general) hessenberg() {
	n := g.n
	v, sum := make([]float64, n), make([]float64, n)
	for k := g.low; k+2 < g.high; k++ {
		axis := v[k+1 : g.high]
		for i := range axis {
			axis[i] = g.t[k+1+i][k]
		}
		head, by := reflect(axis, 0)
		for i := k + 1; i < g.high; i++ {
			g.t[i][k] = 0
		}
		g.t[k+1][k] = head
		if by == 0 {
			continue
		}
		left := func(rows [][]float64, from int) {
			clear(sum)
			for i, x := range axis {
				rowOps.AddScaled(sum[from:], rows[k+1+i][from:], x)
			}
			for i, x := range axis {
				rowOps.AddScaled(rows[k+1+i][from:], sum[from:], -by*x)
			}
		}
		left(g.t, k+1)
		for _, row := range g.t[:g.high] {
			_, dot, _ := rowOps.Products(row[k+1:g.high], axis)
			rowOps.AddScaled(row[k+1:g.high], axis, -by*dot)
		}
		if g.zh != nil {
			left(g.zh, 0)
		}
	}
}
