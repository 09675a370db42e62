package jobs_test

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/fleet"
	_ "github.com/twiddle-go/twiddle/fleet/jobs"
	"github.com/twiddle-go/twiddle/nd"
)

// samples is red noise by integers, the same as in testdata/make_goldens.py.
func samples(n int) []float32 {
	x, y := uint32(12345), int32(0)
	out := make([]float32, n)
	for i := range out {
		x = x*1664525 + 1013904223
		y += int32(x>>19) - 4096 - y>>3
		out[i] = float32(max(-32768, min(32767, y))) / 32768
	}
	return out
}

// golden reads an array of a file in testdata.
func golden(t *testing.T, file, name string) []float64 {
	archive, err := npz.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	a, err := archive.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := npy.As[float64](a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// rows computes a job over minutes of a station.
func rows(t *testing.T, name, options string, x []float32, rate float64, change func(*fleet.Series)) (*fleet.Layout, []fleet.Row) {
	t.Helper()
	job, err := fleet.NewJob(name, json.RawMessage(options))
	if err != nil {
		t.Fatal(err)
	}
	s := &fleet.Series{Name: "a", Rate: rate, Period: time.Minute, Unit: "FS", Channels: []fleet.Channel{{Station: "a"}}}
	if change != nil {
		change(s)
	}
	l, compute, err := job.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	var out []fleet.Row
	minute := int(60 * rate)
	for at := 0; at < len(x); at += minute {
		part := x[at:min(at+minute, len(x))]
		w := &fleet.Window{Series: s, Length: time.Minute, Last: true, Stream: nd.CPU().Stream(),
			Stations: []fleet.Samples{{{Frames: len(part), Channels: 1, Samples: part}}}}
		row := make(fleet.Row, len(l.Variables))
		for i, v := range l.Variables {
			n := 1
			if v.Axis != nil {
				n = len(v.Axis.Values)
			}
			row[i] = make([]float32, n)
		}
		if err := compute(context.Background(), w, row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return l, out
}

// worst is the greatest difference of two lines.
func worst(t *testing.T, got []float32, want []float64) float64 {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	most := 0.0
	for i, v := range got {
		if d := math.Abs(float64(v) - want[i]); !(d <= most) {
			most = d
		}
	}
	return most
}

// Hybrid millidecade bands are PyPAM's, to what float32 gives.
func TestHMDIsPyPAMs(t *testing.T) {
	for _, c := range []struct {
		file    string
		rate    float64
		minutes int
	}{{"hmd_48000.npz", 48000, 1}, {"hmd_4000.npz", 4000, 2}, {"hmd_500.npz", 500, 2}} {
		t.Run(c.file, func(t *testing.T) {
			l, got := rows(t, "hmd", "", samples(int(c.rate)*60*c.minutes), c.rate, nil)
			edges := l.Attributes["band_edges_hz"].([]float64)
			for name, ours := range map[string][]float64{"centres": l.Variables[0].Axis.Values, "limits": edges} {
				want := golden(t, c.file, name)
				if len(ours) != len(want) {
					t.Fatalf("%d %s, PyPAM has %d", len(ours), name, len(want))
				}
				for i := range want {
					if math.Abs(ours[i]-want[i]) > 1e-9*math.Abs(want[i]) {
						t.Fatalf("%s %d: %v, PyPAM has %v", name, i, ours[i], want[i])
					}
				}
			}
			want := golden(t, c.file, "levels")
			n := len(l.Variables[0].Axis.Values)
			for m := range got {
				if d := worst(t, got[m][0], want[m*n:(m+1)*n]); d > 2e-4 {
					t.Errorf("minute %d: %g dB from PyPAM", m, d)
				}
			}
		})
	}
}

func TestPSDIsSciPys(t *testing.T) {
	l, got := rows(t, "psd", `{"nfft": 512, "percentiles": [5, 50, 95]}`, samples(4000*60), 4000, nil)
	if len(l.Variables) != 4 || l.Variables[1].Name != "psd_p05" {
		t.Fatalf("variables %+v", l.Variables)
	}
	for i, name := range []string{"mean", "p05", "p50", "p95"} {
		if d := worst(t, got[0][i], golden(t, "psd_4000.npz", name)); d > 2e-3 {
			t.Errorf("%s: %g dB from SciPy", name, d)
		}
	}
}

// A sine of amplitude 1 is -3 dB, in its band as much as in all of it, and a
// calibration shifts both.
func TestLevelsOfASine(t *testing.T) {
	x := make([]float32, 4000*60)
	for i := range x {
		x[i] = float32(math.Sin(2 * math.Pi * 500 * float64(i) / 4000))
	}
	cal := fleet.Calibration{FullScale: 2.5, Gain: 20, Sensitivity: -180}
	shift := 20*math.Log10(2.5) - 20 + 180
	for name, change := range map[string]func(*fleet.Series){"": nil, "calibrated": func(s *fleet.Series) {
		s.Channels[0].Calibration, s.Calibrated, s.Unit = cal, true, "uPa"
	}} {
		l, got := rows(t, "levels", "", x, 4000, change)
		want := 10 * math.Log10(0.5)
		if change != nil {
			want += shift
		}
		band := -1
		for i, f := range l.Variables[2].Axis.Values {
			if math.Abs(f-501.19) < 0.1 {
				band = i
			}
		}
		if band < 0 {
			t.Fatalf("no band of 500 Hz: %v", l.Variables[2].Axis.Values)
		}
		if rms, inBand, peak := got[0][0][0], got[0][2][band], got[0][1][0]; math.Abs(float64(rms)-want) > 1e-3 ||
			math.Abs(float64(inBand)-want) > 1e-2 || math.Abs(float64(peak)-want-3.0103) > 1e-2 {
			t.Errorf("%s: rms %g, band %g, peak %g: want %g", name, rms, inBand, peak, want)
		}
	}
}

// A curve of sensitivity is interpolated in decibels.
func TestCurveOfSensitivity(t *testing.T) {
	x := samples(4000 * 60)
	_, plain := rows(t, "hmd", "", x, 4000, nil)
	l, got := rows(t, "hmd", "", x, 4000, func(s *fleet.Series) {
		s.Channels[0].Calibration = fleet.Calibration{Frequencies: []float64{0, 1000, 2000}, Curve: []float64{-160, -170, -190}}
	})
	for i, f := range l.Variables[0].Axis.Values {
		want := 160 + f/100
		if f > 1000 {
			want = 170 + (f-1000)/50
		}
		if d := float64(got[0][0][i]-plain[0][0][i]) - want; math.Abs(d) > 0.02 {
			t.Fatalf("%g Hz: %g dB away", f, d)
		}
	}
}

func TestMelOfWhiteNoiseIsFlat(t *testing.T) {
	x := make([]float32, 16000*60)
	state := uint32(1)
	for i := range x {
		state = state*1664525 + 1013904223
		x[i] = float32(state>>8)/(1<<24) - 0.5
	}
	_, got := rows(t, "mel", `{"bands": 40, "fmin": 100}`, x, 16000, nil)
	// The power of uniform numbers is 1/12, over 8000 Hz.
	want := 10 * math.Log10(1.0/12/8000)
	for i, v := range got[0][0] {
		if math.Abs(float64(v)-want) > 0.6 {
			t.Errorf("band %d: %g dB, want %g", i, v, want)
		}
	}
}

func TestPeaksFindsTones(t *testing.T) {
	x := samples(4000 * 60)
	for i := range x {
		x[i] = x[i]/8 + float32(0.2*math.Sin(2*math.Pi*300.25*float64(i)/4000)+0.1*math.Sin(2*math.Pi*1234.5*float64(i)/4000))
	}
	_, got := rows(t, "peaks", `{"count": 2, "prominence": 10}`, x, 4000, nil)
	if f := got[0][0]; math.Abs(float64(f[0])-300.25) > 0.1 || math.Abs(float64(f[1])-1234.5) > 0.1 {
		t.Errorf("peaks at %v", f)
	}
}

func TestBadOptions(t *testing.T) {
	for job, options := range map[string]string{"psd": `{"nfft": 1}`, "hmd": `{"overlap": 1}`, "levels": `{"window": "hanning"}`, "mel": `{"nfft": -4}`, "peaks": `{"detrend": "some"}`, "correlate": `{"method": "best"}`} {
		j, err := fleet.NewJob(job, json.RawMessage(options))
		if err != nil {
			t.Fatal(err)
		}
		s := &fleet.Series{Rate: 1000, Period: time.Minute, Channels: []fleet.Channel{{Station: "a"}, {Station: "b"}}}
		if _, _, err := j.Prepare(s); err == nil {
			t.Errorf("%s takes %s", job, options)
		}
	}
	if _, err := fleet.NewJob("psd", json.RawMessage(`{"nftt": 512}`)); err == nil {
		t.Error("an option that there is not is taken")
	}
	if _, err := fleet.NewJob("pds", nil); err == nil {
		t.Error("a job that there is not is taken")
	}
}
