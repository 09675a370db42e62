package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Unwrap adds multiples of 2 pi to angles along an axis, the last unless one
// is given, so that neighbours are at most pi apart: a phase that runs on
// instead of jumping, as numpy.unwrap.
func Unwrap(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	l, bad := along("unwrap", x, first(axis), false)
	if bad != nil {
		return bad
	}
	return l.back(unwrapped(l.Array))
}

// unwrapped is Unwrap along the last axis.
func unwrapped(x *nd.Array) *nd.Array {
	if x.Dim(-1) < 2 {
		return x
	}
	step := x.SliceAxis(-1, nd.Range{Start: 1, Stop: nd.End}).Sub(x.SliceAxis(-1, nd.Range{Stop: -1}))
	// Whole turns are counted, so that what is added up is exact. A step of
	// exactly pi either way is no jump.
	turns := step.Neg().AddScalar(math.Pi).DivScalar(2 * math.Pi).Floor()
	turns = nd.Where(step.Abs().LessEqualScalar(math.Pi), nd.FullLike(step, 0), turns)
	turns = turns.CumSum(-1).PadAxis(-1, nd.Margin{Before: 1}, nd.Pad{})
	return x.Add(turns.MulScalar(2 * math.Pi))
}
