package chart_test

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleSpectrogram_Print() {
	// A tone that rises, in 16 frames of 9 bins.
	levels := make([]float64, 9*16)
	for i := range levels {
		levels[i] = -60
		if i/16 == i%16/2 {
			levels[i] = 0
		}
	}
	err := chart.Spectrogram{FS: 8000, Hop: 1000}.Print(context.Background(), os.Stdout, nd.From(levels, 9, 16), chart.Terminal{Rows: 8})
	if err != nil {
		panic(err)
	}
	// Output:
	//       4 |              ██
	//         |            ██
	//         |          ██
	//         |        ██
	//       2 |      ██
	//         |    ██
	//         |  ██
	//         |██
	//     kHz +----------------
	//         0          2.00 s
	//          -60 to 0 dB
}

func TestPrint(t *testing.T) {
	levels := nd.Arange(0.0, 64*200, 1).Reshape(64, 200).MulScalar(-0.01)
	for _, c := range []struct {
		t    chart.Terminal
		want string
		rows int
	}{
		{chart.Terminal{}, "░", 23},
		{chart.Terminal{Columns: 40, Rows: 10, Palette: chart.Palette256}, "\x1b[38;5;", 13},
		{chart.Terminal{Columns: 40, Rows: 10, Palette: chart.TrueColour, LogFrequency: true}, "\x1b[38;2;", 13},
	} {
		var b strings.Builder
		if err := (chart.Spectrogram{FS: 16000, Hop: 256}).Print(t.Context(), &b, levels, c.t); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, c.want) || strings.Count(got, "\n") != c.rows {
			t.Errorf("%+v:\n%s", c.t, got)
		}
	}
	if err := (chart.Spectrogram{}).Print(t.Context(), &strings.Builder{}, levels, chart.Terminal{Columns: 3}); err == nil {
		t.Error("3 columns: no error")
	}
}

// Silence is dark, also where a floor gives it a level.
func TestPrintSilence(t *testing.T) {
	for _, floor := range []float64{math.Inf(-1), -300, -100} {
		var b strings.Builder
		if err := (chart.Spectrogram{FS: 16000, Hop: 256}).Print(t.Context(), &b, nd.Full(floor, nd.Float64, 64, 20), chart.Terminal{}); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(b.String(), "░▒▓█") {
			t.Errorf("silence of %g dB:\n%s", floor, b.String())
		}
	}
}

func TestParsePalette(t *testing.T) {
	for _, p := range []chart.Palette{chart.Shades, chart.Palette256, chart.TrueColour} {
		if got, err := chart.ParsePalette(p.String()); err != nil || got != p {
			t.Errorf("%v: %v, %v", p, got, err)
		}
	}
	if _, err := chart.ParsePalette("grey"); err == nil {
		t.Error("grey is taken for a palette")
	}
}
