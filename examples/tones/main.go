// Tones prints the strongest tones of a recording, channel by channel.
//
//	go run ./examples/tones recording.wav
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
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
	power := signal.Welch(x, signal.Spectral{FS: info.Rate, NPerSeg: 4096})
	values, bins := power.TopK(3, -1) // nothing has run yet
	ctx := context.Background()
	strongest, err := nd.Slice[int64](ctx, bins) // plans, runs, copies out
	if err != nil {
		log.Fatal(err)
	}
	for i, bin := range strongest {
		fmt.Printf("channel %d: %8.1f Hz\n", i/3, power.Frequencies[bin])
	}
	fmt.Println(nd.Format(ctx, values))
}
