package view

import (
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// A complex tone below 0 Hz is there and nowhere else, at its level: in tiles, live
// columns' rows and selections, for every choice of channel.
func TestToneOfIQ(t *testing.T) {
	const rate, hz = 48000.0, -9000.0
	x := noise(48000, 2)
	for i := range 48000 {
		sin, cos := math.Sincos(2 * math.Pi * hz / rate * float64(i))
		x[2*i], x[2*i+1] = 1e-3*x[2*i]+float32(0.5*cos), 1e-3*x[2*i+1]+float32(0.5*sin)
	}
	name := filepath.Join(t.TempDir(), "iq.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: 2, Rate: rate}, x); err != nil {
		t.Fatal(err)
	}
	source, err := Files(audio.Options{IQ: true}, name)
	if err != nil {
		t.Fatal(err)
	}
	base, _ := serve(t, source, Options{})
	p := connect(t, base)
	for _, channel := range []int{allChannels, 0, 1} {
		l := look{Channel: channel, Window: "hann", N: 1024, Hop: 256}
		tiles, heads := p.answers(pane{Key: "k", Item: name, Look: l, Scale: twoSided, Rows: []int{0}, Blocks: []wanted{{Level: 0}}, Waves: []wanted{{Level: 4}}})
		tile := tiles[wanted{}]
		if tile == nil {
			t.Fatalf("no tile: %+v", heads)
		}
		best := 0
		for r := range tileRows {
			v := tile[r*blockColumns+100]
			if louder(v, tile[best*blockColumns+100]) {
				best = r
			}
			low, high := twoSided.hz(float64(r)/tileRows, rate), twoSided.hz(float64(r+1)/tileRows, rate)
			if near := hz > low-6*rate/1024 && hz < high+6*rate/1024; !near && fromHalf(v) > -60 {
				t.Errorf("channel %d: %g dB at %g Hz", channel, fromHalf(v), low)
			}
		}
		low, high := twoSided.hz(float64(best)/tileRows, rate), twoSided.hz(float64(best+1)/tileRows, rate)
		if level := float64(fromHalf(tile[best*blockColumns+100])); hz < low-2*rate/1024 || hz > high+2*rate/1024 || math.Abs(level+6) > 0.5 {
			t.Errorf("channel %d: the loudest row is %g to %g Hz at %g dB", channel, low, high, level)
		}
	}
	var s selected
	q := url.Values{"item": {name}, "from": {"0"}, "to": {"48000"}, "channel": {"-1"}, "window": {"hann"}, "n": {"1024"}, "hop": {"256"}}
	fetch(t, base+"/api/selection?"+q.Encode(), &s)
	if len(s.Peaks) != 1 || math.Abs(s.Peaks[0].Frequency-hz) > 1 || math.Abs(s.Peaks[0].Level+6.02) > 0.1 || s.Hz[0] != -rate/2 || len(s.Channels) != 2 {
		t.Errorf("the selection has peaks %+v, bins from %g Hz, %d channels", s.Peaks, s.Hz[0], len(s.Channels))
	}
	// Scales of real samples are refused, and so is the one of complex samples for them.
	_, heads := p.answers(pane{Key: "k", Item: name, Look: look{Window: "hann", N: 1024, Hop: 256}, Scale: linear})
	if heads[0].Op != "error" || !strings.Contains(heads[0].Error, `complex samples have "iq"`) {
		t.Errorf("a linear scale: %+v", heads)
	}
	if err := twoSided.check(Info{}); err == nil {
		t.Error("two sides of real samples: no error")
	}
	code := (&part{item: "iq.npy", info: Info{Rate: 1e6, Channels: 2, IQ: true}, look: look{Channel: 1, Window: "hann", N: 512, Hop: 128}, to: 2000}).program()
	for _, w := range []string{`audio.Open("iq.npy", audio.Options{IQ: true})`, "x = nd.Complex(x.At(0), x.At(1)).ExpandDims(0)"} {
		if !strings.Contains(code, w) {
			t.Errorf("the program has no %s:\n%s", w, code)
		}
	}
}

// Rows of a tile take the bins that lie in them, also in groups and where a row is narrower
// than a bin.
func TestRowsOfIQ(t *testing.T) {
	l := look{N: 1024, Hop: 256, IQ: true}
	for _, group := range []int{1, 4} {
		bins := make([]uint16, l.bins()/group)
		const at = 300 // the bin of a tone
		for i := range bins {
			bins[i] = toHalf(-100)
		}
		bins[at/group] = toHalf(0)
		hz := float64(at-512) * 1000 / 1024
		for _, rowLevel := range []int{0, 3} {
			for j := range 1 << rowLevel {
				rows := make([]uint16, tileRows)
				l.rows(twoSided, 1000, rowLevel, j, group).fill(rows, 1, bins)
				for i, v := range rows {
					total := float64(int(tileRows) << rowLevel)
					middle := twoSided.hz((float64(j*tileRows+i)+0.5)/total, 1000)
					away := math.Abs(middle-hz) * 1024 / 1000 // in bins
					if loud := fromHalf(v) > -50; loud && away > 2.5*float64(group) || !loud && away < 0.3 {
						t.Errorf("groups of %d, level %d: %s", group, rowLevel, fmt.Sprint(middle, " Hz is ", fromHalf(v), " dB"))
					}
				}
			}
		}
	}
}
