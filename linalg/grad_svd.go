package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// adjoint is the conjugate transpose.
func adjoint(a *nd.Array) *nd.Array {
	if a.DType().IsComplex() {
		return transposed(a).Conj()
	}
	return transposed(a)
}

// kept computes results, batches as x, and gives them the gradient pull by x:
// where built would run everything a second time to differentiate it, pull makes
// do with the results.
func (c *calculation) kept(ctx context.Context, x matrices, pull func(in, out, grads []*nd.Array) []*nd.Array, results ...*nd.Array) ([]*nd.Array, error) {
	done := make([]*nd.Array, len(results))
	for i, r := range results {
		done[i] = x.back(r)
	}
	if err := c.compute(ctx, done...); err != nil {
		return nil, err
	}
	return x.pulled(pull, done...), nil
}

// pulled gives arrays with the leading axes of m, which have been computed from
// it, the gradient pull, which works on batches.
func (m matrices) pulled(pull func(in, out, grads []*nd.Array) []*nd.Array, done ...*nd.Array) []*nd.Array {
	back := func(in, out, grads []*nd.Array) []*nd.Array { return pull(in, m.joined(out...), m.joined(grads...)) }
	return differentiable(func([]*nd.Array) []*nd.Array { return done }, back, m.Array)
}

// joined undoes back.
func (m matrices) joined(list ...*nd.Array) []*nd.Array {
	out := make([]*nd.Array, len(list))
	for i, a := range list {
		out[i] = a.Reshape(append([]int{m.Dim(0)}, a.Shape()[len(m.lead):]...)...)
	}
	return out
}

// svd is the factors of a, in float64 or complex128, with a gradient.
func (c *calculation) svd(a *nd.Array) (u, s, v *nd.Array) {
	out := differentiable(func(in []*nd.Array) []*nd.Array {
		u, s, v := c.svdOf(in[0])
		return []*nd.Array{u, s, v}
	}, pullSVD, a)
	return out[0], out[1], out[2]
}

// spectralParts is singular values and vectors with their gradients, in twice
// the digits.
type spectralParts struct {
	u, s, v    *nd.Array
	gu, gs, gv *nd.Array
	least      *nd.Array // (batch, 1): differences of values that are rounding
}

func partsOf(out, grads []*nd.Array, tolerance float64) spectralParts {
	w := func(a *nd.Array) *nd.Array { return a.Cast(widest(a.DType())) }
	p := spectralParts{w(out[0]), w(out[1]), w(out[2]), w(grads[0]), w(grads[1]), w(grads[2]), nil}
	p.least = p.s.Max(1).ExpandDims(1).MulScalar(tolerance)
	return p
}

// widest is the type with the most digits for numbers of a type.
func widest(t nd.DType) nd.DType {
	if t.IsComplex() {
		return nd.Complex128
	}
	return nd.Float64
}

// reciprocal is 1/d, and 0 where d is no more than rounding: what is undefined
// there counts for nothing.
func reciprocal(d, least *nd.Array) *nd.Array {
	tiny := d.Abs().LessEqual(least)
	return nd.Where(tiny, nd.FullLike(d, 0), nd.FullLike(d, 1).Div(nd.Where(tiny, nd.FullLike(d, 1), d)))
}

// like gives real numbers the type of a, which may be complex.
func like(r, a *nd.Array) *nd.Array { return r.Cast(a.DType()) }

// core is the middle of the gradient, u core v': gs on the diagonal, and with Ku
// and Kv the skew parts of u' gu and v' gv half of (Ku + Kv)/(s[j] - s[i]), which
// turns u and v together, and of (Ku - Kv)/(s[j] + s[i]), which turns them apart.
func (p spectralParts) core() *nd.Array {
	row, column := p.s.ExpandDims(1), p.s.ExpandDims(2)
	over := func(d *nd.Array) *nd.Array { return like(reciprocal(d, p.least.ExpandDims(1)).MulScalar(0.5), p.u) }
	skew := func(q, g *nd.Array) *nd.Array {
		m := adjoint(q).MatMul(g)
		return m.Sub(adjoint(m))
	}
	ku, kv := skew(p.u, p.gu), skew(p.v, p.gv)
	k := p.s.Dim(1)
	turned := ku.Add(kv).Mul(over(row.Sub(column))).Add(ku.Sub(kv).Mul(over(row.Add(column))))
	return turned.Add(eye(p.u, k, k).Mul(like(p.gs.ExpandDims(1), p.u)))
}

// beyond is what of g is not along the columns of q.
func beyond(q, g *nd.Array) *nd.Array { return g.Sub(q.MatMul(adjoint(q).MatMul(g))) }

// pullSVD is the gradient of all singular values and vectors. Among equal values
// single vectors are not defined: what would turn u and v together there counts
// for nothing, as do vectors of values that are zero.
func pullSVD(in, out, grads []*nd.Array) []*nd.Array {
	a := in[0]
	p := partsOf(out, grads, rankTolerance(a))
	g := p.u.MatMul(p.core())
	by := like(reciprocal(p.s, p.least).ExpandDims(1), p.u)
	if a.Dim(1) > a.Dim(2) {
		g = g.Add(beyond(p.u, p.gu).Mul(by))
	}
	g = g.MatMul(adjoint(p.v))
	if a.Dim(1) < a.Dim(2) {
		g = g.Add(p.u.Mul(by).MatMul(adjoint(beyond(p.v, p.gv))))
	}
	return []*nd.Array{g.Cast(a.DType())}
}

