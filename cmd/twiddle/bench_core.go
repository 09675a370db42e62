package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// coreRow is one figure of the engine, with the bar it is held to.
type coreRow struct {
	Name   string  `json:"name"`
	What   string  `json:"what"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"` // "x" is a ratio of times in this run
	Limit  float64 `json:"limit"`
	AtMost bool    `json:"at_most"` // or at least
	Met    bool    `json:"met"`
	NS     float64 `json:"ns,omitempty"`      // our time
	BaseNS float64 `json:"base_ns,omitempty"` // what it is compared with
	Note   string  `json:"note,omitempty"`
}

func atMost(name, what string, value, limit float64, unit string) coreRow {
	return coreRow{Name: name, What: what, Value: value, Unit: unit, Limit: limit, AtMost: true, Met: value <= limit}
}

func atLeast(name, what string, value, limit float64, unit string) coreRow {
	return coreRow{Name: name, What: what, Value: value, Unit: unit, Limit: limit, Met: value >= limit}
}

type coreReport struct {
	Device string    `json:"device"`
	CPUs   int       `json:"cpus,omitempty"`
	SIMD   string    `json:"simd,omitempty"`
	Rows   []coreRow `json:"rows"`
}

// coreFigure measures one or more rows.
type coreFigure struct {
	name string
	run  func(context.Context, timing.Options) ([]coreRow, error)
}

var coreFigures = []coreFigure{
	{"chain", benchChain},
	{"sum", benchSum},
	{"transpose", benchTranspose},
	{"cached", benchCached},
	{"matmul", benchMatMul},
	{"streams", benchStreams},
}

func newBenchCoreCommand() *cobra.Command {
	names := make([]string, len(coreFigures))
	for i, f := range coreFigures {
		names[i] = f.name
	}
	c := &cobra.Command{
		Use:   "core",
		Short: "Compare the engine with the machine's memory speed and with OpenBLAS",
		Long: "Compare the engine with the time that the machine takes to copy or read the same bytes with\n" +
			"all cores, and with OpenBLAS if it is installed. Needs about 1 GiB. On a GPU the engine is\n" +
			"compared with a plain copy kernel, by the GPU's own clock, which needs about 12 GiB.",
	}
	device := c.Flags().String("device", "cpu", "the device to measure; see 'twiddle devices'")
	only := c.Flags().String("only", "", "figures to measure, separated by commas; all if empty: on the CPU "+strings.Join(names, ", "))
	rounds := c.Flags().Int("rounds", 15, "rounds for each contender")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *rounds < 1 {
			return usagef("--rounds %d: want at least 1", *rounds)
		}
		if *device != "cpu" {
			return benchDevice(c, *device, *only, *rounds, *asJSON)
		}
		wanted, err := chooseFigures(*only)
		if err != nil {
			return err
		}
		if err := simd.OverrideError(); err != nil {
			return err
		}
		r := &coreReport{Device: "cpu", CPUs: runtime.GOMAXPROCS(0), SIMD: simd.Active().String()}
		o := timing.Options{Rounds: *rounds, Slice: time.Millisecond}
		for _, f := range wanted {
			runtime.GC() // so that none is due while measuring
			rows, err := f.run(c.Context(), o)
			if err != nil {
				return fmt.Errorf("bench core: %s: %w", f.name, err)
			}
			r.Rows = append(r.Rows, rows...)
		}
		return show(c, *asJSON, r)
	}
	return c
}

// benchDevice measures a GPU.
func benchDevice(c *cobra.Command, name, only string, rounds int, asJSON bool) error {
	if name == "null" {
		return usagef("--device null computes nothing")
	}
	dev, err := nd.Open(name)
	if err != nil {
		return usagef("--device: %w", err)
	}
	if dev.Info().Software {
		return usagef("--device %s: a software adapter has not the memory and speed for these figures; see bench conv, fft and cost", name)
	}
	var list []string
	for part := range strings.SplitSeq(only, ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	if len(list) == 0 {
		for _, f := range gpuFigures {
			list = append(list, f.name)
		}
	}
	r, err := benchGPU(c.Context(), dev, list, rounds)
	if err != nil {
		return err
	}
	return show(c, asJSON, r)
}

func chooseFigures(only string) ([]coreFigure, error) {
	if only == "" {
		return coreFigures, nil
	}
	var wanted []coreFigure
	for _, name := range strings.Split(only, ",") {
		found := false
		for _, f := range coreFigures {
			if f.name == strings.TrimSpace(name) {
				wanted = append(wanted, f)
				found = true
			}
		}
		if !found {
			return nil, usagef("--only: no figure %q", name)
		}
	}
	return wanted, nil
}

func (r *coreReport) WriteText(w io.Writer) error {
	head := r.Device
	if r.CPUs > 0 {
		head = fmt.Sprintf("%d CPUs, %s", r.CPUs, r.SIMD)
	}
	if _, err := fmt.Fprintf(w, "%s\n\n", head); err != nil {
		return err
	}
	t := timing.NewTable("figure", "measured", "goal", "", "ours", "base")
	for _, row := range r.Rows {
		goal, met := fmt.Sprintf(">= %g %s", row.Limit, row.Unit), "missed"
		if row.AtMost {
			goal = fmt.Sprintf("<= %g %s", row.Limit, row.Unit)
		}
		if row.Met {
			met = "met"
		}
		if row.Limit == 0 {
			goal, met = "-", ""
		}
		measured := fmt.Sprintf("%.3g %s", row.Value, row.Unit)
		if row.Note != "" {
			measured, met = "-", row.Note
		}
		t.Row(row.Name, measured, goal, met, timing.Nanoseconds(row.NS), timing.Nanoseconds(row.BaseNS))
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	for _, row := range r.Rows {
		if _, err := fmt.Fprintf(w, "\n%s: %s", row.Name, row.What); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
