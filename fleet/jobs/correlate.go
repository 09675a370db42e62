package jobs

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/fleet"
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

// batchWindows is how many windows are multiplied at a time: enough that
// stacks go through memory once for all of them, few enough that their spectra
// are small beside the stacks.
const batchWindows = 8

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
	frames   int // of a window
	nfft     int
	maxLag   int
	smooth   int       // bins on either side
	pass     []float32 // which bins are used
	batch    []float32 // windows, channels, frames: those that wait
	present  [][]bool  // which channels each of them has
	stacks   []*nd.Array
	counts   [][]int // windows of each pair
	channels int
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
	k.pass = make([]float32, n/2+1)
	used := 0
	for i := 1; i < len(k.pass); i++ { // windows have no mean
		if f := float64(i) * width; f >= j.FMin && (j.FMax == 0 || f <= j.FMax) {
			k.pass[i] = 1
			used++
		}
	}
	if used == 0 {
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
	if k.counts == nil {
		k.start()
	}
	k.take(in)
	if len(k.present) == batchWindows || in.Last && len(k.present) > 0 {
		if err := k.stack(ctx, in.Stream); err != nil {
			return err
		}
	}
	if !in.Last {
		return nil
	}
	defer k.end()
	return k.finish(ctx, row)
}

func (k *correlator) start() {
	k.batch = make([]float32, 0, batchWindows*k.channels*k.frames)
	k.stacks = make([]*nd.Array, k.channels)
	k.counts = make([][]int, k.channels)
	for a := range k.counts {
		k.counts[a] = make([]int, k.channels)
	}
}

func (k *correlator) end() {
	for _, s := range k.stacks {
		if s != nil {
			s.Release()
		}
	}
	k.counts, k.stacks = nil, nil
}

// take adds the samples of a window to the batch, without their mean and
// calibrated; a channel that is not whole is zeros.
func (k *correlator) take(in *fleet.Window) {
	at := len(k.batch)
	k.batch = k.batch[:at+k.channels*k.frames]
	clear(k.batch[at:])
	present := make([]bool, k.channels)
	c, any := 0, false
	for _, samples := range in.Stations {
		channels := k.channelsOf(c)
		for _, s := range samples {
			// A frame more or less is where a recorder's clock rounds.
			if s.Frames < k.frames-1 || s.Offset > 1 {
				continue
			}
			n := min(s.Frames, k.frames)
			for i := range channels {
				line := s.Samples[i*s.Frames:][:n]
				mean := 0.0
				for _, v := range line {
					mean += float64(v)
				}
				mean /= float64(n)
				gain := k.series.Channels[c+i].Calibration.Factor()
				dst := k.batch[at+(c+i)*k.frames:][:n]
				for x, v := range line {
					dst[x] = float32((float64(v) - mean) * gain)
				}
				present[c+i], any = true, true
			}
			break
		}
		c += channels
	}
	if !any {
		k.batch = k.batch[:at]
		return
	}
	k.present = append(k.present, present)
}

// channelsOf is how many channels the station of a channel has.
func (k *correlator) channelsOf(c int) int {
	n := 1
	for c+n < k.channels && k.series.Channels[c+n].Index == n {
		n++
	}
	return n
}

// spectra are those of the batch, as its windows, channels and bins.
func (k *correlator) spectra(x *nd.Array) *nd.Array {
	z := x.RFFT(nd.FFT{N: k.nfft})
	pass := nd.From(k.pass, len(k.pass)).Beside(x)
	switch k.method {
	case "phat":
		z = z.Mul(unit(z.Abs()).Mul(pass).Cast(nd.Complex64))
	case "whiten":
		z = z.Mul(unit(k.running(z.Abs())).Mul(pass).Cast(nd.Complex64))
	default:
		z = z.Mul(pass.Cast(nd.Complex64))
	}
	return z
}

// unit is 1/a, and 0 where a is 0.
func unit(a *nd.Array) *nd.Array {
	one := nd.Ones(a.DType()).Beside(a)
	return nd.Where(a.EqualScalar(0), nd.Zeros(a.DType()).Beside(a), one.Div(a))
}

// running is the mean of amplitudes over neighbouring bins.
func (k *correlator) running(a *nd.Array) *nd.Array {
	n := 2*k.smooth + 1
	return a.PadAxis(-1, nd.Margin{Before: k.smooth, After: k.smooth}, nd.Pad{Mode: nd.PadEdge}).Frames(n, 1).Mean(-1)
}

// stack adds the cross-spectra of the batch.
func (k *correlator) stack(ctx context.Context, stream *nd.Stream) error {
	windows := len(k.present)
	for _, present := range k.present {
		for a := range present {
			for b := k.first(a); b < k.channels; b++ {
				if present[a] && present[b] {
					k.counts[a][b]++
				}
			}
		}
	}
	x := nd.From(k.batch, windows, k.channels, k.frames).On(stream)
	z := k.spectra(x)
	if err := nd.Eval(ctx, z); err != nil {
		return err
	}
	defer z.Release()
	conj := z.Conj()
	for a := range k.stacks {
		b := k.first(a)
		if b == k.channels {
			continue
		}
		// conj(A) B has the phase of a delay of B.
		cross := conj.SliceAxis(1, nd.Range{Start: a, Stop: a + 1}).Mul(z.SliceAxis(1, nd.Range{Start: b, Stop: k.channels})).Sum(0)
		if old := k.stacks[a]; old != nil {
			cross = cross.Add(old)
		}
		if err := nd.Eval(ctx, cross); err != nil {
			return err
		}
		if old := k.stacks[a]; old != nil {
			old.Release()
		}
		k.stacks[a] = cross
	}
	k.batch, k.present = k.batch[:0], k.present[:0]
	return nil
}

// finish writes the correlations of a period.
func (k *correlator) finish(ctx context.Context, row fleet.Row) error {
	lags := 2*k.maxLag + 1
	pair := 0
	for a := range k.channels {
		b := k.first(a)
		n := k.channels - b
		if n == 0 {
			continue
		}
		if k.stacks[a] == nil {
			pair += n
			continue
		}
		lines, err := nd.Slice[float32](ctx, k.stacks[a].IRFFT(nd.FFT{N: k.nfft}))
		if err != nil {
			return err
		}
		for i := range n {
			count := k.counts[a][b+i]
			row[1][pair] = float32(count)
			if count > 0 {
				line, dst := lines[i*k.nfft:(i+1)*k.nfft], row[0][pair*lags:(pair+1)*lags]
				for lag := -k.maxLag; lag <= k.maxLag; lag++ {
					dst[lag+k.maxLag] = line[(lag+k.nfft)%k.nfft] / float32(count)
				}
			}
			pair++
		}
	}
	return nil
}

// Graph implements fleet.Costed: what a batch of windows takes, all pairs.
func (j *Correlate) Graph(s *fleet.Series) ([]*nd.Array, error) {
	k, err := j.fit(s)
	if err != nil {
		return nil, err
	}
	z := k.spectra(nd.Zeros(nd.Float32, 1, k.channels, k.frames))
	return []*nd.Array{z.SliceAxis(1, nd.Range{Stop: 1}).Conj().Mul(z).Sum(0)}, nil
}
