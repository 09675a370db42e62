// Pitch follows the pitch of a voice or an instrument, or of a glide if there is no
// recording.
//
//	go run ./examples/pitch [in.wav] # writes pitch.png
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/measure"
	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	ctx, rate := context.Background(), 16000.0
	t := nd.Arange(0.0, 2*rate, 1).DivScalar(rate)
	phase := t.MulScalar(220).Add(t.Mul(t).MulScalar(55)).MulScalar(2 * math.Pi)
	x := phase.Sin().Add(phase.MulScalar(2).Sin().MulScalar(0.5)) // 220 to 440 Hz
	if len(os.Args) > 1 {
		y, info, err := audio.Load[float64](os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		x, rate = y.Mean(0), info.Rate
	}
	p, err := measure.PYIN{FS: rate}.Apply(ctx, x)
	if err != nil {
		log.Fatal(err)
	}
	middle, err := nd.Item[float64](ctx, p.Frequency.At(p.Frequency.Len()/2)) // NaN where there is no pitch
	if err := cmp.Or(err, chart.Curves{X: "frame", Y: "pitch in Hz"}.Save(ctx, "pitch.png", nil, p.Frequency)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d frames, the middle one at %.1f Hz\n", p.Frequency.Len(), middle)
}
