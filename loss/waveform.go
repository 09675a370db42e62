package loss

import "github.com/twiddle-go/twiddle/nd"

// ESR is the energy of the error over that of the target,
// |y-x|^2 / (|y|^2 + Eps) for every item, as auraloss's ESRLoss. Its mean is
// over items.
type ESR struct {
	Eps       float64 // 0 is 1e-8
	Reduction Reduction
}

// DC is the squared mean of the error over the mean square of the target, as
// auraloss's DCLoss. Its mean is over items.
type DC struct {
	Eps       float64 // 0 is 1e-8
	Reduction Reduction
}

// Of is the loss of x against y.
func (e ESR) Of(x, y *nd.Array) *nd.Array {
	return relative("esr", x, y, e.Eps, e.Reduction, func(x, y *nd.Array) (*nd.Array, *nd.Array) {
		return y.Sub(x).AbsSquared().Sum(-1), y.AbsSquared().Sum(-1)
	})
}

// Of is the loss of x against y.
func (d DC) Of(x, y *nd.Array) *nd.Array {
	return relative("dc", x, y, d.Eps, d.Reduction, func(x, y *nd.Array) (*nd.Array, *nd.Array) {
		return y.Sub(x).Mean(-1).AbsSquared(), y.AbsSquared().Mean(-1)
	})
}

// relative is an error of items over a measure of their targets.
func relative(op string, x, y *nd.Array, eps float64, r Reduction, of func(x, y *nd.Array) (*nd.Array, *nd.Array)) *nd.Array {
	if bad := check(op, x, y, r, DefaultDistance); bad != nil {
		return bad
	}
	eps, err := orDefault("Eps", eps, 1e-8)
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	part, whole := of(x, y)
	return r.ofItems(part.Div(whole.AddScalar(eps)))
}
