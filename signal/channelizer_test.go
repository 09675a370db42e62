package signal_test

import (
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// A channel is what mixing down, filtering and keeping every Hop-th sample gives.
func TestChannelizer(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	const n = 300
	taps, err := signal.FIR{Cutoff: [2]float64{0.2}}.Taps(37)
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*nd.Array{
		"real":    nd.Normal(1, nd.Float64, 2, n),
		"complex": nd.Complex(nd.Normal(1, nd.Float64, 2, n), nd.Normal(2, nd.Float64, 2, n)),
	} {
		for _, c := range []signal.Channelizer{{Channels: 8, Taps: taps}, {Channels: 8, Hop: 4, Taps: taps}, {Channels: 5, Hop: 3, Taps: taps},
			{Channels: 6, Hop: 12, Taps: taps}, {Channels: 64, Hop: 10, Taps: taps}, {Channels: 1, Hop: 2, Taps: taps}, {Channels: 4}} {
			filter, hop := c.Taps, c.Hop
			if filter == nil {
				if filter, err = (signal.FIR{Cutoff: [2]float64{0.25}, Window: signal.Window{Name: "kaiser", Param: 8}}).Taps(64); err != nil {
					t.Fatal(err)
				}
			}
			if hop == 0 {
				hop = c.Channels
			}
			var want []*nd.Array
			for k := range c.Channels {
				mix := make([]complex128, n)
				for i := range mix {
					mix[i] = cmplx.Exp(complex(0, -2*math.Pi*float64(k*i%c.Channels)/float64(c.Channels)))
				}
				y := signal.TF{B: filter}.Apply(x.Cast(nd.Complex128).Mul(nd.From(mix)))
				want = append(want, y.SliceAxis(-1, nd.Range{Stop: nd.End, Step: hop}))
			}
			if err := (nd.Close{Abs: 1e-13}).Check(t.Context(), c.Apply(x), nd.Stack(-2, want...)); err != nil {
				t.Errorf("%s, %d channels, hop %d: %v", name, c.Channels, hop, err)
			}
		}
	}
	for want, y := range map[string]*nd.Array{
		"Channels 0 and Hop 0: want 1 or more": signal.Channelizer{}.Apply(nd.Zeros(nd.Float64, 9)),
		"a tap is NaN":                         signal.Channelizer{Channels: 2, Taps: []float64{math.NaN()}}.Apply(nd.Zeros(nd.Float64, 9)),
		"channels by taps":                     signal.Channelizer{Channels: 1 << 30}.Apply(nd.Zeros(nd.Float64, 9)),
	} {
		if err := y.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// A tone in the middle of a channel is there with its amplitude, and 80 dB less in the others.
	const channels = 16
	tone := make([]complex128, 16000)
	for i := range tone {
		tone[i] = cmplx.Exp(complex(0, 2*math.Pi*-3*float64(i%channels)/channels))
	}
	y := signal.Channelizer{Channels: channels}.Apply(nd.From(tone)).FFTShift(0).Abs()
	last, err := nd.Slice[float64](t.Context(), y.SliceAxis(-1, nd.Tail(1)))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range last {
		if here := k == channels/2-3; here && math.Abs(v-1) > 1e-4 || !here && v > 1e-4 {
			t.Errorf("channel %d has %g", k-channels/2, v)
		}
	}
}
