package jobs_test

import (
	"context"
	"encoding/json"
	"math"
	"math/cmplx"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
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

func TestCorrelateIsDirectSums(t *testing.T) {
	const frames, count = 120, 10 // more than a batch
	windows := correlated(frames, count)
	for _, method := range []string{"plain", "phat", "whiten"} {
		options, _ := json.Marshal(map[string]any{"window": 12, "max_lag": 2, "method": method})
		job, err := fleet.NewJob("correlate", options)
		if err != nil {
			t.Fatal(err)
		}
		s := &fleet.Series{Rate: 10, Period: 2 * time.Minute, Channels: []fleet.Channel{{Station: "a"}, {Station: "b"}, {Station: "c"}}}
		l, compute, err := job.Prepare(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Lines) != 3 || l.Lines[1] != "a:0 c:0" || len(l.Variables[0].Axis.Values) != 41 || l.Window != 12*time.Second {
			t.Fatalf("layout %+v", l)
		}
		row := fleet.Row{make([]float32, 3*41), make([]float32, 3)}
		for i, w := range windows {
			in := &fleet.Window{Series: s, Last: i == count-1, Stream: nd.CPU().Stream()}
			for c := range w {
				one := fleet.Samples{{Frames: frames, Channels: 1, Samples: w[c]}}
				if in.Last && c == 2 {
					one[0].Frames, one[0].Samples = 60, w[c][:60]
				}
				in.Stations = append(in.Stations, one)
			}
			if err := compute(context.Background(), in, row); err != nil {
				t.Fatal(err)
			}
		}
		if row[1][0] != count || row[1][1] != count-1 {
			t.Errorf("%s: windows %v", method, row[1])
		}
		nfft := l.Attributes["nfft"].(int)
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
			continue
		}
		for pair, want := range [][]float64{direct(windows, 0, 1, nfft, 20, method), direct(windows[:count-1], 0, 2, nfft, 20, method)} {
			top := 0.0
			for _, v := range want {
				top = max(top, math.Abs(v))
			}
			for i, v := range want {
				if d := math.Abs(float64(row[0][pair*41+i]) - v); d > 1e-5*top {
					t.Fatalf("%s, pair %d, lag %d: %g, want %g", method, pair, i-20, row[0][pair*41+i], v)
				}
			}
		}
	}
}
