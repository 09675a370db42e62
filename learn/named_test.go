package learn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// A loss by names finds the line that examples are on, and a wrong name is an error.
func TestNamedLoss(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.Linspace(-1, 1, 64)
	y := x.MulScalar(3).AddScalar(-0.5)
	trainer := &learn.Trainer{
		Params: []learn.Param{{Name: "slope", Value: nd.Scalar(0.0)}, {Name: "offset", Value: nd.Scalar(0.0)}},
		NamedLoss: func(_ int, p learn.Named) *nd.Array {
			return x.Mul(p["slope"]).Add(p["offset"]).Sub(y).AbsSquared().Mean()
		},
		Optimizer: learn.LBFGS{}, Rate: learn.Constant(1),
	}
	if err := trainer.Run(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"slope": 3, "offset": -0.5} {
		if got, err := nd.Item[float64](t.Context(), trainer.Value(name)); err != nil || math.Abs(got-want) > 1e-6 {
			t.Errorf("%s is %g, want %g, %v", name, got, want, err)
		}
	}
	wrong := &learn.Trainer{Params: trainer.Params, Optimizer: learn.SGD{}, Rate: learn.Constant(1),
		NamedLoss: func(_ int, p learn.Named) *nd.Array { return x.Mul(p["slop"]).Sum() }}
	if _, err := wrong.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "nil Array") {
		t.Errorf("a wrong name: %v", err)
	}
}
