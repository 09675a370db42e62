package linalg

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// TopSVDOptions is the options of TopSVD. The zero value is the defaults.
type TopSVDOptions struct {
	// Iterations is the number of iterations, 8 by default. With a Tolerance it is a bound, 100
	// by default.
	Iterations int
	// Tolerance ends the iteration when no singular value has changed by more than this share of
	// itself. If that does not happen, TopSVD fails with a *ConvergenceError. 0 does all
	// Iterations without a check.
	Tolerance float64
	// Power is the number of products with a' a in an iteration, before the
	// subspace is made orthonormal again; 1 by default. More are faster and lose
	// small singular values.
	Power int
	// Oversample is the number of directions that are computed in addition to k, 8 by default:
	// they speed up the convergence of the first k. -1 is none.
	Oversample int
	// Start is the initial subspace, of shape (..., n, k): the v of a similar matrix. nil is
	// random directions, drawn from Key.
	Start *nd.Array
	Key   nd.Key
	// Band is how many columns of the subspace go through the products at once,
	// and Streams how many bands at a time. 0 takes them from the device's
	// tuning: svd_band and svd_streams.
	Band, Streams int
	// Accumulation of nd.Compensated or nd.Exact computes the last products with a in that mode,
	// and values and vectors from these. Every value is then exact to the rounding of its type,
	// relative to itself; without it the errors are roundings of the greatest one.
	Accumulation nd.Accumulation
}

// Top is the leading part of a singular value decomposition: u diag(s) v' is the
// closest to the matrix that its rank allows.
type Top struct {
	U, S, V    *nd.Array
	Iterations int     // that were done
	Change     float64 // of a singular value in the last of them, relative; NaN if it was not measured
}

// maxPower bounds products with the matrix: powers of singular values have
// under- or overflown long before.
const maxPower = 1 << 20

// TopSVD finds the k greatest singular values of matrices (..., m, n) and their vectors by
// subspace iteration: products of a' a with a few columns, orthonormalised in between, and
// a small SVD at the end. The error of value i falls by (s[l]/s[i])^4 in every iteration,
// where l is k plus Oversample, so it is fast where singular values decay and slow where
// they do not.
//
// It fails with a *RankError if a matrix has rank less than k.
func TopSVD(ctx context.Context, a *nd.Array, k int, opt ...TopSVDOptions) (*Top, error) {
	const op = "top_svd"
	var o TopSVDOptions
	if len(opt) > 0 {
		o = opt[0]
	}
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad != nil {
		return nil, bad.Err()
	}
	m, n := x.Dim(1), x.Dim(2)
	fail := func(format string, args ...any) (*Top, error) {
		return nil, nd.Fail("linalg", op, fmt.Errorf(format, args...), a).Err()
	}
	switch {
	case k < 1:
		return fail("k is %d: want 1 or more", k)
	case k > min(m, n):
		return nil, nd.Fail("linalg", op, &RankError{Rank: min(m, n), Want: k}, a).Err()
	case o.Power > maxPower || o.Iterations > maxPower:
		return fail("Power %d and Iterations %d: want at most %d", o.Power, o.Iterations, maxPower)
	case o.Iterations < 0 || o.Power < 0 || o.Band < 0 || o.Streams < 0 || o.Oversample < -1:
		return fail("negative option in %+v", o)
	case !o.Accumulation.Valid():
		return fail("there is no accumulation %d", o.Accumulation)
	case !(o.Tolerance >= 0):
		return fail("tolerance %g: want 0 or more", o.Tolerance)
	}
	s := subspace{a: x.Array, lead: x.lead, k: k, opt: o.withDefaults()}
	if bad := s.start(min(k+s.opt.Oversample, m, n)); bad != nil {
		return nil, bad.Err()
	}
	if x.Dim(0) == 0 {
		v := columns(s.v, 0, k)
		return &Top{U: x.back(columns(x.Array, 0, k)), S: x.back(realPart(v.Sum(1))), V: x.back(v), Change: math.NaN()}, nil
	}
	s.gram = s.gramOf()
	s.factoring = factoring{narrow: true, noise: noiseBeside(a, max(m, n), s.v.Dim(2))}
	return s.run(ctx, newCalculation(op, x.lead, a), x)
}

func (o TopSVDOptions) withDefaults() TopSVDOptions {
	if o.Iterations == 0 {
		o.Iterations = 8
		if o.Tolerance > 0 {
			o.Iterations = 100
		}
	}
	if o.Power == 0 {
		o.Power = 1
	}
	switch o.Oversample {
	case 0:
		o.Oversample = 8
	case -1:
		o.Oversample = 0
	}
	return o
}

// subspace is an iteration in progress.
type subspace struct {
	a    *nd.Array
	lead []int
	k    int
	opt  TopSVDOptions
	v    *nd.Array // orthonormal, (batch, n, k + oversampling)
	gram *nd.Array // of a, where it is worth it; else nil
	factoring
	started []*nd.Array
}

