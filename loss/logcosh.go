package loss

import (
	"github.com/twiddle-go/twiddle/nd"
)

// LogCosh is the mean over samples of log(cosh(A (x-y)) + Eps) / A, as
// auraloss's LogCoshLoss: a square near 0, an absolute value far away. Its mean
// is over items; there is no number below an item's.
type LogCosh struct {
	A         float64 // 0 is 1; smaller is smoother
	Eps       float64 // 0 is 1e-8
	Reduction Reduction
}

// Of is the loss of x against y.
func (l LogCosh) Of(x, y *nd.Array) *nd.Array {
	const op = "logcosh"
	if bad := check(op, x, y, l.Reduction, DefaultDistance); bad != nil {
		return bad
	}
	a, err := orDefault("A", l.A, 1)
	eps, epsErr := orDefault("Eps", l.Eps, 1e-8)
	if err == nil {
		err = epsErr
	}
	if err != nil {
		return nd.Fail("loss", op, err, x, y)
	}
	return l.Reduction.ofItems(logCosh(x.Sub(y).MulScalar(a), eps).Mean(-1).DivScalar(a))
}

// logCosh is log(cosh(z) + eps) where cosh would overflow, too:
// |z| + log((1 + exp(-2|z|))/2 + eps exp(-|z|)).
func logCosh(z *nd.Array, eps float64) *nd.Array {
	m := z.Abs()
	e := m.Neg().Exp()
	inner := e.Mul(e).AddScalar(1).MulScalar(0.5).Add(e.MulScalar(eps))
	return m.Add(inner.Log())
}
