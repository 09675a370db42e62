package view

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// TestExportsAreSciPys compares exported spectra with those that
// testdata/make_goldens.py has from SciPy.
func TestExportsAreSciPys(t *testing.T) {
	for _, c := range []struct {
		what, golden, window string
		from, to             int
		iq                   bool
	}{
		{"spectrum.csv", "welch_hann", "hann", 300, 3500, false}, {"spectrum.csv", "welch_kaiser", "kaiser:8.6", 300, 3500, false},
		{"spectrogram.csv", "spectrogram_hann", "hann", 300, 3500, false}, {"spectrum.csv", "welch_short", "hann", 300, 400, false},
		{"spectrum.csv", "welch_iq", "hann", 300, 3500, true}, {"spectrogram.csv", "spectrogram_iq", "hann", 300, 3500, true},
	} {
		source, err := Files(audio.Options{IQ: c.iq}, "testdata/part.wav")
		if err != nil {
			t.Fatal(err)
		}
		base, _ := serve(t, source, Options{})
		a, err := npy.ReadFile("testdata/" + c.golden + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		want, err := npy.As[float64](a)
		if err != nil {
			t.Fatal(err)
		}
		q := url.Values{"item": {"testdata/part.wav"}, "from": {fmt.Sprint(c.from)}, "to": {fmt.Sprint(c.to)}, "channel": {"-1"}, "window": {c.window}, "n": {"256"}, "hop": {"64"}}
		r, err := http.Get(base + "/api/export/" + c.what + "?" + q.Encode())
		if err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(r.Body).ReadAll()
		r.Body.Close()
		if err != nil || len(lines)-1 != a.Shape[0] || len(lines[0]) != a.Shape[1] {
			t.Fatalf("%s: %d lines, %v; want %v", c.golden, len(lines), err, a.Shape)
		}
		most := 0.0
		for _, v := range want {
			most = max(most, math.Abs(v))
		}
		for i, line := range lines[1:] {
			for j, text := range line {
				v, err := strconv.ParseFloat(text, 64)
				if w := want[i*len(line)+j]; err != nil || math.Abs(v-w) > 1e-10*math.Abs(w)+1e-16*most {
					t.Fatalf("%s: line %d, column %d is %s, want %v", c.golden, i, j, text, w)
				}
			}
		}
	}
}

// TestExportsAreExact: samples that float32 cannot hold come back as they were.
func TestExportsAreExact(t *testing.T) {
	for _, e := range []pcm.Encoding{pcm.Int32, pcm.Float64, pcm.Int24} {
		name := filepath.Join(t.TempDir(), "digits.wav")
		w, err := wav.Create(name, pcm.Format{Encoding: e, Channels: 2, Rate: 8000})
		if err != nil {
			t.Fatal(err)
		}
		frames := make([]float64, 2*400)
		for i := range frames {
			// 24 bits for the one, 31 for the others.
			frames[i] = float64((i*7919+12345)%(1<<23)) / (1 << 23)
			if e != pcm.Int24 {
				frames[i] += float64(i%251+1) / (1 << 31)
			}
		}
		if err := errors.Join(w.Write64(frames), w.Close()); err != nil {
			t.Fatal(err)
		}
		source, err := Files(audio.Options{}, name)
		if err != nil {
			t.Fatal(err)
		}
		base, _ := serve(t, source, Options{})
		q := url.Values{"item": {name}, "from": {"100"}, "to": {"300"}, "channel": {"1"}, "window": {"hann"}, "n": {"64"}, "hop": {"16"}}
		r, err := http.Get(base + "/api/export/wav?" + q.Encode())
		if err != nil {
			t.Fatal(err)
		}
		out, err := wav.NewReader(r.Body)
		if err != nil {
			t.Fatalf("%v: %v", e, err)
		}
		got := make([]float64, 200)
		n, err := out.Read64(got)
		r.Body.Close()
		if h := out.Header(); h.Encoding != e || h.Channels != 1 || n != 200 {
			t.Fatalf("%v: %d frames of %v, %d channels, %v", e, n, h.Encoding, h.Channels, err)
		}
		for i, v := range got {
			if want := frames[2*(100+i)+1]; v != want {
				t.Fatalf("%v: frame %d is %v, want %v", e, i, v, want)
			}
		}
	}
}
