package butterfly

import (
	"math"
	"math/cmplx"
)

// Factorize finds the network of a form that is nearest to a matrix, level by
// level, without gradients and in O(n^2). Where the form has an exact network
// it finds that; elsewhere the result is good, but not the best possible.
func Factorize(m Matrix, f Form) (*Network, error) {
	if err := f.checkTrainable(m); err != nil {
		return nil, err
	}
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	level := []Matrix{f.core(m)}
	for factor := len(f.Spans) - 1; level[0].N > 2; factor-- {
		var next []Matrix
		for b, t := range level {
			if f.isDouble() {
				next = append(next, n.splitBoth(t, b, factor)...)
			} else {
				next = append(next, n.splitLeft(t, b, factor)...)
			}
		}
		level = next
	}
	n.setLast(level)
	if f.Real {
		n.dropImaginary()
	}
	return n, nil
}

// setLast takes what is left, matrices of 2x2, as the blocks of the factor with
// span 1 that closes the recursion: the first of a single form, the middle one
// of a double form.
func (n *Network) setLast(level []Matrix) {
	factor := len(n.Spans) - (len(Single(n.N).Spans) - 1) - 1
	for b, t := range level {
		for row := range 2 {
			for col := range 2 {
				n.W[n.at(factor, row, col, b)] = t.At(row, col)
			}
		}
	}
}

// mirror is the factor at the beginning that belongs to one at the end.
func (n *Network) mirror(factor int) int { return len(n.Spans) - 1 - factor }

func (n *Network) dropImaginary() {
	for i, w := range n.W {
		n.W[i] = complex(real(w), 0)
	}
}

// splitLeft takes block b of a level apart as S*diag(T1, T2), and puts S in
// place. For each pair of rows i, i+h, the two parts of columns c are 2 x h
// matrices, of which the best approximation of rank one is the product of a
// column of a block of S and a row of T1 or T2.
func (n *Network) splitLeft(t Matrix, b, factor int) []Matrix {
	h := t.N / 2
	parts := []Matrix{{h, make([]complex128, h*h)}, {h, make([]complex128, h*h)}}
	for i := range h {
		for c := range 2 {
			top, bottom := t.Data[i*t.N+c*h:][:h], t.Data[(i+h)*t.N+c*h:][:h]
			var g gram
			for j, x := range top {
				g.add(x, bottom[j])
			}
			u := g.leading()
			n.W[n.at(factor, 0, c, b*h+i)], n.W[n.at(factor, 1, c, b*h+i)] = u[0], u[1]
			for j, x := range top {
				parts[c].Data[i*h+j] = cmplx.Conj(u[0])*x + cmplx.Conj(u[1])*bottom[j]
			}
		}
	}
	return parts
}

// gram adds up outer products of vectors of two elements.
type gram struct {
	a, d float64
	b    complex128 // first times the conjugate of second
}

func (g *gram) add(x, y complex128) {
	g.a += real(x)*real(x) + imag(x)*imag(x)
	g.d += real(y)*real(y) + imag(y)*imag(y)
	g.b += x * cmplx.Conj(y)
}

// leading is the unit vector that most of what was added lies along.
func (g *gram) leading() [2]complex128 {
	half := (g.a - g.d) / 2
	root := math.Hypot(half, cmplx.Abs(g.b))
	// Of the two ways to write the eigenvector, the one without cancellation.
	var u [2]complex128
	if half >= 0 {
		u = [2]complex128{complex(half+root, 0), cmplx.Conj(g.b)}
	} else {
		u = [2]complex128{g.b, complex(root-half, 0)}
	}
	length := math.Hypot(cmplx.Abs(u[0]), cmplx.Abs(u[1]))
	if length == 0 {
		return [2]complex128{1, 0}
	}
	return [2]complex128{u[0] / complex(length, 0), u[1] / complex(length, 0)}
}
