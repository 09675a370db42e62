package signal_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Along another axis is as along the last one of what is transposed.
func TestAxes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x, y, k := waves(3, 20), waves(3, 7), waves(3, 5)
	gate := waves(3, 20)
	same := func(name string, got, want *nd.Array) {
		t.Helper()
		if !near(floats(t, got), floats(t, want), 1e-14) {
			t.Errorf("%s differs", name)
		}
	}
	c := signal.Conv{Bias: waves(3), InGate: gate, OutGate: gate}
	along := c
	along.Axis, along.InGate, along.OutGate = nd.Axis(0), gate.Transpose(), gate.Transpose()
	same("conv", along.Apply(x.Transpose(), k).Transpose(), c.Apply(x, k))
	along = signal.Conv{Axis: nd.Axis(0), InGate: waves(3)} // of channels, which are last
	same("conv gate", along.Apply(x.Transpose(), k).Transpose(), signal.Conv{InGate: waves(3, 1)}.Apply(x, k))
	if (signal.Conv{Axis: nd.Axis(2)}).Apply(x, k).Err() == nil {
		t.Error("axis 2 of two was accepted")
	}
	if (signal.Pipeline{Conv: signal.Conv{Axis: nd.Axis(0)}}).Apply(x, k).Err() == nil {
		t.Error("a pipeline along axis 0 was accepted")
	}
	for _, mode := range []signal.Mode{signal.Full, signal.Same, signal.Valid} {
		same("correlate", signal.Correlate(x.Transpose(), y.Transpose(), mode, nd.Axis(0)).Transpose(), signal.Correlate(x, y, mode))
	}
	w := nd.From([]float64{0.5, 1, 2, 3})
	times := nd.From(wave(20)).CumSum(0)
	l, other := signal.LombScargle{}, signal.LombScargle{Axis: nd.Axis(0)}
	same("lombscargle", other.Apply(times, x.Transpose(), w).Transpose(), l.Apply(times, x, w))
	l.Weights, other.Weights = gate.Mul(gate), gate.Mul(gate).Transpose()
	same("lombscargle weights", other.Apply(times, x.Transpose(), w).Transpose(), l.Apply(times, x, w))
}

// Blocks give what one transform does, at every ratio of sizes.
func TestConvolveBlocks(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range [][4]int{{200, 3, 30, 4}, {64, 64, 3, 3}, {5, 7, 60, 50}, {40, 3, 2, 100}, {1, 100, 1, 1}} {
		x, k := waves(s[0], s[1]), waves(s[2], s[3])
		for _, mode := range []signal.Mode{signal.Full, signal.Same, signal.Valid} {
			want := signal.Convolve{Mode: mode, Method: signal.FFTMethod}.Apply(x, k)
			if want.Err() != nil {
				continue
			}
			got := signal.Convolve{Mode: mode, Method: signal.BlockMethod}.Apply(x, k)
			if name := fmt.Sprint(s, mode); !near(floats(t, got), floats(t, want), 1e-11) {
				t.Errorf("%s differs", name)
			}
		}
	}
}
