package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// longRecording is the samples of each channel from which on spectra are written chunk by
// chunk: 47 s at 44.1 kHz, of which frames of 2048 by 512 take 34 MB for each channel.
const longRecording = 1 << 21

// stftOfRecording draws the spectra of a recording, or writes them if they are many, and
// reports whether it did.
func (v *signalVerb) stftOfRecording(c *cobra.Command, s signal.STFT, f *audio.File, picture, logHz bool) (bool, error) {
	if f.Info.Frames < 1 || !picture && (f.Info.Frames < longRecording || !slices.Contains([]string{".npy", ".npz"}, extension(*v.out))) {
		return false, nil
	}
	s.FS = f.Info.Rate
	samples := audio.Chunks[float32](f, chunkFrames)
	if f.Info.Wide {
		samples = audio.Chunks[float64](f, chunkFrames)
	}
	if v.recording.iq {
		var err error
		if samples, err = iqChunks(samples, f); err != nil {
			return false, err
		}
	}
	count, err := s.Frames(int(f.Info.Frames))
	if err != nil {
		return false, err
	}
	spectra := s.Stream(c.Context(), samples)
	if picture {
		return true, v.drawSpectra(c, s, spectra, count, logHz)
	}
	frequencies, err := frequenciesOf(s)
	if err != nil {
		return false, err
	}
	out := columnFile{name: "spectra", frames: count, beside: []named{{"frequencies", frequencies}}}
	if f.Info.Wide {
		return true, writeColumns(c, v, out, columnsFrom[complex128](c.Context(), spectra))
	}
	return true, writeColumns(c, v, out, columnsFrom[complex64](c.Context(), spectra))
}

// iqChunks is chunks of two channels as complex samples of one.
func iqChunks(chunks iter.Seq2[*nd.Array, error], f *audio.File) (iter.Seq2[*nd.Array, error], error) {
	if f.Info.Channels != 2 {
		return nil, usagef("--iq: %s: want two channels, I and Q (%s)", counted.Of(f.Info.Channels, "channel"), f.Name())
	}
	return func(yield func(*nd.Array, error) bool) {
		for x, err := range chunks {
			if err == nil {
				x = nd.Complex(x.At(0), x.At(1)).ExpandDims(0)
			}
			if !yield(x, err) {
				return
			}
		}
	}, nil
}

func frequenciesOf(s signal.STFT) (*npy.Array, error) {
	hz, err := s.Frequencies()
	if err != nil {
		return nil, err
	}
	return npy.From(hz, len(hz))
}

// pictureOf draws the spectra of an array.
func (v *signalVerb) pictureOf(c *cobra.Command, s signal.STFT, x signalFile, logHz bool) error {
	z := s.Apply(x.Array)
	if z.Err() != nil {
		return z.Err()
	}
	axis, err := x.axis.Of(x.Array)
	if err != nil {
		return err
	}
	z = z.SwapAxes(axis, -2) // bins are where the samples were, frames last
	z = z.Reshape(-1, z.Dim(-2), z.Dim(-1))
	one := func(yield func(*nd.Array, error) bool) { yield(z, nil) }
	return v.drawSpectra(c, s, one, z.Dim(-1), logHz)
}

// drawSpectra draws the mean power of all channels, to a file or to the terminal.
func (v *signalVerb) drawSpectra(c *cobra.Command, s signal.STFT, spectra iter.Seq2[*nd.Array, error], count int, logHz bool) error {
	if s.TwoSided && logHz {
		return usagef("--log-frequency: there are no octaves on two sides of 0 Hz")
	}
	group := grouped(count)
	levels, err := loudest(c.Context(), spectra, (*nd.Array).AbsSquared, group)
	if err != nil {
		return v.aboutInput(err)
	}
	picture := chart.Spectrogram{FS: s.FS, Hop: cmp.Or(s.Hop, max(1, s.NFFT/4)) * group, TwoSided: s.TwoSided}
	if s.TwoSided {
		levels = levels.FFTShift(0)
	}
	return v.drawLevels(c, picture, levels, logHz)
}

// grouped is how many frames share a column of a picture.
func grouped(frames int) int {
	const most = 4096 // columns
	return (frames + most - 1) / most
}

// aboutInput names the file whose samples are the cause of an error.
func (v *signalVerb) aboutInput(err error) error {
	if errors.Is(err, errNoNumber) {
		return fmt.Errorf("%w (%s)", err, *v.in)
	}
	return err
}

// drawLevels draws levels in dB, to a file or to the terminal.
func (v *signalVerb) drawLevels(c *cobra.Command, picture chart.Spectrogram, levels *nd.Array, logHz bool) error {
	if *v.out == "" {
		t, w := chart.Terminal{LogFrequency: logHz}, c.OutOrStdout()
		t.Columns = min(max(textWidth(w)-9, 12), 72) // 9 are for the axis
		if out := terminal(w); out != nil {          // colours are control characters
			t.Palette, w = chart.ThisTerminal(), out
		}
		return picture.Print(c.Context(), w, levels, t)
	}
	if *v.in != "-" {
		picture.Title = filepath.Base(*v.in)
	}
	if err := picture.Save(c.Context(), *v.out, levels); err != nil {
		return err
	}
	return show(c, *v.asJSON, &signalReport{Out: *v.out, Shape: levels.Shape(), DType: levels.DType().String()})
}

// loudest is the mean power of channels in dB, of shape (bins, columns): of every group of
// frames the loudest. Parts of spectra, or of bands, become power by a function.
func loudest(ctx context.Context, parts iter.Seq2[*nd.Array, error], power func(*nd.Array) *nd.Array, group int) (*nd.Array, error) {
	var columns []float32
	bins, frame := 0, 0
	for z, err := range parts {
		if err != nil {
			return nil, err
		}
		bins = z.Dim(-2)
		values, err := nd.Slice[float32](ctx, power(z).Mean(0).Cast(nd.Float32).Transpose())
		if err != nil {
			return nil, err
		}
		z.Release()
		if slices.ContainsFunc(values, func(p float32) bool { return p != p }) {
			return nil, errNoNumber
		}
		for row := range slices.Chunk(values, bins) {
			if frame%group == 0 {
				columns = append(columns, row...)
			} else {
				column := columns[len(columns)-bins:]
				for k, p := range row {
					column[k] = max(column[k], p)
				}
			}
			frame++
		}
	}
	return nd.From(columns, frame/group+min(frame%group, 1), bins).Transpose().Log10().MulScalar(10), nil
}
