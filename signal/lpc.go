package signal

import (
	"github.com/twiddle-go/twiddle/nd"
)

// LPC is the coefficients of linear prediction of lines by Burg's method, as librosa.lpc:
// (..., order+1), the first of which is 1. TF{B: []float64{1}, A: coefficients} has the line's
// spectral envelope, up to a gain. linalg.Levinson predicts by an autocorrelation instead.
func LPC(x *nd.Array, order int) *nd.Array {
	const op = "lpc"
	l, bad := along(op, x, nd.AxisChoice{}, false)
	if bad != nil {
		return bad
	}
	n := l.Dim(-1)
	if order < 1 || order >= n || order > mostPredicted {
		return fail(op, "order %d: want 1 to %d, and less than the %d samples", order, mostPredicted, n)(x)
	}
	least := 0x1p-126 // the least normal number
	if l.DType() == nd.Float64 {
		least = 0x1p-1022
	}
	forward, backward := l.SliceAxis(-1, nd.Skip(1)), l.SliceAxis(-1, nd.Head(n-1))
	power := forward.Mul(forward).Add(backward.Mul(backward)).Sum(-1).ExpandDims(-1)
	a := nd.FullLike(power, 1)
	for i := range order {
		reflection := forward.Mul(backward).Sum(-1).ExpandDims(-1).MulScalar(-2).Div(power.AddScalar(least))
		longer := a.PadAxis(-1, nd.Margin{After: 1}, nd.Pad{})
		a = longer.Add(longer.Flip(-1).Mul(reflection))
		forward, backward = forward.Add(reflection.Mul(backward)), backward.Add(reflection.Mul(forward))
		if i == order-1 {
			break
		}
		// What the next step no longer predicts leaves the sum.
		first, last := forward.SliceAxis(-1, nd.Head(1)), backward.SliceAxis(-1, nd.Skip(n-2-i))
		power = reflection.Mul(reflection).SubFrom(1).Mul(power).Sub(last.Mul(last)).Sub(first.Mul(first))
		forward, backward = forward.SliceAxis(-1, nd.Skip(1)), backward.SliceAxis(-1, nd.Head(n-2-i))
	}
	return a
}

// mostPredicted bounds the graph of a prediction: speech takes 10 to 50.
const mostPredicted = 512
