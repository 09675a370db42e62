package nd_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// Plans for WebGPU have the launches and bytes of those for CUDA, as long as a line
// fits into the 32 KiB that a group has. (Filters in quarter bins, which CUDA has for many
// causal lines of 512 samples and others, have a bin less.)
func TestPlansOfGPUsAgree(t *testing.T) {
	testdevice.NotOnGPU(t, "plans are made for devices that are not there")
	h200, adapter := nd.LikeGPUs(t)
	conv := func(mode signal.Mode, shape ...int) func(x func(...int) *nd.Array) []*nd.Array {
		return func(x func(...int) *nd.Array) []*nd.Array {
			c := signal.Conv{Mode: mode, Bias: x(shape[1])}
			return []*nd.Array{c.Apply(x(shape...), x(shape[1:]...))}
		}
	}
	gradient := func(l interface {
		Of(x, y *nd.Array) *nd.Array
	}, shape ...int) func(x func(...int) *nd.Array) []*nd.Array {
		return func(x func(...int) *nd.Array) []*nd.Array {
			a := x(shape...)
			v, g := nd.ValueAndGrad(l.Of(a, nd.StopGradient(x(shape...))), a)
			return []*nd.Array{v, g[0]}
		}
	}
	welch := func(shape []int, opt signal.Spectral) func(x func(...int) *nd.Array) []*nd.Array {
		return func(x func(...int) *nd.Array) []*nd.Array { return []*nd.Array{signal.Welch(x(shape...), opt).Array} }
	}
	for name, build := range map[string]func(x func(...int) *nd.Array) []*nd.Array{
		"circular convolution":        conv(signal.Circular, 8, 64, 1024),
		"large circular convolution":  conv(signal.Circular, 64, 64, 1024),
		"causal convolution":          conv(signal.Causal, 8, 64, 1024),
		"short causal convolution":    conv(signal.Causal, 32, 256, 500),
		"same convolution":            conv(signal.Same, 4, 16, 700),
		"valid convolution":           conv(signal.Valid, 4, 16, 1000),
		"Welch":                       welch([]int{64, 1 << 16}, signal.Spectral{NPerSeg: 1024}),
		"Welch of many channels":      welch([]int{4096, 1 << 12}, signal.Spectral{NPerSeg: 256}),
		"Welch without a trend":       welch([]int{64, 1 << 16}, signal.Spectral{NPerSeg: 2048, Detrend: signal.TrendLinear}),
		"Welch by medians":            welch([]int{64, 1 << 14}, signal.Spectral{NPerSeg: 512, Average: signal.Median}),
		"frame loss":                  gradient(loss.Frame{Size: 64}, 1<<16),
		"long frame loss":             gradient(loss.Frame{Size: 1024, Hop: 256}, 4, 1<<16),
		"log frame loss":              gradient(loss.Frame{Size: 512, Scale: loss.Log, Distance: loss.L1}, 16, 9000),
		"multi-resolution STFT loss":  gradient(loss.MultiResolutionSTFT{}, 16, 44100),
		"short multi-resolution loss": gradient(loss.MultiResolutionSTFT{}, 2, 9000),
	} {
		t.Run(name, func(t *testing.T) {
			plan := func(d *nd.Device) *nd.Plan {
				results := build(func(shape ...int) *nd.Array { return nd.Uniform(1, nd.Float32, shape...).On(d.Stream()) })
				p, err := nd.Explain(results...)
				if err != nil {
					t.Fatal(err)
				}
				if err := nd.Eval(t.Context(), results...); err != nil { // its kernels can be made
					t.Fatal(err)
				}
				return p
			}
			want, got := plan(h200), plan(adapter)
			if got.Launches != want.Launches || got.DeviceTrafficBytes != want.DeviceTrafficBytes {
				t.Errorf("%d launches and %d bytes, CUDA has %d and %d:\n%v\n%v", got.Launches, got.DeviceTrafficBytes, want.Launches, want.DeviceTrafficBytes, got, want)
			}
		})
	}
}

// Fast convolutions of many lines of halves transform their filters themselves on CUDA: one
// launch has both.
func TestFastFiltersOnCUDA(t *testing.T) {
	testdevice.NotOnGPU(t, "plans are made for a device that is not there")
	h200, _ := nd.LikeGPUs(t)
	s := h200.Stream()
	for _, taps := range []nd.DType{nd.Float32, nd.BFloat16} {
		for _, n := range []int{1024, 4096, 16384} {
			x, k := nd.Uniform(1, nd.Float32, 16, 768, n).Cast(nd.BFloat16).On(s), nd.Uniform(2, nd.Float32, 768, n).Cast(taps).On(s)
			if err := nd.Eval(t.Context(), x, k); err != nil {
				t.Fatal(err)
			}
			p, err := nd.Explain(signal.Conv{Mode: signal.Causal, Accumulation: nd.Fast}.Apply(x, k))
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Steps) != 1 {
				t.Errorf("%d samples, taps of %s: %d steps\n%v", n, taps, len(p.Steps), p)
			}
		}
	}
}