// pullPinv is the gradient of p, the pseudo-inverse of a, among matrices of the
// same rank.
func pullPinv(in, out, grads []*nd.Array) []*nd.Array {
	t := in[0].DType()
	a, p, g := in[0].Cast(widest(t)), out[0].Cast(widest(t)), adjoint(grads[0]).Cast(widest(t))
	ph := adjoint(p)
	sum := ph.MatMul(adjoint(g)).MatMul(ph).Neg()
	left := g.MatMul(p).MatMul(ph)                      // g' p p'
	right := ph.MatMul(p).MatMul(g)                     // p' p g'
	sum = sum.Add(left.Sub(a.MatMul(p.MatMul(left))))   // (I - a p) of it
	sum = sum.Add(right.Sub(right.MatMul(p).MatMul(a))) // and (I - p a)
	return []*nd.Array{sum.Cast(t)}
}

// topSteps is how many steps of conjugate gradients the vectors of TopSVD take
// back through the part of the matrix that they leave out. With s[k]/s[k-1] of
// 0.9 the error falls below 1e-12.
const topSteps = 64

// pulled gives results that have been computed from x their gradients: values and
// vectors apart, since those of the values are cheap.
func (t *Top) pulled(x matrices) {
	flat := x.joined(t.U, t.S, t.V)
	u, s, v := flat[0], flat[1], flat[2]
	t.S = x.pulled(pullTopValues(u, v), t.S)[0]
	vectors := x.pulled(pullTopVectors(s), t.U, t.V)
	t.U, t.V = vectors[0], vectors[1]
}

// pullTopValues is the gradient of the leading singular values.
func pullTopValues(u, v *nd.Array) func(in, out, grads []*nd.Array) []*nd.Array {
	return func(in, _, grads []*nd.Array) []*nd.Array {
		return []*nd.Array{u.Mul(like(grads[0].ExpandDims(1), u)).MatMul(adjoint(v)).Cast(in[0].DType())}
	}
}

// pullTopVectors is the gradient of the leading singular vectors u and v. Among
// themselves they are as those of SVD. What of their gradients lies outside of
// them, gu and gv, goes through the rest r = a - u s v': x and y with
// s x - r y = gu and s y - r' x = gv for every column.
func pullTopVectors(s *nd.Array) func(in, out, grads []*nd.Array) []*nd.Array {
	return func(in, out, grads []*nd.Array) []*nd.Array {
		a := in[0]
		p := partsOf([]*nd.Array{out[0], s, out[1]}, []*nd.Array{grads[0], nd.FullLike(s, 0), grads[1]}, rankTolerance(a))
		wide := a.Cast(widest(a.DType()))
		scale := like(p.s.ExpandDims(1), p.u)
		rest := wide.Sub(p.u.Mul(scale).MatMul(adjoint(p.v)))
		// One matrix of both: (rows + columns, k).
		m, n := a.Dim(1), a.Dim(2)
		times := func(z *nd.Array) *nd.Array {
			x, y := rows(z, 0, m), rows(z, m, m+n)
			return z.Mul(scale).Sub(nd.Concat(1, rest.MatMul(y), adjoint(rest).MatMul(x)))
		}
		z := conjugateGradients(times, nd.Concat(1, beyond(p.u, p.gu), beyond(p.v, p.gv)), topSteps)
		x, y := beyond(p.u, rows(z, 0, m)), beyond(p.v, rows(z, m, m+n))
		g := p.u.MatMul(p.core()).Add(x).MatMul(adjoint(p.v)).Add(p.u.MatMul(adjoint(y)))
		return []*nd.Array{g.Cast(a.DType())}
	}
}

// conjugateGradients solves times(x) = b for every column of b by itself; times
// is positive definite.
func conjugateGradients(times func(*nd.Array) *nd.Array, b *nd.Array, steps int) *nd.Array {
	inner := func(a, b *nd.Array) *nd.Array { return a.Conj().Mul(b).Real().Sum(1).ExpandDims(1) }
	if !b.DType().IsComplex() {
		inner = func(a, b *nd.Array) *nd.Array { return a.Mul(b).Sum(1).ExpandDims(1) }
	}
	x, r, p := nd.FullLike(b, 0), b, b
	square := inner(r, r)
	solved := square.MulScalar(0x1p-104) // a column with no more than that left is done
	for range steps {
		ap := times(p)
		over := func(a, b *nd.Array) *nd.Array {
			done := square.LessEqual(solved)
			return like(nd.Where(done, nd.FullLike(a, 0), a.Div(nd.Where(done, nd.FullLike(b, 1), b))), x)
		}
		step := over(square, inner(p, ap))
		x, r = x.Add(p.Mul(step)), r.Sub(ap.Mul(step))
		next := inner(r, r)
		p = r.Add(p.Mul(over(next, square)))
		square = next
	}
	return x
}
