package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

func newEvalFFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fft --weights w.safetensors",
		Short: "Measure a learned transform: error, round trip, speed, smaller variants",
		Long: "Compare a network that 'twiddle train fft' wrote with the matrix of its transform: its\n" +
			"error, the round-trip error through its inverse, and the errors of two smaller variants,\n" +
			"one without its smallest numbers and one with numbers of 8 bits. Times are in single\n" +
			"precision, per line, on --device, next to a textbook radix-2 FFT (in plain Go on the CPU,\n" +
			"as a kernel of 1024 elsewhere) and the engine's own FFT.",
	}
	f := c.Flags()
	weights := f.String("weights", "", "the .safetensors file (required)")
	prune := f.Float64("prune", 1e-3, "drop numbers below this part of the largest in their factor")
	lines := f.Int("lines", 0, "lines in a batch when timing (default: 64, on a GPU 65536)")
	device := f.String("device", "cpu", "the device to time; see 'twiddle devices'")
	noSpeed := f.Bool("no-speed", false, "do not time")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *weights == "":
			return usagef("--weights is required; see 'twiddle eval fft --help'")
		case c.Flags().Changed("lines") && (*lines < 1 || *lines > 1<<16):
			return usagef("--lines %d: want 1 to 65536", *lines)
		case !(*prune >= 0 && *prune < 1):
			return usagef("--prune %g: want a number from 0 to below 1", *prune)
		}
		dev, err := nd.Open(*device)
		switch {
		case *device == "null":
			return usagef("--device null computes nothing")
		case err != nil:
			return usagef("--device: %w", err)
		case *noSpeed:
			*lines = 0
		case *lines == 0 && dev == nd.CPU():
			*lines = 64
		case *lines == 0:
			*lines = 1 << 16
		}
		r, err := evalFFT(c.Context(), dev, *weights, *prune, *lines)
		if err != nil {
			return err
		}
		return show(c, *asJSON, r)
	}
	return c
}

// evalVariant is a network as it was, pruned or quantised.
type evalVariant struct {
	Name    string `json:"name"`
	Factors int    `json:"factors"`
	Dropped int    `json:"dropped"` // numbers that are not there
	Bytes   int    `json:"bytes"`   // of all numbers, in single precision
	butterfly.Errors
	NS float64 `json:"ns_per_line,omitempty"`
}

type evalFFTReport struct {
	Weights   string              `json:"weights"`
	Transform butterfly.Transform `json:"transform"`
	N         int                 `json:"n"`
	Real      bool                `json:"real"`
	butterfly.Errors
	RMSE32      float64       `json:"rmse_float32"`
	RoundTrip   float64       `json:"round_trip"` // relative, double precision
	RoundTrip32 float64       `json:"round_trip_float32"`
	Variants    []evalVariant `json:"variants"`
	Device      string        `json:"device,omitempty"`
	Lines       int           `json:"lines,omitempty"`
	Radix2NS    float64       `json:"radix2_ns_per_line,omitempty"`
	FFTNS       float64       `json:"fft_ns_per_line,omitempty"`
}

func (r evalFFTReport) WriteText(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s of %d: RMSE %.1e (in float32 %.1e), at most %.1e; there and back %.1e (in float32 %.1e)\n",
		r.Transform, r.N, r.RMSE, r.RMSE32, r.Max, r.RoundTrip, r.RoundTrip32); err != nil {
		return err
	}
	t := timing.NewTable("network", "factors", "dropped", "bytes", "rmse", "max error", "per line")
	for _, v := range r.Variants {
		t.Row(v.Name, v.Factors, v.Dropped, v.Bytes, fmt.Sprintf("%.1e", v.RMSE), fmt.Sprintf("%.1e", v.Max), timing.Nanoseconds(v.NS))
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	if r.Lines == 0 {
		return nil
	}
	textbook := "radix-2 FFT in plain Go"
	if r.Device != nd.CPU().Name() {
		textbook = "radix-2 FFT as a kernel body"
	}
	_, err := fmt.Fprintf(w, "on %s in batches of %d lines; %s %s, the engine's FFT %s\n",
		r.Device, r.Lines, textbook, timing.Nanoseconds(r.Radix2NS), timing.Nanoseconds(r.FFTNS))
	return err
}

func evalFFT(ctx context.Context, dev *nd.Device, name string, prune float64, lines int) (*evalFFTReport, error) {
	net, about, err := butterfly.Load(name)
	if err != nil {
		return nil, err
	}
	m, err := about.Transform.Dense(net.N, about.Seed)
	if err != nil {
		return nil, err
	}
	r := &evalFFTReport{Weights: name, Transform: about.Transform, N: net.N, Real: net.Real, Lines: lines}
	if r.Errors, r.RMSE32, err = errorsOf(ctx, net, m); err != nil {
		return nil, err
	}
	if r.RoundTrip, err = roundTrip(ctx, net, nd.Complex128); err != nil {
		return nil, err
	}
	if r.RoundTrip32, err = roundTrip(ctx, net, nd.Complex64); err != nil {
		return nil, err
	}
	pruned, dropped := net.Pruned(prune)
	quantized := net.Quantize()
	kind := nd.Complex64
	size := 8
	if net.Real {
		kind, size = nd.Float32, 4
	}
	variants := []struct {
		name    string
		net     *butterfly.Network
		weights *nd.Array
		dropped int
		bytes   int
	}{
		{"as trained", net, net.Weights(kind), 0, size * len(net.W)},
		{fmt.Sprintf("pruned below %g", prune), pruned, pruned.Weights(kind), dropped, size * len(pruned.W)},
		{"8 bits", quantized.Network(), quantized.Weights(kind), 0, size / 4 * len(net.W)},
	}
	contenders := make([]*nd.Array, 0, len(variants))
	for _, v := range variants {
		e, _, err := errorsOf(ctx, v.net, m)
		if err != nil {
			return nil, err
		}
		r.Variants = append(r.Variants, evalVariant{Name: v.name, Factors: len(v.net.Spans), Dropped: v.dropped, Bytes: v.bytes, Errors: e})
		contenders = append(contenders, v.weights)
	}
	if lines == 0 {
		return r, nil
	}
	forms := make([]nd.Butterfly, len(variants))
	for i, v := range variants {
		forms[i] = nd.Butterfly{Spans: v.net.Spans, From: v.net.From, To: v.net.To}
	}
	r.Device = dev.Name()
	return r, r.speed(ctx, dev, kind, contenders, forms)
}

// roundTrip is the root mean square error of random lines that went through
// the network and its inverse, relative to the lines.
func roundTrip(ctx context.Context, net *butterfly.Network, t nd.DType) (float64, error) {
	inverse, err := net.Inverse()
	if err != nil {
		return 0, err
	}
	x := nd.Complex(nd.Normal(1, nd.Float64, 16, net.N), nd.Normal(2, nd.Float64, 16, net.N)).Cast(t)
	off := inverse.Apply(net.Apply(x)).Sub(x).Cast(nd.Complex128).Norm().Div(x.Cast(nd.Complex128).Norm())
	return nd.Item[float64](ctx, off)
}
