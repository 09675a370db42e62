package signal_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Channels dealt to several devices come back in order, with the bits of one where
// they are of one kind, and close where a GPU takes part.
func TestConvolutionOverDevices(t *testing.T) {
	testdevice.NeedsFloat64(t)
	devices := []*nd.Device{nd.CPU(), nd.CPU(), nd.CPU()}
	gpu, noGPU := nd.Open("cuda:0")
	r := rand.New(rand.NewPCG(1, 2))
	noise := func(shape ...int) *nd.Array {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return nd.From(v, shape...)
	}
	for _, channels := range []int{1, 2, 7} {
		x, k := noise(3, channels, 500), noise(channels, 60)
		conv := signal.Conv{Mode: signal.Causal, Bias: noise(channels), Skip: noise(channels), InGate: noise(3, channels, 500), OutGate: noise(3, channels, 500)}
		want, err := nd.Slice[float32](t.Context(), conv.Apply(x, k))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n <= 3; n++ {
			y := signal.Pipeline{Conv: conv, Devices: devices[:n]}.Apply(x, k)
			got, err := nd.Slice[float32](t.Context(), y)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%d channels on %d devices: %v, the same %t", channels, n, err, slices.Equal(got, want))
			}
			if noGPU == nil {
				y := signal.Pipeline{Conv: conv, Devices: []*nd.Device{nd.CPU(), gpu}}.Apply(x, k)
				if err := (nd.Close{Rel: 1e-4, Abs: 1e-3}).Check(t.Context(), y, conv.Apply(x, k)); err != nil {
					t.Error(err)
				}
			}
			if on, err := y.Device(); err != nil || on != nd.CPU() {
				t.Errorf("the result is on %v, %v", on, err)
			}
		}
	}
	x, k := noise(4, 64), noise(4, 8)
	for name, p := range map[string]signal.Pipeline{
		"a nil device": {Devices: []*nd.Device{nil}},
		"both":         {Devices: devices, Streams: 2},
	} {
		if err := p.Apply(x, k).Err(); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	line := noise(64)
	if _, err := nd.Slice[float32](t.Context(), signal.Pipeline{Devices: devices}.Apply(line, noise(8))); err != nil {
		t.Errorf("a line without channels: %v", err)
	}
}
