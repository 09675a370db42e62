package loss_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// golden is a case of testdata/goldens.json, which testdata/goldens.py makes.
type golden struct {
	Name       string
	Shape      []int
	ValueShape []int `json:"value_shape"`
	Value      []float64
	GradX      []float64 `json:"grad_x"`
	GradY      []float64 `json:"grad_y"`
}

type of interface {
	Of(x, y *nd.Array) *nd.Array
}

var short = loss.STFT{NFFT: 64, Hop: 20, WinLength: 50}

// with is the short STFT with other options.
func with(change func(*loss.STFT)) of {
	s := short
	change(&s)
	return s
}

// losses is the loss of each case.
var losses = map[string]of{
	"frame":                loss.Frame{},
	"frame l1":             loss.Frame{Distance: loss.L1},
	"frame log":            loss.Frame{Scale: loss.Log},
	"frame log l1":         loss.Frame{Scale: loss.Log, Distance: loss.L1, Eps: 1e-3},
	"frame smooth":         loss.Frame{Scale: loss.Smooth},
	"frame smooth l1":      loss.Frame{Scale: loss.Smooth, Distance: loss.L1, Eps: 1e-2},
	"frame 33 hop 5":       loss.Frame{Size: 33, Hop: 5, Window: signal.Window{Name: "hamming"}},
	"frame sum":            loss.Frame{Size: 16, Reduction: loss.Sum},
	"frame item":           loss.Frame{Size: 16, Reduction: loss.Item},
	"frame none":           loss.Frame{Size: 16, Hop: 3, Reduction: loss.None},
	"stft":                 short,
	"stft defaults":        loss.STFT{},
	"stft lin phase":       with(func(s *loss.STFT) { s.WinLength, s.Weights = 49, loss.Weights{SC: 0.5, Log: 2, Lin: 3, Phase: 0.25} }),
	"stft l2":              with(func(s *loss.STFT) { s.Distance, s.Weights = loss.L2, loss.Weights{SC: 1, Log: 1, Lin: 1} }),
	"stft sum":             with(func(s *loss.STFT) { s.Reduction = loss.Sum }),
	"stft none":            with(func(s *loss.STFT) { s.Reduction = loss.None }),
	"stft item":            with(func(s *loss.STFT) { s.Reduction = loss.Item }),
	"stft per item":        with(func(s *loss.STFT) { s.PerItem = true }),
	"stft scale invariant": with(func(s *loss.STFT) { s.ScaleInvariant = true }),
	"stft hamming":         with(func(s *loss.STFT) { s.Window.Name = "hamming" }),
	"multi resolution":     loss.MultiResolutionSTFT{},
	"mel":                  loss.Mel{Bands: signal.Mel{FS: 8000, NMels: 12}, STFT: loss.STFT{NFFT: 128, Hop: 32}},
	"multi scale":          loss.MultiScale{},
	"multi scale log":      loss.MultiScale{Sizes: []int{128, 64}, Lin: 0.5, Log: 1},
	"sisdr":                loss.SISDR{},
	"sisdr keep dc":        loss.SISDR{KeepDC: true},
	"sdr":                  loss.SDR{},
	"sdr scaled":           loss.SDR{Scaled: true},
	"sdr sum":              loss.SDR{Reduction: loss.Sum},
	"esr":                  loss.ESR{},
	"esr item":             loss.ESR{Reduction: loss.Item},
	"dc":                   loss.DC{},
	"log cosh":             loss.LogCosh{},
	"log cosh 5":           loss.LogCosh{A: 5},
}

// noise is the signals of testdata/goldens.py.
func noise(seed uint32, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		seed = seed*1664525 + 1013904223
		out[i] = float64(seed>>8)/(1<<24) - 0.5
	}
	return out
}

func goldens(t *testing.T) []golden {
	t.Helper()
	text, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []golden
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// apart is the greatest difference, relative to the greatest number of want.
func apart(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	far, size := 0.0, 1e-300
	for i, w := range want {
		d := math.Abs(got[i] - w)
		if !(d <= far) { // NaN counts
			far = d
		}
		size = max(size, math.Abs(w))
	}
	return far / size
}

func TestGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	seen := map[string]bool{}
	for _, c := range goldens(t) {
		l, ok := losses[c.Name]
		if !ok {
			t.Errorf("%s: no loss of this name", c.Name)
			continue
		}
		seen[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			for _, typ := range []nd.DType{nd.Float64, nd.Float32} {
				limit := 3e-9
				if typ == nd.Float32 {
					limit = 3e-4 // logarithms of bins near 0
				}
				x := nd.From(noise(1, count(c.Shape)), c.Shape...).Cast(typ)
				y := nd.From(noise(2, count(c.Shape)), c.Shape...).Cast(typ)
				v := l.Of(x, y)
				if err := v.Err(); err != nil {
					t.Error(err)
					break
				}
				if v.DType() != typ || !slices.Equal(v.Shape(), c.ValueShape) {
					t.Errorf("%s%v, want %s%v", v.DType(), v.Shape(), typ, c.ValueShape)
				}
				// What has several numbers has the gradient of their sum with
				// weights 1, 2, ...
				weights := nd.Arange(1.0, float64(v.Len()+1), 1).Cast(typ).Reshape(v.Shape()...)
				for what, a := range map[string]*nd.Array{"value": v, "gradient of x": nd.Grad(v.Mul(weights).Sum(), x)[0], "gradient of y": nd.Grad(v.Mul(weights).Sum(), y)[0]} {
					got, err := nd.Slice[float64](ctx, a.Cast(nd.Float64))
					if err != nil {
						t.Errorf("%s: %v", what, err)
						continue
					}
					want := map[string][]float64{"value": c.Value, "gradient of x": c.GradX, "gradient of y": c.GradY}[what]
					if d := apart(got, want); !(d <= limit) {
						t.Errorf("%s of %s is off by %.1e", what, typ, d)
					}
				}
			}
		})
	}
	for name := range losses {
		if !seen[name] {
			t.Errorf("%s: no golden", name)
		}
	}
}
