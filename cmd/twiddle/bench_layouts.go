package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// layoutRow is one transform of lines that lie in one way in memory.
type layoutRow struct {
	Op     string  `json:"op"`
	DType  string  `json:"dtype"`
	Layout string  `json:"layout"`
	N      int     `json:"n"`
	NS     float64 `json:"ns"`    // for all lines
	Ratio  float64 `json:"ratio"` // to the neighbours: the median of nearby lengths and other layouts, by element

	time func(runs int) (float64, error)
}

type layoutReport struct {
	Lines   int         `json:"lines"`
	Over    float64     `json:"over"`
	Cases   int         `json:"cases"`
	Outlier []layoutRow `json:"outliers"`
	Rows    []layoutRow `json:"rows"`
}

// layouts are ways in which lines of n lie in memory: each makes an array of the
// shape (lines, n) of a contiguous one that has enough elements.
var layouts = []struct {
	name  string
	shape func(lines, n int) []int
	view  func(a *nd.Array, lines, n int) *nd.Array
}{
	{"in order", func(l, n int) []int { return []int{l, n} }, func(a *nd.Array, _, _ int) *nd.Array { return a }},
	{"transposed", func(l, n int) []int { return []int{n, l} }, func(a *nd.Array, _, _ int) *nd.Array { return a.Transpose() }},
	{"every other", func(l, n int) []int { return []int{l, 2 * n} }, func(a *nd.Array, _, _ int) *nd.Array { return a.SliceAxis(-1, nd.Range{Stop: nd.End, Step: 2}) }},
	{"every other, transposed", func(l, n int) []int { return []int{2 * n, l} }, func(a *nd.Array, _, _ int) *nd.Array {
		return a.SliceAxis(0, nd.Range{Stop: nd.End, Step: 2}).Transpose()
	}},
	{"middle axis", func(l, n int) []int { return []int{(l + 7) / 8, n, 8} }, func(a *nd.Array, _, _ int) *nd.Array { return a.Transpose(0, 2, 1) }},
	{"frames", func(l, n int) []int { return []int{l - 1 + n} }, func(a *nd.Array, _, n int) *nd.Array { return a.Frames(n, 1) }},
}

// layoutOps are maps with a transform behind them; n is the length of what they
// transform, and not of the result.
var layoutOps = []struct {
	name    string
	complex bool
	run     func(a *nd.Array) *nd.Array
}{
	{"rfft", false, func(a *nd.Array) *nd.Array { return a.Neg().RFFT() }},
	{"irfft", true, func(a *nd.Array) *nd.Array { return a.Neg().IRFFT() }},
	{"hfft", true, func(a *nd.Array) *nd.Array { return a.HFFT() }},
	{"fft", true, func(a *nd.Array) *nd.Array { return a.Neg().FFT() }},
	{"ifft", true, func(a *nd.Array) *nd.Array { return a.Conj().IFFT() }},
}

func newBenchLayoutsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "layouts",
		Short: "Find lengths and layouts whose transforms are slower than their neighbours",
		Long: "Transform short lines in every memory layout: in order, transposed, every other element,\n" +
			"along a middle axis, as frames. List layouts that take more than --over times the median of\n" +
			"their neighbours (nearby lengths, other layouts) per element.",
	}
	lines := c.Flags().Int("lines", 4096, "lines of each transform")
	over := c.Flags().Float64("over", 3, "list layouts that take this many times as long as their neighbours")
	most := c.Flags().Int("most", 68, "longest line")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *lines < 8 || *most < 2 || !(*over > 1) {
			return usagef("--lines %d, --most %d, --over %g: want 8 lines, 2 elements and a ratio above 1, or more", *lines, *most, *over)
		}
		r, err := benchLayouts(c.Context(), *lines, *most, *over)
		if err != nil {
			return err
		}
		return show(c, *asJSON, r)
	}
	return c
}

func benchLayouts(ctx context.Context, lines, most int, over float64) (layoutReport, error) {
	r := layoutReport{Lines: lines, Over: over}
	for _, op := range layoutOps {
		for _, t := range [][2]nd.DType{{nd.Float32, nd.Complex64}, {nd.Float64, nd.Complex128}} {
			dtype := t[0]
			if op.complex {
				dtype = t[1]
			}
			for _, l := range layouts {
				for n := 2; n <= most; n++ {
					row := layoutRow{Op: op.name, DType: dtype.String(), Layout: l.name, N: n}
					row.time = func(runs int) (float64, error) {
						ns, err := layoutTime(ctx, op.run, dtype, l.shape(lines, n), func(a *nd.Array) *nd.Array { return l.view(a, lines, n) }, runs)
						if err != nil {
							return 0, fmt.Errorf("%s of %s, %s, %d: %w", op.name, dtype, l.name, n, err)
						}
						return ns, nil
					}
					var err error
					if row.NS, err = row.time(4); err != nil {
						return r, err
					}
					r.Rows = append(r.Rows, row)
				}
			}
		}
	}
	r.compare()
	// What something else on the machine has slowed down is fast another time.
	for i := range r.Rows {
		if a := &r.Rows[i]; a.Ratio > over {
			ns, err := a.time(20)
			if err != nil {
				return r, err
			}
			a.NS = min(a.NS, ns)
		}
	}
	r.compare()
	return r, nil
}

// layoutTime is the least of a few runs, in nanoseconds.
func layoutTime(ctx context.Context, run func(*nd.Array) *nd.Array, t nd.DType, shape []int, view func(*nd.Array) *nd.Array, runs int) (float64, error) {
	a := nd.FullLike(nd.Zeros(t, shape...), 0.5)
	if err := nd.Eval(ctx, a); err != nil {
		return 0, err
	}
	defer a.Release()
	best := time.Hour
	for range runs {
		start := time.Now()
		y := run(view(a))
		err := nd.Eval(ctx, y)
		best = min(best, time.Since(start))
		y.Release()
		if err != nil {
			return 0, err
		}
	}
	return float64(best.Nanoseconds()), nil
}

// compare gives rows their ratios, and lists the outliers.
func (r *layoutReport) compare() {
	r.Cases, r.Outlier = len(r.Rows), nil
	for i := range r.Rows {
		a := &r.Rows[i]
		var near []float64
		for _, b := range r.Rows {
			apart := b.N - a.N
			if b.Op == a.Op && b.DType == a.DType && (b.Layout == a.Layout && apart != 0 && apart >= -3 && apart <= 3 || b.Layout != a.Layout && apart == 0) {
				near = append(near, b.NS/float64(b.N))
			}
		}
		slices.Sort(near)
		if len(near) > 0 {
			a.Ratio = a.NS / float64(a.N) / near[len(near)/2]
		}
		if a.Ratio > r.Over {
			r.Outlier = append(r.Outlier, *a)
		}
	}
}

func (r layoutReport) WriteText(w io.Writer) error {
	if len(r.Outlier) > 0 {
		t := timing.NewTable("transform", "type", "layout", "n", "time", "to its neighbours")
		for _, o := range r.Outlier {
			t.Row(o.Op, o.DType, o.Layout, o.N, timing.Nanoseconds(o.NS), fmt.Sprintf("%.1fx", o.Ratio))
		}
		if _, err := t.WriteTo(w); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d cases of %d lines take over %g times as long as their neighbours\n", len(r.Outlier), r.Cases, r.Lines, r.Over)
	return err
}
