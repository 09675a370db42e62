package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

func newTraceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace",
		Short: "Record when each launch ran, for ui.perfetto.dev",
		Long: "Run a computation and write a trace of it: every launch with its stream, its measured and\n" +
			"its predicted time. Spans have the names of the steps in 'twiddle explain'. Open the file\n" +
			"at ui.perfetto.dev, or chrome://tracing. Programs write the same with nd.Trace.",
		Example: "  twiddle trace welch --shape 1,64,65536 --out t.json\n" +
			"  twiddle trace run --out t.json -- analyze a.wav",
	}
	c.AddCommand(pipelineCommands("Trace", func(c *cobra.Command) pipelineUser { return addTraceFlags(c) })...)
	c.AddCommand(newTraceRunCommand())
	return c
}

// traceFlags is how a pipeline is traced.
type traceFlags struct {
	device, out *string
	repeat      *int
	asJSON      *bool
}

func addTraceFlags(c *cobra.Command) *traceFlags {
	f := c.Flags()
	t := &traceFlags{
		device: f.String("device", "cpu", "the device to run on"),
		out:    f.String("out", "", "the trace, a file that ends in .json"),
		repeat: f.Int("repeat", 5, "number of runs of the pipeline; the first one includes planning"),
		asJSON: addJSON(c),
	}
	return t
}

// use runs the pipeline and writes the trace.
func (t *traceFlags) use(c *cobra.Command, build func([]*nd.Array) *nd.Array, inputs ...*nd.Array) error {
	if *t.repeat < 1 {
		return usagef("--repeat %d: want at least 1", *t.repeat)
	}
	if err := checkOut(*t.out, ".json"); err != nil {
		return err
	}
	if err := placed(c.Context(), *t.device, inputs); err != nil {
		return err
	}
	r, err := traced(*t.out, func() error {
		for range *t.repeat {
			if err := nd.Eval(c.Context(), build(inputs)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return show(c, *t.asJSON, r)
}

func newTraceRunCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run --out t.json -- VERB [ARGUMENT...]",
		Short: "Trace any other verb",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want a verb to trace, behind --")
			}
			return nil
		},
	}
	out := c.Flags().String("out", "", "the trace, a file that ends in .json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := checkOut(*out, ".json"); err != nil {
			return err
		}
		verb := newRootCommand()
		verb.SetArgs(args)
		verb.SetOut(c.OutOrStdout())
		verb.SetErr(c.ErrOrStderr())
		r, err := traced(*out, func() error { return verb.ExecuteContext(c.Context()) })
		if err != nil {
			return err
		}
		return r.WriteText(c.ErrOrStderr()) // stdout is the verb's
	}
	return c
}

// traceReport says what was traced.
type traceReport struct {
	Out          string  `json:"out"`
	Launches     int     `json:"launches"`
	Milliseconds float64 `json:"milliseconds"` // of all launches
	PredictedMs  float64 `json:"predicted_milliseconds"`
}

// traced runs work and writes a trace of it, whether it fails or not.
func traced(out string, work func() error) (*traceReport, error) {
	r := &traceReport{Out: out}
	var failed error // of the work
	err := replace.File(out, func(f *os.File) error {
		var stopped error
		failed, stopped = r.trace(f, work)
		return stopped
	})
	if err != nil {
		err = fmt.Errorf("trace: %w", err)
	}
	return r, errors.Join(failed, err)
}

// trace runs work and writes a trace of it to f.
func (r *traceReport) trace(f io.Writer, work func() error) (failed, stopped error) {
	var took time.Duration
	end := nd.Observe(func(s nd.Span) {
		if s.Device != nd.HostSpans {
			r.Launches++
			took += s.Duration
			r.PredictedMs += s.PredictedNs / 1e6
		}
	})
	stop := nd.Trace(f)
	failed = work()
	end()
	r.Milliseconds = float64(took.Nanoseconds()) / 1e6
	return failed, stop()
}

func (r *traceReport) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s, %.2f ms, %.2f ms predicted; open it at ui.perfetto.dev\n", r.Out, counted.Of(r.Launches, "launch", "launches"), r.Milliseconds, r.PredictedMs)
	return err
}
