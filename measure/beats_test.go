package measure_test

import (
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

type beatGolden struct {
	FS, BPM                    float64
	N, Hop                     int
	Tempo                      float64
	Beats, Every, Onsets, Back []float64
	Trim                       [2]int
	Split                      [][2]int
}

// drums is that of testdata/make_beat_goldens.py.
func drums(n int, fs, bpm float64) *nd.Array {
	x := noise(n)
	for i := range x {
		x[i] *= 1e-4
	}
	burst := noise(int(fs) / 10)
	for k := 0; ; k++ {
		at := int(fs * (0.7 + float64(k)*60/bpm))
		if at+len(burst) > n-int(fs) {
			return nd.From(x)
		}
		for i, v := range burst {
			t := float64(i)
			x[at+i] += (1 - 0.6*float64(k%2)) * math.Exp(-t/300) * (v + 0.5*math.Sin(2*math.Pi*float64(300+40*k)*t/fs))
		}
	}
}

// Onsets, tempo and beats are librosa's.
func TestBeats(t *testing.T) {
	for name, g := range read[map[string]beatGolden](t, "beat_goldens.json") {
		x := drums(g.N, g.FS, g.BPM)
		same := func(what string, got, want []float64, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			if len(want) < 5 || len(got) != len(want) {
				t.Fatalf("%s: %s at %v, want %v", name, what, got, want)
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-9 {
					t.Errorf("%s: %s %d at %g s, want %g", name, what, i, got[i], want[i])
				}
			}
		}
		r, err := measure.Beats{FS: g.FS, Hop: g.Hop}.Apply(t.Context(), x)
		same("beats", r.Times, g.Beats, err)
		if math.Abs(r.Tempo-g.Tempo) > 1e-9 {
			t.Errorf("%s: tempo %g, want %g", name, r.Tempo, g.Tempo)
		}
		r, err = measure.Beats{FS: g.FS, Hop: g.Hop, Tempo: 2 * g.BPM, All: true}.Apply(t.Context(), x)
		same("beats of twice the tempo", r.Times, g.Every, err)
		times, err := measure.Onsets{FS: g.FS, Hop: g.Hop}.Apply(t.Context(), x)
		same("onsets", times, g.Onsets, err)
		times, err = measure.Onsets{FS: g.FS, Hop: g.Hop, Backtrack: true}.Apply(t.Context(), x)
		same("onsets moved back", times, g.Back, err)
	}
}

// What is between silences is librosa's, of one channel and of two.
func TestBetweenSilences(t *testing.T) {
	for name, g := range read[map[string]beatGolden](t, "beat_goldens.json") {
		x := drums(g.N, g.FS, g.BPM)
		parts, err := measure.Silence{TopDB: 20, Frame: 1024, Hop: g.Hop}.Split(t.Context(), x)
		if err != nil || len(g.Split) < 3 || !slices.Equal(parts, g.Split) {
			t.Errorf("%s: %v, want %v: %v", name, parts, g.Split, err)
		}
		two := nd.Stack(0, x.Roll(-int(g.FS)/2, 0), x.MulScalar(0.5))
		y, start, end, err := measure.Silence{TopDB: 40}.Trim(t.Context(), two)
		if err != nil || [2]int{start, end} != g.Trim || y.Dim(0) != 2 || y.Dim(1) != end-start {
			t.Errorf("%s: samples %d to %d, want %v: %v", name, start, end, g.Trim, err)
		}
	}
	if _, start, end, err := (measure.Silence{}).Trim(t.Context(), nd.Zeros(nd.Float32, 5000)); err != nil || start != 0 || end != 5000 {
		t.Errorf("of zeros are left %d to %d, %v", start, end, err)
	}
	for want, s := range map[string]measure.Silence{
		"measure: silence: TopDB -1: want a positive number":      {TopDB: -1},
		"measure: silence: Frame 2048 and Hop -2: want 1 or more": {Hop: -2},
	} {
		if _, err := s.Split(t.Context(), nd.Ones(nd.Float64, 9)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := (measure.Silence{}).Split(t.Context(), nd.From([]float64{1, math.NaN()})); err == nil {
		t.Error("no error of NaN")
	}
}

// Silence, single samples and constants have no beats, and mistakes are errors.
func TestNoBeats(t *testing.T) {
	for name, x := range map[string]*nd.Array{"silence": nd.Zeros(nd.Float32, 22050), "a sample": nd.Ones(nd.Float64, 1), "a constant": nd.Ones(nd.Float64, 30000)} {
		r, err := measure.Beats{FS: 22050}.Apply(t.Context(), x)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err = (measure.Onsets{FS: 22050}).Apply(t.Context(), x); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if name == "silence" && (r.Tempo != 0 || len(r.Times) > 0) {
			t.Errorf("%s: %v", name, r)
		}
	}
	x := drums(44100, 22050, 120)
	for want, b := range map[string]measure.Beats{
		"measure: beats: FS 0: want a positive number":                                                                 {},
		"measure: beats: Hop -1: want 1 or more":                                                                       {FS: 22050, Hop: -1},
		"measure: beats: Around -3: want a positive number":                                                            {FS: 22050, Around: -3},
		"measure: beats: Tempo 1e+06: want a beat of 1 to 16777216 frames, of which there are 43.06640625 in a second": {FS: 22050, Tempo: 1e6},
	} {
		if _, err := b.Apply(t.Context(), x); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	const stereo = "measure: onsets: x of shape [2 4096]: want one line; x.Mean(0) is that of all channels"
	if _, err := (measure.Onsets{FS: 22050}).Apply(t.Context(), nd.Zeros(nd.Float32, 2, 4096)); err == nil || err.Error() != stereo {
		t.Error(err)
	}
}
