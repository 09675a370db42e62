package main

import (
	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func newMelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "mel FILE [--out m.npy]",
		Short: "Compute mel spectrograms and MFCC",
		Long: "Compute the mel spectrogram of every line of a file, as librosa does: bands replace the\n" +
			"axis of time, and frames are a new last axis. --htk --flat --border reflect are the\n" +
			"conventions of torchaudio. The sampling frequency is that of the file, or 22050. A name\n" +
			"that ends in .png draws the spectrogram; without --out it is printed.",
		Example: "  twiddle mel a.wav\n" +
			"  twiddle mel a.wav --n-mels 80 --out mel.png\n" +
			"  twiddle mel a.wav --n-mels 80 --db --out m.npy\n" +
			"  twiddle mel a.wav --mfcc 13 --json",
	}
	v := addSignalVerb(c)
	v.draws(c)
	frames := addSTFTFlags(c)
	f := c.Flags()
	f.Lookup("fs").Usage = "sampling frequency (default: as the file says, or 22050)"
	f.Lookup("preset").DefValue = "librosa"
	frames.preset = "librosa"
	var m signal.Mel
	f.IntVar(&m.NMels, "n-mels", 128, "bands")
	f.Float64Var(&m.FMin, "fmin", 0, "lowest frequency")
	f.Float64Var(&m.FMax, "fmax", 0, "highest frequency (default: half the sampling frequency)")
	f.BoolVar(&m.HTK, "htk", false, "HTK's scale instead of Slaney's")
	f.BoolVar(&m.Flat, "flat", false, "triangles of height 1 instead of area 1")
	f.Float64Var(&m.Power, "power", 2, "exponent of magnitudes: 1 for amplitude, 2 for power")
	inDB := f.Bool("db", false, "in decibels, at most 80 below the maximum")
	mfcc := f.Int("mfcc", 0, "compute this many cepstral coefficients instead")
	c.RunE = func(c *cobra.Command, _ []string) error {
		s, err := frames.parse(c)
		if err != nil {
			return err
		}
		switch {
		case s.TwoSided:
			return usagef("--two-sided: mel bands are of the bins of real samples")
		case m.NMels < 1:
			return usagef("--n-mels %d: want at least 1", m.NMels)
		case !(m.Power > 0):
			return usagef("--power %g: want a positive number", m.Power)
		case c.Flags().Changed("mfcc") && (*mfcc < 1 || *mfcc > m.NMels):
			return usagef("--mfcc %d: want 1 to --n-mels, which is %d", *mfcc, m.NMels)
		}
		m.STFT = s
		if *v.out == "" && !*v.asJSON || extension(*v.out) == ".png" {
			if *mfcc > 0 {
				return usagef("--mfcc has no picture: want --out with a name that ends in .npy or .npz, or --json")
			}
			return v.drawMel(c, m)
		}
		wanted := melWanted{name: "mel", inDB: *inDB}
		if *mfcc > 0 {
			wanted = melWanted{name: "mfcc", inDB: true, cepstra: *mfcc}
		}
		bands, streamed, err := v.melStream(c, m, wanted)
		if err != nil || streamed && bands == nil {
			return err
		}
		var y *nd.Array
		if streamed {
			y = wanted.of(bands)
		} else {
			x, err := v.read(c)
			if err != nil {
				return err
			}
			m.STFT.Axis, m.FS = x.axis, x.rate
			if *mfcc > 0 { // along any axis
				y = m.MFCC(x.Array, *mfcc)
			} else {
				y = wanted.of(m.Apply(x.Array))
			}
		}
		values, err := hostArray(c.Context(), y)
		if err != nil {
			return err
		}
		return v.write(c, "", named{wanted.name, values})
	}
	return overFolders(c, v.in, v.out, ".npy")
}
