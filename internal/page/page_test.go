package page

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// seen is a colour in OKLab, from sRGB, by the inverse of what colour.go does.
func seen(c color.RGBA) [3]float64 {
	light := func(b uint8) float64 {
		v := float64(b) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	r, g, b := light(c.R), light(c.G), light(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// TestHeatIsUniform measures the colours as a screen gets them.
func TestHeatIsUniform(t *testing.T) {
	const step = 15 // bytes round, which shows between neighbours
	total, count := 0.0, 0
	for i := step; i < len(heat); i += step {
		total += distance(seen(heat[i-step]), seen(heat[i]))
		count++
	}
	for i := step; i < len(heat); i += step {
		a, b := seen(heat[i-step]), seen(heat[i])
		if d := distance(a, b) / (total / float64(count)); math.Abs(d-1) > 0.06 {
			t.Errorf("colours %d and %d are %.2f of the usual distance apart", i-step, i, d)
		}
		if b[0] <= a[0] {
			t.Errorf("colour %d is no lighter than %d", i, i-step)
		}
	}
	for i := range 1000 {
		if r, g, b := linear(heatAt(float64(i) / 999)); min(r, g, b) < 0 || max(r, g, b) > 1 {
			t.Fatalf("no screen shows the colour at %v: %v %v %v", float64(i)/999, r, g, b)
		}
	}
	if first, last := seen(heat[0]), seen(heat[len(heat)-1]); first[0] > 0.15 || last[0] < 0.95 {
		t.Errorf("from lightness %v to %v", first[0], last[0])
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high, unit float64
		about           int
		want            string
	}{
		{0, 22050, 1000, 12, "0 2 4 6 8 10 12 14 16 18 20 22"},
		{0, 0.5, 1, 5, "0.0 0.1 0.2 0.3 0.4 0.5"},
		{-83, 3, 1, 6, "-80 -60 -40 -20 0"},
		{0, 1e-3, 1e-3, 4, "0.0 0.5 1.0"},
		{-1.05, 1.05, 1, 4, "-1 0 1"},
	} {
		var got []string
		for _, tick := range (ticks{c.about, c.unit}).Ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, s, c.want)
		}
	}
}

// analysed is the result of a file with the given samples.
func analysed(t *testing.T, rate float64, channels int, x []float32) *analyze.Result {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: channels, Rate: rate}, x); err != nil {
		t.Fatal(err)
	}
	f, err := audio.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := analyze.Recording(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPictures draws odd recordings too: one sample, silence, many channels. A
// tone is where it should be.
func TestPictures(t *testing.T) {
	tone := make([]float32, 40000)
	for i := range tone {
		tone[i] = float32(0.5 * math.Sin(2*math.Pi*2000/8000*float64(i)))
	}
	for label, r := range map[string]*analyze.Result{
		"tone": analysed(t, 8000, 1, tone), "one": analysed(t, 8000, 1, []float32{1}), "silence": analysed(t, 8000, 1, make([]float32, 3000)),
		"channels": analysed(t, 8000, 20, tone),
	} {
		pictures, err := Pictures(r)
		if err != nil || len(pictures) != 3 {
			t.Fatalf("%s: %d pictures, %v", label, len(pictures), err)
		}
		for _, p := range pictures {
			img, err := png.Decode(bytes.NewReader(p.PNG))
			if err != nil || img.Bounds().Dx() != 1600 {
				t.Errorf("%s: %s is %v, %v", label, p.Name, img.Bounds(), err)
			}
			if label == "tone" && p.Name == "spectrogram" {
				// In the middle of the time, the brightest pixel is in the
				// middle of the frequencies: they go from the upper edge to
				// the axis.
				brightest, at := 0.0, 0
				for y := range 500 {
					if v := seen(color.RGBAModel.Convert(img.At(700, y)).(color.RGBA))[0]; v > brightest && v < 0.985 {
						brightest, at = v, y
					}
				}
				if at < 220 || at > 300 {
					t.Errorf("the tone is at %d of %v", at, img.Bounds())
				}
			}
		}
		if keep := os.Getenv("TWIDDLE_PICTURES"); keep != "" {
			for _, p := range pictures {
				if err := os.WriteFile(filepath.Join(keep, label+"-"+p.Name+".png"), p.PNG, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

func TestPage(t *testing.T) {
	r := analysed(t, 8000, 2, make([]float32, 2000))
	r.Warning = "cut <short>"
	r.Peaks = []analyze.Peak{{Frequency: 440, Level: -6, Prominence: 40, Width: 3}}
	var b strings.Builder
	if err := WriteHTML(&b, "a & b", []Entry{
		{Name: "<good>.wav", Result: r, Pictures: []Picture{{"psd", "Power spectral density", []byte{1, 2, 3}}}},
		{Name: "bad.wav", Err: errors.New("not <a> file")},
	}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"a &amp; b", "&lt;good&gt;.wav", "cut &lt;short&gt;", "440.0 Hz", "data:image/png;base64,AQID", "not &lt;a&gt; file", "2 channels, 8000 Hz", "125 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, never := range []string{"<good>", "http://", "https://", "<script", "<link"} {
		if strings.Contains(text, never) {
			t.Errorf("%q in the page", never)
		}
	}
}

func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		Frequency(440.123, true): "440.1 Hz", Frequency(50.004, true): "50.00 Hz", Frequency(12345, true): "12.35 kHz", Frequency(0.125, false): "0.125",
		Duration(0.0123): "12.3 ms", Duration(12.34): "12.3 s", Duration(754): "12m34s", Duration(1e12): "3.17e+04 years",
		Decibels(0): "-inf dB", Decibels(0.5): "-6.0 dB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
