package nd

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Accumulation is the mode in which sums, and sums of products, are added up. Integers are
// exact in every mode.
//
// A transform consists of sums, too. Pairwise and Fast are the same for it, except for the
// convolutions of half types that Fast describes: a transform adds in pairs, and its
// twiddle factors are correctly rounded. Compensated computes with twice the digits,
// twiddle factors included, and Exact gives the floats that are nearest to every bin. A
// bin that is nearer to the midpoint between two floats than 2^-40 of their distance
// counts as the midpoint, and a bin that cannot be distinguished from 0 as 0.
type Accumulation = accum.Mode

const (
	// Pairwise, the default, adds fixed blocks and then their sums.
	Pairwise = accum.Pairwise
	// Fast adds in whatever order is fastest; on the CPU that is Pairwise. A GPU may
	// compute convolutions of signals that are stored as float16 and bfloat16, by
	// transforms in this mode, in float16.
	Fast = accum.Fast
	// Compensated also adds up what every addition and product rounds away: as
	// good as twice the digits, rounded at the end.
	Compensated = accum.Compensated
	// Exact keeps every bit and rounds once, so the result is the number nearest
	// to the true one. No order matters: any permutation, stream count and
	// device gives the same bits.
	Exact = accum.Exact
)

// SumWith is Sum with a mode of accumulation, such as Exact.
func (a *Array) SumWith(mode Accumulation, axes ...int) *Array {
	const op = "sum_with"
	if bad := checkMode(op, mode, a); bad != nil {
		return bad
	}
	if a.plain(mode) {
		return named(op, a.Sum(axes...))
	}
	rows, kept, err := a.rows(axes)
	if err != nil {
		return failed(op, err, a)
	}
	one, err := graph.NewFull(a.node.Place(), a.DType(), scalar.ArgOf(a.DType(), 1), []int{1, 1})
	column := built(op, one, err, a).BroadcastTo(rows.Dim(1), 1)
	return named(op, rows.product(column, graph.MatMulAttr{Mode: mode}).Reshape(kept...))
}

// NormWith is Norm with a way to add up the squares. In mode Exact the root is
// rounded together with the sum, and squares neither overflow nor vanish.
func (a *Array) NormWith(mode Accumulation, axes ...int) *Array {
	const op = "norm_with"
	if bad := checkMode(op, mode, a); bad != nil {
		return bad
	}
	if a.DType().IsComplex() {
		parts := Stack(-1, a.Real(), a.Imag())
		if len(axes) == 0 {
			axes = shape.AllAxes(a.NDim())
		}
		at, err := shape.Axes(axes, a.node.Shape)
		if err != nil {
			return failed(op, err, a)
		}
		return named(op, parts.NormWith(mode, append(at, a.NDim())...))
	}
	if !a.DType().IsFloat() || a.plain(mode) {
		return named(op, a.Norm(axes...))
	}
	rows, kept, err := a.rows(axes)
	if err != nil {
		return failed(op, err, a)
	}
	left := rows.ExpandDims(1)
	sum := left.product(left.SwapAxes(1, 2), graph.MatMulAttr{Mode: mode, Root: mode == Exact})
	if mode != Exact {
		sum = sum.Sqrt()
	}
	return named(op, sum.Reshape(kept...))
}

// Dot is the sum of products along the last axis of a and b, whose other axes
// broadcast. Complex numbers are not conjugated.
func (a *Array) Dot(b *Array, mode ...Accumulation) *Array {
	const op = "dot"
	how := Pairwise
	if len(mode) > 0 {
		how = mode[0]
	}
	if bad := unusable(op, a, b); bad != nil {
		return bad
	}
	if bad := checkMode(op, how, a); bad != nil {
		return bad
	}
	if a.NDim() == 0 || b.NDim() == 0 || a.Dim(-1) != b.Dim(-1) {
		return failed(op, fmt.Errorf("lines of shapes %v and %v differ", a.node.Shape, b.node.Shape), a, b)
	}
	if a.plain(how) && !a.DType().IsHalf() {
		return named(op, a.Mul(b).Sum(-1)) // one pass; a product of half numbers would be rounded
	}
	out := a.ExpandDims(-2).product(b.ExpandDims(-1), graph.MatMulAttr{Mode: how})
	return named(op, out.Squeeze(-1, -2))
}

func checkMode(op string, mode Accumulation, a *Array) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	if !mode.Valid() {
		return failed(op, fmt.Errorf("there is no accumulation %d", mode), a)
	}
	return nil
}

// plain reports whether a mode is what reductions do anyway.
func (a *Array) plain(mode Accumulation) bool {
	return mode == Pairwise || mode == Fast || !a.DType().IsFloat() && !a.DType().IsComplex()
}

// product is the matrix product with a way to add up.
func (a *Array) product(b *Array, as graph.MatMulAttr) *Array {
	if bad := unusable("matmul", a, b); bad != nil {
		return bad
	}
	if as.Mode == Fast {
		as.Mode = Pairwise
	}
	n, err := graph.NewMatMulAs(a.node, b.node, as)
	return built("matmul", n, err, a, b)
}

// rows brings the reduced axes last and joins them: (kept, reduced).
func (a *Array) rows(axes []int) (rows *Array, kept []int, err error) {
	n := a.NDim()
	if len(axes) == 0 {
		axes = shape.AllAxes(n)
	}
	axes, err = shape.Axes(axes, a.node.Shape)
	if err != nil {
		return nil, nil, err
	}
	var order []int
	count := 1
	for i := range n {
		if !slices.Contains(axes, i) {
			order = append(order, i)
			kept = append(kept, a.Dim(i))
			count *= a.Dim(i)
		}
	}
	length := 1
	for _, i := range axes {
		length *= a.Dim(i)
	}
	if n > 0 {
		a = a.Transpose(append(order, axes...)...)
	}
	if a = a.Reshape(count, length); a.Err() != nil {
		return nil, nil, errors.Unwrap(a.Err())
	}
	return a, kept, nil
}
