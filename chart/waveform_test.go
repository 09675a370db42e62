package chart_test

import (
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
)

// A burst in the middle is where it should be; bad samples are errors.
func TestWaveform(t *testing.T) {
	dir := t.TempDir()
	x := make([]float32, 60000)
	for i := 20000; i < 40000; i++ {
		x[i] = float32(math.Sin(float64(i) / 5))
	}
	name := filepath.Join(dir, "a.png")
	if err := (chart.Waveform{FS: 8000, Title: "a burst"}).Save(t.Context(), name, nd.From(x, 2, 30000)); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	blue := func(x int) (n int) {
		for y := range img.Bounds().Dy() {
			if r, _, b, _ := img.At(x, y).RGBA(); b > r+0x3000 {
				n++
			}
		}
		return n
	}
	// Channel 0 has the burst from 2/3 on, channel 1 up to a third: the middle is silent.
	if width := img.Bounds().Dx(); blue(width/4) < 100 || blue(width*9/10) < 100 || blue(width/2) > 20 {
		t.Errorf("%d, %d and %d blue pixels", blue(width/4), blue(width/2), blue(width*9/10))
	}
	for label, bad := range map[string]*nd.Array{
		"none": nil, "empty": nd.Zeros(nd.Float32, 0), "axes": nd.Zeros(nd.Float32, 2, 2, 2),
		"complex": nd.Zeros(nd.Complex64, 4), "infinite": nd.From([]float64{1, math.Inf(1)}),
	} {
		if err := (chart.Waveform{}).Save(t.Context(), name, bad); err == nil {
			t.Errorf("%s: no error", label)
		}
	}
	if err := (chart.Waveform{}).Save(t.Context(), filepath.Join(dir, "one.svg"), nd.From([]int16{-3})); err != nil {
		t.Error(err)
	}
	if keep := os.Getenv("TWIDDLE_PICTURES"); keep != "" {
		data, _ := os.ReadFile(name)
		_ = os.WriteFile(filepath.Join(keep, "chart-waveform.png"), data, 0o600)
	}
}
