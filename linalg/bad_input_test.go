package linalg_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// function is one of the package, with a matrix for its first argument.
type function struct {
	run      func(ctx context.Context, a *nd.Array) ([]*nd.Array, error)
	square   bool // wants as many rows as columns
	computes bool // and so looks at the numbers
	vectors  bool // a is lines
}

func functions() map[string]function {
	// b is as long as a has rows, so that only a can be wrong.
	b := func(a *nd.Array) *nd.Array {
		if a == nil || a.Err() != nil || a.NDim() < 2 || !a.DType().IsFloat() {
			return nd.Ones(nd.Float64, 2)
		}
		return nd.Ones(a.DType(), a.Dim(-2))
	}
	line := func(a *nd.Array) *nd.Array {
		if a == nil || a.Err() != nil || a.NDim() < 1 || !a.DType().IsFloat() {
			return nd.Ones(nd.Float64, 2)
		}
		return nd.Ones(a.DType(), max(a.Dim(-1), 1))
	}
	lazy := func(f func(a *nd.Array) *nd.Array) func(context.Context, *nd.Array) ([]*nd.Array, error) {
		return func(_ context.Context, a *nd.Array) ([]*nd.Array, error) { return []*nd.Array{f(a)}, nil }
	}
	computed := func(f func(ctx context.Context, a *nd.Array) (*nd.Array, error)) func(context.Context, *nd.Array) ([]*nd.Array, error) {
		return func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			y, err := f(ctx, a)
			return []*nd.Array{y}, err
		}
	}
	norm := func(kind linalg.NormKind) func(context.Context, *nd.Array) ([]*nd.Array, error) {
		return computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) { return linalg.Norm(ctx, a, kind) })
	}
	all := map[string]function{
		"qr": {run: func(_ context.Context, a *nd.Array) ([]*nd.Array, error) {
			q, r := linalg.QR(a)
			return []*nd.Array{q, r}, nil
		}},
		"cholesky": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) { return linalg.Cholesky(ctx, a) }), square: true, computes: true},
		"cholesky_solve": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.CholeskySolve(ctx, a, b(a))
		}), square: true, computes: true},
		"solve": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) { return linalg.Solve(ctx, a, b(a)) }), square: true, computes: true},
		"triangular_solve": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.TriangularSolve(ctx, a, b(a))
		}), square: true, computes: true},
		"least_squares": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.LeastSquares(ctx, a, b(a), linalg.LeastSquaresOptions{MinNorm: true})
		}), computes: true},
		"inverse": {run: computed(linalg.Inverse), square: true, computes: true},
		"det":     {run: lazy(linalg.Det), square: true},
		"log_det": {run: func(_ context.Context, a *nd.Array) ([]*nd.Array, error) {
			s, l := linalg.LogDet(a)
			return []*nd.Array{s, l}, nil
		}, square: true},
		"svd": {run: func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			u, s, v, err := linalg.SVD(ctx, a)
			return []*nd.Array{u, s, v}, err
		}, computes: true},
		"eigh": {run: func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			w, v, err := linalg.Eigh(ctx, a)
			return []*nd.Array{w, v}, err
		}, square: true, computes: true},
		"eig": {run: func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			w, v, err := linalg.Eig(ctx, a)
			return []*nd.Array{w, v}, err
		}, square: true, computes: true},
		"schur": {run: func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			t, z, err := linalg.Schur(ctx, a)
			return []*nd.Array{t, z}, err
		}, square: true, computes: true},
		"lu": {run: func(_ context.Context, a *nd.Array) ([]*nd.Array, error) {
			p, l, u := linalg.LU(a)
			return []*nd.Array{p, l, u}, nil
		}},
		"eig_values": {run: computed(linalg.EigValues), square: true, computes: true},
		"eigh_values": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.EighValues(ctx, a)
		}), square: true, computes: true},
		"generalized_eigh": {run: func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
			w, v, err := linalg.GeneralizedEigh(ctx, a, unitLike(a))
			return []*nd.Array{w, v}, err
		}, square: true, computes: true},
		"singular_values": {run: computed(linalg.SingularValues), computes: true},
		"expm":            {run: computed(linalg.Expm), square: true, computes: true},
		"matrix_power": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.MatrixPower(ctx, a, 3)
		}), square: true, computes: true},
		"kron":                {run: lazy(func(a *nd.Array) *nd.Array { return linalg.Kron(a, a) })},
		"block_diag":          {run: lazy(func(a *nd.Array) *nd.Array { return linalg.BlockDiag(a, a) })},
		"norm":                {run: norm(linalg.Spectral), computes: true},
		"rank":                {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) { return linalg.Rank(ctx, a) }), computes: true},
		"cond":                {run: computed(linalg.Cond), computes: true},
		"pinv":                {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) { return linalg.Pinv(ctx, a) }), computes: true},
		"orthonormal_columns": {run: lazy(linalg.OrthonormalColumns)},
		"orthonormal_rows":    {run: lazy(linalg.OrthonormalRows)},
		"orthonormal_blocks":  {run: lazy(func(a *nd.Array) *nd.Array { return linalg.OrthonormalBlocks(a, 2) })},
		"complete_basis":      {run: lazy(linalg.CompleteBasis)},
		"circulant":           {run: lazy(linalg.Circulant), vectors: true},
		"circulant_mul":       {run: lazy(func(a *nd.Array) *nd.Array { return linalg.CirculantMul(a, line(a)) }), vectors: true},
		"circulant_solve": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.CirculantSolve(ctx, a, line(a))
		}), vectors: true, computes: true},
		"toeplitz":     {run: lazy(func(a *nd.Array) *nd.Array { return linalg.Toeplitz(a, nil) }), vectors: true},
		"toeplitz_mul": {run: lazy(func(a *nd.Array) *nd.Array { return linalg.ToeplitzMul(a, nil, line(a)) }), vectors: true},
		"toeplitz_solve": {run: computed(func(ctx context.Context, a *nd.Array) (*nd.Array, error) {
			return linalg.ToeplitzSolve(ctx, a, nil, line(a))
		}), vectors: true, computes: true},
		"hankel":      {run: lazy(func(a *nd.Array) *nd.Array { return linalg.Hankel(a, nil) }), vectors: true},
		"hankel_mul":  {run: lazy(func(a *nd.Array) *nd.Array { return linalg.HankelMul(a, nil, line(a)) }), vectors: true},
		"vandermonde": {run: lazy(func(a *nd.Array) *nd.Array { return linalg.Vandermonde(a, 2, false) }), vectors: true},
	}
	if testdevice.Name() != "" { // these need the CPU, whose place a GPU has
		delete(all, "eig")
		delete(all, "eig_values")
		delete(all, "schur")
	}
	return all
}

