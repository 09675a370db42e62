package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func newWelchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "welch FILE [--out p.npy]",
		Short: "Estimate power spectra by Welch's method",
		Long: "Estimate the power spectrum of every line of a file, as scipy.signal.welch does, with the\n" +
			"same names for options. The input is a recording or an array. The output is a .npy file of\n" +
			"powers, or a .npz file that also has frequencies; --json prints a short result. A name\n" +
			"that ends in .png draws the spectra. Without --out one spectrum is printed, the maximum\n" +
			"over all lines.",
		Example: "  twiddle welch a.wav\n" +
			"  twiddle welch eeg.csv --columns Fz,Cz --nperseg 512 --out p.png\n" +
			"  twiddle welch a.wav --frames 48000:96000 --scaling spectrum --out p.npz\n" +
			"  twiddle welch iq.bin --raw int16 --iq --fs 2e6",
	}
	v := addSignalVerb(c)
	v.recording.addIQ(c)
	v.draws(c)
	f := c.Flags()
	o, text := addSpectralFlags(c)
	average := f.String("average", "mean", "how segments are averaged: mean or median")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := text.parse(c, o); err != nil {
			return err
		}
		if err := parsed(map[string]func() error{"average": parseTo(&o.Average, signal.ParseAveraging, *average)}); err != nil {
			return err
		}
		x, err := v.read(c)
		if err != nil {
			return err
		}
		o.FS, o.Axis = x.rate, x.axis
		p := signal.Welch(x.Array, *o)
		if *v.out == "" && !*v.asJSON || extension(*v.out) == ".png" {
			return v.drawPower(c, p, x, *o)
		}
		power, err := hostArray(c.Context(), p.Array)
		if err != nil {
			return err
		}
		frequencies, err := npy.From(p.Frequencies, len(p.Frequencies))
		if err != nil {
			return err
		}
		note := ""
		if p.Clipped {
			note = "nperseg is more than the samples there are: all became one segment"
		}
		return v.write(c, note, named{"power", power}, named{"frequencies", frequencies})
	}
	return overFolders(c, v.in, v.out, ".npy")
}

// drawPower draws spectra in dB, to a file or to the terminal.
func (v *signalVerb) drawPower(c *cobra.Command, p signal.Spectrum, x signalFile, o signal.Spectral) error {
	if p.Err() != nil {
		return p.Err()
	}
	axis, err := x.axis.Of(p.Array)
	if err != nil {
		return err
	}
	unit, hz := "Hz", p.Frequencies
	if x.rate == 0 {
		unit = "cycles/sample"
	}
	lines := p.SwapAxes(axis, -1).Reshape(-1, len(hz))
	if o.TwoSided || x.DType().IsComplex() {
		hz = slices.Clone(hz)
		fft.Shift(hz)
		lines = lines.FFTShift(-1)
	}
	if *v.out == "" {
		power, err := nd.Slice[float32](c.Context(), lines.Max(0).Cast(nd.Float32))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(power, func(v float32) bool { return v != v }) {
			return fmt.Errorf("%w (%s)", errNoNumber, *v.in)
		}
		var b strings.Builder
		plot := newSpectrumPlot(c.OutOrStdout(), hz[len(hz)-1])
		plot.unit, plot.lowHz = unit, hz[0]
		plot.write(&b, power)
		_, err = io.WriteString(c.OutOrStdout(), b.String())
		return err
	}
	picture := chart.Curves{X: "frequency in " + unit, Y: "power in dB"}
	if o.Scaling == signal.Density {
		picture.Y = "power in dB per " + unit
	}
	if n := lines.Dim(0); n > 1 && n <= figure.Lines {
		picture.Names = x.channelNames(n)
	}
	if *v.in != "-" {
		picture.Title = filepath.Base(*v.in)
	}
	if err := picture.Save(c.Context(), *v.out, hz, lines.MaximumScalar(1e-30).Log10().MulScalar(10)); err != nil {
		return err
	}
	return show(c, *v.asJSON, &signalReport{Out: *v.out, Shape: p.Shape(), DType: p.DType().String()})
}

// spectralText is options that have names.
type spectralText struct{ window, detrend, scaling *string }

// addSpectralFlags adds what Welch and its relatives have in common.
func addSpectralFlags(c *cobra.Command) (*signal.Spectral, *spectralText) {
	f := c.Flags()
	o := &signal.Spectral{}
	f.IntVar(&o.NPerSeg, "nperseg", 256, "samples in a segment")
	f.IntVar(&o.NOverlap, "noverlap", 0, "samples by which segments overlap (default: half a segment)")
	f.IntVar(&o.NFFT, "nfft", 0, "length of the transform (default: nperseg)")
	f.BoolVar(&o.TwoSided, "two-sided", false, "two-sided spectra, also of real samples")
	return o, &spectralText{
		window:  f.String("window", "hann", "window, such as hann, tukey:0.25 or kaiser:8.6"),
		detrend: f.String("detrend", "constant", "trend to remove from each segment: constant, linear or none"),
		scaling: f.String("scaling", "density", "unit of the power: density or spectrum"),
	}
}

func (t *spectralText) parse(c *cobra.Command, o *signal.Spectral) error {
	switch {
	case o.NPerSeg < 1:
		return usagef("--nperseg %d: want at least 1", o.NPerSeg)
	case c.Flags().Changed("noverlap") && (o.NOverlap < 0 || o.NOverlap >= o.NPerSeg):
		return usagef("--noverlap %d: want 0 to %d, less than --nperseg", o.NOverlap, o.NPerSeg-1)
	case c.Flags().Changed("nfft") && o.NFFT < o.NPerSeg:
		return usagef("--nfft %d: want at least --nperseg, which is %d", o.NFFT, o.NPerSeg)
	}
	if c.Flags().Changed("noverlap") && o.NOverlap == 0 {
		o.NOverlap = signal.None
	}
	return parsed(map[string]func() error{
		"window":  parseTo(&o.Window, signal.ParseWindow, *t.window),
		"detrend": parseTo(&o.Detrend, signal.ParseTrend, *t.detrend),
		"scaling": parseTo(&o.Scaling, signal.ParseScaling, *t.scaling),
	})
}
