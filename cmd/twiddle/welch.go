package main

import (
	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/signal"
)

func newWelchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "welch FILE --out p.npy",
		Short: "Estimate power spectra by Welch's method",
		Long: "Estimate the power spectrum of every line of a file, as scipy.signal.welch does,\n" +
			"with its names for options. The input is a recording or an array; the output a .npy\n" +
			"file of powers, a .npz file with frequencies too, or with --json a short result.",
	}
	v := addSignalVerb(c)
	f := c.Flags()
	o, text := addSpectralFlags(c)
	average := f.String("average", "mean", "how segments become one spectrum: mean or median")
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

// spectralText is options that have names.
type spectralText struct{ window, detrend, scaling *string }

// addSpectralFlags adds what Welch and its relatives have in common.
func addSpectralFlags(c *cobra.Command) (*signal.Spectral, *spectralText) {
	f := c.Flags()
	o := &signal.Spectral{}
	f.IntVar(&o.NPerSeg, "nperseg", 256, "samples in a segment")
	f.IntVar(&o.NOverlap, "noverlap", 0, "samples that neighbours share (default: half a segment)")
	f.IntVar(&o.NFFT, "nfft", 0, "length of the transform (default: nperseg)")
	f.BoolVar(&o.TwoSided, "two-sided", false, "all bins, also of real samples")
	return o, &spectralText{
		window:  f.String("window", "hann", "window, such as hann, tukey:0.25 or kaiser:8.6"),
		detrend: f.String("detrend", "constant", "what to take off each segment: constant, linear or none"),
		scaling: f.String("scaling", "density", "unit of the power: density or spectrum"),
	}
}

func (t *spectralText) parse(c *cobra.Command, o *signal.Spectral) error {
	if c.Flags().Changed("noverlap") && o.NOverlap == 0 {
		o.NOverlap = signal.None
	}
	switch {
	case o.NPerSeg < 1:
		return usagef("--nperseg %d: want at least 1", o.NPerSeg)
	case c.Flags().Changed("noverlap") && (o.NOverlap < signal.None || o.NOverlap >= o.NPerSeg):
		return usagef("--noverlap %d: want 0 to %d, less than --nperseg", o.NOverlap, o.NPerSeg-1)
	case c.Flags().Changed("nfft") && o.NFFT < o.NPerSeg:
		return usagef("--nfft %d: want at least --nperseg, which is %d", o.NFFT, o.NPerSeg)
	}
	return parsed(map[string]func() error{
		"window":  parseTo(&o.Window, signal.ParseWindow, *t.window),
		"detrend": parseTo(&o.Detrend, signal.ParseTrend, *t.detrend),
		"scaling": parseTo(&o.Scaling, signal.ParseScaling, *t.scaling),
	})
}
