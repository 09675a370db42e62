package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// lintCost is what a habit that lint warns of costs.
type lintCost struct {
	Code   string  `json:"code"`
	What   string  `json:"what"`
	Before float64 `json:"before_ns"`
	After  float64 `json:"after_ns"`
	Ratio  float64 `json:"ratio"`
}

type lintCosts []lintCost

func newBenchLintCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lint",
		Short: "Measure the cost of the problems that twiddle lint finds",
		Long: "Measure the cost of the problems that twiddle lint finds: code before and after the advice\n" +
			"of each rule. The problems of kernel bodies are in twiddle bench spot.",
	}
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		rows, err := benchLint(c.Context())
		if err != nil {
			return err
		}
		return show(c, *asJSON, rows)
	}
	return c
}

// habit is a computation as lint finds it and as it should be.
type habit struct {
	code, what    string
	before, after func() error
}

func benchLint(ctx context.Context) (lintCosts, error) {
	habits, err := lintHabits(ctx)
	if err != nil {
		return nil, err
	}
	var rows lintCosts
	for _, h := range habits {
		var failed error
		run := func(f func() error) func(int) {
			return func(reps int) {
				for range reps {
					if err := f(); err != nil {
						failed = err
					}
				}
			}
		}
		ns, err := timing.Compare(ctx, timing.Options{}, timing.Contender{Name: "before", Run: run(h.before)}, timing.Contender{Name: "after", Run: run(h.after)})
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, fmt.Errorf("bench lint: %s: %w", h.code, err)
		}
		rows = append(rows, lintCost{h.code, h.what, ns[0], ns[1], ns[0] / ns[1]})
	}
	return rows, nil
}

// lintHabits are the habits that cost time, over a megabyte of samples or so.
func lintHabits(ctx context.Context) ([]habit, error) {
	const rows, n = 256, 1024
	x := nd.Uniform(1, nd.Float32, rows, n)
	if err := nd.Eval(ctx, x); err != nil {
		return nil, err
	}
	eval := func(build func() *nd.Array) func() error {
		return func() error { return nd.Eval(ctx, build()) }
	}
	short := x.At(0)
	if err := nd.Eval(ctx, short); err != nil {
		return nil, err
	}
	line := make([]complex64, n)
	plan, err := fft.NewPlan[complex64](n)
	if err != nil {
		return nil, err
	}
	gain := 1
	scale := nd.Kernel{Name: "scale", Inputs: []string{"x", "gain"}, Outputs: []string{"y"},
		Source: "uint i = thread_position_in_grid.x; y[i] = gain[0] * x[i];"}
	launch := nd.Launch{Shapes: [][]int{{rows * n}}, Grid: [3]int{rows * n, 1, 1}}
	return []habit{
		{"TW001", "dividing 1024 samples by a maximum read with Item", func() error {
			m, err := nd.Item[float32](ctx, short.Max())
			if err != nil {
				return err
			}
			//twiddle:ignore TW001 what it costs is measured
			return nd.Eval(ctx, short.DivScalar(m).Exp())
		}, eval(func() *nd.Array { return short.Div(short.Max()).Exp() })},
		{"TW002", "reading a running sum in each of 8 turns", func() error {
			sum := x
			for range 8 {
				sum = sum.Add(x)
				if _, err := nd.Slice[float32](ctx, sum); err != nil {
					return err
				}
			}
			return nil
		}, func() error {
			sum := x
			for range 8 {
				sum = sum.Add(x)
			}
			_, err := nd.Slice[float32](ctx, sum)
			return err
		}},
		{"TW004", "a plan for each line of 1024", func() error {
			p, err := fft.NewPlan[complex64](n)
			if err != nil {
				return err
			}
			return p.Forward(line, line)
		}, func() error { return plan.Forward(line, line) }},
		{"TW006", "float32 as complex128 before a transform", eval(func() *nd.Array {
			//twiddle:ignore TW006 what it costs is measured
			return x.Cast(nd.Complex128).FFT()
		}), eval(func() *nd.Array { return x.FFT() })},
		{"TW007", "FFT and IFFT of real samples", eval(func() *nd.Array {
			//twiddle:ignore TW007 what it costs is measured
			return x.FFT().MulScalar(0.5).IFFT().Real()
		}), eval(func() *nd.Array { return x.RFFT().MulScalar(0.5).IRFFT(nd.FFT{N: n}) })},
		{"TW009", "a gain applied by a loop on the host", func() error {
			data, err := nd.Slice[float32](ctx, x)
			if err != nil {
				return err
			}
			//twiddle:ignore TW009 what it costs is measured
			for i := range data {
				data[i] *= 0.5
			}
			return nd.Eval(ctx, nd.From(data, rows, n).Exp())
		}, eval(func() *nd.Array { return x.MulScalar(0.5).Exp() })},
		{"TW010", "a new stream for each evaluation", func() error {
			s, err := nd.CPU().NewStream()
			if err != nil {
				return err
			}
			if err := nd.Eval(ctx, x.On(s).MulScalar(0.5)); err != nil {
				return err
			}
			return s.Close()
		}, eval(func() *nd.Array { return x.MulScalar(0.5) })},
		{"TW011", "evaluating, against building the graph alone", eval(func() *nd.Array { return x.RFFT().AbsSquared() }),
			func() error { return x.RFFT().AbsSquared().Err() }},
		{"TW013", "a number printed into a kernel's source", func() error {
			gain++
			//twiddle:ignore TW013 what it costs is measured
			k := nd.Kernel{Name: "scale", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: fmt.Sprintf(
				"uint i = thread_position_in_grid.x; y[i] = %d * x[i];", gain)}
			l := launch
			l.Inputs = []*nd.Array{x}
			return nd.Eval(ctx, k.Call(l)...)
		}, func() error {
			gain++
			l := launch
			l.Inputs = []*nd.Array{x, nd.From([]float32{float32(gain)})}
			return nd.Eval(ctx, scale.Call(l)...)
		}},
	}, nil
}

func (rows lintCosts) WriteText(w io.Writer) error {
	t := timing.NewTable("code", "habit", "before", "after", "ratio")
	for _, r := range rows {
		t.Row(r.Code, r.What, timing.Nanoseconds(r.Before), timing.Nanoseconds(r.After), fmt.Sprintf("%.2f", r.Ratio))
	}
	_, err := t.WriteTo(w)
	return err
}