// ahead has a device compute a, which the rest follows from, while that is still
// being put together. The CPU would only be kept from putting it together.
func (s *subspace) ahead(ctx context.Context, a *nd.Array) {
	if !onCPU(a) && ctx.Err() == nil {
		nd.Async(a) // what fails is seen by those who use it
		s.started = append(s.started, a)
	}
}

// release gives back what was computed ahead.
func (s *subspace) release() {
	for _, a := range s.started {
		a.Release()
	}
}

// start makes the first directions; bad is an error about Start.
func (s *subspace) start(width int) (bad *nd.Array) {
	batch, n := s.a.Dim(0), s.a.Dim(2)
	t := s.a.DType()
	first := s.opt.Start
	if first == nil {
		s.v = nd.Normal(s.opt.Key, t.Real(), batch, n, width).Beside(s.a).Cast(t)
		return nil
	}
	x, bad := argument{op: "top_svd", name: "Start", complex: true}.matrices(first)
	if bad != nil {
		return bad
	}
	if first.DType() != t || x.Dim(0) != batch || x.Dim(1) != n || x.Dim(2) < 1 || x.Dim(2) > width {
		return nd.Fail("linalg", "top_svd", &ShapeError{Name: "Start", Shape: first.Shape(),
			Want: fmt.Sprintf("%s %v with up to %d columns", t, append(s.lead[:len(s.lead):len(s.lead)], n), width)}, first)
	}
	s.v = x.Array
	if more := width - x.Dim(2); more > 0 {
		s.v = nd.Concat(2, s.v, nd.Normal(s.opt.Key, t.Real(), batch, n, more).Beside(s.a).Cast(t))
	}
	return nil
}

func (s *subspace) run(ctx context.Context, c *calculation, x matrices) (*Top, error) {
	c.finite("a", s.a)
	defer s.release()
	if s.gram != nil {
		s.ahead(ctx, s.gram)
	}
	top := &Top{Iterations: s.opt.Iterations, Change: math.NaN()}
	if s.opt.Tolerance == 0 {
		for i := range s.opt.Iterations {
			gram, mode := s.gram, nd.Pairwise
			if i >= s.opt.Iterations-exactIterations {
				gram, mode = nil, s.opt.Accumulation
			}
			s.v, _ = s.nearly(s.product(gram, mode))
			if i%2 == 1 {
				s.ahead(ctx, s.v)
			}
		}
	} else if err := s.converge(ctx, c, top); err != nil {
		return nil, err
	} else if precise(s.opt.Accumulation) {
		for range exactIterations {
			s.v, _ = s.nearly(s.product(nil, s.opt.Accumulation))
		}
	}
	// The best that can be made of the subspace.
	v := s.mended(s.v)
	q, r := s.fully(s.a.MatMul(v))
	t := s.a.DType()
	rotated := c.rotated
	if s.few() && r.Dim(1) <= smallMost {
		rotated = c.rotatedSmall
	}
	left, values, right := rotated(r.Cast(widest(t)))
	if precise(s.opt.Accumulation) {
		q, v = q.MatMul(left.Cast(t)), v.MatMul(right.Cast(t))
		left, values, right = s.again(c, q, v)
	}
	pick := func(basis, part *nd.Array) *nd.Array {
		return basis.MatMul(columns(part.Cast(t), 0, s.k), s.opt.Accumulation)
	}
	top.U, top.V = x.back(pick(q, left)), x.back(pick(v, right))
	values = values.SliceAxis(1, nd.Range{Stop: s.k})
	top.S = x.back(values.Cast(t.Real()))
	least := values.SliceAxis(1, nd.Range{Stop: 1}).MulScalar(rankTolerance(s.a))
	c.never(values.LessEqual(least), func(matrix []int, place int) error {
		return &RankError{Matrix: matrix, Rank: place, Want: s.k}
	})
	if err := c.compute(ctx, top.U, top.S, top.V); err != nil {
		return nil, err
	}
	top.pulled(x)
	return top, nil
}

// converge iterates until the values that are asked for stop changing.
func (s *subspace) converge(ctx context.Context, c *calculation, top *Top) error {
	var before []float64
	for i := range s.opt.Iterations {
		var r *nd.Array
		s.v, r = s.nearly(s.product(nil, nd.Pairwise))
		// r's diagonal goes to powers of the singular values.
		estimate := diagonal(r).Abs().PowScalar(0.5/float64(s.opt.Power)).SliceAxis(1, nd.Range{Stop: s.k}).Cast(nd.Float64)
		if err := c.compute(ctx, s.v, estimate); err != nil {
			return err
		}
		c.checks = nil // they hold
		now, err := nd.Slice[float64](ctx, estimate)
		if err != nil {
			return err
		}
		top.Iterations = i + 1
		if before != nil {
			top.Change = 0
			worst := 0
			for j := range now {
				if change := math.Abs(now[j]-before[j]) / math.Max(now[j], math.SmallestNonzeroFloat64); change > top.Change {
					top.Change, worst = change, j
				}
			}
			if top.Change <= s.opt.Tolerance {
				return nil
			}
			if i == s.opt.Iterations-1 {
				fault := &ConvergenceError{Matrix: position(worst/s.k, c.lead), Iterations: i + 1, Reached: top.Change, Tolerance: s.opt.Tolerance}
				return nd.Fail("linalg", c.op, fault, c.operands...).Err()
			}
		}
		before = now
	}
	fault := &ConvergenceError{Iterations: s.opt.Iterations, Reached: math.NaN(), Tolerance: s.opt.Tolerance}
	return nd.Fail("linalg", c.op, fault, c.operands...).Err()
}

