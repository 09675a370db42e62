package linalg

import (
	"errors"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// vectors checks arguments that are lines: one axis or more, none empty, all of
// one float or complex type.
func vectors(op string, names []string, list ...*nd.Array) *nd.Array {
	for i, a := range list {
		fail := func(err error) *nd.Array { return nd.Fail("linalg", op, err, list[:i+1]...) }
		switch {
		case a == nil:
			return nd.Fail("linalg", op, errors.New(names[i]+" is a nil Array"))
		case a.Err() != nil:
			return a
		case a.NDim() < 1 || a.Dim(-1) == 0:
			return fail(&ShapeError{Name: names[i], Shape: a.Shape(), Want: "one element or more along the last axis"})
		case a.DType() != list[0].DType():
			return fail(fmt.Errorf("%s is %s, %s is %s", names[i], a.DType(), names[0], list[0].DType()))
		}
		if t := a.DType(); t != nd.Float32 && t != nd.Float64 && !t.IsComplex() {
			return fail(fmt.Errorf("%s is %s: want float32, float64, complex64 or complex128", names[i], t))
		}
		// Leading axes broadcast with those before.
		for _, b := range list[:i] {
			for k := 2; k <= min(a.NDim(), b.NDim()); k++ {
				if p, q := a.Dim(-k), b.Dim(-k); p != q && p != 1 && q != 1 {
					return fail(&ShapeError{Name: names[i], Shape: a.Shape(), Want: fmt.Sprintf("leading axes that broadcast with %v", b.Shape())})
				}
			}
		}
	}
	return nil
}

// picked is a matrix whose element (i, j) is v[at(i, j)], m by n.
func picked(v *nd.Array, m, n int, at func(i, j *nd.Array) *nd.Array) *nd.Array {
	k := nd.Arange[int64](0, int64(max(m, n)), 1).Beside(v)
	return v.Take(at(k.Slice(nd.Range{Stop: m}).Reshape(m, 1), k.Slice(nd.Range{Stop: n}).Reshape(1, n)), -1)
}

// Circulant is the matrices whose first column is c, shaped (..., n): every next
// column is the one before, moved down by one, the last element to the top.
func Circulant(c *nd.Array) *nd.Array {
	if bad := vectors("circulant", []string{"c"}, c); bad != nil {
		return bad
	}
	n := c.Dim(-1)
	return picked(c, n, n, func(i, j *nd.Array) *nd.Array { return i.Sub(j).AddScalar(n).RemScalar(n) })
}

// Toeplitz is the matrices (..., m, n) that are constant along diagonals, with
// first column c (..., m) and first row r (..., n). Where they meet c counts. A
// nil r is the conjugate of c, which makes a Hermitian matrix.
func Toeplitz(c, r *nd.Array) *nd.Array {
	if bad := edges("toeplitz", &c, &r); bad != nil {
		return bad
	}
	m, n := c.Dim(-1), r.Dim(-1)
	v := nd.Concat(-1, r.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Flip(-1), c)
	return picked(v, m, n, func(i, j *nd.Array) *nd.Array { return i.Sub(j).AddScalar(n - 1) })
}

// Hankel is the matrices (..., m, n) that are constant along the other
// diagonals, with first column c (..., m) and last row r (..., n). Where they
// meet c counts. A nil r is zeros.
func Hankel(c, r *nd.Array) *nd.Array {
	if c != nil && r == nil {
		r = nd.FullLike(c, 0)
	}
	if bad := edges("hankel", &c, &r); bad != nil {
		return bad
	}
	m, n := c.Dim(-1), r.Dim(-1)
	return picked(nd.Concat(-1, c, r.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End})), m, n, func(i, j *nd.Array) *nd.Array { return i.Add(j) })
}

// edges checks a column and a row and gives them the same leading axes.
func edges(op string, c, r **nd.Array) *nd.Array {
	if *c != nil && *r == nil {
		*r = (*c).Conj()
	}
	if bad := vectors(op, []string{"c", "r"}, *c, *r); bad != nil {
		return bad
	}
	lead := (*c).SliceAxis(-1, nd.Range{Stop: 1}).Add((*r).SliceAxis(-1, nd.Range{Stop: 1}))
	if lead.Err() != nil {
		return nd.Fail("linalg", op, fmt.Errorf("leading axes of c and r do not agree: %v and %v", (*c).Shape(), (*r).Shape()), *c, *r)
	}
	s := lead.Shape()
	widen := func(a *nd.Array) *nd.Array {
		return a.BroadcastTo(append(s[:len(s)-1:len(s)-1], a.Dim(-1))...)
	}
	*c, *r = widen(*c), widen(*r)
	return nil
}

// Vandermonde is the matrices (..., m, n) of powers of the points x (..., m):
// 1, x, x^2 and so on, or the other way round if descending.
func Vandermonde(x *nd.Array, n int, descending bool) *nd.Array {
	const op = "vandermonde"
	if bad := vectors(op, []string{"x"}, x); bad != nil {
		return bad
	}
	if n < 1 {
		return nd.Fail("linalg", op, fmt.Errorf("%d columns: want 1 or more", n), x)
	}
	// Running products: powers without logarithms.
	ones := nd.FullLike(x, 1).ExpandDims(-1)
	v := ones
	if n > 1 {
		v = nd.Concat(-1, ones, x.ExpandDims(-1).Repeat(n-1, -1)).CumProd(-1)
	}
	if descending {
		v = v.Flip(-1)
	}
	return v
}

// DFT is the n by n matrix of the discrete Fourier transform, complex64 or
// complex128: DFT(t, n) times x is x.FFT(), to rounding.
func DFT(t nd.DType, n int) *nd.Array {
	if !t.IsComplex() || n < 1 {
		return nd.Fail("linalg", "dft", fmt.Errorf("%s, %d by %d: want complex64 or complex128, and 1 or more", t, n, n))
	}
	return nd.Eye(t, n).FFT()
}
