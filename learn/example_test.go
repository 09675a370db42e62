package learn_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// A filter is learned from what it does to a signal.
func ExampleTrainer() {
	ctx := context.Background()
	x := nd.Normal(1, nd.Float64, 64)
	filter := nd.From([]float64{0.5, 0.3, -0.2})
	frames := x.Frames(3, 1)
	heard := frames.Mul(filter).Sum(-1)

	t := &learn.Trainer{
		Params: []learn.Param{{Name: "filter", Value: nd.Zeros(nd.Float64, 3)}},
		Loss: func(_ int, p []*nd.Array) *nd.Array {
			return frames.Mul(p[0]).Sum(-1).Sub(heard).AbsSquared().Mean()
		},
		Optimizer: learn.LBFGS{},
		Rate:      learn.Constant(1),
	}
	if err := t.Run(ctx, 30); err != nil {
		log.Fatal(err)
	}
	learned, err := nd.Slice[float64](ctx, t.Params[0].Value)
	fmt.Printf("%.3f %v\n", learned, err)
	// Output: [0.500 0.300 -0.200] <nil>
}

func ExampleWarmup() {
	rate := learn.Warmup(4, learn.Cosine(0.1, 0, 8))
	for step := range 13 {
		if step%4 == 0 {
			fmt.Printf("%d: %.3f\n", step, rate(step))
		}
	}
	// Output:
	// 0: 0.025
	// 4: 0.050
	// 8: 0.000
	// 12: 0.000
}

func ExampleLogTo() {
	var lines bytes.Buffer
	t := &learn.Trainer{
		Params:    []learn.Param{{Name: "w", Value: nd.Ones(nd.Float64, 1)}},
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return p[0].AbsSquared().Sum() },
		Optimizer: learn.SGD{},
		Rate:      learn.Constant(0.25),
	}
	if err := t.Run(context.Background(), 2, learn.LogTo(&lines)); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(lines.String()) {
		fmt.Println(line[:strings.Index(line, `,"seconds"`)])
	}
	// Output:
	// {"step":1,"loss":1,"rate":0.25
	// {"step":2,"loss":0.25,"rate":0.25
}
