package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/loss"
	"github.com/twiddle-go/twiddle/nd"
)

// lossRow is the time of a loss and its gradient, evaluated together.
type lossRow struct {
	Name       string  `json:"name"`
	Device     string  `json:"device"`
	Shape      []int   `json:"shape"`
	Programs   int     `json:"programs"`
	NS         float64 `json:"ns"`
	Compiled   float64 `json:"compiled_ns"` // the same by nd.Compile, which builds the graph once
	Predicted  float64 `json:"predicted_ns"`
	Sequential float64 `json:"sequential_ns,omitempty"` // the baseline's time
	Ratio      float64 `json:"ratio,omitempty"`         // its time over ours
}

type lossRows []lossRow

// lossCase is a loss that is measured.
type lossCase struct {
	name string
	loss interface {
		Of(x, y *nd.Array) *nd.Array
	}
	shape  []int
	silent bool
	// sequential is the same on one thread, or nil.
	sequential func(x, y, grad []float32) float64
}

func newBenchLossCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "loss",
		Short: "Time spectral losses with their gradients",
		Long: "Time a spectral loss together with its gradient by one signal, float32, from evaluated\n" +
			"signals to evaluated results, with the graph built every time and with one that nd.Compile\n" +
			"built once. The frame loss is compared with its sequential form: on one thread, 33 bins of\n" +
			"64 samples for both signals and back. bench/loss_peers.py compares with PyTorch. On a\n" +
			"software adapter of WebGPU the multi-resolution loss is of one signal instead of 16.",
	}
	f := c.Flags()
	device := f.String("device", "cpu", "the device to measure; see 'twiddle devices'")
	samples := f.Int("samples", 131072, "samples of the frame loss")
	rounds := f.Int("rounds", 5, "rounds for each contender")
	sequential := f.Bool("sequential", true, "run the sequential form, too")
	silent := f.Bool("silent", false, "measure silence, signals of zeros, without the sequential form")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		d, err := nd.Open(*device)
		switch {
		case *device == "null":
			return usagef("--device null computes nothing")
		case err != nil:
			return usagef("--device: %w", err)
		case *samples < 64:
			return usagef("--samples %d: want at least a window, 64", *samples)
		case *rounds < 1:
			return usagef("--rounds %d: want 1 or more", *rounds)
		}
		batch := 16
		if d.Info().Software {
			batch = 1
		}
		cases := []lossCase{
			{name: "frame", loss: loss.Frame{Size: 64}, shape: []int{*samples}, sequential: newSequentialFrame(64).run},
			{name: "multi-resolution stft", loss: loss.MultiResolutionSTFT{}, shape: []int{batch, 44100}},
		}
		var rows lossRows
		for _, l := range cases {
			if l.silent = *silent; !*sequential || *silent {
				l.sequential = nil
			}
			r, err := l.measure(c.Context(), d, *rounds)
			if err != nil {
				return fmt.Errorf("%s: %w", l.name, err)
			}
			rows = append(rows, r)
		}
		return show(c, *asJSON, rows)
	}
	return c
}

// measure times a case on a device.
func (l lossCase) measure(ctx context.Context, d *nd.Device, rounds int) (lossRow, error) {
	in, err := operandsOn(ctx, d, l.signal(1), l.signal(2))
	if err != nil {
		return lossRow{}, err
	}
	x, y := in[0], nd.StopGradient(in[1])
	build := func(x, y *nd.Array) (value, grad *nd.Array) {
		v, g := nd.ValueAndGrad(l.loss.Of(x, y), x)
		return v, g[0]
	}
	value, grad := build(x, y)
	plan, err := nd.Explain(value, grad)
	if err != nil {
		return lossRow{}, err
	}
	r := lossRow{Name: l.name, Device: d.Name(), Shape: l.shape, Programs: plan.Launches, Predicted: plan.PredictedNs}
	run, err := loop(func() error {
		v, g := build(x, y)
		defer v.Release()
		defer g.Release()
		return nd.Eval(ctx, v, g)
	})
	if err != nil {
		return r, err
	}
	compiled := nd.Compile(func(in ...*nd.Array) []*nd.Array {
		v, g := build(in[0], nd.StopGradient(in[1]))
		return []*nd.Array{v, g}
	})
	again, err := loop(func() error {
		out, err := compiled.Call(ctx, x, y)
		for _, a := range out {
			a.Release()
		}
		return err
	})
	if err != nil {
		return r, err
	}
	contenders := []timing.Contender{{Name: l.name, Run: run}, {Name: "compiled", Run: again}}
	if l.sequential != nil {
		base, err := l.baseline(ctx, x, y, value, grad)
		if err != nil {
			return r, err
		}
		contenders = append(contenders, timing.Contender{Name: "sequential", Run: base})
	}
	ns, err := timing.Compare(ctx, timing.Options{Rounds: rounds, Slice: 50 * time.Millisecond}, contenders...)
	if err != nil {
		return r, err
	}
	if r.NS, r.Compiled = ns[0], ns[1]; len(ns) > 2 {
		r.Sequential, r.Ratio = ns[2], timing.Ratio(ns[0], ns[2])
	}
	return r, nil
}

func (l lossCase) signal(key nd.Key) *nd.Array {
	x := nd.Normal(key, nd.Float32, l.shape...)
	if l.silent { // in memory, which nd.Zeros would not be
		x = x.MulScalar(0)
	}
	return x
}

// baseline is the sequential form as a contender, once it was found to compute
// the same.
func (l lossCase) baseline(ctx context.Context, x, y, value, grad *nd.Array) (func(reps int), error) {
	var host [3][]float32
	for i, a := range []*nd.Array{x, y, grad} {
		var err error
		if host[i], err = nd.Slice[float32](ctx, a); err != nil {
			return nil, err
		}
	}
	ours, err := nd.Item[float32](ctx, value)
	if err != nil {
		return nil, err
	}
	g := make([]float32, len(host[0]))
	theirs := l.sequential(host[0], host[1], g)
	far, size := 0.0, 0.0
	for i, v := range g {
		far, size = math.Hypot(far, float64(v-host[2][i])), math.Hypot(size, float64(v))
	}
	if d := math.Abs(float64(ours)/theirs - 1); !(d < 1e-3) || !(far < 1e-3*size) {
		return nil, fmt.Errorf("the sequential form gives %g and not %g, its gradient is off by %.1e", theirs, ours, far/size)
	}
	return func(reps int) {
		for range reps {
			l.sequential(host[0], host[1], g)
		}
	}, nil
}

func (rows lossRows) WriteText(w io.Writer) error {
	t := timing.NewTable("loss", "shape", "device", "programs", "time", "compiled", "predicted", "sequential", "ratio")
	for _, r := range rows {
		t.Row(r.Name, shapeText(r.Shape), r.Device, r.Programs, timing.Nanoseconds(r.NS), timing.Nanoseconds(r.Compiled), timing.Nanoseconds(r.Predicted), timing.Nanoseconds(r.Sequential), r.Ratio)
	}
	_, err := t.WriteTo(w)
	if err == nil {
		_, err = fmt.Fprintln(w, "value and gradient together; compiled: with the graph built once, by nd.Compile;\nratio: the sequential form's time over ours")
	}
	return err
}
