// Delay finds how much later a sound reaches one microphone than another: the channels of
// a recording, or noise and its echo if there is none.
//
//	go run ./examples/delay [two-channels.wav]
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
	rate := 48000.0
	x := nd.Normal(1, nd.Float32, 48000)
	pair := nd.Stack(0, x.Roll(37, 0).Add(nd.Normal(2, nd.Float32, 48000).MulScalar(0.3)), x)
	if len(os.Args) > 1 {
		y, info, err := audio.Load[float32](os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		pair, rate = y, info.Rate
	}
	d := signal.GCCPHAT{FS: rate, MaxLag: int(rate / 100), Upsample: 4}.Apply(pair.At(0), pair.At(1))
	late, err := nd.Item[float32](context.Background(), d.Array)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("channel 0 is %.3f ms later than channel 1\n", 1000*late)
}
