package linalg

import "github.com/twiddle-go/twiddle/nd"

// Kernels have no gradients, so what is made of them is given one here, for
// batches (batch, rows, columns). Everything built on it by array operations,
// recursion included, is differentiated by package nd.

// differentiable runs forward on a and gives its results the gradient backward.
func differentiable(forward func(in []*nd.Array) []*nd.Array, backward func(in, out, grads []*nd.Array) []*nd.Array, in ...*nd.Array) []*nd.Array {
	return nd.Custom(forward, backward)(in...)
}

// pullQR is the gradient of thin factors of full rank: with M = R gR' - gQ' Q,
// it is (gQ + Q sym(M)) R'^-1, where sym repeats the lower half of M above. In
// this file ' is the adjoint, of real matrices the transpose.
func pullQR(_, out, grads []*nd.Array) []*nd.Array {
	q, r := out[0], out[1]
	m := r.MatMul(adjoint(grads[1])).Sub(adjoint(grads[0]).MatMul(q))
	y := grads[0].Add(q.MatMul(hermitian(m)))
	return []*nd.Array{adjoint(solveTriangle(r, adjoint(y), true, false))}
}

// pullSubstitute is the gradient of x = t^-1 b, of a lower triangle or an upper one.
func pullSubstitute(upper, unit bool) func(in, out, grads []*nd.Array) []*nd.Array {
	counts := onOrBelow
	switch {
	case upper && unit:
		counts = above
	case upper:
		counts = onOrAbove
	case unit:
		counts = belowDiagonal
	}
	return func(in, out, grads []*nd.Array) []*nd.Array {
		b := solveTriangle(adjoint(in[0]), grads[0], !upper, unit)
		return []*nd.Array{keep(b.MatMul(adjoint(out[0])), counts).Neg(), b}
	}
}

// pullCholesky is the gradient of r, the first of the results, where g = r' r:
// with P the lower half of r gr', its diagonal halved, it is the symmetric part
// of r^-1 P r'^-1.
func pullCholesky(_, out, grads []*nd.Array) []*nd.Array {
	r := out[0]
	p := r.MatMul(transposed(grads[0]))
	p = keep(p, belowDiagonal).Add(keep(p, onDiagonal).MulScalar(0.5))
	half := solveTriangle(r, p, true, false)
	s := transposed(solveTriangle(r, transposed(half), true, false))
	return []*nd.Array{s.Add(transposed(s)).MulScalar(0.5)}
}

// pullSolve is the gradient of x = a^-1 b.
func pullSolve(in, out, grads []*nd.Array) []*nd.Array {
	b := eliminated(adjoint(in[0]), grads[0])
	return []*nd.Array{b.MatMul(adjoint(out[0])).Neg(), b}
}

// inverseAdjoint is what the gradients of determinants are made of.
func inverseAdjoint(a *nd.Array) *nd.Array {
	n := a.Dim(1)
	return eliminated(adjoint(a), eye(a, n, n).BroadcastTo(a.Shape()...))
}

// eliminated solves a x = b in gradients, which have gradients themselves.
func eliminated(a, b *nd.Array) *nd.Array {
	return differentiable(func(in []*nd.Array) []*nd.Array { return []*nd.Array{luOf(in[0]).solve(in[1])} }, pullSolve, a, b)[0]
}

// pullDet is the gradient of determinants (batch).
func pullDet(in, out, grads []*nd.Array) []*nd.Array {
	return []*nd.Array{inverseAdjoint(in[0]).Mul(out[0].Conj().Mul(grads[0]).ExpandDims(1, 2))}
}

// pullLogDet is the gradient of the sign, which has none unless it is complex,
// and the logarithm. Turning the sign is the imaginary part of what makes the
// determinant larger.
func pullLogDet(in, out, grads []*nd.Array) []*nd.Array {
	by := grads[1]
	if sign := out[0]; sign.DType().IsComplex() {
		by = nd.Complex(by, sign.Conj().Mul(grads[0]).Imag())
	}
	return []*nd.Array{inverseAdjoint(in[0]).Mul(by.ExpandDims(1, 2))}
}

// pullEigh is the gradient of eigenvalues (batch, n) and vectors of symmetric
// matrices: V (gw + F V' gv) V', with 1/(wj - wi) for F off the diagonal. Among equal
// eigenvalues single vectors are not defined, and what turns them there counts for nothing.
func pullEigh(_, out, grads []*nd.Array) []*nd.Array {
	w, v := out[0], out[1]
	n := w.Dim(1)
	gap := w.ExpandDims(1).Sub(w.ExpandDims(2))
	f := like(reciprocal(gap, equalValues(w)), v)
	middle := f.Mul(adjoint(v).MatMul(grads[1])).Add(eye(v, n, n).Mul(like(grads[0].ExpandDims(1), v)))
	g := v.MatMul(middle).MatMul(adjoint(v))
	return []*nd.Array{g.Add(adjoint(g)).MulScalar(0.5)}
}

// equalValues is a bound (batch, 1, 1) for differences of eigenvalues (batch, n) that are rounding.
func equalValues(w *nd.Array) *nd.Array {
	return w.Abs().Max(1).MulScalar(float64(w.Dim(1))*0x1p-52).ExpandDims(1, 2)
}

// ofLower is the gradient by the lower half of symmetric matrices, of which g is the gradient.
func ofLower(g *nd.Array) *nd.Array {
	return keep(g.MulScalar(2), belowDiagonal).Add(keep(g, onDiagonal))
}

// pullLowerEigh is pullEigh for matrices of which the lower half counts.
func pullLowerEigh(in, out, grads []*nd.Array) []*nd.Array {
	wide := func(list []*nd.Array) []*nd.Array {
		return []*nd.Array{list[0].Cast(nd.Float64), list[1].Cast(widest(list[1].DType()))}
	}
	return []*nd.Array{ofLower(pullEigh(nil, wide(out), wide(grads))[0]).Cast(in[0].DType())}
}

// pullLowerCholesky is the gradient of l where l l' is a matrix of which the lower half counts.
func pullLowerCholesky(in, out, grads []*nd.Array) []*nd.Array {
	upper := func(a *nd.Array) []*nd.Array { return []*nd.Array{transposed(a).Cast(nd.Float64)} }
	return []*nd.Array{ofLower(pullCholesky(nil, upper(out[0]), upper(grads[0]))[0]).Cast(in[0].DType())}
}
