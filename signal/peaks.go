package signal

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Refinement is how the place of a peak between samples is found.
type Refinement uint8

const (
	RefineNone   Refinement = iota
	RefineLog               // a parabola through the logarithms of three samples: for power spectra
	RefineValues            // a parabola through the samples: for decibels
)

var refinementNames = [...]string{"none", "log", "values"}

func (r Refinement) String() string { return choice.Name(r, "Refinement", refinementNames[:]) }

// ParseRefinement is the refinement of a name: none, log or values.
func ParseRefinement(name string) (Refinement, error) {
	return choice.Parse[Refinement]("signal", "refinement", name, refinementNames[:])
}

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
	RelHeight   float64 // 0 is 0.5; Zero is 0: the width of the top
	Refine      Refinement
	Axis        nd.AxisChoice
}

// Peaks is the peaks of one line, in order, and their measured properties. Slices of
// conditions that were not given are nil. Positions and Levels are always there; without
// Refine they are those of the samples.
type Peaks struct {
	Indices []int
	Heights []float64

	PlateauSizes, LeftEdges, RightEdges []int
	LeftThresholds, RightThresholds     []float64
	Prominences                         []float64
	LeftBases, RightBases               []int
	Widths, WidthHeights                []float64
	LeftIPs, RightIPs                   []float64 // where the width begins and ends
	Positions, Levels                   []float64 // place and value of the top, between samples by Refine
}

// Highest is the places of the n highest peaks in the lists, the highest first; fewer if
// there are not as many.
func (p Peaks) Highest(n int) []int {
	order := make([]int, len(p.Heights))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(p.Heights[j], p.Heights[i]) })
	return order[:min(max(n, 0), len(order))]
}

// FindPeaks finds the peaks of every line of x along an axis: samples greater than both
// neighbours, or the middle of flat tops, rounded down; never the first or last sample.
// Lines are returned in the row-major order of the other axes.
//
// The number of peaks depends on the samples, so x is evaluated and the lines are searched
// on the host, on all its processors.
func FindPeaks(ctx context.Context, x *nd.Array, opt ...PeakConditions) ([]Peaks, error) {
	const op = "findpeaks"
	c := first(opt)
	var found []Peaks
	err := lookAtLines(ctx, op, x, c.Axis, func(rows samples) error {
		if err := c.check(rows.n); err != nil {
			return err
		}
		found = make([]Peaks, rows.count)
		eachLine(rows.count, func() func(int) {
			s := newSearch(rows.n)
			return func(i int) { c.find(&found[i], rows.line(i, s.Wide), s) }
		})
		return nil
	})
	return found, err
}

func (c PeakConditions) check(n int) error {
	for _, l := range []struct {
		name string
		Limits
	}{{"PlateauSize", c.PlateauSize}, {"Height", c.Height}, {"Threshold", c.Threshold}, {"Prominence", c.Prominence}, {"Width", c.Width}} {
		if err := l.check(l.name, n); err != nil {
			return err
		}
	}
	switch {
	case n > math.MaxInt32:
		return fmt.Errorf("signal: findpeaks: lines of %d samples: want at most %d", n, math.MaxInt32)
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
