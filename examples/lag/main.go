// Lag trains a long causal convolution to delay its input by 200 samples: what attention
// would need a window of 200 for, and a recurrence 200 steps of memory.
//
//	go run ./examples/lag
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	const length, lag, batch = 512, 200, 8
	ctx := context.Background()
	t := learn.Trainer{
		Params: []learn.Param{{Name: "taps", Value: nd.Normal(1, nd.Float32, length).MulScalar(0.01)}},
		NamedLoss: func(step int, p learn.Named) *nd.Array {
			x := nd.Normal(nd.Key(step+2), nd.Float32, batch, length)
			late := x.SliceAxis(-1, nd.Head(length-lag)).PadAxis(-1, nd.Margin{Before: lag}, nd.Pad{})
			return signal.Conv{}.Apply(x, p["taps"]).Sub(late).AbsSquared().Mean()
		},
		Optimizer: learn.Adam{}, Rate: learn.Constant(0.02),
	}
	err := t.Run(ctx, 400, func(e learn.Event) error {
		if e.Step%100 == 0 {
			fmt.Printf("step %d: loss %.2g\n", e.Step, e.Loss)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	at, err := nd.Item[int64](ctx, t.Value("taps").Abs().ArgMax())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the greatest tap is at", at)
}
