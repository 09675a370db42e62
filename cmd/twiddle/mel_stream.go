package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// melWanted is what the verb makes of mel bands.
type melWanted struct {
	name    string // of the result
	inDB    bool
	cepstra int // coefficients instead of bands, of bands in decibels; 0 for none
}

// of is the result of a whole mel spectrogram.
func (w melWanted) of(bands *nd.Array) *nd.Array {
	if w.inDB {
		bands = signal.PowerToDB(bands)
	}
	if w.cepstra > 0 {
		return signal.Cepstrum{N: w.cepstra}.Apply(bands)
	}
	return bands
}

// melStream makes mel bands of a recording chunk by chunk: spectra take many times the
// memory of the bands. Bands of long recordings are written as they come and bands is nil,
// else it is an array of shape (..., bands, frames). It reports false for what has to be
// read as a whole.
func (v *signalVerb) melStream(c *cobra.Command, m signal.Mel, w melWanted) (bands *nd.Array, done bool, err error) {
	if *v.out == "" {
		return nil, false, nil
	}
	f, err := v.openRecording(c, m.STFT)
	if f == nil || err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	m.FS = f.Info.Rate
	if f.Info.Wide {
		bands, err = melOfRecording[float64](c, v, m, w, f)
	} else {
		bands, err = melOfRecording[float32](c, v, m, w, f)
	}
	warn(c, f.Warning(), *v.in)
	return bands, true, err
}

func melOfRecording[T float32 | float64](c *cobra.Command, v *signalVerb, m signal.Mel, w melWanted, f *audio.File) (*nd.Array, error) {
	ctx := c.Context()
	samples := audio.Chunks[T](f, chunkFrames)
	if f.Info.Frames < longRecording { // or nobody knows
		all, err := gather(columnsFrom[T](ctx, melChunks(ctx, m, samples, false)))
		if err != nil {
			return nil, err
		}
		bands := all.array()
		if all.channels == 1 {
			bands = bands.Squeeze(0)
		}
		return bands, nil
	}
	count, err := m.STFT.Frames(int(f.Info.Frames))
	if err != nil {
		return nil, err
	}
	parts := columnsFrom[T](ctx, melChunks(ctx, m, samples, w.inDB))
	if w.inDB {
		parts = bounded(parts)
	}
	if w.cepstra > 0 {
		parts = columnsFrom[T](ctx, cepstra(parts, w.cepstra))
	}
	return nil, writeColumns(c, v, columnFile{name: w.name, frames: count}, parts)
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

// melChunks is the bands of chunks of samples, each until the next is asked for: power, or
// decibels without a lower bound.
func melChunks(ctx context.Context, m signal.Mel, samples iter.Seq2[*nd.Array, error], inDB bool) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		var weights *nd.Array
		for z, err := range m.STFT.Stream(ctx, samples) {
			if err != nil {
				yield(nil, err)
				return
			}
			p := z.AbsSquared()
			if m.Power != 2 {
				p = z.Abs().PowScalar(m.Power)
			}
			if weights == nil {
				weights = m.FilterBank(p.DType(), m.STFT.NFFT).Transpose()
				err = nd.Eval(ctx, weights)
			}
			bands := p.SwapAxes(-1, -2).MatMul(weights).SwapAxes(-1, -2)
			if inDB {
				bands = signal.PowerToDB(bands, signal.Decibels{TopDB: -1})
			}
			if !yield(bands, err) {
				return
			}
			z.Release()
		}
	}
}

// gather is all columns.
func gather[T float32 | float64](parts iter.Seq2[columns[T], error]) (all columns[T], err error) {
	for p, err := range parts {
		if err != nil {
			return all, err
		}
		p.values = append(all.values, p.values...)
		all = p
	}
	if len(all.values) == 0 {
		return all, errors.New("mel: no samples")
	}
	return all, nil
}

// bounded bounds decibels as signal.PowerToDB does, at 80 below the greatest of a channel.
// That is known at the end; until then all are in a temporary file.
func bounded[T float32 | float64](parts iter.Seq2[columns[T], error]) iter.Seq2[columns[T], error] {
	const below, frames = 80, 1 << 12
	all := func(yield func(columns[T], error) bool) (err error) {
		f, remove, err := replace.Temporary("twiddle-*")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
		var p columns[T]
		var h npy.Header
		var least []T // of each channel
		left := 0     // values to read
		for p, err = range parts {
			if err != nil {
				return err
			}
			if least == nil {
				least = slices.Repeat([]T{T(math.Inf(-1))}, p.channels)
			}
			for i, v := range p.values {
				least[i%p.channels] = max(least[i%p.channels], v-below)
			}
			a, err := npy.From(p.values, len(p.values))
			if err != nil {
				return err
			}
			if _, err := f.Write(a.Data); err != nil {
				return err
			}
			h, left = a.Header, left+len(p.values)
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		for left > 0 {
			h.Shape = []int{min(left, frames*p.channels*p.rows)}
			left -= h.Shape[0]
			data, err := npy.ReadData(f, h)
			if err != nil {
				return err
			}
			if p.values, err = npy.As[T](&npy.Array{Header: h, Data: data}); err != nil {
				return err
			}
			for i, v := range p.values {
				p.values[i] = max(v, least[i%p.channels])
			}
			if !yield(p, nil) {
				return nil
			}
		}
		return nil
	}
	return func(yield func(columns[T], error) bool) {
		if err := all(yield); err != nil {
			yield(columns[T]{}, err)
		}
	}
}

// cepstra is coefficients of bands in decibels.
func cepstra[T float32 | float64](parts iter.Seq2[columns[T], error], n int) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		for p, err := range parts {
			if err != nil {
				yield(nil, err)
				return
			}
			bands := p.array()
			if !yield(signal.Cepstrum{N: n}.Apply(bands), nil) {
				return
			}
			bands.Release()
		}
	}
}
