// Tones prints the strongest tones of a recording, channel by channel.
//
//	go run ./examples/tones recording.wav
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tones FILE")
	}
	x, info, err := audio.Load[float32](os.Args[1])                         // (channels, frames)
	power := signal.Welch(x, signal.Spectral{FS: info.Rate, NPerSeg: 4096}) // nothing has run yet
	channels, failed := signal.FindPeaks(context.Background(), power.Array, signal.PeakConditions{Distance: 8, Refine: signal.RefineLog})
	if err := cmp.Or(err, failed); err != nil {
		log.Fatal(err)
	}
	for c, peaks := range channels {
		for _, i := range peaks.Highest(3) {
			fmt.Printf("channel %d: %8.1f Hz, %6.1f dB\n", c, peaks.Positions[i]*power.Frequencies[1], 10*math.Log10(peaks.Heights[i]))
		}
	}
}
