package linalg

import (
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/simd/gemm"
)

// values are the eigenvalues of a quasi-triangle; of a pair the one with the positive imaginary part comes first.
func (g *general) values(w []complex128) {
	for k := 0; k < g.n; k++ {
		if k+1 < g.n && g.t[k+1][k] != 0 {
			im := math.Sqrt(math.Abs(g.t[k][k+1])) * math.Sqrt(math.Abs(g.t[k+1][k]))
			w[k], w[k+1] = complex(g.t[k][k], im), complex(g.t[k][k], -im)
			k++
			continue
		}
		w[k] = complex(g.t[k][k], 0)
	}
}

// largeVector is what elements of a vector of a triangle stay below: before one would be larger, all that are known are scaled down.
const largeVector = 0x1p200

// gapFrom is a difference d from an eigenvalue w that can be divided by, in triangles with a largest element of about 1. What is nothing
// beside w is not beside the largest element: vectors of graded matrices keep their digits.
func gapFrom(d, w complex128) complex128 {
	if least := max(0x1p-53*modulus1(w), 0x1p-900); modulus1(d) < least {
		return complex(least, 0)
	}
	return d
}

// room is what a numerator has to be scaled by, and all that is known of its vector, before it is divided.
func room(numerator, denominator complex128) float64 {
	most := largeVector * modulus1(denominator)
	if size := modulus1(numerator); size > most {
		return most / size
	}
	return 1
}

// vectors are the eigenvectors, as rows.
func (g *general) vectors(w []complex128) [][]complex128 {
	n := g.n
	// Of the quasi-triangle first: real parts, and imaginary parts of complex ones, row by row.
	re, im := make([]float64, n*n), make([]float64, n*n)
	paired := false
	for k := 0; k < n; k++ {
		x := triangleVector{general: g, w: w[k], last: k, re: re[k*n:][:n], im: im[k*n:][:n]}
		x.solve()
		if x.pair {
			paired = true
			k++
		}
	}
	z := gemm.Matrix[float64]{Data: make([]float64, n*n), Row: n, Col: 1}
	for i, row := range g.zh {
		copy(z.Data[i*n:], row)
	}
	times := func(x []float64) []float64 {
		out := make([]float64, n*n)
		gemm.Mul(n, n, n, gemm.Matrix[float64]{Data: out, Row: n, Col: 1}, gemm.Matrix[float64]{Data: x, Row: n, Col: 1}, z, nil)
		return out
	}
	if re = times(re); paired {
		im = times(im)
	}
	rows := scratchRows[complex128](n)
	for k := 0; k < n; k++ {
		for i := range n {
			rows[k][i] = complex(re[k*n+i], im[k*n+i])
		}
		if imag(w[k]) != 0 {
			for i, v := range rows[k] {
				rows[k+1][i] = cmplx.Conj(v)
			}
			k++
		}
	}
	return rows
}

// triangleVector is the vector of a quasi-triangle for its eigenvalue w in row last, or for that of the pair which ends in row
// last that has the positive imaginary part.
type triangleVector struct {
	*general
	w      complex128
	pair   bool
	last   int
	re, im []float64
}

func (x *triangleVector) solve() {
	k := x.last
	x.re[k] = 1
	if x.pair = imag(x.w) != 0; x.pair {
		x.last++
		if b, c := x.t[k][k+1], x.t[k+1][k]; math.Abs(b) >= math.Abs(c) {
			x.im[k+1] = imag(x.w) / b
		} else {
			x.re[k], x.re[k+1], x.im[k] = 0, 1, imag(x.w)/c
		}
	}
	for i := k - 1; i >= 0; i-- {
		if i > 0 && x.t[i][i-1] != 0 {
			x.two(i - 1)
			i--
			continue
		}
		v, _ := x.quotient(x.rest(i, i+1), gapFrom(complex(x.t[i][i], 0)-x.w, x.w))
		x.put(i, v)
	}
}

// two finds the elements of rows i and i+1, a block for a pair, eliminated from the larger element.
func (x *triangleVector) two(i int) {
	p, q := x.rest(i, i+2), x.rest(i+1, i+2)
	a, b := complex(x.t[i][i], 0)-x.w, complex(x.t[i][i+1], 0)
	c, d := complex(x.t[i+1][i], 0), complex(x.t[i+1][i+1], 0)-x.w
	if modulus1(c) > modulus1(a) {
		a, b, p, c, d, q = c, d, q, a, b, p
	}
	a = gapFrom(a, x.w)
	f := over(c, a)
	second, by := x.quotient(q-f*p, gapFrom(d-f*b, x.w))
	x.put(i+1, second)
	first, _ := x.quotient(scaled(p, by)-b*second, a)
	x.put(i, first)
}

// quotient is numerator / d; where that would be too large, both it and all that is known are less by a factor.
func (x *triangleVector) quotient(numerator, d complex128) (v complex128, by float64) {
	by = room(numerator, d)
	if by != 1 {
		for _, list := range [][]float64{x.re[:x.last+1], x.im[:x.last+1]} {
			for i := range list {
				list[i] *= by
			}
		}
	}
	return over(scaled(numerator, by), d), by
}

// over is x / d, by one division where both are real.
func over(x, d complex128) complex128 {
	if imag(d) == 0 && imag(x) == 0 {
		return complex(real(x)/real(d), 0)
	}
	return x / d
}

func scaled(x complex128, by float64) complex128 { return complex(real(x)*by, imag(x)*by) }

// rest is what the elements from one on have to add up to in row i.
func (x *triangleVector) rest(i, from int) complex128 {
	row := x.t[i][from : x.last+1]
	_, re, _ := rowOps.Products(row, x.re[from:x.last+1])
	if !x.pair {
		return complex(-re, 0)
	}
	_, im, _ := rowOps.Products(row, x.im[from:x.last+1])
	return complex(-re, -im)
}

func (x *triangleVector) put(i int, v complex128) { x.re[i], x.im[i] = real(v), imag(v) }

// vectors are the eigenvectors, as rows.
func (g *generalComplex) vectors() [][]complex128 {
	n := g.n
	rows, x := scratchRows[complex128](n), make([]complex128, n)
	for k := range n {
		clear(x)
		x[k] = 1
		w := g.t[k][k]
		for i := k - 1; i >= 0; i-- {
			var sum complex128
			for j, v := range g.t[i][i+1 : k+1] {
				sum -= v * x[i+1+j]
			}
			d := gapFrom(g.t[i][i]-w, w)
			if by := room(sum, d); by != 1 {
				sum = scaled(sum, by)
				for j := range x {
					x[j] = scaled(x[j], by)
				}
			}
			x[i] = sum / d
		}
		for j, c := range x[:k+1] {
			for i, v := range g.zh[j] {
				rows[k][i] += c * cmplx.Conj(v)
			}
		}
	}
	return rows
}
