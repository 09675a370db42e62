package signal

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd"
)

// Limits is a condition on a number. The zero value is none, and the number
// is then not even measured.
type Limits struct {
	low, high float64
	given     bool
}

// AtLeast is numbers from low upwards.
func AtLeast(low float64) Limits { return Limits{low, math.Inf(1), true} }

// AtMost is numbers up to high.
func AtMost(high float64) Limits { return Limits{math.Inf(-1), high, true} }

// Between is numbers from low to high.
func Between(low, high float64) Limits { return Limits{low, high, true} }

// Measured is every number: it is measured and nothing is left out.
func Measured() Limits { return Limits{math.Inf(-1), math.Inf(1), true} }

func (l Limits) holds(v float64) bool { return l.low <= v && v <= l.high }

// Refinement is how the place of a peak between samples is found.
type Refinement uint8

const (
	RefineNone   Refinement = iota
	RefineLog               // a parabola through the logarithms of three samples: for power spectra
	RefineValues            // a parabola through the samples: for decibels
)

// PeakConditions is what FindPeaks looks for: scipy.signal.find_peaks's
// conditions, and what a peak has to satisfy to be kept by each, in the order
// they are applied. The zero value keeps every local maximum.
type PeakConditions struct {
	PlateauSize Limits  // samples on the flat top
	Height      Limits  // the sample itself
	Threshold   Limits  // vertical distance to the two neighbours
	Distance    float64 // least distance of peaks in samples, the highest stay; 0 is none
	Prominence  Limits  // how far it stands out of its surroundings
	Width       Limits  // in samples, at RelHeight of its prominence
	WLen        int     // samples that Prominence looks at, around the peak; 0 is all
	RelHeight   float64 // 0 is 0.5
	Refine      Refinement
	Axis        nd.AxisChoice
}

// Peaks is the peaks of one line, in order, and what was measured of them:
// slices of conditions that were not given are nil.
type Peaks struct {
	Indices []int
	Heights []float64

	PlateauSizes, LeftEdges, RightEdges []int
	LeftThresholds, RightThresholds     []float64
	Prominences                         []float64
	LeftBases, RightBases               []int
	Widths, WidthHeights                []float64
	LeftIPs, RightIPs                   []float64 // where the width begins and ends
	Positions, Levels                   []float64 // by Refine: place and value of the top
}

// FindPeaks finds the peaks of every line of x along an axis: samples greater
// than both neighbours, or the middle of flat tops, rounded down; never the
// first or last sample. Lines are given in the row-major order of the other
// axes.
//
// Which peaks there are depends on the samples, so x is evaluated and the
// lines are searched on the host, on all its processors.
func FindPeaks(ctx context.Context, x *nd.Array, opt ...PeakConditions) ([]Peaks, error) {
	const op = "findpeaks"
	c := first(opt)
	rows, err := hostLines(ctx, op, x, c.Axis)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	found := make([]Peaks, rows.count)
	eachLine(rows.count, func() func(int) {
		s := newSearch(rows.n)
		return func(i int) { found[i] = c.find(rows.line(i, s.wide), s) }
	})
	return found, nil
}

func (c PeakConditions) check() error {
	for _, l := range []struct {
		name string
		Limits
	}{{"PlateauSize", c.PlateauSize}, {"Height", c.Height}, {"Threshold", c.Threshold}, {"Prominence", c.Prominence}, {"Width", c.Width}} {
		if l.given && !(l.low <= l.high) {
			return fmt.Errorf("signal: findpeaks: %s between %g and %g", l.name, l.low, l.high)
		}
	}
	switch {
	case c.Distance != 0 && !(c.Distance >= 1):
		return fmt.Errorf("signal: findpeaks: Distance %g: want 1 or more", c.Distance)
	case c.WLen < 0 || c.WLen == 1:
		return fmt.Errorf("signal: findpeaks: WLen %d: want 2 or more", c.WLen)
	case !(c.RelHeight >= 0):
		return fmt.Errorf("signal: findpeaks: RelHeight %g: want 0 or more", c.RelHeight)
	case c.Refine > RefineValues:
		return fmt.Errorf("signal: findpeaks: unknown refinement %d", c.Refine)
	}
	return nil
}

// samples is lines of an array on the host, of n samples each.
type samples struct {
	single   []float32 // if the array had these
	double   []float64
	n, count int
}

// line is one of them; wide is room for n samples.
func (s samples) line(i int, wide []float64) []float64 {
	if s.single == nil {
		return s.double[i*s.n : (i+1)*s.n]
	}
	for j, v := range s.single[i*s.n : (i+1)*s.n] {
		wide[j] = float64(v)
	}
	return wide
}

