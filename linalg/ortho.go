package linalg

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// blockWidth is how many columns OrthonormalBlocks takes at once by default.
const blockWidth = 32

// OrthonormalColumns returns orthonormal columns with the span of those of a (..., m, n),
// where n is at most m: each is the normalised part of its column that is orthogonal to the
// columns before. A column that depends on earlier ones is replaced by a new orthogonal
// direction. It is lazy.
func OrthonormalColumns(a *nd.Array) *nd.Array {
	x, bad := upright("orthonormal_columns", a)
	if bad != nil {
		return bad
	}
	if x.empty() {
		return a
	}
	q, _ := thinQR(x.Array, QROptions{NonNegative: true})
	return x.back(q)
}

// upright checks matrices that have at least as many rows as columns.
func upright(op string, a *nd.Array) (matrices, *nd.Array) {
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad == nil && x.Dim(1) < x.Dim(2) {
		bad = nd.Fail("linalg", op, &ShapeError{Name: "a", Shape: a.Shape(), Want: "at most as many columns as rows"}, a)
	}
	return x, bad
}

// OrthonormalRows is OrthonormalColumns for rows: m is at most n.
func OrthonormalRows(a *nd.Array) *nd.Array {
	const op = "orthonormal_rows"
	x, bad := argument{op: op, name: "a", complex: true}.matrices(a)
	if bad == nil && x.Dim(1) > x.Dim(2) {
		bad = nd.Fail("linalg", op, &ShapeError{Name: "a", Shape: a.Shape(), Want: "at most as many rows as columns"}, a)
	}
	if bad != nil {
		return bad
	}
	if x.empty() {
		return a
	}
	q, _ := thinQR(adjoint(x.Array), QROptions{NonNegative: true})
	return x.back(adjoint(q))
}

// OrthonormalBlocks is OrthonormalColumns by block Gram-Schmidt: blocks of
// columns, 32 if block is 0, are made orthogonal to all earlier ones, twice, and
// then orthonormal in themselves. Only products see the whole matrix, so it
// suits matrices of many columns; columns that depend on others across blocks
// lose orthogonality, which OrthonormalColumns does not.
func OrthonormalBlocks(a *nd.Array, block int) *nd.Array {
	const op = "orthonormal_blocks"
	x, bad := upright(op, a)
	if bad == nil && block < 0 {
		bad = nd.Fail("linalg", op, fmt.Errorf("blocks of %d columns", block), a)
	}
	if bad != nil {
		return bad
	}
	if x.empty() {
		return a
	}
	if block == 0 {
		block = blockWidth
	}
	var q *nd.Array
	for from := 0; from < x.Dim(2); from += block {
		w := columns(x.Array, from, min(from+block, x.Dim(2)))
		if q == nil {
			q, _ = thinQR(w, QROptions{NonNegative: true})
			continue
		}
		for range 2 {
			w = w.Sub(q.MatMul(adjoint(q).MatMul(w)))
			w, _ = thinQR(w, QROptions{NonNegative: true})
		}
		q = nd.Concat(2, q, w)
	}
	return x.back(q)
}

// CompleteBasis continues the columns of a (..., m, k) to m orthonormal ones:
// the first k are OrthonormalColumns(a), which is a itself, to rounding, if it is
// orthonormal already. It is lazy.
func CompleteBasis(a *nd.Array) *nd.Array {
	x, bad := upright("complete_basis", a)
	if bad != nil {
		return bad
	}
	m, k := x.Dim(1), x.Dim(2)
	if x.Dim(0) == 0 || m == 0 {
		return nd.Zeros(a.DType(), append(x.lead[:len(x.lead):len(x.lead)], m, m)...)
	}
	whole := x.Array
	if m > k {
		noise := nd.Normal(noiseKey, a.DType().Real(), 1, m, m-k).Beside(a).Cast(a.DType())
		whole = nd.Concat(2, whole, noise.BroadcastTo(x.Dim(0), m, m-k))
	}
	q, _ := thinQR(whole, QROptions{NonNegative: true})
	return x.back(q)
}

// OrthogonalInit draws weights whose rows, or columns if those are fewer, are
// orthonormal and scaled by gain. Axes after the first count as one, as in
// torch: a convolution's (out, in, width) is out by in times width.
func OrthogonalInit(k nd.Key, t nd.DType, gain float64, shape ...int) *nd.Array {
	const op = "orthogonal_init"
	if len(shape) < 2 || (t != nd.Float32 && t != nd.Float64) {
		return nd.Fail("linalg", op, fmt.Errorf("%s of shape %v: want float32 or float64, and two axes or more", t, shape))
	}
	a := nd.Normal(k, t, shape...)
	if a.Err() != nil || a.Len() == 0 {
		return a
	}
	return orthonormalSide(a.Reshape(1, shape[0], a.Len()/shape[0])).MulScalar(gain).Reshape(shape...)
}

// orthonormalSide makes the rows or the columns orthonormal, whichever are
// fewer.
func orthonormalSide(a *nd.Array) *nd.Array {
	if a.Dim(1) < a.Dim(2) {
		return transposed(orthonormalSide(transposed(a)))
	}
	q, _ := thinQR(a, QROptions{NonNegative: true})
	return q
}

// RandomRotation draws an m by n part of a random rotation: all of one if it is
// square, with determinant 1, and otherwise its first columns or rows. Every
// rotation is as likely as any other.
func RandomRotation(k nd.Key, t nd.DType, m, n int) *nd.Array {
	const op = "random_rotation"
	if m < 1 || n < 1 || (t != nd.Float32 && t != nd.Float64) {
		return nd.Fail("linalg", op, fmt.Errorf("%s, %d by %d: want float32 or float64, and 1 or more", t, m, n))
	}
	a := nd.Normal(k, t, 1, m, n)
	q := orthonormalSide(a)
	if m == n {
		// r has a positive diagonal, so q has the sign of a's determinant. Turning
		// one column makes reflections rotations.
		sign, _ := LogDet(a)
		first := columns(q, 0, 1).Mul(sign.Reshape(1, 1, 1))
		q = nd.Concat(2, first, columns(q, 1, n))
	}
	return q.Reshape(m, n)
}
