package linalg

import "github.com/twiddle-go/twiddle/nd"

// nativeToeplitz is body/toeplitz. Numbers of the matrix are kept from right to left, so that
// both sums of a step run forwards; the last column moves by one place at every step, which is
// a slice that begins one place earlier.
func nativeToeplitz(g *nd.Group) {
	batch, n, padded := g.Position[2], g.Constant("SIDE"), g.Constant("PADDED")
	t := matrixOf[float64](g.Inputs[0], batch, 2*n-1+2*padded)[padded:][:2*n-1]
	reversed := make([]float64, roundUp(2*n-1, 16)+16) // zeros behind, for whole vectors
	for i, v := range t {
		reversed[2*n-2-i] = v
	}
	corner := n - 1 // of reversed, as of t
	top := reversed[corner]
	first := make([]float64, rowLength(n)+16)
	last := make([]float64, n+rowLength(n)+16) // as it is now: from place n-k on
	first[0], last[n-1] = 1/top, 1/top
	bad := int32(-1)
	if top == 0 {
		bad = 0
	}
	for k := 1; k < n; k++ {
		// As many numbers of whole vectors as there are; columns have zeros behind their k.
		whole := rowLength(k)
		_, down, _ := rowOps.Products(reversed[corner-k:][:whole], first[:whole])
		_, right, _ := rowOps.Products(reversed[corner+1:][:whole], last[n-k:][:whole])
		d := 1 - down*right
		if d == 0 && bad < 0 {
			bad = int32(k)
		}
		by := 1 / d
		f, b := first[:k+1], last[n-k-1:][:k+1]
		for i, x := range f {
			y := b[i]
			f[i], b[i] = (x-down*y)*by, (y-right*x)*by
		}
	}
	f, b := matrixOf[float64](g.Outputs[0], batch, padded+1), matrixOf[float64](g.Outputs[1], batch, padded+1)
	clear(f)
	clear(b)
	copy(f[1:], first[:n])
	copy(b[1:], last[:n])
	nd.Elements[int32](g.Outputs[2])[batch] = bad
}
