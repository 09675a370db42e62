package main

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// convRequest is what the conv verb was asked for.
type convRequest struct {
	in, filter, bias, skip, out string
	fs                          float64
	mode                        signal.Mode
	streams                     int
	device                      *nd.Device
	open                        audio.Options
}

func newConvCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "conv SIGNAL FILTER --out y.wav",
		Short: "Convolve every channel of a signal with its filter",
		Long: "Convolve a signal of shape (..., channels, length) with filters of shape (channels, taps)\n" +
			"or one filter of shape (taps), by FFT. One channel goes through every filter. Each may be a\n" +
			"recording or an array: WAV, FLAC, .npy, .npz, or - for a pipe. A bias and a skip factor are\n" +
			"one number per channel, in .npy files. float32 stays float32; every other real dtype is\n" +
			"converted to float64.",
		Example: "  twiddle conv voice.wav room.wav --out wet.wav\n" +
			"  twiddle conv x.npy taps.npy --mode same --out y.npy",
	}
	var r convRequest
	var mode, device string
	f := c.Flags()
	f.StringVar(&r.in, "in", "", "the signal, as SIGNAL")
	f.StringVar(&r.filter, "filter", "", "the filters, as FILTER")
	f.StringVar(&r.bias, "bias", "", "a bias per channel, a .npy file")
	f.StringVar(&r.skip, "skip", "", "a factor per channel for adding the signal itself, a .npy file")
	f.StringVar(&r.out, "out", "", "the file to write: .npy, or .wav (required)")
	f.Float64Var(&r.fs, "fs", 0, "sampling frequency of a .wav file (default: that of the signal)")
	f.StringVar(&mode, "mode", "causal", "circular, causal, full, same or valid")
	f.IntVar(&r.streams, "streams", 0, "bands of channels, one stream each; 0 lets the engine decide")
	f.StringVar(&device, "device", "cpu", "the device to run on, or auto; see 'twiddle devices'")
	var channels recordingFlags
	channels.addChoice(c)
	asJSON := addJSON(c)
	c.Args = takeFiles(fileArg{"in", &r.in}, fileArg{"filter", &r.filter})
	c.RunE = func(c *cobra.Command, _ []string) error {
		if r.in == "" || r.filter == "" {
			return usagef("a signal and a filter are required; see 'twiddle conv --help'")
		}
		if r.in == "-" && r.filter == "-" {
			return usagef("the signal and the filter are both -: one of them can come through a pipe")
		}
		if err := checkOut(r.out, ".npy", ".wav"); err != nil {
			return err
		}
		var err error
		if r.open, err = channels.choice(c); err != nil {
			return err
		}
		if r.mode, err = signal.ParseMode(mode); err != nil {
			return usagef("--mode: %w", err)
		}
		if r.streams < 0 {
			return usagef("--streams %d: want at least 1, or 0 to let the engine decide", r.streams)
		}
		if c.Flags().Changed("fs") && (!(r.fs > 0) || math.IsInf(r.fs, 0)) {
			return usagef("--fs %g: want a positive number", r.fs)
		}
		if r.device, err = openDevice(c, device); err != nil {
			return err
		}
		report, err := convolveFiles(c, r)
		if err != nil {
			return err
		}
		return show(c, *asJSON, report)
	}
	return overFolders(c, &r.in, &r.out, ".wav")
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
		r.Out, r.DType, r.Shape, r.Mode, counted.Of(r.Streams, "stream"), float64(r.PeakBytes)/(1<<20))
	return err
}

// throughEach is x, or a signal of one channel once for each of several filters, as of a room heard by two ears.
func throughEach(x, k *nd.Array) *nd.Array {
	if k.NDim() != 2 || x.NDim() > 1 && x.Dim(-2) != 1 {
		return x
	}
	shape := append([]int{1}, x.Shape()...) // of a line: one channel
	if x.NDim() > 1 {
		shape = x.Shape()
	}
	shape[len(shape)-2] = k.Dim(0)
	return x.BroadcastTo(shape...)
}

func convolveFiles(c *cobra.Command, r convRequest) (report, error) {
	ctx, dev := c.Context(), r.device
	x, err := readNamed(c, r.in, r.open, framePart{})
	if err != nil {
		return nil, err
	}
	if x.DType().IsComplex() {
		return nil, fmt.Errorf("conv: %s is %v: want real samples", r.in, x.DType())
	}
	x.rate = cmp.Or(r.fs, x.rate)
	if extension(r.out) == ".wav" && x.rate == 0 {
		return nil, usagef("--out %s needs --fs: %s does not say how many samples make a second", r.out, r.in)
	}
	x.Array = x.On(dev.Stream())
	// beside reads another operand, in the precision of the signal.
	beside := func(name string) (*nd.Array, float64, error) {
		f, err := readNamed(c, name, audio.Options{}, framePart{})
		if err != nil {
			return nil, 0, otherFile{ofFile(err, name)}
		}
		t := x.DType()
		if f.DType().IsComplex() {
			t = t.Complex()
		}
		return f.Cast(t).On(dev.Stream()), f.rate, nil
	}
	conv := signal.Conv{Mode: r.mode}
	for name, to := range map[string]**nd.Array{r.bias: &conv.Bias, r.skip: &conv.Skip} {
		if name != "" {
			if *to, _, err = beside(name); err != nil {
				return nil, err
			}
		}
	}
	k, rate, err := beside(r.filter)
	if err != nil {
		return nil, err
	}
	if rate > 0 && x.rate > 0 && rate != x.rate {
		return nil, fmt.Errorf("conv: %s has %g samples per second, %s has %g: resample one of them", r.in, x.rate, r.filter, rate)
	}
	x.Array = throughEach(x.Array, k)
	p := signal.Pipeline{Conv: conv, Streams: r.streams}
	dev.ResetPeak()
	y, err := hostArray(ctx, p.Apply(x.Array, k))
	if err != nil {
		return nil, err
	}
	if extension(r.out) == ".wav" {
		err = writeWAV(r.out, y, x.rate)
	} else {
		err = npy.WriteFile(r.out, y)
	}
	return convReport{Out: r.out, Shape: y.Shape, DType: y.DType.String(), Mode: r.mode.String(),
		Streams: p.Bands(x.Array), PeakBytes: dev.Memory().Peak}, err
}
