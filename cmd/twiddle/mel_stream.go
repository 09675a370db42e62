package main

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// melStream is the mel spectrogram of a recording, of shape (..., bands, frames), made
// chunk by chunk: spectra take many times the memory of the bands. It reports false for
// what has to be read as a whole.
func (v *signalVerb) melStream(c *cobra.Command, m signal.Mel) (*nd.Array, bool, error) {
	if *v.out == "" {
		return nil, false, nil
	}
	f, err := v.openRecording(c, m.STFT)
	if f == nil || err != nil {
		return nil, false, err
	}
	m.FS = f.Info.Rate
	var y *nd.Array
	if f.Info.Wide {
		y, err = melOfChunks[float64](c.Context(), m, audio.Chunks[float64](f, chunkFrames))
	} else {
		y, err = melOfChunks[float32](c.Context(), m, audio.Chunks[float32](f, chunkFrames))
	}
	warn(c, f.Warning(), *v.in)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, false, err
	}
	if y.Dim(0) == 1 {
		y = y.Squeeze(0)
	}
	return y, true, nil
}

// openRecording opens the input, to be read chunk by chunk. It gives nil for what has to
// be read as a whole: arrays, which may have any axes, a part of a recording, and frames
// that begin with the end of it.
func (v *signalVerb) openRecording(c *cobra.Command, s signal.STFT) (*audio.File, error) {
	if *v.in == "" || *v.in == "-" || *v.frames != "" || *v.device != "cpu" || s.Border == signal.BorderWrap {
		return nil, nil
	}
	o, err := v.recording.options(c)
	if err != nil {
		return nil, err
	}
	if kind, err := sniff(*v.in); err != nil || kind != "" && o.Raw.Encoding == 0 {
		return nil, err
	}
	if *v.out != "" {
		if err := checkOut(*v.out, append([]string{".npy", ".npz"}, v.also...)...); err != nil {
			return nil, err
		}
	}
	return audio.Open(*v.in, o)
}

// chunkFrames is some seconds of a recording.
const chunkFrames = 1 << 18

// melOfChunks keeps the bands of chunks of shape (channels, frames).
func melOfChunks[T float32 | float64](ctx context.Context, m signal.Mel, chunks iter.Seq2[*nd.Array, error]) (*nd.Array, error) {
	t := nd.Float32
	if _, wide := any(*new(T)).(float64); wide {
		t = nd.Float64
	}
	weights := m.FilterBank(t, m.STFT.NFFT)
	if err := nd.Eval(ctx, weights); err != nil {
		return nil, err
	}
	var rows [][]T // of each channel: bands of frame after frame
	for z, err := range m.STFT.Stream(ctx, chunks) {
		if err != nil {
			return nil, err
		}
		p := z.AbsSquared()
		if m.Power != 2 {
			p = z.Abs().PowScalar(m.Power)
		}
		b := p.SwapAxes(-1, -2).MatMul(weights.Transpose())
		values, err := nd.Slice[T](ctx, b)
		if err != nil {
			return nil, err
		}
		z.Release()
		if rows == nil {
			rows = make([][]T, b.Dim(0))
		}
		each := len(values) / len(rows)
		for c := range rows {
			rows[c] = append(rows[c], values[c*each:][:each]...)
		}
	}
	if len(rows) == 0 {
		return nil, errors.New("mel: no samples")
	}
	list := make([]*nd.Array, len(rows))
	for c, r := range rows {
		list[c] = nd.From(r, len(r)/m.NMels, m.NMels)
	}
	return nd.Stack(0, list...).SwapAxes(-1, -2), nil
}
