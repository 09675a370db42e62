package loss_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestBadInput(t *testing.T) {
	x := nd.Zeros(nd.Float32, 2, 400)
	pair := [2]*nd.Array{x, x}
	for name, c := range map[string]struct {
		loss of
		in   [2]*nd.Array
		want string
	}{
		"lengths":         {loss.Frame{}, [2]*nd.Array{x, nd.Zeros(nd.Float32, 2, 399)}, "x has 400 samples and y has 399"},
		"batches":         {loss.ESR{}, [2]*nd.Array{x, nd.Zeros(nd.Float32, 400)}, "x is [2 400] and y is [400]"},
		"types":           {loss.SDR{}, [2]*nd.Array{x, nd.Zeros(nd.Float64, 2, 400)}, "x is float32 and y is float64"},
		"integers":        {loss.DC{}, [2]*nd.Array{nd.Zeros(nd.Int32, 4), nd.Zeros(nd.Int32, 4)}, "x is int32"},
		"complex":         {loss.STFT{}, [2]*nd.Array{nd.Zeros(nd.Complex64, 4), nd.Zeros(nd.Complex64, 4)}, "x is complex64"},
		"a number":        {loss.DC{}, [2]*nd.Array{nd.Scalar(1.0), nd.Scalar(1.0)}, "single number"},
		"nothing":         {loss.DC{}, [2]*nd.Array{nd.Zeros(nd.Float32, 0), nd.Zeros(nd.Float32, 0)}, "no samples"},
		"nil":             {loss.DC{}, [2]*nd.Array{x, nil}, "nil Array"},
		"window":          {loss.Frame{Size: 401}, pair, "a window of 401 is longer than the signal, which has 400 samples"},
		"size":            {loss.Frame{Size: 1}, pair, "Size 1"},
		"hop":             {loss.Frame{Hop: -1}, pair, "Hop -1"},
		"window name":     {loss.Frame{Window: signal.Window{Name: "han"}}, pair, `unknown window "han"`},
		"scale":           {loss.Frame{Scale: 9}, pair, "unknown scale 9"},
		"distance":        {loss.Frame{Distance: 9}, pair, "unknown distance 9"},
		"reduction":       {loss.SISDR{Reduction: 9}, pair, "unknown reduction 9"},
		"eps":             {loss.ESR{Eps: -1}, pair, "Eps -1"},
		"eps nan":         {loss.Frame{Eps: math.NaN()}, pair, "Eps NaN"},
		"a":               {loss.LogCosh{A: math.Inf(1)}, pair, "A +Inf"},
		"stft":            {loss.STFT{}, pair, "400 samples are too few to be reflected by 512"},
		"stft window":     {loss.STFT{NFFT: 64, WinLength: 65}, pair, "WinLength 65"},
		"weights":         {loss.STFT{NFFT: 64, Weights: loss.Weights{SC: math.NaN()}}, pair, "weight is not a number"},
		"resolutions":     {loss.MultiResolutionSTFT{Resolutions: []loss.Resolution{}}, pair, "no resolutions"},
		"none":            {loss.MultiResolutionSTFT{STFT: loss.STFT{Reduction: loss.None}}, pair, "reduction none"},
		"random length":   {loss.RandomResolutionSTFT{}, pair, "400 samples: want more than MaxFFT, which is 32768"},
		"random sizes":    {loss.RandomResolutionSTFT{MinFFT: 48, MaxFFT: 128}, pair, "powers of two"},
		"random hops":     {loss.RandomResolutionSTFT{MinFFT: 64, MaxFFT: 128, MinHop: 2}, pair, "MinHop 2"},
		"random count":    {loss.RandomResolutionSTFT{MaxFFT: 128, Count: -1}, pair, "Count -1"},
		"mel frequency":   {loss.Mel{}, pair, "Bands.FS is 0"},
		"mel transform":   {loss.Mel{Bands: signal.Mel{FS: 8000, STFT: signal.Librosa(64, 16)}}, pair, "Bands.STFT is given"},
		"mel power":       {loss.Mel{Bands: signal.Mel{FS: 8000, Power: 2}}, pair, "Bands.Power is given"},
		"mel bands":       {loss.Mel{Bands: signal.Mel{FS: 8000, NMels: -3}, STFT: loss.STFT{NFFT: 64}}, pair, "NMels -3"},
		"sizes":           {loss.MultiScale{Sizes: []int{}}, pair, "no sizes"},
		"a size":          {loss.MultiScale{Sizes: []int{64, 2}}, pair, "a size of 2"},
		"multiscale none": {loss.MultiScale{Reduction: loss.None}, pair, "reduction none"},
	} {
		err := c.loss.Of(c.in[0], c.in[1]).Err()
		switch {
		case err == nil:
			t.Errorf("%s: no error, want %q", name, c.want)
		case !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v, want %q", name, err, c.want)
		case !strings.Contains(err.Error(), "input_test.go"):
			t.Errorf("%s: %v does not name the caller", name, err)
		}
	}
}

