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
	"slices"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: tones recording.wav")
	}
	x, info, err := audio.Load[float32](os.Args[1]) // (channels, frames)
	if err != nil {
		log.Fatal(err)
	}
	power := signal.Welch(x, signal.Spectral{FS: info.Rate, NPerSeg: 4096}) // nothing has run yet
	channels, err := signal.FindPeaks(context.Background(), power.Array, signal.PeakConditions{Distance: 8, Refine: signal.RefineLog})
	if err != nil {
		log.Fatal(err)
	}
	bin := power.Frequencies[1]
	for c, peaks := range channels {
		order := make([]int, len(peaks.Indices))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(i, j int) int { return cmp.Compare(peaks.Heights[j], peaks.Heights[i]) })
		for _, i := range order[:min(3, len(order))] {
			fmt.Printf("channel %d: %8.1f Hz, %6.1f dB\n", c, peaks.Positions[i]*bin, 10*math.Log10(peaks.Heights[i]))
		}
	}
}
