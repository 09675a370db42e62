package main

import (
	"cmp"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// drawMel draws the mean mel spectrogram of all channels, to a file or to the terminal.
func (v *signalVerb) drawMel(c *cobra.Command, m signal.Mel) error {
	f, err := v.openRecording(c, m.STFT)
	if err != nil {
		return err
	}
	if f != nil && f.Info.Frames > 0 {
		err := v.drawMelOf(c, m, f)
		warn(c, f.Warning(), *v.in)
		return errors.Join(err, f.Close())
	}
	if f != nil { // nobody knows how long it is: it is read as a whole
		if err := f.Close(); err != nil {
			return err
		}
	}
	x, err := v.read(c)
	if err != nil {
		return err
	}
	m.STFT.Axis, m.FS = x.axis, x.rate
	axis, err := x.axis.Of(x.Array)
	if err != nil {
		return err
	}
	bands := m.Apply(x.Array)
	if bands.Err() != nil {
		return bands.Err()
	}
	bands = bands.SwapAxes(axis, -2) // where the samples were, frames last
	bands = bands.Reshape(-1, bands.Dim(-2), bands.Dim(-1))
	one := func(yield func(*nd.Array, error) bool) { yield(bands, nil) }
	return v.drawBands(c, m, one, bands.Dim(-1))
}

// drawMelOf reads a recording chunk by chunk.
func (v *signalVerb) drawMelOf(c *cobra.Command, m signal.Mel, f *audio.File) error {
	m.FS = f.Info.Rate
	count, err := m.STFT.Frames(int(f.Info.Frames))
	if err != nil {
		return err
	}
	return v.drawBands(c, m, melChunks(c.Context(), m, audio.Chunks[float32](f, chunkFrames), false), count)
}

func (v *signalVerb) drawBands(c *cobra.Command, m signal.Mel, bands iter.Seq2[*nd.Array, error], count int) error {
	group := grouped(count)
	power := func(b *nd.Array) *nd.Array { return b }
	if m.Power != 2 {
		power = func(b *nd.Array) *nd.Array { return b.PowScalar(2 / m.Power) }
	}
	levels, err := loudest(c.Context(), bands, power, group)
	if err != nil {
		return v.aboutInput(err)
	}
	hz, err := m.Frequencies()
	if err != nil {
		return err
	}
	picture := chart.Spectrogram{FS: cmp.Or(m.FS, 22050), Hop: cmp.Or(m.STFT.Hop, max(1, m.STFT.NFFT/4)) * group, Frequencies: hz}
	return v.drawLevels(c, picture, levels, false)
}
