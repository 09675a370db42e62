// Lag trains a mixer to delay its input by 200 samples: what attention would need a window
// of 200 for, and a recurrence 200 steps of memory.
//
//	go run ./examples/lag
//	go run ./examples/lag -device webgpu:0
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	const length, lag, batch = 512, 200, 8
	device := flag.String("device", "cpu", "where to train; see 'twiddle devices'")
	steps := flag.Int("steps", 300, "steps to train")
	flag.Parse()
	ctx := context.Background()
	dev, err := nd.Open(*device)
	if err != nil {
		log.Fatal(err)
	}
	// Positions are described by cosines and sines of every frequency: a delay is a filter of
	// one tap, which is not smooth.
	block := mixer.Block{Width: 1, Length: length, Residual: true, Embedding: length + 1, Order: 64, Layers: 1, Frequency: 1}
	params, err := block.Init(1)
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range params {
		params[i].Value = p.Value.On(dev.Stream())
	}
	t := learn.Trainer{
		Params: params,
		Loss: func(step int, p []*nd.Array) *nd.Array {
			x := nd.Normal(nd.Key(step+2), nd.Float32, batch, length, 1).On(dev.Stream())
			late := x.SliceAxis(1, nd.Head(length-lag)).PadAxis(1, nd.Margin{Before: lag}, nd.Pad{})
			return block.Apply(p, x).Sub(late).AbsSquared().Mean()
		},
		Optimizer: learn.Adam{}, Rate: learn.Cosine(0.005, 0, *steps), Clip: learn.Clip{Norm: 1},
	}
	err = t.Run(ctx, *steps, func(e learn.Event) error {
		if e.Step%100 == 0 {
			fmt.Printf("step %d: loss %.2g\n", e.Step, e.Loss)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Its answer to a single 1 at the beginning.
	impulse := nd.Arange(0, length, 1).EqualScalar(0).Cast(nd.Float32).Reshape(length, 1).On(dev.Stream())
	at, err := nd.Item[int64](ctx, block.Apply(t.Values(), impulse).Flatten().Abs().ArgMax())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the 1 comes out at", at)
}
