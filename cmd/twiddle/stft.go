package main

import (
	"cmp"
	"errors"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/signal"
)

func newSTFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "stft FILE [--out z.npy]",
		Short: "Compute a short-time Fourier transform",
		Long: "Transform overlapping frames of every line of a file: bins replace the axis of time, and\n" +
			"frames are a new last axis. --preset sets the conventions of torch, librosa or scipy;\n" +
			"other flags change them. A name that ends in .png draws a spectrogram; without --out a\n" +
			"spectrogram is printed. Long recordings are transformed in chunks, in constant memory;\n" +
			"their .npy files are in Fortran order, frame after frame.",
		Example: "  twiddle stft a.wav\n" +
			"  twiddle stft a.wav --out spectrogram.png\n" +
			"  twiddle stft a.wav --preset librosa --nfft 2048 --hop 512 --out z.npy\n" +
			"  twiddle stft iq.bin --raw int16 --iq --fs 2e6 --out waterfall.png",
	}
	v := addSignalVerb(c)
	v.recording.addIQ(c)
	v.draws(c)
	f := addSTFTFlags(c)
	logHz := c.Flags().Bool("log-frequency", false, "print a logarithmic frequency axis")
	c.RunE = func(c *cobra.Command, _ []string) error {
		s, err := f.parse(c)
		if err != nil {
			return err
		}
		s.TwoSided = s.TwoSided || v.recording.iq // as complex samples always are
		picture := *v.out == "" && !*v.asJSON || extension(*v.out) == ".png"
		if *logHz && *v.out != "" {
			return usagef("--log-frequency is for what is printed, without --out")
		}
		r, err := v.openRecording(c, s)
		if err != nil {
			return err
		}
		if r != nil {
			done, err := v.stftOfRecording(c, s, r, picture, *logHz)
			if done || err != nil { // else it is read once more, and said then
				warn(c, r.Warning(), *v.in)
			}
			if err = errors.Join(err, r.Close()); err != nil || done {
				return err
			}
		}
		x, err := v.read(c)
		if err != nil {
			return err
		}
		s.FS, s.Axis, s.TwoSided = x.rate, x.axis, s.TwoSided || x.DType().IsComplex()
		if picture {
			return v.pictureOf(c, s, x, *logHz)
		}
		z, err := hostArray(c.Context(), s.Apply(x.Array))
		if err != nil {
			return err
		}
		frequencies, err := frequenciesOf(s)
		if err != nil {
			return err
		}
		return v.write(c, "", named{"spectra", z}, named{"frequencies", frequencies})
	}
	return overFolders(c, v.in, v.out, ".npy")
}

func newISTFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "istft z.npy --out x.npy",
		Short: "Invert a short-time Fourier transform",
		Long: "Compute a signal from spectra that 'twiddle stft' wrote, given the same flags. A name\n" +
			"that ends in .wav writes a recording, for which --fs is required.",
		Example: "  twiddle istft z.npy --preset librosa --nfft 2048 --hop 512 --fs 44100 --out y.wav",
	}
	v := addFileFlags(c, "the spectra to read: .npy or .npz (required)")
	v.recording = addArrayFlags(c)
	v.also = []string{".wav"}
	c.Flags().Lookup("out").Usage = "the file to write: .npy, .npz or .wav"
	f := addSTFTFlags(c)
	var o signal.Inverse
	c.Flags().IntVar(&o.Length, "length", 0, "samples of the result (default: all that the frames cover)")
	c.Flags().BoolVar(&o.Masked, "masked", false, "accept samples that no window covers, and leave them unscaled")
	c.Flags().BoolVar(&o.Complex, "complex", false, "complex samples, from two-sided spectra")
	c.RunE = func(c *cobra.Command, _ []string) error {
		s, err := f.parse(c)
		if err != nil {
			return err
		}
		if c.Flags().Changed("length") && o.Length < 1 {
			return usagef("--length %d: want at least 1", o.Length)
		}
		toWAV := extension(*v.out) == ".wav"
		if toWAV && v.recording.fs == 0 {
			return usagef("--out %s needs --fs: spectra do not say how many samples make a second", *v.out)
		}
		z, err := v.read(c)
		if err != nil {
			return err
		}
		s.FS, s.Axis = z.rate, z.axis
		x, err := hostArray(c.Context(), s.Inverse(z.Array, o))
		if err != nil {
			return err
		}
		if toWAV {
			if err := writeWAV(*v.out, x, z.rate); err != nil {
				return err
			}
			return show(c, *v.asJSON, &signalReport{Out: *v.out, Shape: x.Shape, DType: x.DType.String()})
		}
		return v.write(c, "", named{"samples", x})
	}
	return overFolders(c, v.in, v.out, ".npy")
}

