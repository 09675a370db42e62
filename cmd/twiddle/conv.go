package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// convRequest is what the conv verb was asked for.
type convRequest struct {
	in, filter, bias, skip, out string
	mode                        signal.Mode
	streams                     int
	device                      *nd.Device
}

func newConvCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "conv --in x.npy --filter k.npy --out y.npy",
		Short: "Convolve every channel of a signal with its filter",
		Long: "Convolve a signal of shape (..., channels, length) with filters of shape (channels,\n" +
			"taps) or one of shape (taps), by FFT. A bias and a skip factor are one number per\n" +
			"channel. float32 stays float32; every other real dtype is taken as float64.",
	}
	var r convRequest
	var mode, device string
	f := c.Flags()
	f.StringVar(&r.in, "in", "", "the signal, a .npy file (required)")
	f.StringVar(&r.filter, "filter", "", "the filters, a .npy file (required)")
	f.StringVar(&r.bias, "bias", "", "what to add to each channel, a .npy file")
	f.StringVar(&r.skip, "skip", "", "how much of the signal itself to add, a .npy file")
	f.StringVar(&r.out, "out", "", "the .npy file to write (required)")
	f.StringVar(&mode, "mode", "causal", "circular, causal, full, same or valid")
	f.IntVar(&r.streams, "streams", 0, "bands of channels, one stream each; 0 lets the engine decide")
	f.StringVar(&device, "device", "cpu", "where to run, or auto; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if r.in == "" || r.filter == "" || r.out == "" {
			return usagef("--in, --filter and --out are required; see 'twiddle conv --help'")
		}
		var err error
		if r.mode, err = signal.ParseMode(mode); err != nil {
			return usagef("--mode: %w", err)
		}
		if c.Flags().Changed("streams") && r.streams < 1 {
			return usagef("--streams %d: want at least 1", r.streams)
		}
		if r.device, err = openDevice(c, device); err != nil {
			return err
		}
		report, err := convolveFile(c.Context(), r)
		if err != nil {
			return err
		}
		return show(c, *asJSON, report)
	}
	return c
}

// convReport says what was written.
type convReport struct {
	Out       string `json:"out"`
	Shape     []int  `json:"shape"`
	DType     string `json:"dtype"`
	Mode      string `json:"mode"`
	Streams   int    `json:"streams"`
	PeakBytes int    `json:"peak_bytes"`
}

func (r convReport) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s %v, %s, %s, at most %.1f MiB in use\n",
		r.Out, r.DType, r.Shape, r.Mode, page.Count(r.Streams, "stream"), float64(r.PeakBytes)/(1<<20))
	return err
}

func convolveFile(ctx context.Context, r convRequest) (report, error) {
	in, err := npy.ReadFile(r.in)
	if err != nil {
		return nil, err
	}
	if in.DType.IsComplex() {
		return nil, fmt.Errorf("conv: %s is %v: want real samples", r.in, in.DType)
	}
	if in.DType == npy.Float32 || in.DType == npy.Float16 {
		return convolve[float32, complex64](ctx, in, r)
	}
	return convolve[float64, complex128](ctx, in, r)
}

func convolve[R float32 | float64, C complex64 | complex128](ctx context.Context, in *npy.Array, r convRequest) (report, error) {
	x, err := arrayOf[R](in)
	if err != nil {
		return nil, err
	}
	dev := r.device
	x = x.On(dev.Stream())
	conv := signal.Conv{Mode: r.mode}
	for name, to := range map[string]**nd.Array{r.bias: &conv.Bias, r.skip: &conv.Skip} {
		if name == "" {
			continue
		}
		file, err := npy.ReadFile(name)
		if err != nil {
			return nil, err
		}
		a, err := arrayOf[R](file)
		if err != nil {
			return nil, err
		}
		*to = a.On(dev.Stream())
	}
	filter, err := npy.ReadFile(r.filter)
	if err != nil {
		return nil, err
	}
	k, err := filterOf[R, C](filter)
	if err != nil {
		return nil, err
	}
	p := signal.Pipeline{Conv: conv, Streams: r.streams}
	dev.ResetPeak()
	y := p.Apply(x, k.On(dev.Stream()))
	if y, err = chosen(ctx, y); err != nil {
		return nil, err
	}
	values, err := nd.Slice[R](ctx, y)
	if err != nil {
		return nil, err
	}
	out, err := npy.From(values, y.Shape()...)
	if err != nil {
		return nil, err
	}
	if err := npy.WriteFile(r.out, out); err != nil {
		return nil, err
	}
	return convReport{Out: r.out, Shape: y.Shape(), DType: y.DType().String(), Mode: r.mode.String(),
		Streams: p.Bands(x), PeakBytes: dev.Memory().Peak}, nil
}

// filterOf is a filter, as taps or as a spectrum.
func filterOf[R float32 | float64, C complex64 | complex128](a *npy.Array) (*nd.Array, error) {
	if a.DType.IsComplex() {
		return arrayOf[C](a)
	}
	return arrayOf[R](a)
}