// hostLines is the samples of an array along an axis.
func hostLines(ctx context.Context, op string, x *nd.Array, axis nd.AxisChoice) (samples, error) {
	l, bad := along(op, x, axis, false)
	if bad != nil {
		return samples{}, bad.Err()
	}
	s := samples{n: l.Dim(-1), count: l.Len() / l.Dim(-1)}
	var err error
	if x.DType() == nd.Float64 {
		s.double, err = nd.Slice[float64](ctx, l.Array)
	} else {
		s.single, err = nd.Slice[float32](ctx, l.Array)
	}
	return s, err
}

// eachLine handles lines 0 to n-1 on all processors, each by what worker gives
// to it.
func eachLine(n int, worker func() func(int)) {
	// Lines are handed out in runs, so that short ones are worth it.
	const run = 16
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+run-1)/run) {
		all.Go(func() {
			f := worker()
			for {
				end := int(next.Add(run))
				if end-run >= n {
					return
				}
				for i := end - run; i < min(end, n); i++ {
					f(i)
				}
			}
		})
	}
	all.Wait()
}

// find is FindPeaks for one line. What it gives is its own; only the search
// is used again.
func (c PeakConditions) find(x []float64, s *search) Peaks {
	s.tops(x)
	p := Peaks{Indices: slices.Clone(s.at)}
	if c.PlateauSize.given {
		p.LeftEdges, p.RightEdges = make([]int, len(s.at)), make([]int, len(s.at))
		p.PlateauSizes = make([]int, len(s.at))
		for i, k := range s.at {
			p.LeftEdges[i], p.RightEdges[i] = plateau(x, k)
			p.PlateauSizes[i] = p.RightEdges[i] - p.LeftEdges[i] + 1
		}
		p.keep(s, func(i int) bool { return c.PlateauSize.holds(float64(p.PlateauSizes[i])) })
	}
	if c.Height.given {
		p.keep(s, func(i int) bool { return c.Height.holds(x[p.Indices[i]]) })
	}
	if c.Threshold.given {
		p.LeftThresholds, p.RightThresholds = make([]float64, len(p.Indices)), make([]float64, len(p.Indices))
		for i, k := range p.Indices {
			p.LeftThresholds[i], p.RightThresholds[i] = x[k]-x[k-1], x[k]-x[k+1]
		}
		p.keep(s, func(i int) bool {
			l, r := p.LeftThresholds[i], p.RightThresholds[i]
			return min(l, r) >= c.Threshold.low && max(l, r) <= c.Threshold.high
		})
	}
	if c.Distance > 1 {
		stay := s.distant(x, p.Indices, int(math.Ceil(min(c.Distance, float64(len(x))))))
		p.keep(s, func(i int) bool { return stay[i] })
	}
	if c.Prominence.given || c.Width.given {
		p.Prominences, p.LeftBases, p.RightBases = s.prominences(x, p.Indices, c.WLen)
		if c.Prominence.given {
			p.keep(s, func(i int) bool { return c.Prominence.holds(p.Prominences[i]) })
		}
	}
	if c.Width.given {
		p.Widths, p.WidthHeights, p.LeftIPs, p.RightIPs = widths(x, p.Indices, c.relHeight(), p.Prominences, p.LeftBases, p.RightBases)
		p.keep(s, func(i int) bool { return c.Width.holds(p.Widths[i]) })
	}
	p.Heights = make([]float64, len(p.Indices))
	for i, k := range p.Indices {
		p.Heights[i] = x[k]
	}
	if c.Refine != RefineNone {
		p.Positions, p.Levels = make([]float64, len(p.Indices)), make([]float64, len(p.Indices))
		for i, k := range p.Indices {
			p.Positions[i], p.Levels[i] = refined(x, k, c.Refine)
		}
	}
	return p
}

func (c PeakConditions) relHeight() float64 {
	if c.RelHeight == 0 {
		return 0.5
	}
	return c.RelHeight
}

// keep leaves out the peaks for which stays is false, in place.
func (p *Peaks) keep(s *search, stays func(int) bool) {
	s.kept = s.kept[:0]
	for i := range p.Indices {
		if stays(i) {
			s.kept = append(s.kept, i)
		}
	}
	if len(s.kept) == len(p.Indices) {
		return
	}
	for _, v := range [...]*[]int{&p.Indices, &p.PlateauSizes, &p.LeftEdges, &p.RightEdges, &p.LeftBases, &p.RightBases} {
		*v = only(*v, s.kept)
	}
	for _, v := range [...]*[]float64{&p.LeftThresholds, &p.RightThresholds, &p.Prominences, &p.Widths, &p.WidthHeights, &p.LeftIPs, &p.RightIPs} {
		*v = only(*v, s.kept)
	}
}

// only is the elements at rising places, moved to the front; nil stays nil.
func only[T any](v []T, places []int) []T {
	if v == nil {
		return nil
	}
	for n, i := range places {
		v[n] = v[i]
	}
	return v[:len(places)]
}