// unitLike is unit matrices of the shape of a, where that has rows and columns.
func unitLike(a *nd.Array) *nd.Array {
	if a == nil || a.Err() != nil || a.NDim() < 2 || !a.DType().IsFloat() {
		return nd.Eye(nd.Float64, 2)
	}
	return nd.Eye(a.DType(), a.Dim(-1)).BroadcastTo(append(a.Shape()[:a.NDim()-2], a.Dim(-1), a.Dim(-1))...)
}

// Every function says what is wrong with its first argument in an error with
// its name, of the type that the package documents, and has nothing against
// what is only empty or small.
func TestBadInput(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	nan := nd.From([]float64{4, 1, math.NaN(), 4}, 2, 2)
	any := func(error) bool { return true }
	shape := func(err error) bool { var e *linalg.ShapeError; return errors.As(err, &e) }
	finite := func(err error) bool { var e *linalg.NotFiniteError; return errors.As(err, &e) }
	// A place in the lines of a structured matrix, or a pivot.
	pivot := func(err error) bool {
		var s *linalg.SingularError
		var d *linalg.NotPositiveDefiniteError
		return errors.As(err, &s) && s.Pivot == 0 || errors.As(err, &d) && d.Pivot == 0
	}
	singular := map[string]bool{"cholesky": true, "cholesky_solve": true, "solve": true, "triangular_solve": true, "inverse": true, "circulant_solve": true, "toeplitz_solve": true}
	for name, f := range functions() {
		for _, c := range []struct {
			input string
			a     *nd.Array
			want  func(err error) bool // nil: none
		}{
			{"nil", nil, any},
			{"int", nd.Ones(nd.Int32, 2, 2), any},
			{"half", nd.Ones(nd.Float16, 2, 2), any},
			{"scalar", nd.Scalar(2.0), shape},
			{"vector", nd.From([]float64{5, 2, 1}), pick(f.vectors, nil, shape)},
			{"no square", nd.From([]float64{1, 2, 3, 4, 5, 7}, 2, 3), pick(f.square, shape, nil)},
			{"no square", nd.From([]float64{1, 2, 3, 4, 5, 7}, 3, 2), pick(f.square, shape, nil)},
			{"NaN", nan, pick(f.computes, finite, nil)},
			{"infinite", nan.DivScalar(0), pick(f.computes, finite, nil)},
			{"zero", nd.Zeros(nd.Float64, 2, 2), pick(singular[name], pivot, nil)},
			{"empty", nd.Zeros(nd.Float64, 0, 0), pick(f.vectors, shape, nil)},
			{"none", nd.Zeros(nd.Float64, 0, 2, 2), nil},
			{"one", nd.From([]float64{4}, 1, 1), nil},
		} {
			out, err := f.run(ctx, c.a)
			if err == nil {
				err = nd.Eval(ctx, out...)
			}
			// Bases ask for a shape of their own.
			if shape(err) && strings.HasPrefix(name, "orthonormal") || shape(err) && name == "complete_basis" {
				continue
			}
			switch {
			case c.want == nil && err != nil:
				t.Errorf("%s of %s: %v", name, c.input, err)
			case c.want != nil && (err == nil || !c.want(err)):
				t.Errorf("%s of %s: error is %v", name, c.input, err)
			case err != nil && !strings.HasPrefix(err.Error(), "linalg: "+name+": "):
				t.Errorf("%s of %s: %v does not name the function", name, c.input, err)
			}
		}
		// An error of an argument is passed on as it is.
		failed := nd.Ones(nd.Float64, 2).Reshape(7)
		out, err := f.run(ctx, failed)
		if err == nil {
			err = out[0].Err()
		}
		if !errors.Is(err, errors.Unwrap(failed.Err())) {
			t.Errorf("%s of an argument that failed: %v", name, err)
		}
	}
}

func pick(which bool, a, b func(error) bool) func(error) bool {
	if which {
		return a
	}
	return b
}

func TestCondOfNothing(t *testing.T) {
	testdevice.NeedsFloat64(t)
	c, err := linalg.Cond(context.Background(), nd.Zeros(nd.Float64, 2, 2))
	if err != nil || !math.IsInf(read(t, c)[0], 1) {
		t.Errorf("%v, %v", c, err)
	}
}
