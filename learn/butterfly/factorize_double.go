package butterfly

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
)

// block is a 2x2 matrix.
type block [2][2]complex128

func (m block) mul(k block) block {
	var out block
	for r := range 2 {
		for c := range 2 {
			out[r][c] = m[r][0]*k[0][c] + m[r][1]*k[1][c]
		}
	}
	return out
}

func (m block) det() complex128 { return m[0][0]*m[1][1] - m[0][1]*m[1][0] }

// adjugate is the inverse times the determinant.
func (m block) adjugate() block { return block{{m[1][1], -m[0][1]}, {-m[1][0], m[0][0]}} }

// eigenvectors are the columns of the result; gap says how well they are
// determined, from 0 to 1.
func (m block) eigenvectors() (v block, gap float64) {
	half := (m[0][0] - m[1][1]) / 2
	root := cmplx.Sqrt(half*half + m[0][1]*m[1][0])
	size := cmplx.Abs(m[0][0]) + cmplx.Abs(m[0][1]) + cmplx.Abs(m[1][0]) + cmplx.Abs(m[1][1])
	if size == 0 {
		return block{{1, 0}, {0, 1}}, 0
	}
	for k, r := range []complex128{root, -root} {
		// (M - lambda) v = 0 with lambda = mean + r: either row gives v.
		a, b := [2]complex128{m[0][1], r - half}, [2]complex128{half + r, m[1][0]}
		if cmplx.Abs(b[0])+cmplx.Abs(b[1]) > cmplx.Abs(a[0])+cmplx.Abs(a[1]) {
			a = b
		}
		var g gram
		g.add(a[0], a[1])
		u := g.leading()
		v[0][k], v[1][k] = u[0], u[1]
	}
	return v, cmplx.Abs(root) / size
}

// splitBoth takes block b of a level apart as S*diag(T1, T2)*R, and puts S and
// R in place. Which rows and columns it begins with may be a bad choice, so it
// begins anew while the product is not the block.
func (n *Network) splitBoth(t Matrix, b, factor int) []Matrix {
	const attempts, good = 16, 1e-13
	var best split
	for k := range uint64(attempts) {
		s := diagonalize(t, k)
		if k == 0 || s.off < best.off {
			best = s
		}
		if best.off < good {
			break
		}
	}
	n.put(factor, b, best.left)
	n.put(n.mirror(factor), b, best.right)
	return best.middle[:]
}

// diagonalize takes a matrix apart. The four elements of rows i, i+h and columns
// j, j+h are a 2x2 matrix
//
//	M(i,j) = S(i) * diag(t1, t2) * R(j)
//
// and so M(i,j)/M(k,j) over M(i,l)/M(k,l) has the columns of S(i) for its
// eigenvectors. They give R, that gives S for all rows, that a better R.
func diagonalize(t Matrix, seed uint64) split {
	h := t.N / 2
	at := func(i, j int) block {
		return block{{t.At(i, j), t.At(i, j+h)}, {t.At(i+h, j), t.At(i+h, j+h)}}
	}
	first, s := bestEigenvectors(h, at, seed)
	out := split{left: make([]block, h), right: make([]block, h)}
	left, right := out.left, out.right
	for j := range h {
		// Rows of R(j) from one S. Where that row has a t of 0 the row is 0 as
		// well, and so does not count in what follows.
		right[j] = s.adjugate().mul(at(first, j))
	}
	for range 3 {
		for i := range h {
			left[i] = columnsOf(h, func(j int) block { return at(i, j).mul(right[j].adjugate()) })
		}
		for j := range h {
			right[j] = rowsOf(h, func(i int) block { return left[i].adjugate().mul(at(i, j)) })
		}
	}
	for k := range out.middle {
		out.middle[k] = Matrix{h, make([]complex128, h*h)}
	}
	var off, all float64
	for i := range h {
		for j := range h {
			m := at(i, j)
			t1, t2 := middle(m, left[i], right[j])
			out.middle[0].Data[i*h+j], out.middle[1].Data[i*h+j] = t1, t2
			for r := range 2 {
				for c := range 2 {
					got := left[i][r][0]*t1*right[j][0][c] + left[i][r][1]*t2*right[j][1][c]
					off += sqr(m[r][c] - got)
					all += sqr(m[r][c])
				}
			}
		}
	}
	if all > 0 {
		out.off = math.Sqrt(off / all)
	}
	return out
}

func sqr(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// bestEigenvectors tries some rows and columns, drawn from a seed, and gives the
// row whose S is determined best. Where none is determined at all, any will
// do.
func bestEigenvectors(h int, at func(i, j int) block, seed uint64) (first int, s block) {
	const tries = 64
	rng := rand.New(rand.NewPCG(uint64(h), seed))
	best := 1e-9
	s = block{{1, 0}, {0, 1}}
	for range tries {
		i, k, j, l := rng.IntN(h), rng.IntN(h), rng.IntN(h), rng.IntN(h)
		// Adjugates stand for inverses: only the scale differs.
		x := at(i, j).mul(at(k, j).adjugate()).mul(at(k, l)).mul(at(i, l).adjugate())
		v, gap := x.eigenvectors()
		if score := gap * cmplx.Abs(v.det()); score > best {
			best, first, s = score, i, v
		}
	}
	return first, s
}

// columnsOf gives the directions that the columns of many matrices have in
// common.
func columnsOf(n int, of func(int) block) block {
	var g [2]gram
	for i := range n {
		m := of(i)
		for k := range 2 {
			g[k].add(m[0][k], m[1][k])
		}
	}
	u, v := g[0].leading(), g[1].leading()
	return block{{u[0], v[0]}, {u[1], v[1]}}
}

// rowsOf does so for rows.
func rowsOf(n int, of func(int) block) block {
	var g [2]gram
	for i := range n {
		m := of(i)
		for k := range 2 {
			g[k].add(m[k][0], m[k][1])
		}
	}
	return block{g[0].leading(), g[1].leading()}
}

// middle is the t1 and t2 for which left * diag(t1, t2) * right is nearest to m:
// the solution of the normal equations, whose matrix is 2x2.
func middle(m, left, right block) (t1, t2 complex128) {
	var terms [2]block // column k of left times row k of right
	for k := range 2 {
		for r := range 2 {
			for c := range 2 {
				terms[k][r][c] = left[r][k] * right[k][c]
			}
		}
	}
	inner := func(a, b block) (sum complex128) {
		for r := range 2 {
			for c := range 2 {
				sum += cmplx.Conj(a[r][c]) * b[r][c]
			}
		}
		return sum
	}
	normal := block{{inner(terms[0], terms[0]), inner(terms[0], terms[1])}, {inner(terms[1], terms[0]), inner(terms[1], terms[1])}}
	y0, y1 := inner(terms[0], m), inner(terms[1], m)
	d := normal.det()
	if cmplx.Abs(d) < 1e-30 {
		return y0, 0
	}
	a := normal.adjugate()
	return (a[0][0]*y0 + a[0][1]*y1) / d, (a[1][0]*y0 + a[1][1]*y1) / d
}
