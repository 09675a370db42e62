package view

import (
	"encoding/csv"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
)

// TestExportsAreSciPys compares exported spectra with those that
// testdata/make_goldens.py has from SciPy.
func TestExportsAreSciPys(t *testing.T) {
	source, err := Files(audio.Options{}, "testdata/part.wav")
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, source, Options{})
	for _, c := range []struct {
		what, golden, window string
		from, to             int
	}{
		{"spectrum.csv", "welch_hann", "hann", 300, 3500}, {"spectrum.csv", "welch_kaiser", "kaiser:8.6", 300, 3500},
		{"spectrogram.csv", "spectrogram_hann", "hann", 300, 3500}, {"spectrum.csv", "welch_short", "hann", 300, 400},
	} {
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
