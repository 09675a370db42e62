// Denoise takes steady noise out of a recording, chunk by chunk and in constant
// memory: short-time spectra, a gain for every bin that is small where the bin is no
// louder than the noise, and back.
//
//	go run ./examples/denoise                       # a melody in noise, made here
//	go run ./examples/denoise in.wav out.wav        # the first half second is noise
package main

import (
	"context"
	"fmt"
	"iter"
	"log"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	ctx, names := context.Background(), os.Args[1:]
	if len(names) != 2 {
		names = []string{"noisy.wav", "clean.wav"}
		if err := audio.Save(ctx, names[0], 16000, melody(16000)); err != nil {
			log.Fatal(err)
		}
	}
	if err := denoise(ctx, names[0], names[1]); err != nil {
		log.Fatal(err)
	}
	fmt.Println("wrote", names[1])
}

func denoise(ctx context.Context, in, out string) error {
	f, err := audio.Open(in)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := wav.Create(out, pcm.Format{Encoding: pcm.Int16, Channels: f.Info.Channels, Rate: f.Info.Rate})
	if err != nil {
		return err
	}
	s := signal.STFT{NFFT: 1024, Hop: 256, Border: signal.BorderZeros, Fill: true}
	spectra := s.Stream(ctx, audio.Chunks[float32](f, int(f.Info.Rate/2)/s.Hop*s.Hop))
	for x, err := range s.StreamInverse(ctx, gated(ctx, spectra), signal.Inverse{Length: max(int(f.Info.Frames), 0)}) {
		if err != nil {
			return err
		}
		// Channels are lines; in the file their samples lie side by side.
		samples, err := nd.Slice[float32](ctx, x.Transpose())
		if err != nil {
			return err
		}
		if err := w.Write(samples); err != nil {
			return err
		}
	}
	return w.Close()
}

// gated multiplies every bin by a gain. The first chunk is the noise to measure by.
func gated(ctx context.Context, spectra iter.Seq2[*nd.Array, error]) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		var noise *nd.Array // power of each bin
		for z, err := range spectra {
			if err != nil {
				yield(nil, err)
				return
			}
			power := z.AbsSquared()
			if noise == nil {
				noise = power.Mean(-1).ExpandDims(-1)
				err = nd.Eval(ctx, noise) // once: all chunks use it
			}
			// 1 - 3 noise/power, at least -26 dB. It is one pass with what comes before.
			gain := noise.Div(power.AddScalar(1e-12)).MulScalar(-3).AddScalar(1).MaximumScalar(0.05)
			if !yield(z.MulReal(gain), err) {
				return
			}
		}
	}
}

// melody is half a second of noise and then four tones in it.
func melody(rate float64) *nd.Array {
	t := nd.Arange(-0.5, 2, 1/rate)
	note := nd.From([]float64{262, 330, 392, 523}).Take(t.MaximumScalar(0).MulScalar(2).Cast(nd.Int64), 0)
	age := t.RemScalar(0.5)
	tone := age.MulScalar(-4).Exp().Mul(t.Mul(note).MulScalar(2 * math.Pi).Sin()).MulScalar(0.3)
	return nd.Where(t.LessScalar(0), nd.Zeros(nd.Float64, t.Len()), tone).Add(nd.Normal(1, nd.Float64, t.Len()).MulScalar(0.02))
}
