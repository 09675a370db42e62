package linalg

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// precise reports modes that add up with more digits than the type has.
func precise(mode nd.Accumulation) bool { return mode == nd.Compensated || mode == nd.Exact }

// checkAccumulation is the fault of a mode; nil if there is none.
func checkAccumulation(op string, mode nd.Accumulation, operands ...*nd.Array) error {
	if mode.Valid() {
		return nil
	}
	return nd.Fail("linalg", op, fmt.Errorf("there is no accumulation %d", mode), operands...).Err()
}

// refinements is how many times a result is improved by what is left when it is put
// in. Each time the error falls by the condition times the rounding of the method.
const refinements = 4

// sumOf is the sum of products x[i] y[i], added up at once in a mode, so that what
// cancels cancels before anything is rounded. Matrices are batches.
func sumOf(mode nd.Accumulation, x, y []*nd.Array) *nd.Array {
	return nd.Concat(2, x...).MatMul(nd.Concat(1, y...), mode)
}

// unit is a batch of identities beside a.
func unit(a *nd.Array, n int) *nd.Array {
	return eye(a, n, n).ExpandDims(0).BroadcastTo(a.Dim(0), n, n)
}

// residual is b - a x: what is left of b when everything has been added up.
func residual(a, b, x *nd.Array, mode nd.Accumulation) *nd.Array {
	return sumOf(mode, []*nd.Array{a, b}, []*nd.Array{x.Neg(), unit(b, b.Dim(2))})
}

// farFromOrthonormal is how much columns may be off for refineQR to improve them: it
// drops the cube of that.
const farFromOrthonormal = 0.25

// refineQR improves the factors of a, which has at least as many rows as columns, and
// full rank; other matrices keep the factors they have.
//
// With F = a - q r, the columns z = q + F/r are those that have a = z r to the last
// digit. What they lack to be orthonormal, M = z'z - I, is moved from them to r: half
// of its diagonal and all above is Y, less that of Y'Y, and then q = z (I - Y + YY) and
// r = (I + Y) r. M has to be known well beyond the rounding of q'q, which is what the
// mode is for. Squares count, because F is never less than the rounding of r.
func refineQR(a, q, r *nd.Array, mode nd.Accumulation) (*nd.Array, *nd.Array) {
	n := r.Dim(2)
	one := unit(r, n)
	for range refinements {
		rest := sumOf(mode, []*nd.Array{a, q}, []*nd.Array{one, r.Neg()})
		over := func(x *nd.Array) *nd.Array {
			return adjoint(solveTriangle(adjoint(r), adjoint(x), false, false))
		}
		step := over(rest) // most of it is rounding of r, and goes back there: it has to be exact itself
		step = step.Add(over(sumOf(mode, []*nd.Array{rest, step}, []*nd.Array{one, r.Neg()})))
		across := adjoint(q).MatMul(step)
		lack := sumOf(mode, []*nd.Array{adjoint(q), one}, []*nd.Array{q, one.Neg()}).Add(across).Add(adjoint(across)).Add(adjoint(step).MatMul(step))
		y := halved(lack)
		y = halved(lack.Sub(adjoint(y).MatMul(y)))
		move := step.Sub(q.Add(step).MatMul(y.Sub(y.MatMul(y))))
		fine := lack.Abs().Max(1, 2).LessScalar(farFromOrthonormal).Reshape(r.Dim(0), 1, 1) // false for NaN
		q = nd.Where(fine, q.Add(move), q)
		r = nd.Where(fine, r.Add(keep(y.MatMul(r), onOrAbove)), r)
	}
	return q, r
}

// halved is what is above the diagonal, and half of that.
func halved(a *nd.Array) *nd.Array { return keep(a, above).Add(keep(a, onDiagonal).MulScalar(0.5)) }

// augmented is the equations p + t s = top and t'p = bottom, whose solution is that
// of least squares: for a tall t = a with top b and bottom 0, s is x and p is what is
// left of b; for t = a' with top 0 and bottom b, p is the shortest x.
//
// t is about q times a square r, known by what dividing by r and r' does.
type augmented struct {
	t, q         *nd.Array
	over, across func(*nd.Array) *nd.Array // r^-1 x and r'^-1 x
}

// factors are the augmented equations of t = q r.
func factors(t, q, r *nd.Array) augmented {
	return augmented{t, q,
		func(x *nd.Array) *nd.Array { return solveTriangle(r, x, true, false) },
		func(x *nd.Array) *nd.Array { return solveTriangle(adjoint(r), x, false, false) }}
}

// solve improves the solution by what both equations lack. Errors of p that rounding
// leaves are seen by both and cancel in s.
func (g augmented) solve(top, bottom *nd.Array, mode nd.Accumulation) (p, s *nd.Array) {
	one := unit(top, top.Dim(2))
	p, s = nd.FullLike(top, 0), nd.FullLike(bottom, 0)
	f, h := top, bottom
	for i := range 1 + refinements {
		if i > 0 {
			f = sumOf(mode, []*nd.Array{g.t, p, top}, []*nd.Array{s.Neg(), one.Neg(), one})
			h = residual(adjoint(g.t), bottom, p, mode)
		}
		d := adjoint(g.q).MatMul(f).Sub(g.across(h))
		p, s = p.Add(f.Sub(g.q.MatMul(d))), s.Add(g.over(d))
	}
	return p, s
}
