package signal_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// A filter that is shorter than its signal is transformed once, for all blocks of equal
// length: that launch, the first block, those in the middle.
func TestBlocksShareTheFiltersSpectrum(t *testing.T) {
	x, k := nd.Normal(1, nd.Float32, 2, 20000), nd.Normal(2, nd.Float32, 2, 64)
	if err := nd.Eval(t.Context(), x, k); err != nil {
		t.Fatal(err)
	}
	plan, err := nd.Explain(signal.Conv{Mode: signal.Causal}.Apply(x, k))
	if err != nil {
		t.Fatal(err)
	}
	if plan.Launches > 3 {
		t.Errorf("%d launches, want 3 at most:\n%s", plan.Launches, plan)
	}
}
