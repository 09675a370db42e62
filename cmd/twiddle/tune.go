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
		Short: "Measure the figures and choices that this machine is best served with",
		Long: "Measure how fast a device moves bytes, computes, transforms, multiplies matrices\n" +
			"and starts work, and try out the choices that code makes by device: tiles of\n" +
			"matrix products, blocks of QR, bands and streams. Plans are priced with the\n" +
			"figures; choices change speed and never results. With --write what was found\n" +
			"goes into a tuning file (docs/TUNING.md). Each value comes from the environment\n" +
			"(TWIDDLE_LAUNCH_NS ...), else the file ($TWIDDLE_TUNING, else twiddle/tuning.json\n" +
			"in the user's configuration folder), else a table that is built in, else a\n" +
			"heuristic. --explain only shows where each came from.",
	}
	f := c.Flags()
	name := f.String("device", "cpu", "the device to measure")
	write := f.String("write", "", "write what was found to this tuning file")
	explain := f.Bool("explain", false, "measure nothing: show the values in force and their sources")
	rounds := f.Int("rounds", 8, "turns that each candidate gets")
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
				return usagef("--write %s: %s is no folder", *write, filepath.Dir(*write))
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
