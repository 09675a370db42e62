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
	"math/rand/v2"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	in, out := "noisy.wav", "clean.wav"
	switch len(os.Args) {
	case 1:
		if err := melody(in); err != nil {
			log.Fatal(err)
		}
	case 3:
		in, out = os.Args[1], os.Args[2]
	default:
		log.Fatal("usage: denoise [in.wav out.wav]")
	}
	if err := denoise(context.Background(), in, out); err != nil {
		log.Fatal(err)
	}
	fmt.Println("wrote", out)
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
	s := signal.STFT{NFFT: 1024}
	spectra := s.Stream(ctx, audio.Chunks[float32](f, int(f.Info.Rate/2)))
	for x, err := range s.StreamInverse(ctx, gated(spectra)) {
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
func gated(spectra iter.Seq2[*nd.Array, error]) iter.Seq2[*nd.Array, error] {
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
			}
			// 1 - 3 noise/power, at least -26 dB. It is one pass with what comes before.
			gain := noise.Div(power.AddScalar(1e-12)).MulScalar(-3).AddScalar(1).MaximumScalar(0.05)
			if !yield(z.Mul(nd.Complex(gain, nd.FullLike(gain, 0))), nil) {
				return
			}
		}
	}
}

// melody writes half a second of noise and then four tones in it.
func melody(name string) error {
	const rate = 16000
	r := rand.New(rand.NewPCG(1, 2))
	samples := make([]float32, 5*rate/2)
	for i := range samples {
		t := float64(i)/rate - 0.5
		v := 0.02 * r.NormFloat64()
		if t >= 0 {
			note := []float64{262, 330, 392, 523}[int(2*t)%4]
			v += 0.3 * math.Exp(-4*math.Mod(t, 0.5)) * math.Sin(2*math.Pi*note*t)
		}
		samples[i] = float32(v)
	}
	return wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: rate}, samples)
}
