package linalg

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// Cholesky factors symmetric, or Hermitian, positive definite matrices a into l times its
// adjoint, where l is a lower triangle. It reads only the lower half of a, or the upper
// half with HermitianOptions.Upper. A pivot that is not positive is a
// *NotPositiveDefiniteError: the matrix is not positive definite, or too close to singular
// for its element type.
func Cholesky(ctx context.Context, a *nd.Array, opt ...HermitianOptions) (*nd.Array, error) {
	const op = "cholesky"
	x, bad := argument{op: op, name: "a", square: true, complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return a, nil
	}
	var o HermitianOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	x.Array = o.half(x.Array)
	c := newCalculation(op, x.lead, a)
	if takesWhole(x.Array) {
		n := x.Dim(1)
		l, fault := choleskyOf(x.Array)
		c.require(fault, func(matrix []int, place int) error {
			if place < n*n {
				return &NotFiniteError{Name: "a", Matrix: matrix, Row: place / n, Column: place % n}
			}
			return &NotPositiveDefiniteError{Matrix: matrix, Pivot: place - n*n}
		})
		out, err := c.kept(ctx, x, pullLowerCholesky, l)
		if err != nil {
			return nil, err
		}
		if o.Upper {
			return known(out[0].SwapAxes(-2, -1))
		}
		return out[0], nil
	}
	c.finite("a", keep(x.Array, onOrBelow))
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		l, lost := cholesky(keep(in[0], onOrBelow))
		c.never(lost, func(matrix []int, place int) error {
			return &NotPositiveDefiniteError{Matrix: matrix, Pivot: place}
		})
		return x.back(o.half(l))
	}, x.Array)
}

// cholesky factors lower triangles by halves. lost, (batch, n), is true where a
// pivot is not positive.
func cholesky(a *nd.Array) (l, lost *nd.Array) {
	n, few := a.Dim(1), panel
	if onCPU(a) {
		few = 2 * panel // launches cost it more than steps do
	}
	if a.DType().IsComplex() {
		few /= 2
	}
	byColumns := !onCPU(a) && !a.DType().IsComplex()
	switch {
	case byColumns && n <= choleskyWhole:
		out := differentiable(func(in []*nd.Array) []*nd.Array {
			l, lost := choleskyByColumns(in[0])
			return []*nd.Array{transposed(l), lost}
		}, pullCholesky, hermitian(a))
		return transposed(out[0]), out[1].GreaterScalar(0)
	case byColumns:
		few = choleskyWhole / 2
	case n > few:
	case a.DType().IsComplex():
		l, lost = cholesky(paired(hermitian(a)))
		z := unpaired(l)
		// The diagonal is real by definition, whatever rounding says.
		z = nd.Where(where(z, n, n, onDiagonal), z.Real().Cast(z.DType()), z)
		return z, lost.SliceAxis(1, nd.Range{Stop: nd.End, Step: 2})
	default:
		full := hermitian(a).Cast(nd.Float64)
		out := differentiable(func(in []*nd.Array) []*nd.Array {
			g := gram{in[0]}.triangle()
			return []*nd.Array{g.r, g.lost}
		}, pullCholesky, full)
		return transposed(out[0]).Cast(a.DType()), out[1].GreaterScalar(0)
	}
	half := roundUp(n/2, few)
	left, lost1 := cholesky(block(a, 0, half, 0, half))
	under := adjoint(solveLower(left, adjoint(block(a, half, n, 0, half)), false))
	right, lost2 := cholesky(block(a, half, n, half, n).Sub(under.MatMul(adjoint(under))))
	above := left.PadAxis(2, nd.Margin{After: n - half}, nd.Pad{})
	return nd.Concat(1, above, nd.Concat(2, under, right)), nd.Concat(1, lost1, lost2)
}

// CholeskySolve solves a x = b with l, the factor that Cholesky gave for a.
func CholeskySolve(ctx context.Context, l, b *nd.Array) (*nd.Array, error) {
	s, bad := systemFor(argument{op: "cholesky_solve", name: "l", square: true, complex: true}, l, b)
	if bad != nil {
		return nil, bad.Err()
	}
	if s.empty() {
		return known(s.solution(s.b))
	}
	c := s.calculation()
	c.finite("l", keep(s.a, onOrBelow))
	c.finite("b", s.b)
	c.nonzero(diagonal(s.a))
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		half := solveTriangle(in[0], in[1], false, false)
		return s.solution(solveTriangle(adjoint(in[0]), half, true, false))
	}, s.a, s.b)
}
