package loss_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// TestFrameIsThreePrograms holds the frame loss with its gradient to a pass
// over the frames, a sum and a gather, whatever the window.
func TestFrameIsThreePrograms(t *testing.T) {
	for _, f := range []loss.Frame{
		{}, {Size: 16}, {Size: 33}, {Size: 100, Hop: 7}, {Size: 512}, {Size: 1024, Hop: 256}, {Size: 2048, Hop: 3},
		{Distance: loss.L1}, {Scale: loss.Log}, {Scale: loss.Smooth, Distance: loss.L1},
		{Reduction: loss.Sum}, {Reduction: loss.Mean, Hop: 64},
	} {
		for _, shape := range [][]int{{5000}, {3, 4096}, {2, 2, 3001}} {
			x, y := nd.From(make([]float32, count(shape)), shape...), nd.From(make([]float32, count(shape)), shape...)
			l, g := nd.ValueAndGrad(f.Of(x, y), x)
			plan, err := nd.Explain(l, g[0])
			if err != nil {
				t.Fatalf("%+v: %v", f, err)
			}
			if plan.Launches > 3 {
				t.Errorf("%+v of %v: %v", f, shape, plan)
			}
			if plan, err = nd.Explain(f.Of(x, y)); err != nil || plan.Launches > 2 {
				t.Errorf("%+v of %v without gradient: %v, %v", f, shape, err, plan)
			}
		}
	}
}
