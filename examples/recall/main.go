// Recall trains two mixer blocks on associative recall: a sequence is pairs of a
// key and a value, which value goes with which key is drawn anew for every
// sequence, and whenever a key comes again the model says its value. It stops
// once it is right about sequences it has not seen, and draws how it got there
// in recall.png.
package main

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"log"
	"math"
	"math/rand/v2"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/mixer"
	"github.com/twiddle-go/twiddle/nd"
)

const (
	keys     = 6 // and as many values
	pairs    = 24
	width    = 64
	batch    = 32
	maxSteps = 1500
	solved   = 0.999 // right answers
)

// sequences draws a batch: keys are the words 0 to 5, values those after. Answers are
// there for every pair; again is 1 where the key was seen before.
func sequences(seed uint64, n int) (words, answers, again *nd.Array) {
	r := rand.New(rand.NewPCG(seed, 1))
	var in, out []int64
	var known []float32
	for range n {
		value, seen := r.Perm(keys), [keys]bool{}
		for range pairs {
			key := r.IntN(keys)
			in, out = append(in, int64(key), int64(keys+value[key])), append(out, int64(value[key]))
			weight := float32(0)
			if seen[key] {
				weight = 1
			}
			known, seen[key] = append(known, weight), true
		}
	}
	return nd.From(in, n, 2*pairs), nd.From(out, n, pairs, 1), nd.From(known, n, pairs)
}

var block = mixer.Block{Width: width, Length: 2 * pairs}

// model is two blocks, each around a normalised sum of what came before.
type model struct {
	params []learn.Param
	sizes  [2]int // parameters of each block
}

func newModel(key nd.Key) (*model, error) {
	drawn := key.Split(4)
	m := &model{params: []learn.Param{
		{Name: "words", Value: nd.Normal(drawn[0], nd.Float32, 2*keys, width)},
		{Name: "answer", Value: nd.Normal(drawn[1], nd.Float32, width, keys).MulScalar(1 / math.Sqrt(width))},
	}}
	for i := range m.sizes {
		p, err := block.Init(drawn[2+i])
		if err != nil {
			return nil, err
		}
		for _, q := range p {
			m.params = append(m.params, learn.Param{Name: fmt.Sprintf("block%d.%s", i, q.Name), Value: q.Value})
		}
		m.sizes[i] = len(p)
	}
	return m, nil
}

// logits is how much each value is the answer, at every key.
func (m *model) logits(p []*nd.Array, words *nd.Array) *nd.Array {
	x := p[0].Take(words, 0)
	rest := p[2:]
	for _, n := range m.sizes {
		x = x.Add(block.Apply(rest[:n], normalised(x)))
		rest = rest[n:]
	}
	return normalised(x).SliceAxis(1, nd.Range{Stop: nd.End, Step: 2}).MatMul(p[1])
}

func normalised(x *nd.Array) *nd.Array {
	centred := x.Sub(x.Mean(-1).ExpandDims(-1))
	return centred.Mul(centred.AbsSquared().Mean(-1).AddScalar(1e-5).Rsqrt().ExpandDims(-1))
}

// loss is the mean negative logarithm of the probability of the answers that can
// be known.
func (m *model) loss(p []*nd.Array, words, answers, again *nd.Array) *nd.Array {
	l := m.logits(p, words)
	each := l.LogSumExp(2).Sub(l.Gather(answers, 2).Squeeze(2))
	return each.Mul(again).Sum().Div(again.Sum())
}

// right is the part of those answers that are correct, in fresh sequences.
func (m *model) right(ctx context.Context) (float32, error) {
	words, answers, again := sequences(math.MaxUint64, 128)
	var p []*nd.Array
	for _, q := range m.params {
		p = append(p, q.Value)
	}
	hits := m.logits(p, words).ArgMax(2).Equal(answers.Squeeze(2)).Cast(nd.Float32)
	return nd.Item[float32](ctx, hits.Mul(again).Sum().Div(again.Sum()))
}

func main() {
	ctx := context.Background()
	m, err := newModel(1)
	if err != nil {
		log.Fatal(err)
	}
	t := &learn.Trainer{
		Params: m.params,
		Loss: func(step int, p []*nd.Array) *nd.Array {
			words, answers, again := sequences(uint64(step), batch)
			return m.loss(p, words, answers, again)
		},
		Optimizer: learn.AdamW{},
		Rate:      learn.Warmup(50, learn.Cosine(4e-3, 0, maxSteps)),
		Clip:      learn.Clip{Norm: 1},
	}
	var losses, hits plotter.XYs
	done := false
	err = t.Run(ctx, maxSteps, func(e learn.Event) error {
		losses = append(losses, plotter.XY{X: float64(e.Step), Y: e.Loss})
		if e.Step%50 != 0 {
			return nil
		}
		right, err := m.right(ctx)
		if err != nil {
			return err
		}
		hits = append(hits, plotter.XY{X: float64(e.Step), Y: float64(right)})
		fmt.Printf("step %4d  loss %.4f  right %5.1f%%  %.1f s\n", e.Step, e.Loss, 100*right, e.Seconds)
		if right >= solved {
			done = true
			return learn.ErrStop
		}
		return nil
	})
	if err == nil && !done {
		err = errors.New("not solved")
	}
	if err != nil {
		log.Fatal(err)
	}
	if err := draw("recall.png", losses, hits); err != nil {
		log.Fatal(err)
	}
	fmt.Println("solved; see recall.png")
}

// draw plots the loss and the part of right answers over the steps.
func draw(file string, losses, hits plotter.XYs) error {
	p := plot.New()
	p.Title.Text = "associative recall"
	p.X.Label.Text = "step"
	p.Add(plotter.NewGrid())
	loss, err := plotter.NewLine(losses)
	if err != nil {
		return err
	}
	right, points, err := plotter.NewLinePoints(hits)
	if err != nil {
		return err
	}
	loss.Color = color.RGBA{R: 31, G: 119, B: 180, A: 255}
	right.Color = color.RGBA{R: 214, G: 39, B: 40, A: 255}
	right.Width, points.Color = vg.Points(2), right.Color
	p.Y.Min = 0
	p.Add(loss, right, points)
	p.Legend.Add("loss", loss)
	p.Legend.Add("right answers", right)
	p.Legend.Top = true
	p.Legend.XOffs = -vg.Centimeter
	return p.Save(16*vg.Centimeter, 10*vg.Centimeter, file)
}
