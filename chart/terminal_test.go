package chart_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// Two sides of 0 are one above the other, in the order of FFTShift.
func TestPrintTwoSided(t *testing.T) {
	levels := make([]float32, 16*10)
	for f := range 10 {
		levels[4*10+f] = 60 // bin 4 of -8 to 7: a quarter of the rate below 0
	}
	var b strings.Builder
	s := chart.Spectrogram{FS: 16, TwoSided: true, Low: 1, High: 60}
	if err := s.Print(t.Context(), &b, nd.From(levels, 16, 10), chart.Terminal{Columns: 10, Rows: 16}); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(b.String(), "\n")
	for i, row := range rows[:16] {
		if strings.Contains(row, "█") != (i == 11) {
			t.Errorf("row %d: %s", i, row)
		}
	}
	if !strings.Contains(b.String(), "-5 |") || !strings.Contains(b.String(), " 5 |") {
		t.Errorf("no marks on both sides:\n%s", b.String())
	}
	if err := s.Print(t.Context(), &b, nd.From(levels, 16, 10), chart.Terminal{LogFrequency: true}); err == nil {
		t.Error("octaves on two sides of 0")
	}
}

// Rows of given frequencies are marked there, and the chart says what is wrong with them.
func TestPrintFrequencies(t *testing.T) {
	hz := []float64{50, 100, 200, 400, 800, 1600, 3200, 6400}
	levels := nd.Full(-60, nd.Float32, len(hz), 10)
	var b strings.Builder
	if err := (chart.Spectrogram{FS: 16000, Frequencies: hz}).Print(t.Context(), &b, levels, chart.Terminal{Rows: 8}); err != nil {
		t.Fatal(err)
	}
	var marks []string
	for row := range strings.Lines(b.String()) {
		mark, _, _ := strings.Cut(row, "|")
		marks = append(marks, strings.TrimSpace(mark))
	}
	// Between the middles of rows frequencies are even: 5 kHz is nearer to the row of 6400 Hz.
	if want := []string{"5", "", "2", "1", "0.5", "0.2", "0.1", "0.05"}; !slices.Equal(marks[:8], want) {
		t.Errorf("marks %q, want %q", marks[:8], want)
	}
	for want, s := range map[string]chart.Spectrogram{
		"7 Frequencies for 8 rows": {Frequencies: hz[1:]},
		"Frequencies[0] is 0":      {Frequencies: append([]float64{0}, hz[1:]...)},
		"Frequencies[2] is 100":    {Frequencies: append([]float64{50, 100, 100}, hz[3:]...)},
		"want no TwoSided":         {Frequencies: hz, TwoSided: true},
	} {
		if err := s.Save(t.Context(), filepath.Join(t.TempDir(), "a.png"), levels); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := (chart.Spectrogram{Frequencies: hz}).Print(t.Context(), &b, levels, chart.Terminal{LogFrequency: true}); err == nil {
		t.Error("octaves of rows that have frequencies")
	}
}

// Below 4 kHz marks are in Hz, and no powers of ten.
func TestPrintOctaveMarks(t *testing.T) {
	var b strings.Builder
	if err := (chart.Spectrogram{FS: 6000}).Print(t.Context(), &b, nd.Zeros(nd.Float32, 512, 10), chart.Terminal{LogFrequency: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "   2000 |") || strings.Contains(b.String(), "e+") {
		t.Error(b.String())
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
