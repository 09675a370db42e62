// Prefetch computes the next batches on a stream of their own while the
// current one is worked on.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	ctx := context.Background()
	loader, err := nd.CPU().NewStream()
	if err != nil {
		log.Fatal(err)
	}
	defer loader.Close()

	// What a file reader would do: noise in blocks, windowed, on the loader's
	// stream.
	batches := func(yield func(*nd.Array, error) bool) {
		for i := range 8 {
			block := nd.Normal(nd.Key(uint64(i)), nd.Float32, 16, 4096).On(loader)
			if !yield(block.Sub(block.Mean()), nil) {
				return
			}
		}
	}
	for batch, err := range nd.Prefetch(batches, 2) {
		if err != nil {
			log.Fatal(err)
		}
		power, err := nd.Item[float32](ctx, batch.On(nd.CPU().Stream()).RFFT().AbsSquared().Mean())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("mean power %.1f\n", power)
	}
}
