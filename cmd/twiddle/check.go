package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/nd/conformance"
	"github.com/twiddle-go/twiddle/signal"
)

// checkReport is what to attach to an issue.
type checkReport struct {
	Version     *versionReport      `json:"version"`
	Time        string              `json:"time"`
	Devices     []nd.DeviceInfo     `json:"devices"`
	Unavailable []unavailableDevice `json:"unavailable,omitempty"`
	Levels      []string            `json:"simd_levels"`
	Checked     []checkedDevice     `json:"checked"`
	Failed      int                 `json:"failed"`
}

type checkedDevice struct {
	Name      string              `json:"name"`
	Error     string              `json:"error,omitempty"`
	Report    *conformance.Report `json:"report,omitempty"`
	Pipelines []checkedPipeline   `json:"pipelines,omitempty"`
}

// checkedPipeline is a computation of many operations, fused and one by one.
type checkedPipeline struct {
	Name  string `json:"name"`
	Error string `json:"error,omitempty"`
}

func newCheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check",
		Short: "Check that the devices of this machine compute correctly",
		Long: "Compare every device of this machine, and every instruction set of its processor, with\n" +
			"the reference: the project's conformance suite, as much of it as there is time for, and\n" +
			"fused pipelines compared with the same operations one by one.\n\n" +
			"The exit status is 1 if anything differs. Attach the report to an issue.",
		Example: "  twiddle check\n  twiddle check --for 10m --json > report.json",
		Args:    cobra.NoArgs,
	}
	span := c.Flags().Duration("for", time.Minute, "total time, all devices together")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *span <= 0 {
			return usagef("--for %s: want a positive time", *span)
		}
		if err := simd.OverrideError(); err != nil {
			return err
		}
		r, err := check(c.Context(), *span, c.ErrOrStderr())
		if err != nil {
			return err
		}
		if err := show(c, *asJSON, r); err != nil {
			return err
		}
		if r.Failed > 0 {
			return fmt.Errorf("check: %s failed", counted.Of(r.Failed, "check"))
		}
		return nil
	}
	return c
}

func check(ctx context.Context, span time.Duration, progress io.Writer) (*checkReport, error) {
	r := &checkReport{Version: findVersion(), Time: time.Now().UTC().Format(time.RFC3339), Devices: nd.Devices()}
	for _, u := range nd.Unavailable() {
		r.Unavailable = append(r.Unavailable, unavailableDevice{u.Name, u.Err.Error()})
	}
	for _, l := range simd.Available() {
		r.Levels = append(r.Levels, l.String())
	}
	end := time.Now().Add(span)
	targets := conformance.Targets()
	for i, t := range targets {
		d := checkedDevice{Name: t.Name}
		report, err := t.Check(ctx, time.Until(end)/time.Duration(len(targets)-i), func(group string) {
			if to := terminal(progress); to != nil && ctx.Err() == nil {
				fmt.Fprintf(to, "\r\x1b[K%s: %s", t.Name, group)
			}
		})
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		d.Report = report
		if err != nil {
			d.Error = err.Error()
			r.Failed++
		} else {
			r.Failed += report.Failed
		}
		r.Checked = append(r.Checked, d)
	}
	if to := terminal(progress); to != nil {
		fmt.Fprint(to, "\r\x1b[K")
	}
	if err := r.addPipelines(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// addPipelines verifies whole computations on every device that nd has, at the
// instruction set it uses.
func (r *checkReport) addPipelines(ctx context.Context) error {
	if err := nd.SetVerify(1); err != nil {
		return err
	}
	defer func() { _ = nd.SetVerify(0) }()
	for _, info := range r.Devices {
		if info.Name == "null" { // computes nothing
			continue
		}
		c := checkedDevice{Name: info.Name}
		d, err := nd.Open(info.Name)
		var in []*nd.Array
		if err == nil {
			in, err = operandsOn(ctx, d, nd.Normal(1, nd.Float32, 4, 20011), nd.Normal(2, nd.Float32, 4, 301))
		}
		if err != nil {
			c.Error = err.Error()
			r.Failed++
			r.Checked = append(r.Checked, c)
			continue
		}
		x, taps := in[0], in[1]
		pipelines := map[string]*nd.Array{
			"welch":       signal.Welch(x, signal.Spectral{NPerSeg: 1000}).Array,
			"stft, istft": signal.Librosa(2048, 512).Inverse(signal.Librosa(2048, 512).Apply(x)),
			"convolution": signal.Conv{}.Apply(x, taps),
			"gradient":    nd.Grad(x.RFFT().AbsSquared().AddScalar(1).Log().Mean(), x)[0],
			"products":    x.SliceAxis(-1, nd.Range{Stop: 300}).MatMul(x.SliceAxis(-1, nd.Range{Stop: 300}).SwapAxes(0, 1)).Sort(-1),
			"random":      nd.Normal(3, nd.Float32, 1000).On(d.Stream()),
			"resample":    signal.Resample{N: 9001}.Apply(x),
		}
		for _, name := range slices.Sorted(maps.Keys(pipelines)) {
			p := checkedPipeline{Name: name}
			if err := nd.Eval(ctx, pipelines[name]); err != nil {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				p.Error = err.Error()
				r.Failed++
			}
			c.Pipelines = append(c.Pipelines, p)
		}
		r.Checked = append(r.Checked, c)
	}
	return nil
}

func (r *checkReport) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s, instruction sets %s\n", r.Version, r.Time, strings.Join(r.Levels, " "))
	for _, d := range r.Devices {
		fmt.Fprintf(&b, "device %s: %s\n", d.Name, d.Description)
	}
	for _, u := range r.Unavailable {
		fmt.Fprintf(&b, "device %s: not available: %s\n", u.Name, strings.TrimPrefix(u.Why, u.Name+": "))
	}
	for _, d := range r.Checked {
		d.write(&b)
	}
	if r.Failed == 0 {
		b.WriteString("\nAll of it is right.\n")
	} else {
		fmt.Fprintf(&b, "\n%s FAILED: please attach this report to an issue.\n", counted.Of(r.Failed, "check"))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (d *checkedDevice) write(b *strings.Builder) {
	if d.Error != "" {
		fmt.Fprintf(b, "\n%s: FAILED: %s\n", d.Name, d.Error)
	}
	if p := d.Report; p != nil {
		fmt.Fprintf(b, "\n%s: %d checks passed, %d failed, %d skipped, %d left out for time\n", d.Name, p.Passed, p.Failed, p.Skipped, p.LeftOut)
		for _, g := range p.Groups {
			fmt.Fprintf(b, "  %-10s %5d passed  %3d failed  %4d skipped  %5d left out  %6.1f s\n", g.Name, g.Passed, g.Failed, g.Skipped, g.LeftOut, g.Seconds)
		}
		for _, f := range p.Failures {
			fmt.Fprintf(b, "  FAILED %s\n    %s\n", f.Name, strings.ReplaceAll(f.Text, "\n", "\n    "))
		}
	}
	if len(d.Pipelines) > 0 {
		fmt.Fprintf(b, "\n%s: %s, fused and one operation at a time\n", d.Name, counted.Of(len(d.Pipelines), "pipeline"))
		for _, p := range d.Pipelines {
			result := "same"
			if p.Error != "" {
				result = "FAILED: " + p.Error
			}
			fmt.Fprintf(b, "  %-12s %s\n", p.Name, result)
		}
	}
}
