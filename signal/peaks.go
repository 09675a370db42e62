package signal

import (
	"context"
	"fmt"
	"math"
	"runtime"
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
	rows, n, err := hostLines(ctx, op, x, c.Axis)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, err
	}
	found := make([]Peaks, len(rows)/n)
	eachLine(len(found), func(i int) { found[i] = c.find(rows[i*n : (i+1)*n]) })
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

// hostLines is the samples of an array along an axis, line after line, and how
// many there are in one.
func hostLines(ctx context.Context, op string, x *nd.Array, axis nd.AxisChoice) ([]float64, int, error) {
	l, bad := along(op, x, axis, false)
	if bad != nil {
		return nil, 0, bad.Err()
	}
	if x.DType() == nd.Float64 {
		v, err := nd.Slice[float64](ctx, l.Array)
		return v, l.Dim(-1), err
	}
	v, err := nd.Slice[float32](ctx, l.Array)
	if err != nil {
		return nil, 0, err
	}
	wide := make([]float64, len(v))
	for i, s := range v {
		wide[i] = float64(s)
	}
	return wide, l.Dim(-1), nil
}

// eachLine calls f for lines 0 to n-1 on all processors.
func eachLine(n int, f func(int)) {
	// Lines are handed out in runs, so that short ones are worth it.
	const run = 16
	workers := min(runtime.GOMAXPROCS(0), (n+run-1)/run)
	var next atomic.Int64
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
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

// find is FindPeaks for one line.
func (c PeakConditions) find(x []float64) Peaks {
	at, left, right := tops(x)
	p := Peaks{Indices: at}
	if c.PlateauSize.given {
		p.LeftEdges, p.RightEdges = left, right
		p.PlateauSizes = make([]int, len(at))
		for i := range at {
			p.PlateauSizes[i] = right[i] - left[i] + 1
		}
		p.keep(func(i int) bool { return c.PlateauSize.holds(float64(p.PlateauSizes[i])) })
	}
	if c.Height.given {
		p.keep(func(i int) bool { return c.Height.holds(x[p.Indices[i]]) })
	}
	if c.Threshold.given {
		p.LeftThresholds, p.RightThresholds = make([]float64, len(p.Indices)), make([]float64, len(p.Indices))
		for i, k := range p.Indices {
			p.LeftThresholds[i], p.RightThresholds[i] = x[k]-x[k-1], x[k]-x[k+1]
		}
		p.keep(func(i int) bool {
			l, r := p.LeftThresholds[i], p.RightThresholds[i]
			return min(l, r) >= c.Threshold.low && max(l, r) <= c.Threshold.high
		})
	}
	if c.Distance > 1 {
		stay := distant(x, p.Indices, int(math.Ceil(min(c.Distance, float64(len(x))))))
		p.keep(func(i int) bool { return stay[i] })
	}
	if c.Prominence.given || c.Width.given {
		p.Prominences, p.LeftBases, p.RightBases = prominences(x, p.Indices, c.WLen)
		if c.Prominence.given {
			p.keep(func(i int) bool { return c.Prominence.holds(p.Prominences[i]) })
		}
	}
	if c.Width.given {
		p.Widths, p.WidthHeights, p.LeftIPs, p.RightIPs = widths(x, p.Indices, c.relHeight(), p.Prominences, p.LeftBases, p.RightBases)
		p.keep(func(i int) bool { return c.Width.holds(p.Widths[i]) })
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
func (p *Peaks) keep(stays func(int) bool) {
	n := 0
	ints := [...]*[]int{&p.Indices, &p.PlateauSizes, &p.LeftEdges, &p.RightEdges, &p.LeftBases, &p.RightBases}
	floats := [...]*[]float64{&p.LeftThresholds, &p.RightThresholds, &p.Prominences, &p.Widths, &p.WidthHeights, &p.LeftIPs, &p.RightIPs}
	for i := range p.Indices {
		if !stays(i) {
			continue
		}
		if n != i {
			for _, s := range ints {
				if *s != nil {
					(*s)[n] = (*s)[i]
				}
			}
			for _, s := range floats {
				if *s != nil {
					(*s)[n] = (*s)[i]
				}
			}
		}
		n++
	}
	for _, s := range ints {
		if *s != nil {
			*s = (*s)[:n]
		}
	}
	for _, s := range floats {
		if *s != nil {
			*s = (*s)[:n]
		}
	}
}
