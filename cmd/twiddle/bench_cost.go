package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// costRow is a piece of work, as it was predicted and as it was.
type costRow struct {
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

// costGoal is how far off a prediction may be.
const costGoal = 1.5

// costCase builds results of inputs, which are on the device.
type costCase struct {
	name   string
	inputs func() []*nd.Array
	build  func(in []*nd.Array) []*nd.Array
}

// costCases are what bench conv, fusion, loss, mixer and linalg measure. A GPU gets
// larger ones besides.
func costCases(large bool) []costCase {
	normal := func(shape ...int) *nd.Array { return nd.Normal(1, nd.Float32, shape...) }
	var out []costCase
	conv := func(mode signal.Mode, shape ...int) {
		out = append(out, costCase{fmt.Sprintf("%s convolution %s", mode, shapeText(shape)),
			func() []*nd.Array { return []*nd.Array{normal(shape...), normal(shape[1:]...)} },
			func(in []*nd.Array) []*nd.Array { return []*nd.Array{signal.Conv{Mode: mode}.Apply(in[0], in[1])} }})
	}
	fusion := func(batch, nfft, segments int) {
		out = append(out, costCase{fmt.Sprintf("welch with peaks, %d x %d x %d", batch, segments, nfft),
			func() []*nd.Array { return []*nd.Array{normal(batch, nfft+(segments-1)*nfft/2)} },
			func(in []*nd.Array) []*nd.Array {
				return []*nd.Array{signal.TopBins{N: nfft, Segments: segments, K: 16}.Apply(in[0])}
			}})
	}
	spectral := func(name string, l interface {
		Of(x, y *nd.Array) *nd.Array
	}, shape ...int) {
		out = append(out, costCase{fmt.Sprintf("%s loss %s with gradient", name, shapeText(shape)),
			func() []*nd.Array { return []*nd.Array{normal(shape...), nd.Normal(2, nd.Float32, shape...)} },
			func(in []*nd.Array) []*nd.Array {
				v, g := nd.ValueAndGrad(l.Of(in[0], nd.StopGradient(in[1])), in[0])
				return []*nd.Array{v, g[0]}
			}})
	}
	mix := func(batch, length, width int) {
		block := mixer.Block{Width: width, Length: length}
		out = append(out, costCase{fmt.Sprintf("mixer %dx%dx%d", batch, length, width),
			func() []*nd.Array {
				in := []*nd.Array{normal(batch, length, width)}
				params, err := block.Init(1)
				if err != nil {
					return []*nd.Array{nd.Fail("twiddle", "bench cost", err)}
				}
				for _, p := range params {
					in = append(in, p.Value)
				}
				return in
			},
			func(in []*nd.Array) []*nd.Array { return []*nd.Array{block.Apply(in[1:], in[0])} }})
	}
	matrices := func(m, n int) {
		out = append(out,
			costCase{fmt.Sprintf("product %dx%d", m, n), func() []*nd.Array { return []*nd.Array{normal(m, n), normal(n, m)} },
				func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].MatMul(in[1])} }},
			costCase{fmt.Sprintf("qr %dx%d", m, n), func() []*nd.Array { return []*nd.Array{normal(m, n)} },
				func(in []*nd.Array) []*nd.Array {
					q, r := linalg.QR(in[0])
					return []*nd.Array{q, r}
				}})
	}
	for _, mode := range []signal.Mode{signal.Circular, signal.Causal} {
		conv(mode, 8, 64, 1024)
		conv(mode, 8, 64, 4096)
		conv(mode, 1, 8, 65536)
	}
	fusion(32, 256, 2)
	fusion(512, 256, 2)
	fusion(8192, 256, 2)
	spectral("frame", loss.Frame{Size: 64}, 16384)
	spectral("multi-resolution", loss.MultiResolutionSTFT{}, 4, 44100)
	mix(4, 512, 64)
	matrices(512, 64)
	if large {
		conv(signal.Circular, 64, 768, 1024)
		conv(signal.Causal, 64, 768, 4096)
		conv(signal.Causal, 16, 768, 16384)
		fusion(65536, 256, 8)
		spectral("frame", loss.Frame{Size: 64}, 1<<22)
		spectral("multi-resolution", loss.MultiResolutionSTFT{}, 16, 44100)
		mix(16, 4096, 256)
		matrices(4096, 256)
	}
	return out
}

func newBenchCostCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "cost",
		Short: "Compare what the cost model predicts with what is measured",
		Long: "Predict and measure what bench conv, fusion, loss, mixer and linalg are about, from\n" +
			"evaluated operands to evaluated results. 'twiddle tune --write' fits the figures of the\n" +
			"model to this machine.",
	}
	device := c.Flags().String("device", "cpu", "where to run; see 'twiddle devices'")
	file := c.Flags().String("plot", "", "a .png or .svg file with predicted against measured times")
	steps := c.Flags().Bool("steps", false, "show every launch beside what was predicted for it")
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
		for _, one := range costCases(dev.Name() != "cpu") {
			row, err := one.measure(c.Context(), dev, *steps)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			if row.Off <= costGoal {
				r.Near++
			}
			r.Worst = max(r.Worst, row.Off)
			r.Rows = append(r.Rows, row)
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

func (w costCase) measure(ctx context.Context, dev *nd.Device, steps bool) (costRow, error) {
	r := costRow{Work: w.name}
	in := w.inputs()
	for i := range in {
		in[i] = in[i].On(dev.Stream())
	}
	if err := nd.Eval(ctx, in...); err != nil {
		return r, err
	}
	plan, err := nd.Explain(w.build(in)...)
	if err != nil {
		return r, err
	}
	// Compiled: the model is about devices, not about building graphs.
	compiled := nd.Compile(func(in ...*nd.Array) []*nd.Array { return w.build(slices.Clone(in)) })
	run, err := loop(func() error {
		out, err := compiled.Call(ctx, in...)
		if err == nil {
			err = nd.Eval(ctx, out...)
		}
		for _, a := range out {
			a.Release()
		}
		return err
	})
	if err != nil {
		return r, err
	}
	ns, err := timing.Compare(ctx, timing.Options{Rounds: 5, Slice: 20 * time.Millisecond}, timing.Contender{Run: run})
	if err != nil {
		return r, err
	}
	r.Launches, r.Predicted, r.NS = plan.Launches, plan.PredictedNs, ns[0]
	r.Off = math.Exp(math.Abs(math.Log(r.NS / r.Predicted)))
	if steps {
		r.Steps = stepsOf(run)
	}
	return r, nil
}

func (r *costReport) WriteText(w io.Writer) error {
	t := timing.NewTable("work", "launches", "predicted", "measured", "measured/predicted")
	for _, row := range r.Rows {
		t.Row(row.Work, row.Launches, timing.Nanoseconds(row.Predicted), timing.Nanoseconds(row.NS), row.NS/row.Predicted)
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
