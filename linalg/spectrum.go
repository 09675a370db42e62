package linalg

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// NormKind says how a matrix is measured.
type NormKind uint8

const (
	Frobenius NormKind = iota // the root of the sum of squares
	One                       // the largest sum of moduli in a column
	Inf                       // the largest sum of moduli in a row
	Max                       // the largest modulus
	Spectral                  // the largest singular value
	Nuclear                   // the sum of singular values
)

var normKindNames = [...]string{"frobenius", "one", "inf", "max", "spectral", "nuclear"}

func (k NormKind) String() string { return choice.Name(k, "NormKind", normKindNames[:]) }

// ParseNormKind is the kind of a name: frobenius, one, inf, max, spectral or nuclear.
func ParseNormKind(name string) (NormKind, error) {
	return choice.Parse[NormKind]("linalg", "norm", name, normKindNames[:])
}

// Norm measures matrices (..., m, n); 0 if they have no elements.
func Norm(ctx context.Context, a *nd.Array, kind NormKind) (*nd.Array, error) {
	const op = "norm"
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad == nil && kind > Nuclear {
		bad = nd.Fail("linalg", op, fmt.Errorf("there is no %v", kind), a)
	}
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return known(nd.Zeros(a.DType().Real(), x.lead...))
	}
	c := newCalculation(op, x.lead, a)
	if kind == Spectral || kind == Nuclear {
		c.finite("a", x.Array)
	}
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		return c.norm(in[0], kind).Cast(a.DType().Real()).Reshape(x.lead...)
	}, x.Array)
}

// norm measures matrices that have elements.
func (c *calculation) norm(x *nd.Array, kind NormKind) *nd.Array {
	switch kind {
	case Frobenius:
		// Scaled by its largest element, no square overflows or vanishes.
		most := nd.StopGradient(x.Abs().Max(1, 2))
		unit := nd.Where(most.EqualScalar(0), nd.FullLike(most, 1), most)
		return x.Div(like(unit.ExpandDims(1, 2), x)).Norm(1, 2).Mul(unit)
	case One:
		return x.Abs().Sum(1).Max(1)
	case Inf:
		return x.Abs().Sum(2).Max(1)
	case Max:
		return x.Abs().Max(1, 2)
	}
	s := c.singularValues(x)
	if kind == Spectral {
		return s.Max(1)
	}
	return s.Sum(1)
}

// rankTolerance is the share of the greatest singular value at which one counts
// as zero, as in NumPy: the rounding of the type times the longer side.
func rankTolerance(a *nd.Array) float64 {
	return rounding(a.DType()) * float64(max(a.Dim(1), a.Dim(2)))
}

// RankOptions is the options of functions that count singular values as zero.
type RankOptions struct {
	// Tolerance is the share of the greatest singular value up to which one counts
	// as zero; 0 is the rounding of the type times the longer side of the matrix.
	Tolerance float64
	// Hermitian says that matrices are symmetric or Hermitian, which takes less work; only the
	// lower half is read.
	Hermitian bool
}

func (o RankOptions) check() error {
	if !(o.Tolerance >= 0 && o.Tolerance < 1) {
		return fmt.Errorf("want a Tolerance from 0 to 1, got %g", o.Tolerance)
	}
	return nil
}

// tolerance is that of matrices.
func (o RankOptions) tolerance(a *nd.Array) float64 {
	if o.Tolerance > 0 {
		return o.Tolerance
	}
	return rankTolerance(a)
}

// rankOptions checks options and their matrices.
func rankOptions(op string, a *nd.Array, opt []RankOptions) (matrices, RankOptions, error) {
	var o RankOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	x, bad := argument{op: op, name: "a", square: o.Hermitian, complex: true}.matrices(a)
	if bad != nil {
		return x, o, bad.Err()
	}
	if err := o.check(); err != nil {
		return x, o, nd.Fail("linalg", op, err, a).Err()
	}
	return x, o, nil
}

// spectrum is the singular values of a.
func (c *calculation) spectrum(a *nd.Array) *nd.Array {
	c.finite("a", a)
	return c.singularValues(a)
}

