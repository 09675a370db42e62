package page

import (
	"bytes"
	"encoding/json"
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

// light is how light a colour is, from 0 to 1.
func light(c color.Color) float64 {
	r, g, b, _ := c.RGBA()
	return float64(r+g+b) / (3 * 0xffff)
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
		for _, p := range pictures[:2] {
			if several := label == "channels"; strings.Contains(p.Title, "of all channels") != several {
				t.Errorf("%s: a picture is titled %q", label, p.Title)
			}
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
					if v := light(img.At(700, y)); v > brightest && v < 1 {
						brightest, at = v, y
					}
				}
				if at < 220 || at > 300 {
					t.Errorf("the tone is at %d of %v", at, img.Bounds())
				}
			}
		}
		if label == "silence" && pictures[1].Name == "spectrogram" {
			img, err := png.Decode(bytes.NewReader(pictures[1].PNG))
			if v := light(img.At(700, 250)); err != nil || v > 0.1 {
				t.Errorf("silence is drawn as %v, %v", v, err)
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
	live, err := NewLive(r)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := WriteHTML(&b, "a & b", []Entry{
		{Name: "<good>.wav", Result: r, Live: live, Sound: "data:audio/wav;base64,AAAA", Pictures: []Picture{{"psd", "Power spectral density", []byte{1, 2, 3}}}},
		{Name: "bad.wav", Err: errors.New("not <a> file")},
	}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for _, want := range []string{"a &amp; b", "&lt;good&gt;.wav", "cut &lt;short&gt;", "440.0 Hz", "data:image/png;base64,AQID", `<audio controls preload="metadata" src="data:audio/wav;base64,AAAA">`, `"label":"440.0 Hz"`, `data-kind="levels"`, "logarithmic frequency", "not &lt;a&gt; file", "2 channels, 8000 Hz", "125 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, never := range []string{"<good>", "http://", "https://", "<script src", "<link"} {
		if strings.Contains(text, never) {
			t.Errorf("%q in the page", never)
		}
	}
}

// The page's script walks lists: one that is null ends it before the axes are drawn.
func TestLiveListsAreLists(t *testing.T) {
	live, err := NewLive(analysed(t, 8000, 1, make([]float32, 2000)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(live)
	if err != nil || bytes.Contains(text, []byte("null")) {
		t.Errorf("a recording without peaks: %v, %s", err, text[:min(len(text), 400)])
	}
}

func TestTexts(t *testing.T) {
	for got, want := range map[string]string{
		Frequency(440.123, true): "440.1 Hz", Frequency(50.004, true): "50.00 Hz", Frequency(12345, true): "12.35 kHz", Frequency(0.125, false): "0.125", Frequency(-0.001, true): "0.00 Hz",
		Duration(0.99987): "1 s", Duration(59.97): "1m0s", Duration(0.0123): "12.3 ms", Duration(12.34): "12.3 s", Duration(754): "12m34s", Duration(1e12): "3.17e+04 years",
		Decibels(0): "-inf dB", Decibels(0.9999): "0.0 dB",
		Count(1, "frame"): "1 frame", Count(2, "frame"): "2 frames", Decibels(0.5): "-6.0 dB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
