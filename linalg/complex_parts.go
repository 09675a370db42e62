package linalg

import "github.com/twiddle-go/twiddle/nd"

// realPart is a itself if it is real.
func realPart(a *nd.Array) *nd.Array {
	if a.DType().IsComplex() {
		return a.Real()
	}
	return a
}

// direction is d over its modulus, and 0 for 0.
func direction(d *nd.Array) *nd.Array {
	if !d.DType().IsComplex() {
		return d.Sign()
	}
	size := d.Abs()
	none := size.EqualScalar(0)
	return d.Div(like(nd.Where(none, nd.FullLike(size, 1), size), d))
}

// hermitian is the matrices whose lower halves are those of a. The diagonal of
// such a matrix is real.
func hermitian(a *nd.Array) *nd.Array {
	under := keep(a, belowDiagonal)
	return keep(like(realPart(a), a), onDiagonal).Add(under).Add(adjoint(under))
}

// paired is complex matrices as real ones of twice the size: every element is
// the 2 by 2 block with rows (re, -im) and (im, re). Products, adjoints, and
// triangles with a real diagonal are those of the complex matrices.
func paired(a *nd.Array) *nd.Array {
	batch, m, n := a.Dim(0), a.Dim(1), a.Dim(2)
	re, im := a.Real(), a.Imag()
	up, down := nd.Stack(3, re, im.Neg()), nd.Stack(3, im, re)
	return nd.Stack(2, up, down).Reshape(batch, 2*m, 2*n)
}

// unpaired undoes paired.
func unpaired(a *nd.Array) *nd.Array {
	batch, m, n := a.Dim(0), a.Dim(1)/2, a.Dim(2)/2
	blocks := a.Reshape(batch, m, 2, n, 2)
	part := func(i int) *nd.Array {
		return blocks.Slice(nd.All, nd.All, nd.Range{Start: i, Stop: i + 1}, nd.All, nd.Range{Stop: 1}).Reshape(batch, m, n)
	}
	return nd.Complex(part(0), part(1))
}
