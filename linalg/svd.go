package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// SVDOptions is the options of SVD.
type SVDOptions struct {
	// Full makes u (..., m, m) and v (..., n, n) square: columns that a does not
	// determine continue them to bases.
	Full bool
}

// SVD factors matrices (..., m, n) into u diag(s) v', where u (..., m, k) and v (..., n,
// k) have orthonormal columns for every rank of a, and s (..., k) are the singular values,
// greatest first; k is the lesser of m and n.
//
// It computes in float64, with work that grows with the cube of k: by one-sided Jacobi rotations, which find
// small singular values as accurately as large ones where these come from rows or columns of different sizes; on the CPU, by
// a bidiagonal form and dividing where sizes are alike and there are 64 columns or more. For the leading part
// of a large matrix see TopSVD. Matrices of up to 32 rows and columns, complex ones of 24, are rotated by a GPU in registers, where a
// device has no float64 in float32. Up to eight larger real matrices on a GPU are taken to the CPU, which
// is faster by far, and their factors back.
func SVD(ctx context.Context, a *nd.Array, opt ...SVDOptions) (u, s, v *nd.Array, err error) {
	const op = "svd"
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad != nil {
		return nil, nil, nil, bad.Err()
	}
	k := min(x.Dim(1), x.Dim(2))
	if x.empty() {
		u = x.back(nd.FullLike(columns(x.Array, 0, k), 0))
		s = x.back(realPart(nd.FullLike(columns(x.Array, 0, k).Sum(1), 0)))
		v = x.back(nd.FullLike(transposed(rows(x.Array, 0, k)), 0))
		if len(opt) > 0 && opt[0].Full {
			u, v = CompleteBasis(u), CompleteBasis(v)
		}
		return u, s, v, u.Err()
	}
	c := newCalculation(op, x.lead, a)
	c.finite("a", x.Array)
	u, s, v = c.svdOf(x.Array)
	t := a.DType()
	out, err := c.kept(ctx, x, pullSVD, u.Cast(t), s.Cast(t.Real()), v.Cast(t))
	if err != nil {
		return nil, nil, nil, err
	}
	u, s, v = out[0], out[1], out[2]
	if len(opt) > 0 && opt[0].Full {
		whole := func(q *nd.Array) *nd.Array {
			batch := q.Reshape(x.Dim(0), q.Dim(-2), q.Dim(-1))
			return x.back(completed(batch))
		}
		u, v = whole(u), whole(v)
		if err := nd.Eval(ctx, u, v); err != nil {
			return nil, nil, nil, err
		}
	}
	return u, s, v, nil
}

// svdOf builds the factors, in float64 or complex128.
func (c *calculation) svdOf(a *nd.Array) (u, s, v *nd.Array) {
	if a.Dim(1) < a.Dim(2) {
		v, s, u = c.svdOf(adjoint(a))
		return u, s, v
	}
	if inRegisters(a) {
		return c.svdInRegisters(a, true)
	}
	a, size := inRange(a.Cast(widest(a.DType())), false)
	if takesSpectrum(a) && a.Dim(1) == a.Dim(2) {
		u, s, v = c.svdSquare(a, true)
		return u, s.Mul(size.Squeeze(2)), v
	}
	// Rotating the rows of R, not of A, is shorter and takes fewer sweeps.
	q, r := thinQR(a, QROptions{})
	u, s, v = c.rotated(r)
	return q.MatMul(u), s.Mul(size.Squeeze(2)), v
}

// singularValues is those of a, in float64, with a gradient.
func (c *calculation) singularValues(a *nd.Array) *nd.Array {
	small := inRegisters(a)
	if !takesSpectrum(a) && !small {
		_, s, _ := c.svd(a)
		return s
	}
	return differentiable(func(in []*nd.Array) []*nd.Array {
		x := in[0]
		if x.Dim(1) < x.Dim(2) {
			x = adjoint(x)
		}
		if small {
			_, s, _ := c.svdInRegisters(x, false)
			return []*nd.Array{s}
		}
		x, size := inRange(x.Cast(nd.Float64), false)
		if x.Dim(1) > x.Dim(2) {
			_, x = thinQR(x, QROptions{})
		}
		_, s, _ := c.svdSquare(x, false)
		return []*nd.Array{s.Mul(size.Squeeze(2))}
	}, func(in, _, grads []*nd.Array) []*nd.Array {
		u, s, v := c.svd(in[0]) // it has a gradient too
		return pullSVD(in, []*nd.Array{u, s, v}, []*nd.Array{nd.FullLike(u, 0), grads[0], nd.FullLike(v, 0)})
	}, a)[0]
}

