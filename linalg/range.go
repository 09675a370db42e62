package linalg

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Squares of numbers beyond these bounds, and sums of them, may overflow or
// vanish in float64. Numbers of narrower types are within.
const (
	hugeFrom = 1e100
	tinyTo   = 1e-100
)

// inRange is matrices over a size, so that they can be squared: of all of a
// matrix (batch, 1, 1), or of every column (batch, 1, n). The size is 1 where
// nothing has to be done, so that nothing is rounded.
func inRange(a *nd.Array, byColumn bool) (scaled, size *nd.Array) {
	batch, n := a.Dim(0), a.Dim(2)
	most := a.Abs()
	if byColumn {
		most = most.Max(1).Reshape(batch, 1, n)
	} else {
		most = most.Max(1, 2).Reshape(batch, 1, 1)
	}
	far := most.GreaterScalar(hugeFrom).And(most.LessEqualScalar(math.MaxFloat64))
	far = far.Or(most.LessScalar(tinyTo).And(most.GreaterScalar(0)))
	size = nd.Where(far, most, nd.FullLike(most, 1))
	return a.Div(like(size, a)), size
}
