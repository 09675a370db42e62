package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func newExplainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain",
		Short: "Show the plan of a computation, and the reasons for it",
		Long:  "Show the plan of a computation: its steps, what is fused and why, the bytes it\nmoves, and the plan that was rejected. Nothing runs.",
	}
	c.AddCommand(pipelineCommands("Explain", func(c *cobra.Command) pipelineUser { return addExplainFlags(c) })...)
	return c
}

// pipelineUser does something with a pipeline whose parameters are flags: it
// explains it, or traces it.
type pipelineUser interface {
	// use is given what build makes of inputs, which are to be there already
	// when it runs.
	use(c *cobra.Command, build func(inputs []*nd.Array) *nd.Array, inputs ...*nd.Array) error
}

// pipelineCommands is a verb for each pipeline. flags adds what the user has
// flags for.
func pipelineCommands(does string, flags func(*cobra.Command) pipelineUser) []*cobra.Command {
	return []*cobra.Command{newConvPipeline(does, flags), newWelchPipeline(does, flags), newSTFTPipeline(does, flags)}
}

func newConvPipeline(does string, flags func(*cobra.Command) pipelineUser) *cobra.Command {
	c := &cobra.Command{
		Use:   "conv --shape B,C,L --mode M",
		Short: does + " a convolution of B x C lines of L samples",
	}
	f := c.Flags()
	shape := f.String("shape", "8,64,1024", "batch, channels and length, separated by commas")
	taps := f.Int("taps", 0, "taps of each filter (default: as many as samples)")
	mode := f.String("mode", "causal", "circular, causal, full, same or valid")
	user := flags(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		x, k, conv, err := convOf(*shape, *taps, *mode)
		if err != nil {
			return err
		}
		return user.use(c, func(in []*nd.Array) *nd.Array { return conv.Apply(in[0], in[1]) }, x, k)
	}
	return c
}

// explainFlags is how plans are shown.
type explainFlags struct {
	device *string
	graph  *bool
	passes *bool
	plot   *string
	asJSON *bool
}

func addExplainFlags(c *cobra.Command) *explainFlags {
	f := c.Flags()
	return &explainFlags{
		device: f.String("device", "cpu", "the device to plan for"),
		graph:  f.Bool("dot", false, "print the plan as a Graphviz graph"),
		passes: f.Bool("passes", false, "print the plan after each pass of the compiler, and the saving of each pass"),
		plot:   f.String("plot", "", "draw the launches over the predicted time: a .png or .svg file"),
		asJSON: addJSON(c),
	}
}

// use prints the plan.
func (e *explainFlags) use(c *cobra.Command, build func(inputs []*nd.Array) *nd.Array, inputs ...*nd.Array) error {
	if err := placed(c.Context(), *e.device, inputs); err != nil {
		return err
	}
	result := build(inputs)
	if *e.passes {
		passes, err := nd.ExplainPasses(result)
		if err != nil {
			return err
		}
		return show(c, *e.asJSON, passReport(passes))
	}
	plan, err := nd.Explain(result)
	if err != nil {
		return err
	}
	if *e.plot != "" {
		if err := (chart.Plan{Title: strings.TrimSpace(c.CommandPath()) + " on " + plan.Device}).Save(*e.plot, plan); err != nil {
			return err
		}
	}
	if *e.graph {
		_, err := io.WriteString(c.OutOrStdout(), plan.Dot())
		return err
	}
	return show(c, *e.asJSON, explainReport{plan})
}

// placed puts inputs on the device that a flag names, and computes them.
func placed(ctx context.Context, device string, inputs []*nd.Array) error {
	dev, err := nd.Open(device)
	if err != nil {
		return usagef("--device: %w", err)
	}
	on, err := operandsOn(ctx, dev, inputs...)
	copy(inputs, on)
	return err
}

// passReport is the passes of the compiler as a report.
type passReport []nd.PlanPass

func (list passReport) WriteText(w io.Writer) error {
	for i, p := range list {
		if _, err := io.WriteString(w, p.String()); err != nil {
			return err
		}
		if i == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "      %s\n", p.Saved(list[i-1])); err != nil {
			return err
		}
	}
	return nil
}

// explainReport is a plan as a report.
type explainReport struct{ *nd.Plan }

func (p explainReport) WriteText(w io.Writer) error {
	_, err := io.WriteString(w, p.String())
	return err
}

// convOf makes the arrays of a convolution described by flags. Filters of a
// circular convolution are given as spectra, as they would be in a loop.
func convOf(shape string, taps int, mode string) (x, k *nd.Array, conv signal.Conv, err error) {
	dims, err := parseShape(shape)
	if err != nil {
		return nil, nil, conv, err
	}
	if conv.Mode, err = signal.ParseMode(mode); err != nil {
		return nil, nil, conv, usagef("--mode: %w", err)
	}
	if taps == 0 {
		taps = dims[2]
	}
	if taps < 1 {
		return nil, nil, conv, usagef("--taps %d: want at least 1", taps)
	}
	x = nd.Uniform(1, nd.Float32, dims[0], dims[1], dims[2])
	k = nd.Uniform(2, nd.Float32, dims[1], taps)
	if conv.Mode == signal.Circular && taps == dims[2] {
		k = k.RFFT()
	}
	return x, k, conv, nil
}

// parseShape takes batch, channels and length.
func parseShape(text string) ([3]int, error) {
	var dims [3]int
	parts := strings.Split(text, ",")
	if len(parts) != len(dims) {
		return dims, usagef("--shape %q: want batch,channels,length", text)
	}
	elements := 1
	for i, p := range parts {
		n, err := strconv.Atoi(strings.TrimSpace(p))
		if err != nil || n < 1 {
			return dims, usagef("--shape %q: %q is not a whole number from 1 on", text, p)
		}
		if int64(elements) > 1<<32/int64(n) {
			return dims, usagef("--shape %q: more elements than a measurement should take", text)
		}
		elements *= n
		dims[i] = n
	}
	return dims, nil
}

// shapeText is a shape as the flag takes it.
func shapeText(dims []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", "x"), "[]")
}
