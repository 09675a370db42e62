package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// costRow is a piece of work, as it was predicted and as it was.
type costRow struct {
	Verb      string  `json:"verb"` // that prints it
	Work      string  `json:"work"`
	Launches  int     `json:"launches"`
	Predicted float64 `json:"predicted_ns"`
	NS        float64 `json:"ns"`
	Off       float64 `json:"off"` // the larger of the two over the smaller
	// Steps is its launches, if they were asked for.
	Steps []costStep `json:"steps,omitempty"`
}

type costReport struct {
	Device string    `json:"device"`
	Rows   []costRow `json:"rows"`
	Near   int       `json:"near"`  // rows that are off by less than costGoal
	Worst  float64   `json:"worst"` // the largest Off
}

const (
	costGoal  = 1.5 // how far off a prediction may be
	costTurns = 3   // how often rows are measured
)

func newBenchCostCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cost",
		Short: "Compare predicted with measured times",
		Long: "Predict and measure every default row of bench conv, fusion, loss, mixer and linalg, from\n" +
			"evaluated operands to evaluated results, and the same for smaller work; on a GPU, for\n" +
			"larger work, too. Omitted are the parts of bench fusion on the host, and factorisations on\n" +
			"devices without float64. A software adapter of WebGPU measures only the small work, once.\n" +
			"'twiddle tune --write' fits the figures of the model to this machine.",
	}
	device := c.Flags().String("device", "cpu", "the device to run on; see 'twiddle devices'")
	file := c.Flags().String("plot", "", "a .png or .svg file with predicted against measured times")
	steps := c.Flags().Bool("steps", false, "show every launch with its predicted time")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		if err := makeParent(*file); err != nil {
			return err
		}
		r := &costReport{Device: dev.Name()}
		var runs []func(reps int)
		for _, one := range costCases(dev) {
			row, run, err := one.predict(c.Context(), dev)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			r.Rows, runs = append(r.Rows, row), append(runs, run)
		}
		// Seconds lie between the turns of a row, so that what else runs for a while does
		// not spoil all of them.
		turns := costTurns
		if dev.Info().Software {
			turns = 1
		}
		for range turns {
			for i := range r.Rows {
				if err := r.Rows[i].measure(c.Context(), runs[i]); err != nil {
					return fmt.Errorf("%s: %w", r.Rows[i].Work, err)
				}
			}
		}
		for i := range r.Rows {
			row := &r.Rows[i]
			if *steps {
				row.Steps = stepsOf(runs[i])
			}
			row.Off = math.Exp(math.Abs(math.Log(row.NS / row.Predicted)))
			if row.Off <= costGoal {
				r.Near++
			}
			r.Worst = max(r.Worst, row.Off)
		}
		if *file != "" {
			if err := plotCosts(*file, r); err != nil {
				return err
			}
		}
		return show(c, *asJSON, r)
	}
	return c
}

// predict makes work ready to run.
func (w costCase) predict(ctx context.Context, dev *nd.Device) (costRow, func(reps int), error) {
	r := costRow{Verb: w.verb, Work: w.name, NS: math.Inf(1)}
	work, err := w.prepare(ctx, dev)
	if err != nil {
		return r, nil, err
	}
	run, err := loop(work.once)
	if err != nil {
		return r, nil, err
	}
	profile := launched(dev, run)
	if work.profile != nil {
		if profile, err = work.profile(); err != nil {
			return r, nil, err
		}
	}
	r.Launches, r.Predicted = profile.Launches, profile.PredictedNs
	return r, run, nil
}

// measure keeps the best time.
func (r *costRow) measure(ctx context.Context, run func(reps int)) error {
	runtime.GC()
	ns, err := timing.Compare(ctx, timing.Options{Rounds: 2, Slice: 20 * time.Millisecond}, timing.Contender{Run: run})
	if err == nil {
		r.NS = min(r.NS, ns[0])
	}
	return err
}

func (r *costReport) WriteText(w io.Writer) error {
	t := timing.NewTable("bench", "work", "launches", "predicted", "measured", "measured/predicted")
	for _, row := range r.Rows {
		t.Row(row.Verb, row.Work, row.Launches, timing.Nanoseconds(row.Predicted), timing.Nanoseconds(row.NS), row.NS/row.Predicted)
	}
	_, err := t.WriteTo(w)
	for _, row := range r.Rows {
		if err == nil {
			err = writeSteps(w, row)
		}
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "on %s: %d of %d within %.1fx, the worst off by %.1fx\n", r.Device, r.Near, len(r.Rows), costGoal, r.Worst)
	}
	return err
}
