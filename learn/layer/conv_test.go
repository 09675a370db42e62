package layer_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// What is wrong is named.
func TestChannelErrors(t *testing.T) {
	x, w := nd.Zeros(nd.Float32, 2, 4, 10), nd.Zeros(nd.Float32, 6, 4, 3)
	square := nd.Zeros(nd.Float32, 2, 4, 10, 10)
	three := func(y, _, _ *nd.Array) *nd.Array { return y }
	two := func(y, _ *nd.Array) *nd.Array { return y }
	for _, c := range []struct {
		want string
		got  *nd.Array
	}{
		{"as many axes", layer.Conv{}.Apply(x, nd.Zeros(nd.Float32, 6, 4), nil)},
		{"x of shape [2 4 10], w of shape [6 4 3] and 2 groups", layer.Conv{Groups: 2, Padding: []int{1}}.Apply(x, w, nil)},
		{"groups", layer.Conv{Groups: -1}.Apply(x, w, nil)},
		{"Stride [0]", layer.Conv{Stride: []int{0}}.Apply(x, w, nil)},
		{"one for each of 1 axes", layer.Conv{Stride: []int{1, 1}}.Apply(x, w, nil)},
		{"Padding [-1]", layer.Conv{Padding: []int{-1}}.Apply(x, w, nil)},
		{"fewer than the filter reaches, 11", layer.Conv{Dilation: []int{5}}.Apply(x, w, nil)},
		{"axis 2 has Padding 6, which leaves 0 elements", layer.Conv{Padding: []int{6}}.Transposed(x, w.Reshape(4, 6, 3), nil)},
		{"b of shape [4]", layer.Conv{}.Apply(x, w, nd.Zeros(nd.Float32, 4))},
		{"nil Array", layer.Conv{}.Apply(x, nil, nil)},
		{"want elements", layer.Conv{}.Apply(x.Slice(nd.Head(0)), w, nil)},
		{"channels, outputs/groups", layer.Conv{}.Transposed(x, w, nil)},
		{"fewer than its stride, 1", layer.Conv{}.Transposed(x, w.SwapAxes(0, 1), nil, 1)},
		{"no Size", layer.Pool{}.Max(x)},
		{"fewer than Size 11", layer.Pool{Size: []int{11}}.Mean(x)},
		{"half of Size", layer.Pool{Size: []int{2}, Padding: []int{2}}.Max(x)},
		{"want floats", layer.Pool{Size: []int{2}}.Max(x.Cast(nd.Int32))},
		{"(batch, channels, ...)", three(layer.BatchNorm(nd.Zeros(nd.Float32, 3), nil, nil, 0))},
		{"want (4)", three(layer.BatchNorm(x, nd.Zeros(nd.Float32, 10), nil, 0))},
		{"nil mean", layer.BatchNormWith(x, nil, nil, nil, nil, 0)},
		{"3 groups of 4", layer.GroupNorm(square, 3, nil, nil, 0)},
		{"positive number", layer.RMSNorm(x, nil, -1)},
		{"feature of shape [4]: want (10)", layer.RMSNorm(x, nd.Zeros(nd.Float32, 4), 0)},
		{"feature of shape [4 1]: want (10)", layer.LayerNorm(x, nil, nd.Zeros(nd.Float32, 4, 1), 0)},
		{"labels of shape [1]", layer.CrossEntropy(x.At(0), nd.Zeros(nd.Int64, 1))},
		{"queries", layer.Attention{}.Apply(x, x.SliceAxis(-1, nd.Head(3)), x)},
		{"probability 1", layer.Dropout(1, x, 1)},
		{"(3 size, in)", layer.GRU(x, nil, w, w, nil, nil)},
		{"b of shape [2]", layer.GRU(x, nil, nd.Zeros(nd.Float32, 6, 10), nd.Zeros(nd.Float32, 6, 2), nd.Zeros(nd.Float32, 2), nil)},
		{"first state", two(layer.LSTM(x, nd.Zeros(nd.Float32, 2, 3), nil, nd.Zeros(nd.Float32, 8, 10), nd.Zeros(nd.Float32, 8, 2), nil, nil))},
	} {
		if err := c.got.Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want an error with %q", err, c.want)
		}
	}
}