// writeWAV writes lines of shape (frames) or (channels, frames).
func writeWAV(name string, x *npy.Array, rate float64) error {
	channels, frames := 1, 0
	switch len(x.Shape) {
	case 1:
		frames = x.Shape[0]
	case 2:
		channels, frames = x.Shape[0], x.Shape[1]
	default:
		return usagef("--out %s: samples of shape %v are not a recording: want one axis, or channels and time", name, x.Shape)
	}
	values, err := npy.As[float32](x)
	if err != nil {
		return err
	}
	out := make([]float32, len(values))
	for c := range channels {
		for i := range frames {
			out[i*channels+c] = values[c*frames+i]
		}
	}
	return wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: channels, Rate: rate}, out)
}

// stftFlags is the options of frames.
type stftFlags struct {
	preset, window, border, scale string
	nfft, hop, nperseg, noverlap  int
	twoSided, trailing, fill      bool
}

func addSTFTFlags(c *cobra.Command) *stftFlags {
	s := &stftFlags{}
	f := c.Flags()
	f.StringVar(&s.preset, "preset", "torch", "conventions and defaults of torch, librosa or scipy")
	f.IntVar(&s.nfft, "nfft", 0, "length of the transform (default: 2048; scipy: nperseg)")
	f.IntVar(&s.hop, "hop", 0, "samples between the starts of frames (default: a quarter of nfft; scipy: half of nperseg)")
	f.IntVar(&s.nperseg, "nperseg", 0, "samples in the window (default: nfft; scipy: 256)")
	f.IntVar(&s.noverlap, "noverlap", 0, "samples by which frames overlap, instead of --hop")
	f.StringVar(&s.window, "window", "hann", "window, such as hann, boxcar or kaiser:8.6")
	f.StringVar(&s.border, "border", "", "how the signal continues beyond its ends: reflect, zeros, edge, wrap or none")
	f.StringVar(&s.scale, "scaling", "", "factor of the spectra: none, ortho, window, spectrum or density")
	f.BoolVar(&s.twoSided, "two-sided", false, "two-sided spectra, also of real samples")
	f.BoolVar(&s.trailing, "trailing", false, "pad a window shorter than nfft at its end, not on both sides")
	f.BoolVar(&s.fill, "padded", false, "pad the end with zeros until every sample is in a frame")
	return s
}

func (f *stftFlags) parse(c *cobra.Command) (signal.STFT, error) {
	given := c.Flags().Changed
	for name, n := range map[string]int{"nfft": f.nfft, "hop": f.hop, "nperseg": f.nperseg} {
		if given(name) && n < 1 {
			return signal.STFT{}, usagef("--%s %d: want at least 1", name, n)
		}
	}
	if given("hop") && given("noverlap") {
		return signal.STFT{}, usagef("--hop and --noverlap say the same: give one of them")
	}
	var s signal.STFT
	length := f.nperseg
	switch f.preset {
	case "torch", "librosa":
		s = signal.STFT{NFFT: f.nfft, WinLength: f.nperseg}
		if f.preset == "librosa" {
			s = signal.Librosa(f.nfft, 0)
			s.WinLength = f.nperseg
		}
		s.NFFT = cmp.Or(s.NFFT, 2048)
		length = cmp.Or(length, s.NFFT)
	case "scipy":
		length = cmp.Or(length, 256)
		s = signal.SciPy(length, 0, f.nfft)
	default:
		return s, usagef("--preset %q%s: want torch, librosa or scipy", f.preset, choice.Hint(f.preset, []string{"torch", "librosa", "scipy"}))
	}
	if given("hop") {
		s.Hop = f.hop
	}
	if given("noverlap") {
		if f.noverlap < 0 || f.noverlap >= length {
			return s, usagef("--noverlap %d: want 0 to %d, less than the window", f.noverlap, length-1)
		}
		s.Hop = length - f.noverlap
	}
	if length > s.NFFT {
		return s, usagef("--nperseg %d: want at most --nfft, which is %d", length, s.NFFT)
	}
	s.TwoSided = f.twoSided
	s.Trailing = s.Trailing || f.trailing
	s.Fill = s.Fill || f.fill
	names := map[string]func() error{"window": parseTo(&s.Window, signal.ParseWindow, f.window)}
	if given("border") {
		names["border"] = parseTo(&s.Border, signal.ParseBorder, f.border)
	}
	if given("scaling") {
		names["scaling"] = parseTo(&s.Scale, signal.ParseFrameScale, f.scale)
	}
	return s, parsed(names)
}
