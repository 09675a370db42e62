package signal

import (
	"math"
	"math/cmplx"
)

// mostCompanion is the greatest degree whose roots are found as eigenvalues too: the work is its cube.
const mostCompanion = 512

// A simple root takes a few steps, and one of four in one place about forty, which other shifts
// would undo.
const mostSteps, otherShifts = 300, 60

// eigenroots is the roots of a polynomial, without zeros at either end, as the eigenvalues of its
// companion matrix. Each may be as far off as any other method's where roots are many, but
// together they are those of a polynomial that is off by rounding only. It gives false if the
// iteration does not end.
func eigenroots(p []float64) ([]complex128, bool) {
	n := len(p) - 1
	h := columns(n, n) // rows, here
	for j := range n {
		h[0][j] = -p[j+1] / p[0]
		if j > 0 {
			h[j][j-1] = 1
		}
	}
	balance(h)
	var out []complex128
	for end, tries := n-1, 0; end >= 0; {
		// start is where the last block begins that no zero below the diagonal divides.
		start := end
		for start > 0 && !divided(h, start) {
			start--
		}
		if start == end {
			out = append(out, complex(h[end][end], 0))
			end, tries = end-1, 0
			continue
		}
		if start == end-1 {
			a, b := pairOf(h[start][start], h[start][end], h[end][start], h[end][end])
			out = append(out, a, b)
			end, tries = end-2, 0
			continue
		}
		if tries++; tries > mostSteps {
			return nil, false
		}
		francis(h, start, end, tries)
	}
	return out, true
}

// divided says that what is below the diagonal beside row k is nothing, compared with the block of
// two around it: not with its diagonal alone, which is 0 of polynomials in z^2.
func divided(h [][]float64, k int) bool {
	around := math.Abs(h[k-1][k-1]) + math.Abs(h[k][k]) + math.Abs(h[k-1][k])
	return math.Abs(h[k][k-1]) <= 0x1p-52*around
}

// balance scales rows and columns by powers of two until they are alike in size.
func balance(h [][]float64) {
	for again := true; again; {
		again = false
		for i := range h {
			row, column := 0.0, 0.0
			for j := range h {
				if j != i {
					row, column = row+math.Abs(h[i][j]), column+math.Abs(h[j][i])
				}
			}
			if row == 0 || column == 0 {
				continue
			}
			f := math.Exp2(math.Round(math.Log2(row/column) / 2))
			if f == 1 || math.IsInf(f, 0) || f == 0 || column*f+row/f >= 0.95*(column+row) {
				continue
			}
			again = true
			for j := range h {
				h[i][j] /= f
				h[j][i] *= f
			}
		}
	}
}

// pairOf is the eigenvalues of a matrix of two rows.
func pairOf(a, b, c, d float64) (complex128, complex128) {
	half := (a - d) / 2
	square := half*half + b*c
	if square < 0 {
		z := complex((a+d)/2, math.Sqrt(-square))
		return z, cmplx.Conj(z)
	}
	// The root that does not cancel; the other by the product of the two.
	far := half + math.Copysign(math.Sqrt(square), half)
	if far == 0 {
		return complex(d, 0), complex(d, 0)
	}
	return complex(d+far, 0), complex(d-b*c/far, 0)
}

// francis is a step of QR with two shifts, the eigenvalues of the last two rows, on the block of
// a Hessenberg matrix from row start to row end, which has three rows at least.
func francis(h [][]float64, start, end, tries int) {
	sum := h[end-1][end-1] + h[end][end]
	product := h[end-1][end-1]*h[end][end] - h[end-1][end]*h[end][end-1]
	if one, other := pairOf(h[end-1][end-1], h[end-1][end], h[end][end-1], h[end][end]); imag(one) == 0 {
		// Of two real ones the nearer to the last element, twice: where one is minus the other and both
		// are there twice, a step with the two makes all of the block nothing but rounding.
		if math.Abs(real(other)-h[end][end]) < math.Abs(real(one)-h[end][end]) {
			one = other
		}
		sum, product = 2*real(one), real(one)*real(one)
	}
	if tries%otherShifts == 0 { // shifts that symmetry does not hold up
		s := math.Abs(h[end][end-1]) + math.Abs(h[end-1][end-2])
		sum, product = 1.5*s, s*s
	}
	// The first column of (h - shift 1)(h - shift 2).
	x := h[start][start]*h[start][start] + h[start][start+1]*h[start+1][start] - sum*h[start][start] + product
	y := h[start+1][start] * (h[start][start] + h[start+1][start+1] - sum)
	z := h[start+1][start] * h[start+2][start+1]
	for k := start; k < end; k++ {
		count := min(3, end-k+1)
		v := [3]float64{x, y, z}
		if count == 2 {
			v[2] = 0
		}
		// The reflection that turns v to the first axis.
		if size := math.Hypot(math.Hypot(v[0], v[1]), v[2]); size > 0 {
			v[0] += math.Copysign(size, v[0])
			scale := 2 / (v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
			for j := max(start, k-1); j <= end; j++ {
				dot := 0.0
				for i := range count {
					dot += v[i] * h[k+i][j]
				}
				for i := range count {
					h[k+i][j] -= scale * dot * v[i]
				}
			}
			for i := start; i <= min(k+3, end); i++ {
				dot := 0.0
				for j := range count {
					dot += v[j] * h[i][k+j]
				}
				for j := range count {
					h[i][k+j] -= scale * dot * v[j]
				}
			}
		}
		x, y, z = h[k+1][k], 0, 0
		if k+2 <= end {
			y = h[k+2][k]
		}
		if k+3 <= end {
			z = h[k+3][k]
		}
	}
	for i := start + 2; i <= end; i++ { // rounding of what is zero by construction
		for j := max(start, i-3); j < i-1; j++ {
			h[i][j] = 0
		}
	}
}
