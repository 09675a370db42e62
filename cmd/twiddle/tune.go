package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

func newTuneCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tune",
		Short: "Measure the figures of the cost model, and tune choices for this machine",
		Long: "Measure the speed of a device (memory, arithmetic, transforms, matrix products, launches),\n" +
			"and try out the choices that depend on the device: tiles of matrix products, blocks of QR,\n" +
			"bands and streams. The planner predicts times with the figures; choices change speed, and\n" +
			"results only within rounding. --write writes the result to a tuning file (docs/TUNING.md).\n" +
			"Each value comes from the environment (TWIDDLE_LAUNCH_NS ...), else the file\n" +
			"($TWIDDLE_TUNING, else twiddle/tuning.json in the user's configuration folder), else a\n" +
			"built-in table, else a heuristic. --explain only shows the source of each value.",
	}
	f := c.Flags()
	name := f.String("device", "cpu", "the device to measure")
	write := f.String("write", "", "write the result to this tuning file; \"\" is your own, which programs read")
	explain := f.Bool("explain", false, "measure nothing: show the values in use and their sources")
	rounds := f.Int("rounds", 8, "rounds for each candidate")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *explain && c.Flags().Changed("write") {
			return usagef("--explain measures nothing that --write could write")
		}
		if *rounds < 1 {
			return usagef("--rounds %d: want 1 or more", *rounds)
		}
		if c.Flags().Changed("write") { // measuring takes a while: learn now that it cannot be kept
			if info, err := os.Stat(filepath.Dir(*write)); *write != "" && err == nil && !info.IsDir() {
				return usagef("--write %s: %s is not a folder", *write, filepath.Dir(*write))
			}
			if err := makeParent(*write); err != nil {
				return usagef("--write %s: %w", *write, err)
			}
		}
		dev, err := nd.Open(*name)
		if err != nil {
			return usagef("--device: %w", err)
		}
		r := tuneReport{Tuning: dev.Tuning(), Measured: map[string]float64{}}
		if r.Err != nil {
			return r.Err
		}
		for _, w := range r.Warnings {
			fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: %s\n", w)
		}
		if !*explain {
			var twice [2]map[string]float64
			for i := range twice {
				if twice[i], err = measureFigures(c.Context(), dev); err != nil {
					return err
				}
			}
			r.Measured, r.Unsteady = steadied(twice[0], twice[1])
			for _, f := range r.Figures {
				if v, ok := r.Measured[f.Key]; ok {
					r.Measured[f.Key] = settled(f.Key, f.Value, v)
				}
			}
			if len(r.Unsteady) > 0 {
				fmt.Fprintf(c.ErrOrStderr(), "twiddle: warning: two measurements of %s are more than %.1fx apart: other work runs on this machine, tune again when it is idle\n",
					strings.Join(r.Unsteady, ", "), unsteady)
			}
			if r.Tried, err = tryChoices(c.Context(), dev, timing.Options{Rounds: *rounds}, c.ErrOrStderr()); err != nil {
				return err
			}
			for _, t := range r.Tried {
				r.Measured[t.Key] = t.Winner
			}
		}
		if c.Flags().Changed("write") {
			if err := dev.WriteTuning(*write, r.Measured); err != nil {
				return err
			}
			r.Written = *write
		}
		return show(c, *asJSON, r)
	}
	return c
}

// tuneReport is what is in force beside what was found.
type tuneReport struct {
	nd.Tuning
	Measured map[string]float64 `json:"measured,omitempty"`
	// Unsteady is figures that two measurements disagree on: the machine was busy.
	Unsteady []string      `json:"unsteady,omitempty"`
	Tried    []triedChoice `json:"tried,omitempty"`
	Written  string        `json:"written,omitempty"`
}

func (r tuneReport) WriteText(w io.Writer) error {
	t := timing.NewTable("value", "in force", "measured", "unit", "source")
	for _, f := range r.Figures {
		var measured any = "-"
		if v, ok := r.Measured[f.Key]; ok {
			measured = plainNumber(v)
		}
		t.Row(f.Key, plainNumber(f.Value), measured, f.Unit, f.Source)
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	if len(r.Tried) > 0 {
		t := timing.NewTable("choice", "candidate", "time", "over the best", "")
		for _, c := range r.Tried {
			for _, x := range c.Candidates {
				mark := ""
				if x.Value == c.Winner {
					mark = "wins"
				}
				t.Row(c.Key, plainNumber(x.Value), timing.Nanoseconds(x.NS), x.NS/c.best(), mark)
			}
		}
		if _, err := fmt.Fprintln(w); err != nil {
			return err
		}
		if _, err := t.WriteTo(w); err != nil {
			return err
		}
	}
	if r.Written != "" {
		_, err := fmt.Fprintf(w, "written to %s; set TWIDDLE_TUNING to it, or keep it in the default place %s\n", r.Written, r.File)
		return err
	}
	return nil
}

// plainNumber shows whole numbers whole.
func plainNumber(v float64) any {
	if v == float64(int(v)) {
		return int(v)
	}
	return v
}