// rotated is the factors of square matrices r, which are float64 or complex128.
func (c *calculation) rotated(r *nd.Array) (u, s, v *nd.Array) {
	if takesSpectrum(r) {
		return c.svdSquare(r, true)
	}
	if inRegisters(r) {
		v, s, u = c.svdInRegisters(adjoint(r), true) // it rotates columns
		return u, s, v
	}
	o := jacobi(r)
	c.converged(o)
	return adjoint(o.v), o.lengths, orthonormalised(adjoint(o.w))
}

// orthonormalised makes columns that are orthogonal of length 1, and puts other
// directions where they are zero.
func orthonormalised(a *nd.Array) *nd.Array {
	if a.DType().IsComplex() {
		q, _ := complexQR(a)
		return q
	}
	if prefersGramSchmidt(a) {
		q, _ := gramSchmidtQR(a)
		return q
	}
	f := newFactoring(a, min(panel, a.Dim(2)))
	f.narrow = true // orthogonal columns have the best of conditions
	hs, r := f.householder(a)
	return firstColumns(hs).Mul(signs(diagonal(r)).ExpandDims(1))
}

// signs is -1 for negative numbers and 1 for all others.
func signs(d *nd.Array) *nd.Array {
	return nd.Where(d.LessScalar(0), nd.FullLike(d, -1), nd.FullLike(d, 1))
}

// HermitianOptions is the options of functions of symmetric or Hermitian matrices.
type HermitianOptions struct {
	// Upper reads only the upper half of a matrix, instead of the lower one. Cholesky then
	// returns an upper triangle u, with a its adjoint times u.
	Upper bool
}

// half is the argument with what is to be looked at in its lower half.
func (o HermitianOptions) half(a *nd.Array) *nd.Array {
	if o.Upper {
		return adjoint(a)
	}
	return a
}

// Eigh returns the eigenvalues w (..., n), least first, and the eigenvectors, the columns
// of v (..., n, n), of symmetric or Hermitian matrices. It reads only the lower half of a,
// or the upper half with HermitianOptions.Upper. On the CPU real matrices are reduced to
// tridiagonal form by Householder reflections and solved by divide and conquer; otherwise
// the method is that of SVD. A GPU rotates matrices of up to 32 columns in registers. Up to eight larger real
// matrices on a GPU are taken to the CPU, and results back.
func Eigh(ctx context.Context, a *nd.Array, opt ...HermitianOptions) (w, v *nd.Array, err error) {
	return eighFor(ctx, "eigh", a, opt)
}

// eighFor is Eigh for an operation.
func eighFor(ctx context.Context, op string, a *nd.Array, opt []HermitianOptions) (w, v *nd.Array, err error) {
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, nil, bad.Err()
	}
	if x.empty() {
		w = x.back(realPart(x.Sum(2)))
		return w, a, w.Err()
	}
	if len(opt) > 0 {
		x.Array = opt[0].half(x.Array)
	}
	c := newCalculation(op, x.lead, a)
	if takesEigh(x.Array) {
		w, v, fault := eighOf(x.Array, true)
		c.sound(fault, x.Dim(1), mostTurns)
		out, err := c.kept(ctx, x, pullLowerEigh, w, v)
		if err != nil {
			return nil, nil, err
		}
		return out[0], out[1], nil
	}
	c.finite("a", keep(x.Array, onOrBelow))
	t := a.DType()
	out, err := c.built(ctx, func(in []*nd.Array) []*nd.Array {
		full := hermitian(in[0]).Cast(widest(t))
		out := differentiable(func(in []*nd.Array) []*nd.Array { return c.eigh(in[0]) }, pullEigh, full)
		return []*nd.Array{x.back(out[0].Cast(t.Real())), x.back(out[1].Cast(t))}
	}, x.Array)
	if err != nil {
		return nil, nil, err
	}
	return out[0], out[1], nil
}

// eigh is the eigenvalues and vectors of float64 matrices that are symmetric,
// or complex128 ones that are Hermitian.
func (c *calculation) eigh(a *nd.Array) []*nd.Array {
	if takesEigh(a) {
		w, v, fault := eighOf(a, true)
		c.sound(fault, a.Dim(1), mostTurns)
		return []*nd.Array{w, v}
	}
	// Moved by a bound of their size, eigenvalues are not negative: the rows that
	// rotate into orthogonality are then the eigenvectors, whatever the signs.
	n := a.Dim(1)
	a, size := inRange(a, false)
	bound := a.Abs().Sum(2).Max(1).Reshape(a.Dim(0), 1, 1)
	o := jacobi(a.Add(eye(a, n, n).Mul(like(bound, a))))
	c.converged(o)
	vectors := adjoint(o.v).Flip(2)
	// Rounding has made the vectors a little longer or shorter, by more the more
	// rotations there were.
	values := realPart(vectors.Conj().Mul(a.MatMul(vectors)).Sum(1)).Div(vectors.AbsSquared().Sum(1))
	order := values.ArgSort(1)
	return []*nd.Array{values.Gather(order, 1).Mul(size.Squeeze(2)), vectors.Gather(order.ExpandDims(1), 2)}
}
