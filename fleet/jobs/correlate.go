package jobs

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd"
)

// Correlate is the cross-correlations of all pairs of channels of all
// stations, by cross-spectra of windows that are stacked over each period, a
// day unless asked for otherwise. A positive lag says that the wave is later
// at the second channel of a pair.
type Correlate struct {
	// Window is the seconds of a window; 0 is 1800. A channel with a gap in a
	// window is left out of that window.
	Window float64 `json:"window,omitempty"`
	MaxLag float64 `json:"max_lag,omitempty"` // seconds; 0 is 120
	// Method is phat, which is what it is if empty: only phases count; whiten:
	// the amplitudes of each channel are divided by their running mean over
	// Smooth hertz; or plain.
	Method string  `json:"method,omitempty"`
	Smooth float64 `json:"smooth,omitempty"` // hertz; 0 is a fiftieth of the sampling frequency
	FMin   float64 `json:"fmin,omitempty"`   // lowest frequency to use
	FMax   float64 `json:"fmax,omitempty"`   // highest; 0 is half the sampling frequency
	Auto   bool    `json:"auto,omitempty"`   // pairs of a channel with itself, too
}

// Across implements fleet.Across.
func (j *Correlate) Across() bool { return true }

// PreferredPeriod implements fleet.Preferring.
func (j *Correlate) PreferredPeriod() time.Duration { return 24 * time.Hour }

// Prepare implements fleet.Job.
func (j *Correlate) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	k, err := j.fit(s)
	if err != nil {
		return nil, nil, err
	}
	lags := &fleet.Axis{Name: "lag", Unit: "s", Long: "how much later the wave is at the second channel"}
	for i := -k.maxLag; i <= k.maxLag; i++ {
		lags.Values = append(lags.Values, float64(i)/s.Rate)
	}
	l := &fleet.Layout{LinesName: "pair", Window: k.window, Variables: []fleet.Variable{
		{Name: "correlation", Unit: "1", Long: "stacked cross-correlation", Axis: lags},
		{Name: "windows", Unit: "1", Long: "how many windows were stacked"},
	}, Attributes: map[string]any{"method": k.method, "window_s": k.window.Seconds(), "nfft": k.nfft}}
	if k.method == "plain" {
		l.Variables[0].Unit = s.Unit + "^2"
	}
	name := func(c int) string { return fmt.Sprintf("%s:%d", s.Channels[c].Station, s.Channels[c].Index) }
	for a := range s.Channels {
		for b := k.first(a); b < len(s.Channels); b++ {
			l.Lines = append(l.Lines, name(a)+" "+name(b))
		}
	}
	if len(l.Lines) == 0 {
		return nil, nil, fmt.Errorf("%d channel: want two or more", len(s.Channels))
	}
	return l, k.compute, nil
}

// correlator is the job fitted to a series, and what it has stacked so far.
type correlator struct {
	series   *fleet.Series
	method   string
	auto     bool
	window   time.Duration
	windows  int // of a period
	frames   int // of a window
	nfft     int
	maxLag   int
	smooth   int // bins on either side
	low      int // first bin that is used
	high     int // the one after the last
	channels int
	counts   [][]int // windows of each pair
	stack    stacker
}

// stacker adds up the cross-spectra of windows.
type stacker interface {
	// add takes a window: the samples of each channel, nil for those that are
	// left out. It keeps none of them.
	add(ctx context.Context, lines [][]float32) error
	// inverse gives the sum of circular correlations of each pair, in any order
	// and from any goroutine. Samples of lag i are at i modulo nfft.
	inverse(ctx context.Context, each func(a, b int, line []float32)) error
	// reset forgets everything and makes room for the next period.
	reset()
}

func (j *Correlate) fit(s *fleet.Series) (*correlator, error) {
	k := &correlator{series: s, method: j.Method, auto: j.Auto, channels: len(s.Channels)}
	seconds, lag, smooth := j.Window, j.MaxLag, j.Smooth
	if seconds == 0 {
		seconds = min(1800, s.Period.Seconds())
	}
	if lag == 0 {
		lag = min(120, seconds/2)
	}
	if smooth == 0 {
		smooth = s.Rate / 50
	}
	if k.method == "" {
		k.method = "phat"
	}
	if k.method != "phat" && k.method != "whiten" && k.method != "plain" {
		return nil, fmt.Errorf("method %q: want phat, whiten or plain", k.method)
	}
	k.window = time.Duration(seconds * 1e9)
	k.frames = int(math.Round(seconds * s.Rate))
	k.maxLag = int(math.Round(lag * s.Rate))
	if k.frames < 2 || k.maxLag < 0 || k.maxLag >= k.frames {
		return nil, fmt.Errorf("lags to %g s in windows of %g s at %g Hz", lag, seconds, s.Rate)
	}
	// Zeros behind a window keep the lags that are wanted from wrapping.
	n, err := fft.NextFastRealLen(k.frames + k.maxLag)
	if err != nil {
		return nil, err
	}
	k.nfft = n
	width := s.Rate / float64(n)
	k.smooth = max(1, int(smooth/width/2))
	k.windows = max(1, int(s.Period/k.window))
	for i := 1; i <= n/2; i++ { // windows have no mean
		if f := float64(i) * width; f >= j.FMin && (j.FMax == 0 || f <= j.FMax) {
			if k.high == 0 {
				k.low = i
			}
			k.high = i + 1
		}
	}
	if k.high == 0 {
		return nil, fmt.Errorf("no bin is between %g and %g Hz", j.FMin, j.FMax)
	}
	return k, nil
}

