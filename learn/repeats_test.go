package learn_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// TestCapturedFeatures trains with a lazy array that the loss captures: it is computed by
// itself from the second time on, and the parameters have the bits that they have where it was
// evaluated before. An array that is another in every step is left lazy.
func TestCapturedFeatures(t *testing.T) {
	ctx := context.Background()
	slow := func(x *nd.Array) *nd.Array { // a launch that can be told apart
		k := nd.Kernel{Name: "slow", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "uint i = thread_position_in_grid.x; y[i] = 2 * x[i];"}
		return k.Call(nd.Launch{Inputs: []*nd.Array{x}, Shapes: [][]int{{4}}, Grid: [3]int{4}, Threadgroup: [3]int{4}})[0]
	}
	const steps = 6
	train := func(o learn.Optimizer, evaluate, changes bool) (runs int, w []float32) {
		stop := nd.Observe(func(s nd.Span) {
			if strings.Contains(s.Label, "slow") {
				runs++
			}
		})
		defer stop()
		x := nd.From([]float32{1, 2, 3, 4})
		features := slow(x)
		if evaluate {
			if err := nd.Eval(ctx, features); err != nil {
				t.Fatal(err)
			}
		}
		trainer := learn.Trainer{
			Params: []learn.Param{{Name: "w", Value: nd.Zeros(nd.Float32, 4)}},
			Loss: func(_ int, p []*nd.Array) *nd.Array {
				return p[0].Mul(features.Reshape(2, 2).Reshape(4)).SubScalar(1).AbsSquared().Sum()
			},
			Optimizer: o, Rate: learn.Constant(0.01),
		}
		for range steps {
			if changes {
				features = slow(x)
			}
			if _, err := trainer.Step(ctx); err != nil {
				t.Fatal(err)
			}
		}
		w, err := nd.Slice[float32](ctx, trainer.Values()[0])
		if err != nil {
			t.Fatal(err)
		}
		return runs, w
	}
	for _, o := range []learn.Optimizer{learn.Adam{}, learn.SGD{}} {
		once, want := train(o, true, false)
		lazy, got := train(o, false, false)
		if once != 1 || lazy != 2 || !slices.Equal(got, want) {
			t.Errorf("%T: evaluated before, the features are computed %d times and the weights %v; captured, %d times and %v", o, once, want, lazy, got)
		}
		if often, got := train(o, false, true); often != steps || !slices.Equal(got, want) {
			t.Errorf("%T: new features in every step are computed %d times in %d steps, and the weights are %v, want %v", o, often, steps, got, want)
		}
	}
}
