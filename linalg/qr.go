package linalg

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Method is a way to factor a matrix into orthonormal columns and a triangle.
type Method uint8

const (
	Auto        Method = iota // whichever should be faster
	GramSchmidt               // two passes, one kernel for all columns: for small matrices
	Householder               // blocks of reflections, mostly matrix products
	Blocks                    // block Gram-Schmidt, twice: the most products, float32 only
)

var methodNames = [...]string{"auto", "gram-schmidt", "householder", "blocks"}

func (m Method) String() string { return choice.Name(m, "Method", methodNames[:]) }

// ParseMethod is the method of a name.
func ParseMethod(name string) (Method, error) {
	return choice.Parse[Method]("linalg", "method", name, methodNames[:])
}

// QROptions is the options of QR. The zero value is the default.
type QROptions struct {
	Method Method
	// NonNegative makes the diagonal of R non-negative, which makes the
	// factors of a matrix of full rank unique.
	NonNegative bool
	// Complete makes q square, (..., m, m), and r of the shape of a: columns that
	// a does not determine continue those of q to a basis, and r has zeros there.
	Complete bool
	// Accumulation of nd.Compensated or nd.Exact improves the factors of a matrix of
	// full rank, a few times, by what a - q r and q'q - I are when they are added up in
	// that way. Both factors are then exact to the rounding of their type, as long as
	// the condition of a is below its inverse: without it they have the digits that the
	// condition leaves, although q r is a.
	Accumulation nd.Accumulation
}

// QR factors matrices (..., m, n) into q with orthonormal columns, of shape (..., m, k),
// and an upper triangle r, of shape (..., k, n), where k is the lesser of m and n. It is
// lazy.
//
// The columns of q are orthonormal for every rank of a. A column that depends on earlier
// ones leaves a number on the diagonal of r that is zero, or tiny compared with the
// column. For matrices of full rank, the factors have gradients. NaN and infinities in a
// matrix make all of its factors NaN.
func QR(a *nd.Array, opt ...QROptions) (q, r *nd.Array) {
	const op = "qr"
	var o QROptions
	if len(opt) > 0 {
		o = opt[0]
	}
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	switch {
	case bad != nil:
	case !o.Accumulation.Valid():
		bad = nd.Fail("linalg", op, fmt.Errorf("there is no accumulation %d", o.Accumulation), a)
	case o.Method > Blocks:
		bad = nd.Fail("linalg", op, fmt.Errorf("there is no %v", o.Method), a)
	case o.Method == Blocks && a.DType() != nd.Float32:
		bad = nd.Fail("linalg", op, fmt.Errorf("%v of %s: its Gram matrices have digits for float32 alone", o.Method, a.DType()), a)
	}
	if bad != nil {
		return bad, bad
	}
	m, n := x.Dim(1), x.Dim(2)
	k := min(m, n)
	if x.empty() {
		q, r := x.back(nd.FullLike(columns(x.Array, 0, k), 0)), x.back(nd.FullLike(rows(x.Array, 0, k), 0))
		if o.Complete {
			return CompleteBasis(q), a
		}
		return q, r
	}
	q, r = thinQR(columns(x.Array, 0, k), o)
	if n > k {
		r = nd.Concat(2, r, adjoint(q).MatMul(columns(x.Array, k, n), o.Accumulation))
	}
	if o.Complete && m > k {
		q = completed(q)
		r = r.PadAxis(1, nd.Margin{After: m - k}, nd.Pad{})
	}
	return x.back(q), x.back(r)
}

// completed continues orthonormal columns, a batch of (m, k), to a basis. The new
// columns have no gradient: nothing determines them.
func completed(q *nd.Array) *nd.Array {
	m, k := q.Dim(1), q.Dim(2)
	if m == k {
		return q
	}
	return nd.Concat(2, q, columns(CompleteBasis(nd.StopGradient(q)), k, m))
}

// thinQR factors a batch of matrices that have at least as many rows as
// columns.
func thinQR(a *nd.Array, o QROptions) (q, r *nd.Array) {
	out := differentiable(func(in []*nd.Array) []*nd.Array {
		q, r := factored(in[0], o)
		return []*nd.Array{q, r}
	}, pullQR, a)
	return out[0], out[1]
}

// factored is thinQR without a gradient.
func factored(a *nd.Array, o QROptions) (q, r *nd.Array) {
	if o.Method == Auto && !precise(o.Accumulation) && reflects(a) {
		return reflectedQR(a)
	}
	if t := a.DType(); t != widest(t) {
		return refinedInRange(a, o)
	}
	a, sizes := inRange(a, true)
	q, r = refinedInRange(a, o)
	return q, r.Mul(like(sizes, r))
}

// refinedInRange is factoredInRange with what Accumulation asks for.
func refinedInRange(a *nd.Array, o QROptions) (q, r *nd.Array) {
	q, r = factoredInRange(a, o)
	if precise(o.Accumulation) {
		return refineQR(a, q, r, o.Accumulation)
	}
	return q, r
}

// factoredInRange is factored for numbers that can be squared.
func factoredInRange(a *nd.Array, o QROptions) (q, r *nd.Array) {
	t := a.DType()
	if t.IsComplex() {
		return complexQR(a)
	}
	switch methodFor(a, o.Method) {
	case GramSchmidt:
		q, r = gramSchmidtQR(a)
	case Blocks:
		q, r = blocksQR(a, prefersProduct(a))
	default:
		f := newFactoring(a, min(panel, a.Dim(2)))
		var hs []reflector
		hs, r = f.householder(widened(a))
		q = firstColumns(hs)
	}
	q, r = q.Cast(t), r.Cast(t)
	if o.NonNegative {
		sign := signs(diagonal(r))
		q, r = q.Mul(sign.ExpandDims(1)), r.Mul(sign.ExpandDims(2))
	}
	return q, r
}

// methodFor decides where nothing was asked for.
func methodFor(a *nd.Array, asked Method) Method {
	switch {
	case asked != Auto:
		return asked
	case prefersGramSchmidt(a):
		return GramSchmidt
	case a.DType() == nd.Float32:
		return Blocks
	}
	return Householder
}

// widened is matrices that are not tall in float64. In float32 errors grow
// towards squares: with reflections, Q'Q - I and A - QR would be 1.7e-6 and 6e-7
// at 512 by 512, against 3e-7 and 2.4e-7 at 4096 by 512.
func widened(a *nd.Array) *nd.Array {
	if a.DType() == nd.Float32 && a.Dim(1) < tall*a.Dim(2) {
		return a.Cast(nd.Float64)
	}
	return a
}

// tall is how many times more rows than columns a float32 matrix has to have to
// be factored in float32.
const tall = 5