// Rank is the number of singular values above rounding: above the greatest
// times the longer side of the matrix times the spacing of numbers at 1, unless
// options say otherwise.
func Rank(ctx context.Context, a *nd.Array, opt ...RankOptions) (*nd.Array, error) {
	const op = "rank"
	x, o, err := rankOptions(op, a, opt)
	if err != nil {
		return nil, err
	}
	if x.empty() {
		return known(nd.Zeros(nd.Int64, x.lead...))
	}
	c := newCalculation(op, x.lead, a)
	var s *nd.Array
	if o.Hermitian {
		c.finite("a", keep(x.Array, onOrBelow))
		s = c.eigh(hermitian(x.Array).Cast(widest(a.DType())))[0].Abs()
	} else {
		s = c.spectrum(x.Array)
	}
	least := s.Max(1).ExpandDims(1).MulScalar(o.tolerance(x.Array))
	return c.result(ctx, s.Greater(least).Cast(nd.Int64).Sum(1).Reshape(x.lead...))
}

// Cond is the greatest singular value over the least: how much errors can
// grow. It is infinite for a singular matrix, and 0 for one without elements.
func Cond(ctx context.Context, a *nd.Array) (*nd.Array, error) {
	const op = "cond"
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	if x.empty() {
		return known(nd.Zeros(a.DType().Real(), x.lead...))
	}
	c := newCalculation(op, x.lead, a)
	return c.one(ctx, func(in []*nd.Array) *nd.Array {
		s := c.spectrum(in[0])
		least := s.Min(1)
		ratio := nd.Where(least.EqualScalar(0), nd.FullLike(least, math.Inf(1)), s.Max(1).Div(least))
		return ratio.Cast(a.DType().Real()).Reshape(x.lead...)
	}, x.Array)
}

// Pinv is the pseudo-inverse (..., n, m): singular values that Rank counts are
// inverted, others become zero.
func Pinv(ctx context.Context, a *nd.Array, opt ...RankOptions) (*nd.Array, error) {
	const op = "pinv"
	x, o, err := rankOptions(op, a, opt)
	if err != nil {
		return nil, err
	}
	if x.empty() {
		return known(x.back(adjoint(x.Array)))
	}
	c := newCalculation(op, x.lead, a)
	if o.Hermitian {
		x.Array = hermitian(x.Array)
	}
	c.finite("a", x.Array)
	out, err := c.kept(ctx, x, pullPinv, c.pinvOf(x.Array, o).Cast(a.DType()))
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// pinv is pinvOf with a gradient.
func (c *calculation) pinv(a *nd.Array, o RankOptions) *nd.Array {
	return differentiable(func(in []*nd.Array) []*nd.Array { return []*nd.Array{c.pinvOf(in[0], o)} }, pullPinv, a)[0]
}

// pinvOf is the pseudo-inverse in float64.
func (c *calculation) pinvOf(a *nd.Array, o RankOptions) *nd.Array {
	if o.Hermitian {
		out := c.eigh(a.Cast(widest(a.DType())))
		w, v := out[0], out[1]
		zero := w.Abs().LessEqual(w.Abs().Max(1).ExpandDims(1).MulScalar(o.tolerance(a)))
		inverse := nd.Where(zero, nd.FullLike(w, 0), nd.FullLike(w, 1).Div(w))
		return v.Mul(like(inverse.ExpandDims(1), v)).MatMul(adjoint(v))
	}
	u, v, over := c.pinvParts(a, o)
	return v.Mul(transposed(over)).MatMul(adjoint(u))
}

// pinvParts is what v diag(over) u' makes the pseudo-inverse: over, (batch, k, 1), is
// inverse singular values, or 0.
func (c *calculation) pinvParts(a *nd.Array, o RankOptions) (u, v, over *nd.Array) {
	u, s, v := c.svdOf(a)
	least := s.SliceAxis(1, nd.Range{Stop: 1}).MulScalar(o.tolerance(a))
	zero := s.LessEqual(least)
	inverse := nd.Where(zero, nd.FullLike(s, 0), nd.FullLike(s, 1).Div(s))
	return u, v, like(inverse.ExpandDims(2), v)
}
