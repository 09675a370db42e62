package jobs_test

import (
	"context"
	"encoding/json"
	"math"
	"math/cmplx"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/jobs"
	"github.com/twiddle-go/twiddle/nd"
)

// correlated is windows of three channels: noise, the same 7 samples later, and
// other noise; the last window of the third has a gap.
func correlated(frames, windows int) [][][]float32 {
	x := samples(frames*windows + 100)
	y := samples(3*frames*windows + 100)[2*frames*windows:]
	out := make([][][]float32, windows)
	for w := range out {
		a, b, c := make([]float32, frames), make([]float32, frames), make([]float32, frames)
		for i := range a {
			at := w*frames + i + 50
			a[i], b[i], c[i] = x[at], x[at-7], y[at]
		}
		out[w] = [][]float32{a, b, c}
	}
	return out
}

// direct is the stacked correlation of two channels, by sums.
func direct(windows [][][]float32, a, b, nfft, maxLag int, method string) []float64 {
	out := make([]float64, 2*maxLag+1)
	transform := func(x []float32) []complex128 {
		mean := 0.0
		for _, v := range x {
			mean += float64(v) / float64(len(x))
		}
		z := make([]complex128, nfft)
		for k := range z {
			for i, v := range x {
				z[k] += complex(float64(v)-mean, 0) * cmplx.Rect(1, -2*math.Pi*float64(i*k%nfft)/float64(nfft))
			}
		}
		return z
	}
	for _, w := range windows {
		x, y := transform(w[a]), transform(w[b])
		for lag := -maxLag; lag <= maxLag; lag++ {
			for k := 1; k < nfft; k++ { // windows have no mean
				c := cmplx.Conj(x[k]) * y[k]
				if method == "phat" {
					if c = c / complex(cmplx.Abs(c), 0); cmplx.IsNaN(c) {
						c = 0
					}
				}
				out[lag+maxLag] += real(c*cmplx.Rect(1, 2*math.Pi*float64((lag+nfft)*k%nfft)/float64(nfft))) / float64(nfft*len(windows))
			}
		}
	}
	return out
}

// correlate computes a row of the windows.
func correlate(t *testing.T, options map[string]any, windows [][][]float32) (*fleet.Layout, fleet.Row) {
	t.Helper()
	text, err := json.Marshal(options)
	if err != nil {
		t.Fatal(err)
	}
	job, err := fleet.NewJob("correlate", text)
	if err != nil {
		t.Fatal(err)
	}
	s := &fleet.Series{Rate: 10, Period: 2 * time.Minute}
	for c := range windows[0] {
		s.Channels = append(s.Channels, fleet.Channel{Station: string(rune('a' + c))})
	}
	l, compute, err := job.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	lags := len(l.Variables[0].Axis.Values)
	row := fleet.Row{make([]float32, len(l.Lines)*lags), make([]float32, len(l.Lines))}
	for i, w := range windows {
		in := &fleet.Window{Series: s, Last: i == len(windows)-1, Stream: nd.CPU().Stream()}
		for _, x := range w {
			in.Stations = append(in.Stations, fleet.Samples{{Frames: len(x), Channels: 1, Samples: x}})
		}
		if err := compute(context.Background(), in, row); err != nil {
			t.Fatal(err)
		}
	}
	return l, row
}

// near compares correlations, by the largest of them.
func near(t *testing.T, what string, got []float32, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	top := 0.0
	for _, v := range want {
		top = max(top, math.Abs(v))
	}
	for i, v := range want {
		if d := math.Abs(float64(got[i]) - v); !(d <= 1e-5*top) {
			t.Fatalf("%s, number %d: %g, want %g", what, i, got[i], v)
		}
	}
}

// ways are how correlations are computed: on the CPU, and on other devices.
func ways(t *testing.T, f func(t *testing.T)) {
	t.Run("host", f)
	t.Run("engine", func(t *testing.T) {
		defer jobs.OnEngine()()
		f(t)
	})
}

func TestCorrelateIsDirectSums(t *testing.T) {
	const frames, count = 120, 10 // more than a batch
	windows := correlated(frames, count)
	windows[count-1][2] = windows[count-1][2][:60] // a gap
	ways(t, func(t *testing.T) {
		for _, method := range []string{"plain", "phat", "whiten"} {
			l, row := correlate(t, map[string]any{"window": 12, "max_lag": 2, "method": method}, windows)
			if len(l.Lines) != 3 || l.Lines[1] != "a:0 c:0" || len(l.Variables[0].Axis.Values) != 41 || l.Window != 12*time.Second {
				t.Fatalf("layout %+v", l)
			}
			if row[1][0] != count || row[1][1] != count-1 {
				t.Errorf("%s: windows %v", method, row[1])
			}
			best := 0
			for i, v := range row[0][:41] {
				if v > row[0][best] {
					best = i
				}
			}
			if best-20 != 7 {
				t.Errorf("%s: b is %d samples later than a, want 7", method, best-20)
			}
			if method == "whiten" {
				continue // TestCorrelateIsNumPys
			}
			nfft := l.Attributes["nfft"].(int)
			near(t, method+" a b", row[0][:41], direct(windows, 0, 1, nfft, 20, method))
			near(t, method+" a c", row[0][41:82], direct(windows[:count-1], 0, 2, nfft, 20, method))
		}
	})
}

func TestCorrelateIsNumPys(t *testing.T) {
	windows := correlated(120, 10)
	ways(t, func(t *testing.T) {
		for _, method := range []string{"plain", "phat", "whiten"} {
			l, row := correlate(t, map[string]any{"window": 12, "max_lag": 2, "method": method, "smooth": 0.5}, windows)
			if n := golden(t, "correlate_10.npz", "nfft")[0]; float64(l.Attributes["nfft"].(int)) != n {
				t.Fatalf("transforms of %v, want %v", l.Attributes["nfft"], n)
			}
			near(t, method, row[0], golden(t, "correlate_10.npz", method))
		}
	})
}

// A band, pairs of a channel with itself, and more channels than a tile of a
// product has: as the engine has them.
func TestCorrelateOfManyChannels(t *testing.T) {
	const frames, count, channels = 120, 10, 37
	x := samples(channels*frames*count + 100)
	windows := make([][][]float32, count)
	for w := range windows {
		for c := range channels {
			windows[w] = append(windows[w], x[(w*channels+c)*frames:][:frames])
		}
	}
	windows[3][20] = make([]float32, frames) // silence
	options := map[string]any{"window": 12, "max_lag": 2, "fmin": 1, "fmax": 3, "auto": true}
	l, row := correlate(t, options, windows)
	if want := channels * (channels + 1) / 2; len(l.Lines) != want {
		t.Fatalf("%d pairs, want %d", len(l.Lines), want)
	}
	undo := jobs.OnEngine()
	_, want := correlate(t, options, windows)
	undo()
	numbers := make([]float64, len(want[0]))
	for i, v := range want[0] {
		numbers[i] = float64(v)
	}
	near(t, "correlations", row[0], numbers)
	defer jobs.WithSpectra(3 * 37 * 8 * 30)() // a few windows
	_, row = correlate(t, options, windows)
	near(t, "in several passes", row[0], numbers)
	for i, v := range want[1] {
		if row[1][i] != v {
			t.Fatalf("pair %d: %g windows, want %g", i, row[1][i], v)
		}
	}
}