// About the given part is dropped, the mean stays, and a key gives the same elements again.
func TestDropout(t *testing.T) {
	x := nd.Ones(nd.Float64, 100000)
	v := slice(t, layer.Dropout(7, x, 0.3))
	zeros := 0
	for _, e := range v {
		switch {
		case e == 0:
			zeros++
		case math.Abs(e-1/0.7) > 1e-12:
			t.Fatalf("an element of %g", e)
		}
	}
	if p := float64(zeros) / float64(len(v)); math.Abs(p-0.3) > 0.01 {
		t.Errorf("%g of the elements are dropped, want 0.3", p)
	}
	if same, err := nd.Item[bool](t.Context(), layer.Dropout(7, x, 0.3).Equal(layer.Dropout(7, x, 0.3)).All()); err != nil || !same {
		t.Errorf("%v, %v", same, err)
	}
}

// A convolutional network tells rising from falling chirps by their mel spectrograms.
func ExampleConv() {
	ctx := context.Background()
	chirps := func(key nd.Key, n int) (mels, labels *nd.Array) {
		t := nd.Arange(0.0, 4096, 1).DivScalar(8000)
		labels = nd.Randint(key, 0, 2, nd.Int64, n)
		slope := labels.Cast(nd.Float64).MulScalar(2).SubScalar(1).MulScalar(3000).ExpandDims(1)
		x := t.Mul(t.Mul(slope).MulScalar(0.5).AddScalar(2000)).MulScalar(2 * math.Pi).Sin()
		x = x.Add(nd.Normal(key.Fold(1), nd.Float64, n, 4096).MulScalar(0.3)).Cast(nd.Float32)
		mel := signal.Mel{FS: 8000, NMels: 32, STFT: signal.STFT{NFFT: 512, Hop: 128}}
		return signal.PowerToDB(mel.Apply(x)).DivScalar(40).ExpandDims(1), labels
	}
	model := func(x *nd.Array, p learn.Named) *nd.Array {
		h := layer.ReLU(layer.Conv{Stride: []int{2}, Padding: []int{1}}.Apply(x, p["conv1.weight"], p["conv1.bias"]))
		h = layer.Pool{Size: []int{2}}.Max(layer.ReLU(layer.Conv{Padding: []int{1}}.Apply(h, p["conv2.weight"], nil)))
		return layer.Linear(h.Mean(-1).Reshape(x.Dim(0), -1), p["head.weight"], p["head.bias"])
	}
	mels, labels := chirps(1, 64)
	t := learn.Trainer{
		Params: []learn.Param{
			{Name: "conv1.weight", Value: nd.Normal(2, nd.Float32, 8, 1, 3, 3).MulScalar(0.3)}, {Name: "conv1.bias", Value: nd.Zeros(nd.Float32, 8)},
			{Name: "conv2.weight", Value: nd.Normal(3, nd.Float32, 8, 8, 3, 3).MulScalar(0.1)},
			{Name: "head.weight", Value: nd.Normal(4, nd.Float32, 2, 64).MulScalar(0.1)}, {Name: "head.bias", Value: nd.Zeros(nd.Float32, 2)},
		},
		NamedLoss: func(_ int, p learn.Named) *nd.Array { return layer.CrossEntropy(model(mels, p), labels) },
		Optimizer: learn.AdamW{},
		Rate:      learn.Constant(0.01),
	}
	if err := t.Run(ctx, 60); err != nil {
		fmt.Println(err)
		return
	}
	p := learn.Named{}
	for _, q := range t.Params {
		p[q.Name] = t.Value(q.Name)
	}
	unseen, truth := chirps(9, 32)
	right, err := nd.Item[float32](ctx, model(unseen, p).ArgMax(-1).Equal(truth).Cast(nd.Float32).Mean())
	fmt.Printf("%.2f of unseen chirps are told right %v\n", right, err)
	// Output: 1.00 of unseen chirps are told right <nil>
}
