package measure_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
)

const (
	rate = 48000
	// slow is that of programmes of minutes: the filters are for any rate.
	slow = 8000
)

// part is seconds of a 1 kHz sine at levels in dB, one for each channel.
type part struct {
	seconds float64
	levels  []float64
}

// play is the samples of parts, one after another.
func play(fs float64, parts []part) []float32 {
	var x []float32
	at := 0
	for _, p := range parts {
		tops := make([]float64, len(p.levels))
		for c, l := range p.levels {
			tops[c] = math.Pow(10, l/20)
		}
		for range int(math.Round(p.seconds * fs)) {
			s := math.Sin(2 * math.Pi * 1000 / fs * float64(at))
			for _, top := range tops {
				x = append(x, float32(s*top))
			}
			at++
		}
	}
	return x
}

// programme has measured parts.
func programme(t *testing.T, fs float64, parts []part) *measure.Loudness {
	t.Helper()
	m, err := measure.NewLoudness(fs, len(parts[0].levels))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Add(play(fs, parts)); err != nil {
		t.Fatal(err)
	}
	return m
}

func stereo(list ...float64) []part {
	var parts []part
	for i := 0; i < len(list); i += 2 {
		parts = append(parts, part{list[i], []float64{list[i+1], list[i+1]}})
	}
	return parts
}

// The signals of EBU Tech 3341, table 1, that are given by formulas.
func TestEBU3341(t *testing.T) {
	for _, c := range []struct {
		name  string
		parts []part
		want  float64
	}{
		{"1", stereo(20, -23), -23},
		{"2", stereo(20, -33), -33},
		{"3", stereo(10, -36, 60, -23, 10, -36), -23},
		{"4", stereo(10, -72, 10, -36, 60, -23, 10, -36, 10, -72), -23},
		{"5", stereo(20, -26, 20.1, -20, 20, -26), -23},
		{"6", []part{{20, []float64{-28, -28, -24, -30, -30}}}, -23},
	} {
		fs := float64(slow)
		if len(c.parts) == 1 {
			fs = rate
		}
		m := programme(t, fs, c.parts)
		if got := m.Integrated(); math.Abs(got-c.want) > 0.1 {
			t.Errorf("case %s: %.2f LUFS, want %v", c.name, got, c.want)
		}
		if len(c.parts) == 1 && (math.Abs(m.Momentary()-c.want) > 0.1 || math.Abs(m.ShortTerm()-c.want) > 0.1) {
			t.Errorf("case %s: momentary %.2f, short-term %.2f, want %v", c.name, m.Momentary(), m.ShortTerm(), c.want)
		}
	}
}

// Case 9: levels that change within 3 s in the same way again and again have a short-term
// loudness that stays; and case 12 the same within 400 ms, of the momentary loudness.
func TestEBU3341Running(t *testing.T) {
	for _, c := range []struct {
		name   string
		period []part
		times  int
		after  float64 // seconds
		meter  func(*measure.Loudness) float64
	}{
		{"9", stereo(1.34, -20, 1.66, -30), 5, 3, (*measure.Loudness).ShortTerm},
		{"12", stereo(0.18, -20, 0.22, -30), 25, 1, (*measure.Loudness).Momentary},
	} {
		m, err := measure.NewLoudness(rate, 2)
		if err != nil {
			t.Fatal(err)
		}
		x := play(rate, slices.Repeat(c.period, c.times))
		for at := 0; at < len(x); at += 2 * rate / 10 {
			if err := m.Add(x[at:][:2*rate/10]); err != nil {
				t.Fatal(err)
			}
			if seconds := float64(at)/2/rate + 0.1; seconds > c.after && math.Abs(c.meter(m)+23) > 0.1 {
				t.Errorf("case %s: %.2f LUFS after %.1f s, want -23", c.name, c.meter(m), seconds)
			}
		}
	}
}

