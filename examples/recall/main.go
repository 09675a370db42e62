// Recall trains two mixer blocks on associative recall: a sequence is pairs of a
// key and a value, which value goes with which key is drawn anew for every
// sequence, and whenever a key comes again the model says its value. It stops
// once it is right about sequences it has not seen, and draws how it got there
// in recall.png.
//
//	go run ./examples/recall
//	go run ./examples/recall -device webgpu:0
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
)

const (
	keys   = 6 // and as many values
	pairs  = 24
	width  = 64
	batch  = 32
	solved = 0.999 // right answers
)

// sequences draws a batch: keys are the words 0 to 5, values those after. Answers are
// there for every pair; again is 1 where the key was seen before.
func sequences(seed uint64, n int, on *nd.Stream) (words, answers, again *nd.Array) {
	r := rand.New(rand.NewPCG(seed, 1))
	var in, out []int64
	var known []float32
	for range n {
		value, seen := r.Perm(keys), [keys]float32{}
		for range pairs {
			key := r.IntN(keys)
			in, out = append(in, int64(key), int64(keys+value[key])), append(out, int64(value[key]))
			known, seen[key] = append(known, seen[key]), 1
		}
	}
	return nd.From(in, n, 2*pairs).On(on), nd.From(out, n, pairs).On(on), nd.From(known, n, pairs).On(on)
}

var block = mixer.Block{Width: width, Length: 2 * pairs}

// start is what is learned: the words, how answers are read, and two blocks.
func start(key nd.Key) ([]learn.Param, error) {
	params := []learn.Param{
		{Name: "words", Value: nd.Normal(key, nd.Float32, 2*keys, width)},
		{Name: "answer", Value: nd.Normal(key.Fold(1), nd.Float32, width, keys).MulScalar(1 / math.Sqrt(width))},
	}
	for i := range 2 {
		drawn, err := block.Init(key.Fold(uint64(2 + i)))
		if err != nil {
			return nil, err
		}
		for _, p := range drawn {
			params = append(params, learn.Param{Name: fmt.Sprintf("block%d.%s", i, p.Name), Value: p.Value})
		}
	}
	return params, nil
}

// logits is how much each value is the answer, at every key.
func logits(p []*nd.Array, words *nd.Array) *nd.Array {
	x, each := layer.Embedding(p[0], words), (len(p)-2)/2
	for i := range 2 {
		x = x.Add(block.Apply(p[2+i*each:][:each], layer.LayerNorm(x, nil, nil, 0)))
	}
	return layer.LayerNorm(x, nil, nil, 0).SliceAxis(1, nd.Range{Stop: nd.End, Step: 2}).MatMul(p[1])
}

// known is the mean over the answers that can be known.
func known(x, again *nd.Array) *nd.Array { return x.Mul(again).Sum().Div(again.Sum()) }

func main() {
	device := flag.String("device", "cpu", "where to train; see 'twiddle devices'")
	most := flag.Int("steps", 1500, "the most steps to train")
	flag.Parse()
	ctx := context.Background()
	dev, err := nd.Open(*device)
	if err != nil {
		log.Fatal(err)
	}
	params, err := start(1)
	if err != nil {
		log.Fatal(err)
	}
	for i, p := range params {
		params[i].Value = p.Value.On(dev.Stream())
	}
	t := &learn.Trainer{
		Params: params,
		Loss: func(step int, p []*nd.Array) *nd.Array {
			words, answers, again := sequences(uint64(step), batch, dev.Stream())
			right := layer.LogSoftmax(logits(p, words)).Gather(answers.ExpandDims(2), 2).Squeeze(2)
			return known(right, again).Neg()
		},
		Optimizer: learn.AdamW{},
		Rate:      learn.Warmup(50, learn.Cosine(4e-3, 0, *most)),
		Clip:      learn.Clip{Norm: 1},
	}
	var steps, losses, hits []float64
	err = t.Run(ctx, *most, func(e learn.Event) error {
		if e.Step%50 != 0 && e.Step != *most {
			return nil
		}
		words, answers, again := sequences(math.MaxUint64, 128, dev.Stream())
		right, err := nd.Item[float32](ctx, known(logits(t.Values(), words).ArgMax(2).Equal(answers).Cast(nd.Float32), again))
		steps, losses, hits = append(steps, float64(e.Step)), append(losses, e.Loss), append(hits, float64(right))
		fmt.Printf("step %4d  loss %.4f  right %5.1f%%  %.1f s\n", e.Step, e.Loss, 100*right, e.Seconds)
		if err == nil && right >= solved {
			err = learn.ErrStop
		}
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	curves := chart.Curves{Title: "associative recall", X: "step", Names: []string{"loss", "right answers"}}
	if err := curves.Save(ctx, "recall.png", steps, nd.From(append(losses, hits...), 2, len(steps))); err != nil {
		log.Fatal(err)
	}
	fmt.Println("see recall.png")
}
