package nd_test

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// A convolution over two GPUs has the bits of one of them, wherever its operands are,
// and over a CPU and a GPU it is close.
func TestConvolutionOverGPUs(t *testing.T) {
	testdevice.NotOnGPU(t, "opens its own")
	for kind, gpus := range nd.Pairs(t) {
		t.Run(kind, func(t *testing.T) {
			normal := func(seed nd.Key, shape ...int) *nd.Array { return nd.Normal(seed, nd.Float32, shape...) }
			host, k := normal(1, 2, 5, 300), normal(2, 5, 40)
			conv := signal.Conv{Mode: signal.Causal, Bias: normal(3, 5), InGate: normal(4, 2, 5, 300)}
			// Else a CPU would make the numbers, too, and get no channel.
			if err := nd.Eval(t.Context(), host, k, conv.Bias, conv.InGate); err != nil {
				t.Fatal(err)
			}
			want, err := nd.Slice[float32](t.Context(), signal.Pipeline{Conv: conv, Devices: gpus[:1]}.Apply(host, k))
			if err != nil {
				t.Fatal(err)
			}
			for _, home := range append(gpus[:], nd.CPU()) {
				x := host.On(home.Stream())
				if err := nd.Eval(t.Context(), x); err != nil {
					t.Fatal(err)
				}
				there := conv
				there.Bias, there.InGate = conv.Bias.On(home.Stream()), conv.InGate.On(home.Stream())
				both := signal.Pipeline{Conv: there, Devices: gpus[:]}.Apply(x, k.On(home.Stream()))
				got, err := nd.Slice[float32](t.Context(), both)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("operands on %s: %v, the same %t", home.Name(), err, slices.Equal(got, want))
				}
				if on, err := both.Device(); err != nil || on != home {
					t.Errorf("operands on %s: the result is on %v, %v", home.Name(), on, err)
				}
				mixed := signal.Pipeline{Conv: there, Devices: []*nd.Device{nd.CPU(), gpus[1]}}.Apply(x, k.On(home.Stream()))
				if err := (nd.Close{Rel: 1e-4, Abs: 1e-3}).Check(t.Context(), mixed.On(nd.CPU().Stream()), nd.From(want, 2, 5, 300)); err != nil {
					t.Errorf("operands on %s: %v", home.Name(), err)
				}
			}
		})
	}
}
