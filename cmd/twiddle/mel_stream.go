package main

import (
	"context"
	"errors"
	"iter"
	"math"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
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
	chunks := melChunks(ctx, m, audio.Chunks[T](f, chunkFrames))
	if f.Info.Frames < longRecording { // or nobody knows
		parts, err := gather[T](ctx, chunks, 0)
		if err != nil {
			return nil, err
		}
		bands := parts.array(0, parts.frames())
		if parts.channels == 1 {
			bands = bands.Squeeze(0)
		}
		return bands, nil
	}
	count, err := m.STFT.Frames(int(f.Info.Frames))
	if err != nil {
		return nil, err
	}
	if w.inDB {
		chunks = inDecibels[T](ctx, chunks, count)
	}
	if w.cepstra > 0 {
		chunks = each(chunks, signal.Cepstrum{N: w.cepstra}.Apply)
	}
	return nil, writeColumns[T](c, v, columnFile{name: w.name, frames: count}, chunks)
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

// melChunks is the bands of chunks of samples.
func melChunks(ctx context.Context, m signal.Mel, samples iter.Seq2[*nd.Array, error]) iter.Seq2[*nd.Array, error] {
	var weights *nd.Array
	return each(m.STFT.Stream(ctx, samples), func(z *nd.Array) *nd.Array {
		p := z.AbsSquared()
		if m.Power != 2 {
			p = z.Abs().PowScalar(m.Power)
		}
		if weights == nil {
			weights = m.FilterBank(p.DType(), m.STFT.NFFT).Transpose()
			if err := nd.Eval(ctx, weights); err != nil {
				return nd.Fail("mel", "filterbank", err)
			}
		}
		return p.SwapAxes(-1, -2).MatMul(weights).SwapAxes(-1, -2)
	})
}

// each applies a function to all arrays.
func each(arrays iter.Seq2[*nd.Array, error], f func(*nd.Array) *nd.Array) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		for x, err := range arrays {
			if err == nil {
				x = f(x)
			}
			if !yield(x, err) {
				return
			}
		}
	}
}

// gathered is arrays of shape (channels, bands, frames), one behind the other along the
// frames, in Fortran order.
type gathered[T float32 | float64] struct {
	values          []T
	channels, bands int
}

// gather computes the arrays, of which there are as many frames as expected, or any
// number.
func gather[T float32 | float64](ctx context.Context, arrays iter.Seq2[*nd.Array, error], expected int) (*gathered[T], error) {
	var g gathered[T]
	for x, err := range arrays {
		if err != nil {
			return nil, err
		}
		values, err := nd.Slice[T](ctx, x.Transpose())
		if err != nil {
			return nil, err
		}
		if g.values == nil {
			g.channels, g.bands = x.Dim(0), x.Dim(1)
			g.values = make([]T, 0, expected*g.channels*g.bands)
		}
		g.values = append(g.values, values...)
	}
	if len(g.values) == 0 {
		return nil, errors.New("mel: no samples")
	}
	return &g, nil
}

func (g *gathered[T]) frames() int { return len(g.values) / (g.channels * g.bands) }

// array is some of the frames.
func (g *gathered[T]) array(from, to int) *nd.Array {
	each := g.channels * g.bands
	return nd.From(g.values[from*each:to*each], to-from, g.bands, g.channels).Transpose()
}

// inDecibels is power in decibels as signal.PowerToDB gives it. The greatest value, which
// bounds the others, is known at the end, so all are kept; then they come in parts.
func inDecibels[T float32 | float64](ctx context.Context, power iter.Seq2[*nd.Array, error], count int) iter.Seq2[*nd.Array, error] {
	const below, part = 80, 1 << 12
	return func(yield func(*nd.Array, error) bool) {
		all, err := gather[T](ctx, each(power, func(p *nd.Array) *nd.Array { return signal.PowerToDB(p, signal.Decibels{TopDB: -1}) }), count)
		if err != nil {
			yield(nil, err)
			return
		}
		least := make([]T, all.channels)
		for i := range least {
			least[i] = T(math.Inf(-1))
		}
		for i, v := range all.values {
			least[i%all.channels] = max(least[i%all.channels], v-below)
		}
		for i, v := range all.values {
			all.values[i] = max(v, least[i%all.channels])
		}
		for from := 0; from < all.frames(); from += part {
			if !yield(all.array(from, min(from+part, all.frames())), nil) {
				return
			}
		}
	}
}