// The signals of EBU Tech 3342.
func TestEBU3342(t *testing.T) {
	for _, c := range []struct {
		parts []part
		want  float64
	}{
		{stereo(20, -20, 20, -30), 10},
		{stereo(20, -20, 20, -15), 5},
		{stereo(20, -40, 20, -20), 20},
		{stereo(20, -50, 20, -35, 20, -20, 20, -35, 20, -50), 15},
	} {
		if got := programme(t, slow, c.parts).Range(); math.Abs(got-c.want) > 1 {
			t.Errorf("%v: %.2f LU, want %v", c.parts, got, c.want)
		}
	}
}

// A top in the middle between two samples is found at its height: twice the rate is enough
// from 88.2 kHz on, four times below it.
func TestTruePeakBetweenSamples(t *testing.T) {
	for _, rate := range []float64{48000, 96000} {
		m, err := measure.NewLoudness(rate, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float32, int(rate))
		for i := range x {
			x[i] = float32(0.5 * math.Sin(math.Pi*(float64(i)/4+67.5/180)) * min(1, float64(i)/5000))
		}
		if err := m.Add(x); err != nil {
			t.Fatal(err)
		}
		if got, want := m.TruePeak(), 20*math.Log10(0.5); math.Abs(got-want) > 0.05 {
			t.Errorf("at %v Hz: %.3f dBTP, want %.3f", rate, got, want)
		}
	}
}

// Sines whose samples miss their tops: EBU Tech 3341, cases 15 to 18.
func TestTruePeak(t *testing.T) {
	for _, c := range []struct{ divide, phase float64 }{{4, 0}, {4, 45}, {6, 60}, {8, 67.5}} {
		m, err := measure.NewLoudness(rate, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float32, rate)
		for i := range x {
			x[i] = float32(0.5 * math.Sin(2*math.Pi*float64(i)/c.divide+c.phase*math.Pi/180) * min(1, float64(i)/5000))
		}
		if err := m.Add(x); err != nil {
			t.Fatal(err)
		}
		if got := m.TruePeak(); got > -6+0.2 || got < -6-0.4 {
			t.Errorf("fs/%v at %v degrees: %.2f dBTP, want -6", c.divide, c.phase, got)
		}
	}
}

func TestLoudnessGolden(t *testing.T) {
	want := load(t).LUFS
	left := noise(5 * rate)
	m, err := measure.NewLoudness(rate, 2)
	if err != nil {
		t.Fatal(err)
	}
	n := len(left)
	x := make([]float32, 2*n)
	for i, v := range left {
		x[2*i] = float32(0.1 * v)
		x[2*i+1] = float32(0.03*0.1*left[(i-77+n)%n] + 0.2*math.Sin(2*math.Pi*300/rate*float64(i)))
	}
	for len(x) > 0 { // in portions of any size
		k := min(len(x), 2*7919)
		if err := m.Add(x[:k]); err != nil {
			t.Fatal(err)
		}
		x = x[k:]
	}
	// pyloudnorm designs its filters another way.
	if got := m.Integrated(); math.Abs(got-want) > 0.05 {
		t.Errorf("%.3f LUFS, pyloudnorm %.3f", got, want)
	}
}

// TestLoudnessOfNothing: a zero Loudness knows neither the rate nor the channels.
func TestLoudnessOfNothing(t *testing.T) {
	var m measure.Loudness
	if err := m.Add([]float32{0}); err == nil || !strings.Contains(err.Error(), "NewLoudness") {
		t.Errorf("%v", err)
	}
}

func TestSilence(t *testing.T) {
	m, err := measure.NewLoudness(44100, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Add(make([]float32, 88200)); err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(m.Integrated(), -1) || m.Range() != 0 || !math.IsInf(m.TruePeak(), -1) {
		t.Errorf("%v LUFS, %v LU, %v dBTP", m.Integrated(), m.Range(), m.TruePeak())
	}
	if m.Add(make([]float32, 3)) == nil {
		t.Error("half a frame: no error")
	}
	for _, c := range []struct {
		rate     float64
		channels int
	}{{0, 1}, {math.NaN(), 1}, {48000, 0}, {48000, 1000}, {1e12, 1}} {
		if _, err := measure.NewLoudness(c.rate, c.channels); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}