// first is the first channel that is paired with channel a.
func (k *correlator) first(a int) int {
	if k.auto {
		return a
	}
	return a + 1
}

// compute takes a window, and writes the row with the last one of a period.
func (k *correlator) compute(ctx context.Context, in *fleet.Window, row fleet.Row) error {
	if k.stack == nil {
		var err error
		if k.stack, err = k.stackerOf(in.Stream); err != nil {
			return err
		}
	}
	if k.counts == nil {
		k.counts = make([][]int, k.channels)
		for a := range k.counts {
			k.counts[a] = make([]int, k.channels)
		}
	}
	lines, any := k.take(in)
	if any {
		k.count(lines)
		if err := k.stack.add(ctx, lines); err != nil {
			return err
		}
	}
	if !in.Last {
		return nil
	}
	defer func() {
		k.stack.reset()
		k.counts = nil
	}()
	return k.finish(ctx, row)
}

// stackerOf is how cross-spectra are stacked where a stream computes.
func (k *correlator) stackerOf(stream *nd.Stream) (stacker, error) {
	if stream.Device() == nd.CPU() && !engineOnly {
		return newHostStack(k)
	}
	return &engineStack{correlator: k, stream: stream}, nil
}

// engineOnly lets tests compute on the CPU as other devices do.
var engineOnly = false

// take finds the samples of each channel in a window; those of a channel that
// is not whole are nil.
func (k *correlator) take(in *fleet.Window) (lines [][]float32, any bool) {
	lines = make([][]float32, k.channels)
	c := 0
	for _, samples := range in.Stations {
		channels := k.channelsOf(c)
		for _, s := range samples {
			// A frame more or less is where a recorder's clock rounds.
			if s.Frames < k.frames-1 || s.Offset > 1 {
				continue
			}
			n := min(s.Frames, k.frames)
			for i := range channels {
				lines[c+i], any = s.Samples[i*s.Frames:][:n], true
			}
			break
		}
		c += channels
	}
	return lines, any
}

// count notes which pairs a window has.
func (k *correlator) count(lines [][]float32) {
	for a := range lines {
		for b := k.first(a); b < k.channels; b++ {
			if lines[a] != nil && lines[b] != nil {
				k.counts[a][b]++
			}
		}
	}
}

// center writes the samples of a channel without their mean and calibrated,
// and zeros up to the end of dst.
func (k *correlator) center(dst []float32, channel int, line []float32) {
	const block = 1 << 12 // float32 is precise enough for the sum of so many
	kernels := &vec.For(simd.Active()).F32
	mean := func(x []float32) float32 {
		sum := 0.0
		for at := 0; at < len(x); at += block {
			sum += float64(kernels.Sum(x[at:min(at+block, len(x))]))
		}
		return float32(sum / float64(len(x)))
	}
	centered, offset := dst[:len(line)], mean(line)
	kernels.Sub.VS(centered, line, offset, false)
	// The mean may be large beside the signal, and then its rounding is not small.
	some := centered[:min(block, len(centered))]
	if largest := max(kernels.Largest(some), -kernels.Least(some)); !(largest > float32(math.Abs(float64(offset)))/64) {
		kernels.Sub.VS(centered, centered, mean(centered), false)
	}
	if gain := float32(k.series.Channels[channel].Calibration.Factor()); gain != 1 {
		kernels.Mul.VS(centered, centered, gain, false)
	}
	clear(dst[len(line):])
}

// channelsOf is how many channels the station of a channel has.
func (k *correlator) channelsOf(c int) int {
	n := 1
	for c+n < k.channels && k.series.Channels[c+n].Index == n {
		n++
	}
	return n
}

// finish writes the correlations of a period.
func (k *correlator) finish(ctx context.Context, row fleet.Row) error {
	lags := 2*k.maxLag + 1
	for a := range k.channels {
		for b := k.first(a); b < k.channels; b++ {
			row[1][k.pair(a, b)] = float32(k.counts[a][b])
		}
	}
	return k.stack.inverse(ctx, func(a, b int, line []float32) {
		count := float32(k.counts[a][b])
		if count == 0 {
			return
		}
		dst := row[0][k.pair(a, b)*lags:][:lags]
		divide := vec.For(simd.Active()).F32.Div.VS
		divide(dst[:k.maxLag], line[k.nfft-k.maxLag:], count, false)
		divide(dst[k.maxLag:], line[:k.maxLag+1], count, false)
	})
}

// pair is the place of a pair among all of them.
func (k *correlator) pair(a, b int) int {
	// Before row a there are rows of channels, or one less, minus 0 to a-1.
	before := a * (k.channels - k.first(0))
	return before - a*(a-1)/2 + b - k.first(a)
}

// pairs is how many there are.
func (k *correlator) pairs() int {
	return k.channels * (k.channels + 1 - 2*k.first(0)) / 2
}

// Graph implements fleet.Costed: what a window takes, all pairs.
func (j *Correlate) Graph(s *fleet.Series) ([]*nd.Array, error) {
	k, err := j.fit(s)
	if err != nil {
		return nil, err
	}
	z := (&engineStack{correlator: k}).spectra(nd.Zeros(nd.Float32, 1, k.channels, k.frames))
	return []*nd.Array{z.SliceAxis(1, nd.Range{Stop: 1}).Conj().Mul(z).Sum(0)}, nil
}
