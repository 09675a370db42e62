package chart_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/picture"
)

func TestSpectrogram(t *testing.T) {
	// A ridge that rises, in a field of noise.
	const bins, frames = 129, 5000
	levels := make([]float64, bins*frames)
	for k := range bins {
		for f := range frames {
			levels[k*frames+f] = -80 + 70*math.Exp(-math.Pow(float64(k)-float64(f)*bins/frames, 2)/20)
		}
	}
	levels[0] = math.Inf(-1)
	name := filepath.Join(t.TempDir(), "a.png")
	if dir := os.Getenv("TWIDDLE_TEST_PICTURES"); dir != "" {
		name = filepath.Join(dir, "spectrogram.png")
	}
	if err := (chart.Spectrogram{Title: "A tone that rises", FS: 16000, Hop: 64}).Save(t.Context(), name, nd.From(levels, bins, frames)); err != nil {
		t.Fatal(err)
	}
	x, err := picture.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	// The ridge ends at the upper right of the field: brighter than the upper left.
	h, w := x.Dim(0), x.Dim(1)
	at := func(y, x0 float64) float64 {
		v, err := nd.Item[float32](t.Context(), x.Slice(nd.Between(int(y*float64(h)), int(y*float64(h))+20), nd.Between(int(x0*float64(w)), int(x0*float64(w))+20)).Mean())
		if err != nil {
			t.Fatal(err)
		}
		return float64(v)
	}
	if left, right := at(0.15, 0.2), at(0.15, 0.82); right < left+0.1 {
		t.Errorf("brightness %v at the upper left, %v at the upper right", left, right)
	}
}

func TestCurves(t *testing.T) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = 20 * math.Pow(1000, float64(i)/199)
	}
	y := nd.From(x).Log10().MulScalar(-20)
	dir := t.TempDir()
	if d := os.Getenv("TWIDDLE_TEST_PICTURES"); d != "" {
		dir = d
	}
	c := chart.Curves{Title: "Two slopes", X: "frequency in Hz", Y: "gain in dB", Names: []string{"one", "two"}, LogX: true}
	for _, name := range []string{"curves.png", "curves.svg"} {
		if err := c.Save(t.Context(), filepath.Join(dir, name), x, nd.Stack(0, y, y.MulScalar(2))); err != nil {
			t.Fatal(err)
		}
	}
	svg, err := os.ReadFile(filepath.Join(dir, "curves.svg"))
	if err != nil || !bytes.Contains(svg, []byte("gain in dB")) || !bytes.Contains(svg, []byte("two")) {
		t.Errorf("the SVG has no labels, %v", err)
	}
	// Flat curves, single points and gaps are drawn, too.
	for _, y := range []*nd.Array{nd.Ones(nd.Float32, 5), nd.Ones(nd.Int32, 1), nd.From([]float64{1, math.NaN(), math.Inf(1), 2})} {
		if err := (chart.Curves{}).Save(t.Context(), filepath.Join(dir, "b.png"), nil, y); err != nil {
			t.Errorf("%v: %v", y.Shape(), err)
		}
	}
	// A gap is not bridged.
	paths := func(middle float64) int {
		name := filepath.Join(dir, "gap.svg")
		if err := (chart.Curves{}).Save(t.Context(), name, nil, nd.From([]float64{0, 1, middle, 1, 0})); err != nil {
			t.Fatal(err)
		}
		svg, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return bytes.Count(svg, []byte("<path"))
	}
	if whole, apart := paths(0.5), paths(math.NaN()); apart != whole+1 {
		t.Errorf("%d paths with a gap, %d without", apart, whole)
	}
}

func TestErrors(t *testing.T) {
	ctx := t.Context()
	name := filepath.Join(t.TempDir(), "a.png")
	ok := nd.Ones(nd.Float32, 4, 4)
	fails := func(what string, err error) {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	fails("nil", chart.Spectrogram{}.Save(ctx, name, nil))
	fails("shape", chart.Spectrogram{}.Save(ctx, name, nd.Ones(nd.Float32, 4)))
	fails("format", chart.Spectrogram{}.Save(ctx, "a.bmp", ok))
	fails("hop", chart.Spectrogram{Hop: -1}.Save(ctx, name, ok))
	fails("NaN", chart.Spectrogram{}.Save(ctx, name, nd.Full(math.NaN(), nd.Float32, 4, 4)))
	fails("size", chart.Spectrogram{Size: chart.Size{Width: 1e9}}.Save(ctx, name, ok))
	fails("curves of nil", chart.Curves{}.Save(ctx, name, nil, nil))
	fails("places", chart.Curves{}.Save(ctx, name, []float64{1}, ok))
	fails("names", chart.Curves{Names: []string{"a"}}.Save(ctx, name, nil, ok))
	fails("complex", chart.Curves{}.Save(ctx, name, nil, nd.Ones(nd.Complex64, 4)))
	fails("nothing finite", chart.Curves{}.Save(ctx, name, nil, nd.Full(math.NaN(), nd.Float32, 4)))
}
