package command

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
)

// showPlan says what a run would do.
func showPlan(ctx context.Context, c fleet.Config, out io.Writer) error {
	p, err := fleet.Look(ctx, c, nil)
	if err != nil {
		return err
	}
	e, err := fleet.NewRun(p).Estimate(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d recordings, %d problems with files\n", len(p.Files), len(p.Problems))
	for i, one := range p.Problems {
		if i == 5 {
			fmt.Fprintf(out, "  ... and %d more\n", len(p.Problems)-i)
			break
		}
		fmt.Fprintf(out, "  %s: %s: %s\n", one.Path, one.Kind, one.Reason)
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "series\trate\tchannels\tdays\tfrom\tto\trow")
	for i := range p.Datasets {
		d := &p.Datasets[i]
		days := 0
		for _, one := range p.Days() {
			if one.Dataset == i {
				days++
			}
		}
		numbers := 0
		for j := range d.Layout.Variables {
			numbers += d.Layout.Size(&d.Layout.Variables[j])
		}
		fmt.Fprintf(t, "%s\t%g Hz\t%d\t%d\t%s\t%s\t%d numbers each %v\n", d.Series.Name, d.Series.Rate, len(d.Series.Channels), days,
			fleet.Date(d.FirstDay), fleet.Date(d.LastDay), numbers, p.Config.Period)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d units of %v, %d of them done; %.1f hours and %s to read, %s of results before compression\n",
		e.Units, p.Config.Unit, e.Done, e.Hours, sized(e.Bytes), sized(e.OutputBytes))
	if e.Model > 0 {
		fmt.Fprintf(out, "the engine's cost model: %v for spectra, on an idle machine\n", rounded(e.Model))
	}
	fmt.Fprintf(out, "by the first window of each series, which was computed to see: %v to read and %v to compute\n", rounded(e.Read), rounded(e.Compute))
	fmt.Fprintf(out, "together: about %v on this machine\n", rounded(e.Total()))
	return nil
}

// rounded is a time with three digits.
func rounded(d time.Duration) time.Duration {
	step := time.Duration(1)
	for d/step >= 1000 {
		step *= 10
	}
	return d.Round(step)
}

// sized is a size as people say it.
func sized(n int64) string {
	f := float64(n)
	for _, unit := range []string{"B", "KiB", "MiB", "GiB"} {
		if f < 1024 {
			return fmt.Sprintf("%.4g %s", f, unit)
		}
		f /= 1024
	}
	return fmt.Sprintf("%.4g TiB", f)
}

// merge joins what shards have computed.
func merge(ctx context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("merge", flag.ContinueOnError)
	f.SetOutput(out)
	name, err := folder("merge", f, args)
	if err != nil {
		return err
	}
	c, err := fleet.ReadConfig(name)
	if err != nil {
		return err
	}
	if c.Out, err = filepath.Abs(name); err != nil {
		return err
	}
	r, err := fleet.Open(ctx, c)
	if err != nil {
		return err
	}
	if err := r.Merge(ctx); err != nil {
		return err
	}
	return report(c.Out, name, out)
}

func readProblems(folder string) ([][]string, error) {
	f, err := os.Open(filepath.Join(folder, fleet.ProblemsName))
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("fleet: %s: %d lines, %w", f.Name(), len(rows), err)
	}
	return rows[1:], nil
}

func countProblems(folder string) (int, error) {
	rows, err := readProblems(folder)
	return len(rows), err
}

// problems lists the table of problems.
func problems(_ context.Context, args []string, out io.Writer) error {
	f := flag.NewFlagSet("problems", flag.ContinueOnError)
	f.SetOutput(out)
	name, err := folder("problems", f, args)
	if err != nil {
		return err
	}
	rows, err := readProblems(name)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		fmt.Fprintln(out, "no problems")
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	return t.Flush()
}

// listJobs lists jobs and the names of their options.
func listJobs(_ context.Context, args []string, out io.Writer) error {
	if len(args) > 0 {
		return usage("jobs takes no arguments")
	}
	for _, name := range fleet.Jobs() {
		job, err := fleet.NewJob(name, json.RawMessage(nil))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%-10s %s\n", name, strings.Join(optionNames(reflect.TypeOf(job)), ", "))
	}
	return nil
}

// optionNames are the fields of a job as JSON has them, with their types.
func optionNames(t reflect.Type) []string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case f.Anonymous:
			names = append(names, optionNames(f.Type)...)
		case f.IsExported():
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" {
				name = f.Name
			}
			names = append(names, name+" ("+strings.NewReplacer("float64", "number", "[]", "list of ", "string", "text", "int", "whole number", "bool", "true or false").Replace(f.Type.String())+")")
		}
	}
	return names
}
