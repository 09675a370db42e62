package linalg

import "math"

// symmetric is a symmetric matrix in scratch on its way to tridiagonal form.
type symmetric struct {
	n int
	square
	diagonal, beside []float64 // of the tridiagonal matrix; the last of beside is zero
}

// eigenvectors gives the rows of orthogonal matrices, eigenvectors of s, which is
// destroyed: first s is made tridiagonal by reflections, then diagonal by
// rotations (implicit QL). ok is false if that takes too long, as it does for
// what is not finite.
func (s *symmetric) eigenvectors() (v square, ok bool) {
	v = s.reduce()
	return v, s.diagonalise(v)
}

// reduce makes s tridiagonal. It gives the transposed product of the
// reflections.
func (s *symmetric) reduce() square {
	n := s.n
	s.diagonal, s.beside = make([]float64, n), make([]float64, n)
	// Vectors are as long as rows, with zeros in front.
	axes, scales := newSquare(n), make([]float64, n)
	product := make([]float64, s.length)
	for k := 0; k < n; k++ {
		s.diagonal[k] = s.row(k)[k]
		if k+1 == n {
			break
		}
		from := (k + 1) &^ 15
		axis := axes.row(k)
		copy(axis[k+1:n], s.row(k)[k+1:n])
		square, _, _ := rowOps.Products(axis[from:], axis[from:])
		head := axis[k+1]
		size := math.Copysign(math.Sqrt(square), head)
		s.beside[k] = -size
		if rest := square - head*head; k+2 == n || !(rest > 0) {
			s.beside[k] = head
			continue // it is tridiagonal here already
		}
		axis[k+1] = head + size
		by := 1 / (size * axis[k+1]) // 2 over the square of axis
		scales[k] = by

		half := 0.0
		for i := k + 1; i < n; i++ {
			_, dot, _ := rowOps.Products(s.row(i)[from:], axis[from:])
			product[i] = dot * by
			half += product[i] * axis[i]
		}
		half *= by / 2
		for i := k + 1; i < n; i++ {
			product[i] -= half * axis[i]
		}
		for i := k + 1; i < n; i++ {
			line := s.row(i)[from:]
			rowOps.AddScaled(line, product[from:], -axis[i])
			rowOps.AddScaled(line, axis[from:], -product[i])
		}
		clear(product[:k+2])
	}
	v := newSquare(n)
	for i := range n {
		v.row(i)[i] = 1
	}
	for k := n - 3; k >= 0; k-- {
		from, axis := (k+1)&^15, axes.row(k)
		for i := k + 1; i < n && scales[k] != 0; i++ {
			line := v.row(i)[from:]
			_, dot, _ := rowOps.Products(line, axis[from:])
			rowOps.AddScaled(line, axis[from:], -scales[k]*dot)
		}
	}
	return v
}

// diagonalise rotates neighbouring rows of v until beside is zero.
func (s *symmetric) diagonalise(v square) bool {
	d, e := s.diagonal, s.beside
	const most = 50 // turns for a value; it takes about two
	for l := range s.n {
		for turn := 0; ; turn++ {
			m := l
			for m+1 < s.n && math.Abs(e[m]) > 0x1p-53*(math.Abs(d[m])+math.Abs(d[m+1])) {
				m++
			}
			if m == l {
				break
			}
			if turn == most {
				return false
			}
			// The shift is the eigenvalue of the leading two rows that is closer.
			g := (d[l+1] - d[l]) / (2 * e[l])
			g = d[m] - d[l] + e[l]/(g+math.Copysign(math.Hypot(g, 1), g))
			sine, cosine, p := 1.0, 1.0, 0.0
			i := m - 1
			for ; i >= l; i-- {
				f, b := sine*e[i], cosine*e[i]
				r := math.Hypot(f, g)
				e[i+1] = r
				if r == 0 {
					d[i+1] -= p
					e[m] = 0
					break
				}
				sine, cosine = f/r, g/r
				g = d[i+1] - p
				r = (d[i]-g)*sine + 2*cosine*b
				p = sine * r
				d[i+1] = g + p
				g = cosine*r - b
				rowOps.Rotate(v.row(i), v.row(i+1), cosine, -sine)
			}
			if i >= l {
				continue
			}
			d[l] -= p
			e[l], e[m] = g, 0
		}
	}
	return true
}
