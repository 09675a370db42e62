package measure

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// YIN is the options of pitch detection for one voice or instrument by the method of de
// Cheveigné and Kawahara, as librosa.yin.
type YIN struct {
	FS         float64
	FMin, FMax float64 // where the pitch is; 0 is 65 and 2093 Hz, C2 to C7
	Frame      int     // samples in a frame; 0 is 2048
	Hop        int     // between frames; 0 is a quarter of Frame
	Threshold  float64 // of the normalized difference that is a period; 0 is 0.1
}

// Pitch is the course of a pitch. Frame i is around sample i*Hop.
type Pitch struct {
	Frequency *nd.Array // (..., frames), float64
	// Aperiodicity is the normalized difference at the period that was chosen: near 0
	// of a clear tone, near 1 of noise, for which Frequency means nothing.
	Aperiodicity *nd.Array
}

func (y *YIN) fill(op string) error {
	for _, d := range []struct {
		v     *float64
		usual float64
	}{{&y.FMin, 65}, {&y.FMax, 2093}, {&y.Threshold, 0.1}} {
		if *d.v == 0 {
			*d.v = d.usual
		}
	}
	if y.Frame == 0 {
		y.Frame = 2048
	}
	if y.Hop == 0 {
		y.Hop = max(1, y.Frame/4)
	}
	switch {
	case !(y.FS > 0) || math.IsInf(y.FS, 0):
		return fmt.Errorf("measure: %s: FS %g: want a positive number", op, y.FS)
	case !(y.FMin > 0 && y.FMin < y.FMax && y.FMax <= y.FS/2):
		return fmt.Errorf("measure: %s: FMin %g and FMax %g: want 0 < FMin < FMax <= %g", op, y.FMin, y.FMax, y.FS/2)
	case y.Frame < 4 || y.Frame > 1<<24 || y.Hop < 1:
		return fmt.Errorf("measure: %s: Frame %d and Hop %d: want 4 to %d, and 1 or more", op, y.Frame, y.Hop, 1<<24)
	case y.FS/y.FMin > float64(y.Frame-1):
		return fmt.Errorf("measure: %s: Frame %d holds no period of FMin %g", op, y.Frame, y.FMin)
	case !(y.Threshold > 0):
		return fmt.Errorf("measure: %s: Threshold %g: want a positive number", op, y.Threshold)
	}
	return nil
}

// Apply follows the pitch of every line of x along its last axis. Frames reach over the
// ends of a line, where there is silence.
func (y YIN) Apply(ctx context.Context, x *nd.Array) (Pitch, error) {
	if err := y.fill("yin"); err != nil {
		return Pitch{}, err
	}
	if err := check("yin", x); err != nil {
		return Pitch{}, err
	}
	lines, frames := x.Len()/x.Dim(-1), x.Dim(-1)/y.Hop+1
	f0, rest := make([]float64, lines*frames), make([]float64, lines*frames)
	err := y.eachFrame(ctx, x, func(p *periods, i int) {
		period, d := p.choose()
		f0[i], rest[i] = y.FS/period, d
		if d != d { // a sample of the frame is no number: neither is the pitch
			f0[i] = d
		}
	})
	if err != nil {
		return Pitch{}, err
	}
	shape := append(slices.Clone(x.Shape()[:x.NDim()-1]), frames)
	return Pitch{Frequency: nd.From(f0, shape...), Aperiodicity: nd.From(rest, shape...)}, nil
}

// eachFrame calls use with the differences of every frame of every line, of many frames
// at the same time.
func (y YIN) eachFrame(ctx context.Context, x *nd.Array, use func(p *periods, frame int)) error {
	samples, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return err
	}
	n := x.Dim(-1)
	frames := n/y.Hop + 1
	total := len(samples) / n * frames
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), total) {
		all.Go(func() {
			p, err := newPeriods(y)
			if err != nil {
				failed.Store(&err)
				return
			}
			for {
				i := int(next.Add(1)) - 1
				if i >= total || ctx.Err() != nil {
					return
				}
				p.load(samples[i/frames*n:][:n], i%frames*y.Hop-y.Frame/2)
				if err := p.differences(); err != nil {
					failed.Store(&err)
					return
				}
				use(p, i)
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

// periods finds the period of one frame at a time.
type periods struct {
	y           YIN
	least, most int // periods in samples
	plan        *fft.RealPlan[float64, complex128]
	frame       []float64 // with zeros behind it
	bins        []complex128
	products    []float64 // sums of products of samples so far apart
	d           []float64 // normalized difference
}

func newPeriods(y YIN) (*periods, error) {
	p := &periods{y: y, least: int(y.FS / y.FMax), most: min(int(math.Ceil(y.FS/y.FMin)), y.Frame-1)}
	size, err := fft.NextFastRealLen(y.Frame + p.most + 1)
	if err != nil {
		return nil, err
	}
	if p.plan, err = fft.NewRealPlan[float64, complex128](size); err != nil {
		return nil, err
	}
	p.frame, p.products, p.bins, p.d = make([]float64, size), make([]float64, size), make([]complex128, p.plan.Bins()), make([]float64, p.most+1)
	return p, nil
}

// load takes a frame that starts at a sample, before and behind which there may be none.
func (p *periods) load(line []float64, from int) {
	clear(p.frame)
	first, end := max(from, 0), min(from+p.y.Frame, len(line))
	if first < end {
		copy(p.frame[first-from:], line[first:end])
	}
}

// differences computes the normalized difference at every period.
func (p *periods) differences() error {
	if err := p.plan.Forward(p.bins, p.frame); err != nil {
		return err
	}
	for i, z := range p.bins {
		p.bins[i] = complex(real(z)*real(z)+imag(z)*imag(z), 0)
	}
	if err := p.plan.Inverse(p.products, p.bins); err != nil {
		return err
	}
	// The difference at a period is the energy of what overlaps, less twice the
	// products. Its mean over shorter periods makes 1 of what has none.
	gone, mean := 0.0, 0.0
	for k := 1; k <= p.most; k++ {
		gone += p.frame[k-1] * p.frame[k-1]
		diff := 2*(p.products[0]-p.products[k]) - gone
		mean += (diff - mean) / float64(k)
		p.d[k] = diff / (mean + math.SmallestNonzeroFloat64)
	}
	return nil
}

// allowed is the differences from the shortest period on, and which that is.
func (p *periods) allowed() ([]float64, int) {
	from := max(p.least, 1)
	return p.d[from : p.most+1], from
}

// isTrough reports a local minimum; of a flat one, where it begins.
func isTrough(d []float64, i int) bool {
	if i == 0 {
		return len(d) > 1 && d[0] < d[1]
	}
	return d[i] < d[i-1] && (i+1 == len(d) || d[i] <= d[i+1])
}

// shift is how far the minimum of a parabola through a trough and its neighbours is from
// the trough.
func shift(d []float64, at int) float64 {
	if at == 0 || at == len(d)-1 {
		return 0
	}
	a, b := d[at+1]+d[at-1]-2*d[at], (d[at+1]-d[at-1])/2
	if math.Abs(b) < math.Abs(a) {
		return -b / a
	}
	return 0
}

// choose takes the first trough below the threshold, or the lowest difference of all. It
// gives the period in samples and its difference.
func (p *periods) choose() (period, value float64) {
	d, from := p.allowed()
	at, lowest := -1, 0
	for i, v := range d {
		if v < p.y.Threshold && isTrough(d, i) {
			at = i
			break
		}
		if v < d[lowest] {
			lowest = i
		}
	}
	if at < 0 {
		at = lowest
	}
	return float64(from+at) + shift(d, at), d[at]
}
