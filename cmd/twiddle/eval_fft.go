package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

func newEvalFFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fft --weights w.safetensors",
		Short: "Measure a learned transform: error, round trip, speed, smaller variants",
		Long: "Measure a network that 'twiddle train fft' wrote against the matrix of its transform:\n" +
			"its errors, the error of going there and back through its inverse, and the same for a\n" +
			"network without its smallest numbers and for one with numbers of 8 bits. Times are of\n" +
			"single precision, per line, next to a textbook radix-2 FFT and to the engine's own.",
	}
	f := c.Flags()
	weights := f.String("weights", "", "the .safetensors file (required)")
	prune := f.Float64("prune", 1e-3, "numbers to drop, relative to the largest of their factor")
	lines := f.Int("lines", 64, "lines that are transformed together when times are taken")
	noSpeed := f.Bool("no-speed", false, "take no times")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		switch {
		case *weights == "":
			return usagef("--weights is required; see 'twiddle eval fft --help'")
		case *lines < 1 || *lines > 1<<16:
			return usagef("--lines %d: want 1 to 65536", *lines)
		case !(*prune >= 0 && *prune < 1):
			return usagef("--prune %g: want a number from 0 to below 1", *prune)
		}
		if *noSpeed {
			*lines = 0
		}
		r, err := evalFFT(c.Context(), *weights, *prune, *lines)
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
	_, err := fmt.Fprintf(w, "in batches of %d lines; radix-2 FFT in plain Go %s, the engine's FFT %s\n",
		r.Lines, timing.Nanoseconds(r.Radix2NS), timing.Nanoseconds(r.FFTNS))
	return err
}

func evalFFT(ctx context.Context, name string, prune float64, lines int) (*evalFFTReport, error) {
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
	return r, r.speed(ctx, kind, contenders, forms)
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

// speed times the variants, a textbook FFT and the engine's.
func (r *evalFFTReport) speed(ctx context.Context, kind nd.DType, weights []*nd.Array, forms []nd.Butterfly) error {
	x := nd.Normal(1, nd.Float32, r.Lines, r.N).Cast(kind)
	z := x.Cast(nd.Complex64)
	if err := nd.Eval(ctx, append([]*nd.Array{x, z}, weights...)...); err != nil {
		return err
	}
	var failed error
	eval := func(make func() *nd.Array) func(int) {
		return func(reps int) {
			for range reps {
				y := make()
				if err := nd.Eval(ctx, y); err != nil && failed == nil {
					failed = err
				}
				y.Release()
			}
		}
	}
	var list []timing.Contender
	for i, w := range weights {
		list = append(list, timing.Contender{Name: r.Variants[i].Name, Run: eval(func() *nd.Array { return x.Butterfly(w, forms[i]) })})
	}
	text := newRadix2(r.N)
	line := make([]complex64, r.N)
	list = append(list,
		timing.Contender{Name: "fft", Run: eval(func() *nd.Array { return z.FFT() })},
		timing.Contender{Name: "radix-2", Run: func(reps int) {
			for range reps * r.Lines {
				text.transform(line)
			}
		}})
	ns, err := timing.Compare(ctx, timing.Options{}, list...)
	if err == nil {
		err = failed
	}
	if err != nil {
		return err
	}
	per := float64(r.Lines)
	for i := range r.Variants {
		r.Variants[i].NS = ns[i] / per
	}
	r.FFTNS, r.Radix2NS = ns[len(weights)]/per, ns[len(weights)+1]/per
	return nil
}

// radix2 is the FFT of textbooks, in plain Go: what a learned transform is
// measured against.
type radix2 struct {
	reversal []int
	twiddles []complex64 // exp(-2 pi i k / n) for k < n/2
}

func newRadix2(n int) radix2 {
	r := radix2{reversal: make([]int, n), twiddles: make([]complex64, n/2)}
	for i := range r.reversal {
		r.reversal[i] = int(bits.Reverse(uint(i)) >> (bits.UintSize - bits.Len(uint(n-1))))
	}
	for k := range r.twiddles {
		r.twiddles[k] = complex64(cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n))))
	}
	return r
}

func (r radix2) transform(x []complex64) {
	n := len(x)
	for i, j := range r.reversal {
		if i < j {
			x[i], x[j] = x[j], x[i]
		}
	}
	for h := 1; h < n; h *= 2 {
		step := n / (2 * h)
		for b := 0; b < n; b += 2 * h {
			lo, hi := x[b:b+h], x[b+h:b+2*h]
			for k, u := range lo {
				v := hi[k] * r.twiddles[k*step]
				lo[k], hi[k] = u+v, u-v
			}
		}
	}
}
