package nd

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Gradients do not depend on how sums are added up.
func TestAccumulationGrad(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := Normal(1, Float64, 3, 4)
	y := Normal(2, Float64, 4, 2)
	for _, mode := range []Accumulation{Pairwise, Compensated, Exact} {
		checkGrad(t, func(in []*Array) *Array { return in[0].SumWith(mode, 0).AbsSquared().Sum() }, x)
		checkGrad(t, func(in []*Array) *Array { return in[0].NormWith(mode, 1).Exp().Sum() }, x)
		checkGrad(t, func(in []*Array) *Array { return in[0].MatMul(in[1], mode).AbsSquared().Sum() }, x, y)
		checkGrad(t, func(in []*Array) *Array { return in[0].Dot(in[0], mode).Sin().Sum() }, x)
	}
}
