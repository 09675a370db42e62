package loss

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// SDR is the negative of the signal-to-distortion ratio in decibels,
// 10 log10(|y|^2 / (|x-y|^2 + Eps) + Eps) for every item: auraloss's SNRLoss,
// or its SDSDRLoss with Scaled. Its mean is over items.
type SDR struct {
	// Scaled counts of the target only the part along it that x has, so that
	// a quieter copy is worse than a louder one.
	Scaled    bool
	KeepDC    bool    // do not take off the means first
	Eps       float64 // 0 is 1e-8
	Reduction Reduction
}

// SISDR is the negative of the scale-invariant signal-to-distortion ratio in
// decibels, as auraloss's SISDRLoss: the distortion is measured from the
// multiple of y that is nearest to x. Its mean is over items.
type SISDR struct {
	KeepDC    bool    // do not take off the means first
	Eps       float64 // 0 is 1e-8
	Reduction Reduction
}

// Of is the loss of x against y.
func (s SDR) Of(x, y *nd.Array) *nd.Array {
	return ratio("sdr", x, y, s.KeepDC, s.Eps, s.Reduction, func(x, y, scaled *nd.Array) (*nd.Array, *nd.Array) {
		if s.Scaled {
			return scaled, y
		}
		return y, y
	})
}

// Of is the loss of x against y.
func (s SISDR) Of(x, y *nd.Array) *nd.Array {
	return ratio("sisdr", x, y, s.KeepDC, s.Eps, s.Reduction, func(x, y, scaled *nd.Array) (*nd.Array, *nd.Array) {
		return scaled, scaled
	})
}

// ratio is minus the decibels of a target over what x differs by from another.
// choose gives both, from y and the multiple of it that is nearest to x.
func ratio(op string, x, y *nd.Array, keepDC bool, eps float64, r Reduction,
	choose func(x, y, scaled *nd.Array) (target, from *nd.Array)) *nd.Array {
	if bad := check(op, x, y, r, DefaultDistance); bad != nil {
		return bad
	}
	eps, err := orDefault("Eps", eps, 1e-8)
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	if !keepDC {
		x, y = x.Sub(x.Mean(-1).ExpandDims(-1)), y.Sub(y.Mean(-1).ExpandDims(-1))
	}
	alpha := x.Mul(y).Sum(-1).Div(y.AbsSquared().Sum(-1).AddScalar(eps))
	target, from := choose(x, y, y.Mul(alpha.ExpandDims(-1)))
	power := target.AbsSquared().Sum(-1).Div(x.Sub(from).AbsSquared().Sum(-1).AddScalar(eps))
	return r.ofItems(power.AddScalar(eps).Log().MulScalar(-10 / math.Ln10))
}
