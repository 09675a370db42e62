package loss_test

import (
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// TestFrameIsTwoPrograms holds the frame loss with its gradient to a pass over
// the frames, which adds up what they say about samples, and a sum, whatever the
// window. A device that does not add lines where they overlap has one more.
func TestFrameIsTwoPrograms(t *testing.T) {
	most := 2
	if testdevice.Name() != "" {
		most = 3 // a GPU stores the frames of short signals, which are then added
	}
	for _, f := range []loss.Frame{
		{}, {Size: 16}, {Size: 33}, {Size: 100, Hop: 7}, {Size: 512}, {Size: 1024, Hop: 256}, {Size: 2048, Hop: 3},
		{Distance: loss.L1}, {Scale: loss.Log}, {Scale: loss.Smooth, Distance: loss.L1},
		{Reduction: loss.Sum}, {Reduction: loss.Mean, Hop: 64},
	} {
		if f.Size > 1024 && strings.Contains(testdevice.Name(), "webgpu") {
			continue // such lines need more than the 32 KiB of a workgroup
		}
		for _, shape := range [][]int{{5000}, {3, 4096}, {2, 2, 3001}} {
			x, y := nd.From(make([]float32, count(shape)), shape...), nd.From(make([]float32, count(shape)), shape...)
			l, g := nd.ValueAndGrad(f.Of(x, y), x)
			plan, err := nd.Explain(l, g[0])
			if err != nil {
				t.Fatalf("%+v: %v", f, err)
			}
			if plan.Launches > most {
				t.Errorf("%+v of %v: %v", f, shape, plan)
			}
			if plan, err = nd.Explain(f.Of(x, y)); err != nil || plan.Launches > 2 {
				t.Errorf("%+v of %v without gradient: %v, %v", f, shape, err, plan)
			}
		}
	}
}

// The borders of the signals are read where their frames are, and everything that
// is as large as spectra belongs to a pass over frames: three there and three back.
func TestMultiResolutionPrograms(t *testing.T) {
	x, y := nd.From(make([]float32, 2*9000), 2, 9000), nd.From(make([]float32, 2*9000), 2, 9000)
	l, g := nd.ValueAndGrad(loss.MultiResolutionSTFT{}.Of(x, nd.StopGradient(y)), x)
	plan, err := nd.Explain(l, g[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, s := range plan.Steps {
		if s.Program == "line" {
			lines++
		}
	}
	if lines != 6 || plan.Launches > 33 {
		t.Errorf("%d line programs of %d: %v", lines, plan.Launches, plan)
	}
}
