package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// spot is a small experiment: two ways to write one kernel, and what the
// difference teaches.
type spot struct {
	name    string
	shows   string
	first   variant
	second  variant
	prepare func(n int) []*nd.Array
}

// variant is one of the two ways. call starts a run on inputs for side n.
type variant struct {
	label string
	call  func(in []*nd.Array, n, run int) *nd.Array
}

// spotRow is what was measured.
type spotRow struct {
	Name     string  `json:"name"`
	First    string  `json:"first"`
	Second   string  `json:"second"`
	FirstNS  float64 `json:"first_ns"`
	SecondNS float64 `json:"second_ns"`
	Ratio    float64 `json:"ratio"` // of the first to the second
	Shows    string  `json:"shows"`
}

type spotReport struct {
	Device string    `json:"device"`
	Side   int       `json:"side"`
	Rounds int       `json:"rounds"`
	Rows   []spotRow `json:"rows"`
}

func newBenchSpotCommand() *cobra.Command {
	names := make([]string, len(spots))
	for i, s := range spots {
		names[i] = s.name
	}
	c := &cobra.Command{
		Use:   "spot",
		Short: "Compare two ways to write a kernel, for several techniques",
		Long: "Small experiments on kernels over a square of numbers. Rounds of the two variants alternate,\n" +
			"and times are medians. A technique that pays on one device may not on another.",
	}
	f := c.Flags()
	device := f.String("device", "cpu", "the device to measure")
	side := f.Int("side", 2048, "the side of the square")
	rounds := f.Int("rounds", 5, "rounds for each variant")
	only := f.String("only", strings.Join(names, ","), "experiments to make, separated by commas")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *side < 64 || *side > 8192 || *side%64 != 0:
			return usagef("--side %d: want a multiple of 64 from 64 to 8192", *side)
		case *rounds < 1:
			return usagef("--rounds %d: want at least 1", *rounds)
		}
		d, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		r := &spotReport{Device: *device, Side: *side, Rounds: *rounds}
		for name := range strings.SplitSeq(*only, ",") {
			i := slices.Index(names, strings.TrimSpace(name))
			if i < 0 {
				return usagef("--only: no experiment %q; there are %s", name, strings.Join(names, ", "))
			}
			row, err := spots[i].measure(c.Context(), d, *side, *rounds)
			if err != nil {
				return fmt.Errorf("bench spot: %s: %w", spots[i].name, err)
			}
			r.Rows = append(r.Rows, row)
		}
		return show(c, *asJSON, r)
	}
	return c
}

func (r *spotReport) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "%s, %dx%d numbers, median of %d\n\n", r.Device, r.Side, r.Side, r.Rounds)
	for _, row := range r.Rows {
		t := timing.NewTable(row.Name, "time")
		t.Row(row.First, timing.Nanoseconds(row.FirstNS))
		t.Row(row.Second, timing.Nanoseconds(row.SecondNS))
		if _, err := t.WriteTo(w); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "ratio %.2f. %s\n\n", row.Ratio, row.Shows); err != nil {
			return err
		}
	}
	return nil
}

// measure lets both ways take turns. The first turn of each, which compiles,
// does not count.
func (s *spot) measure(ctx context.Context, d *nd.Device, n, rounds int) (spotRow, error) {
	in, err := operandsOn(ctx, d, s.prepare(n)...)
	if err != nil {
		return spotRow{}, err
	}
	var times [2][]float64
	for round := range rounds + 1 {
		for i, v := range []variant{s.first, s.second} {
			start := time.Now()
			out := v.call(in, n, round)
			if err := nd.Eval(ctx, out); err != nil {
				return spotRow{}, err
			}
			elapsed := time.Since(start)
			out.Release()
			if round > 0 {
				times[i] = append(times[i], float64(elapsed.Nanoseconds()))
			}
		}
	}
	row := spotRow{Name: s.name, First: s.first.label, Second: s.second.label, FirstNS: median(times[0]), SecondNS: median(times[1]), Shows: s.shows}
	row.Ratio = timing.Ratio(row.SecondNS, row.FirstNS)
	return row, nil
}

func median(list []float64) float64 {
	slices.Sort(list)
	if n := len(list); n%2 == 0 {
		return (list[n/2-1] + list[n/2]) / 2
	}
	return list[len(list)/2]
}

// square is n x n numbers between 0 and 1.
func square(n int) []*nd.Array { return []*nd.Array{nd.Uniform(nd.Key(1), nd.Float32, n, n)} }

// body is a variant that runs a kernel from x to y, both n x n, over a grid.
func body(label, source string, grid func(n int) (grid, group [3]int)) variant {
	return variant{label, func(in []*nd.Array, n, _ int) *nd.Array {
		k := nd.Kernel{Name: "spot", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: source}
		g, t := grid(n)
		return k.Call(nd.Launch{Inputs: in, Shapes: [][]int{{n, n}}, DTypes: []nd.DType{in[0].DType()}, Grid: g, Threadgroup: t,
			Template: map[string]any{"SIDE": n}})[0]
	}}
}

func flatGrid(n int) (grid, group [3]int)   { return [3]int{n * n}, [3]int{256} }
func squareGrid(n int) (grid, group [3]int) { return [3]int{n, n}, [3]int{64, 4} }
func fewerGrid(n int) (grid, group [3]int)  { return [3]int{n * n / 4}, [3]int{256} }