// TestSilence feeds silence, near silence and denormals on either side: values
// and gradients are finite, and a silent signal has no direction to go.
func TestSilence(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n = 1100
	loud := noise(1, 2*n)
	quiet := func(v float64) []float64 {
		s := noise(7, 2*n)
		for i := range s {
			s[i] *= v
		}
		return s
	}
	signals := map[string][]float64{
		"loud": loud, "silent": make([]float64, 2*n), "denormal": quiet(1e-42), "squares underflow": quiet(1e-25), "faint": quiet(1e-9),
	}
	all := map[string]of{}
	for name, l := range losses {
		all[name] = l
	}
	all["random resolution"] = loss.RandomResolutionSTFT{Key: 3, MaxFFT: 1024}
	for name, l := range all {
		for xs, xv := range signals {
			for ys, yv := range signals {
				if testing.Short() && xs != "silent" && ys != "silent" {
					continue
				}
				x := nd.From(xv, 2, n).Cast(nd.Float32)
				y := nd.From(yv, 2, n).Cast(nd.Float32)
				v := l.Of(x, y)
				g := nd.Grad(v.Sum(), x, y)
				for what, a := range map[string]*nd.Array{"value": v, "gradient of x": g[0], "gradient of y": g[1]} {
					out, err := nd.Slice[float32](ctx, a.Flatten())
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					zero := true
					for _, e := range out {
						if e := float64(e); math.IsNaN(e) || math.IsInf(e, 0) {
							t.Errorf("%s of %s against %s: %s has %v", name, xs, ys, what, e)
							break
						}
						zero = zero && e == 0
					}
					if what == "gradient of x" && xs == "silent" && spectral(l) && !zero {
						t.Errorf("%s of %s against %s: the gradient of silence is not 0", name, xs, ys)
					}
				}
			}
		}
	}
}

// spectral reports losses of magnitudes, whose gradient at 0 is 0.
func spectral(l of) bool {
	switch l.(type) {
	case loss.ESR, loss.DC, loss.LogCosh, loss.SDR, loss.SISDR:
		return false
	}
	return true
}

func TestRandomResolutionIsSeeded(t *testing.T) {
	r := loss.RandomResolutionSTFT{Key: 1, Count: 50}
	a, err := r.Draw()
	if err != nil {
		t.Fatal(err)
	}
	b, _ := r.Draw()
	r.Key = 2
	c, _ := r.Draw()
	same, sizes := 0, map[int]bool{}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("one key drew %v and %v", a[i], b[i])
		}
		if a[i] == c[i] {
			same++
		}
		sizes[a[i].NFFT] = true
		if s := a[i]; s.NFFT < 16 || s.NFFT >= 32768 || s.Hop < s.NFFT/10-1 || s.Hop > s.NFFT || s.WinLength > s.NFFT || s.WinLength < s.NFFT/4 {
			t.Errorf("drew %+v", s)
		}
	}
	if same > 5 || len(sizes) < 8 {
		t.Errorf("%d of 50 resolutions are those of another key, %d sizes", same, len(sizes))
	}
}

// TestItemsAreAlone compares a batch with its items one by one.
func TestItemsAreAlone(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n = 300
	x, y := nd.From(noise(1, 3*n), 3, n), nd.From(noise(2, 3*n), 3, n)
	for name, l := range map[string]of{
		"frame": loss.Frame{Reduction: loss.Item},
		"stft":  loss.STFT{NFFT: 64, Hop: 20, Reduction: loss.Item, Weights: loss.Weights{SC: 1, Log: 1, Lin: 1, Phase: 1}},
		"multi": loss.MultiResolutionSTFT{Resolutions: []loss.Resolution{{64, 16, 64}, {128, 30, 100}}, STFT: loss.STFT{Reduction: loss.Item}},
		"scale": loss.MultiScale{Sizes: []int{64, 32}, Log: 1, Lin: 1, Reduction: loss.Item},
		"mel":   loss.Mel{Bands: signal.Mel{FS: 8000, NMels: 8}, STFT: loss.STFT{NFFT: 64, Reduction: loss.Item}},
		"sisdr": loss.SISDR{Reduction: loss.Item},
		"cosh":  loss.LogCosh{Reduction: loss.None},
	} {
		got, err := nd.Slice[float64](ctx, l.Of(x, y))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range 3 {
			one := nd.Range{Start: i, Stop: i + 1}
			want, err := nd.Slice[float64](ctx, l.Of(x.Slice(one), y.Slice(one)))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if d := apart(got[i:i+1], want); !(d < 1e-12) {
				t.Errorf("%s: item %d is %v in a batch and %v alone", name, i, got[i], want)
			}
		}
	}
}
