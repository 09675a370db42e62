// Classify is a port of a first PyTorch program: a network of two layers learns to tell
// sines, squares and sawtooths apart by their spectra.
//
//	go run ./examples/classify
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
)

// waves is n spectra and which wave each is of.
func waves(key nd.Key, n int) (x, labels *nd.Array) {
	t := nd.Linspace(0.0, 1, 256)
	cycles := nd.Uniform(key, nd.Float64, n, 1).MulScalar(4).AddScalar(4)
	phase := t.Mul(cycles).Add(nd.Uniform(key.Fold(1), nd.Float64, n, 1))
	saw := phase.Sub(phase.Floor()).MulScalar(2).SubScalar(1)
	sine := phase.MulScalar(2 * math.Pi).Sin()
	labels = nd.Randint(key.Fold(2), 0, 3, nd.Int64, n)
	kind := labels.ExpandDims(1)
	wave := nd.Where(kind.EqualScalar(0), sine, nd.Where(kind.EqualScalar(1), sine.Sign(), saw))
	noisy := wave.Add(nd.Normal(key.Fold(3), nd.Float64, n, 256).MulScalar(0.1))
	return layer.LayerNorm(noisy.RFFT().Abs().Log1p(), nil, nil, 0).Cast(nd.Float32), labels
}

func model(x *nd.Array, p []*nd.Array) *nd.Array {
	return layer.Linear(layer.GELU(layer.Linear(x, p[0], p[1])), p[2], p[3])
}

func main() {
	ctx := context.Background()
	x, labels := waves(1, 1000)
	unseen, truth := waves(2, 500)
	if err := nd.Eval(ctx, x, labels, unseen, truth); err != nil {
		log.Fatal(err)
	}
	t := learn.Trainer{
		Params: []learn.Param{
			{Name: "w1", Value: nd.Normal(3, nd.Float32, 64, 129).MulScalar(0.1)}, {Name: "b1", Value: nd.Zeros(nd.Float32, 64)},
			{Name: "w2", Value: nd.Normal(4, nd.Float32, 3, 64).MulScalar(0.1)}, {Name: "b2", Value: nd.Zeros(nd.Float32, 3)},
		},
		Loss:      func(_ int, p []*nd.Array) *nd.Array { return layer.CrossEntropy(model(x, p), labels) },
		Optimizer: learn.Adam{},
		Rate:      learn.Constant(0.01),
	}
	if err := t.Run(ctx, 150); err != nil {
		log.Fatal(err)
	}
	right := model(unseen, t.Values()).ArgMax(-1).Equal(truth).Cast(nd.Float32).Mean()
	share, err := nd.Item[float32](ctx, right)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f%% of unseen waves are told right\n", 100*share)
}
