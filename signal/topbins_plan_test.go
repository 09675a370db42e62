package signal_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Bins and powers are found by one sort: in a line program both at once, and in
// memory the powers are fetched from where the sort found them.
func TestTopBinsSortsOnce(t *testing.T) {
	for _, segments := range []int{1, 3} {
		x := nd.Normal(1, nd.Float32, 9, 32+16*(segments-1))
		if err := nd.Eval(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		plan, err := nd.Explain(signal.TopBins{N: 32, Segments: segments, K: 4}.Apply(x))
		if err != nil {
			t.Fatal(err)
		}
		sorts := 0
		for _, s := range plan.Steps {
			if s.Program == "sort" {
				sorts++
			}
		}
		if sorts > 1 {
			t.Errorf("%d segments: %d sorts in\n%s", segments, sorts, plan)
		}
	}
}
