// Spectrogram draws a recording, or a chirp in noise if there is none.
//
//	go run ./examples/spectrogram [in.wav] # writes spectrogram.png
package main

import (
	"context"
	"log"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	rate := 16000.0
	t := nd.Arange(0.0, 4*rate, 1).DivScalar(rate)
	x := t.Mul(t).MulScalar(2 * 3.14159 * 700).Sin().Add(nd.Normal(1, nd.Float64, t.Len()).MulScalar(0.05))
	if len(os.Args) > 1 {
		y, info, err := audio.Load[float64](os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		x, rate = y.Mean(0), info.Rate
	}
	z := signal.STFT{NFFT: 1024, Hop: 256}.Apply(x)
	levels := signal.AmplitudeToDB(z.Abs())
	if err := (chart.Spectrogram{FS: rate, Hop: 256}).Save(context.Background(), "spectrogram.png", levels); err != nil {
		log.Fatal(err)
	}
}