// again is the SVD of u' a v, with products added up precisely, where u and v are
// nearly singular vectors: how both have to be turned still, and the values. An
// element of a v is off by a rounding of itself, so column i of the product is off by
// roundings of value i, not of the greatest one, and rotating columns keeps that.
func (s *subspace) again(c *calculation, u, v *nd.Array) (left, values, right *nd.Array) {
	mode := s.opt.Accumulation
	small := adjoint(u).MatMul(s.a.MatMul(v, mode), mode)
	right, values, left = c.rotated(adjoint(small).Cast(widest(small.DType())))
	return left, values, right
}

// exactIterations is how many iterations, the last ones, use the matrix itself
// where the others use its Gram matrix, which has lost the digits of small
// singular values.
const exactIterations = 2

// gramOf is a' a, if multiplying with it is predicted to be faster than with a
// and a' by turns, and nil otherwise. Products with a few columns run at half
// the speed of large ones, because most of their time goes into rearranging a.
func (s *subspace) gramOf() *nd.Array {
	m, n, width := float64(s.a.Dim(1)), float64(s.a.Dim(2)), float64(s.v.Dim(2))
	times := float64((s.opt.Iterations - exactIterations) * s.opt.Power)
	const slower = 2
	if s.opt.Tolerance > 0 || times*4*m*n*width*slower < 2*m*n*n+times*2*n*n*width*slower {
		return nil
	}
	// It is symmetric: a quarter need not be computed.
	half := s.a.Dim(2) / 2
	left, right := columns(s.a, 0, half), columns(s.a, half, s.a.Dim(2))
	top := adjoint(left).MatMul(s.a)
	below := nd.Concat(2, adjoint(columns(top, half, s.a.Dim(2))), adjoint(right).MatMul(right))
	return nd.Concat(1, top, below)
}

// product is a' a v, Power times, in bands of columns; gram is a' a, or nil.
func (s *subspace) product(gram *nd.Array, mode nd.Accumulation) *nd.Array {
	times := func(a, v *nd.Array) *nd.Array {
		for range s.opt.Power {
			if gram != nil {
				v = a.MatMul(v)
			} else {
				v = adjoint(a).MatMul(a.MatMul(v, mode), mode)
			}
		}
		return v
	}
	whole := s.a
	if gram != nil {
		whole = gram
	}
	width := s.v.Dim(2)
	band := cmp.Or(s.opt.Band, tuned(s.a, "svd_band"), width)
	if band >= width {
		return times(whole, s.v)
	}
	streams := s.streams()
	var parts []*nd.Array
	for from := 0; from < width; from += band {
		v, a := columns(s.v, from, min(from+band, width)), whole
		if len(streams) > 0 {
			at := streams[len(parts)%len(streams)]
			v, a = v.On(at), a.On(at)
		}
		parts = append(parts, times(a, v))
	}
	return nd.Concat(2, parts...)
}

// streams is what bands are dealt to; none is the stream of the matrix.
func (s *subspace) streams() []*nd.Stream {
	d, err := s.a.Device()
	n := cmp.Or(s.opt.Streams, tuned(s.a, "svd_streams"))
	if err != nil || n < 2 {
		return nil
	}
	var out []*nd.Stream
	for i := range n {
		at, err := d.Band(i)
		if err != nil {
			return nil // the device is closing: whatever is evaluated says so
		}
		out = append(out, at)
	}
	return out
}

// few reports that columns of a subspace fit a Gram matrix, and have digits to
// spare in it.
func (s *subspace) few() bool { return s.v.Dim(2) <= gramMost && s.a.DType() == nd.Float32 }

// nearly is a q whose columns are nearly orthonormal and span those of a, and r
// with a = q r: what an iteration needs to go on.
func (s *subspace) nearly(a *nd.Array) (q, r *nd.Array) {
	if !s.few() {
		return thinQR(a, QROptions{})
	}
	q, r = s.factoring.nearlyOrthonormal(a.Cast(nd.Float64))
	return q.Cast(a.DType()), r
}

// fully is the factors of columns of a subspace, orthonormal to rounding.
func (s *subspace) fully(a *nd.Array) (q, r *nd.Array) {
	if !s.few() {
		return thinQR(a, QROptions{})
	}
	q, r = s.factoring.orthonormal(a)
	return q.Cast(a.DType()), r
}

// mended is columns that nearly left, orthonormal to rounding: one turn does,
// since their condition is good.
func (s *subspace) mended(v *nd.Array) *nd.Array {
	if !s.few() {
		q, _ := thinQR(v, QROptions{})
		return q
	}
	wide := v.Cast(nd.Float64)
	return wide.MatMul(gramOf(wide).factors(nd.Float64, nil, false).inverse).Cast(v.DType())
}
