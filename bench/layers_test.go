//go:build unix

package bench_test

import (
	"math"
	"syscall"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/nd"
)

// Layers beside PyTorch: layers_peers.py has the same names and sizes. Both report processor time, which other work on
// the machine changes less than what the clock shows.

func processorTime(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// processed reports the least processor time of a run.
func processed(b *testing.B, run func() error) {
	least := math.Inf(1)
	for b.Loop() {
		start := processorTime(b)
		if err := run(); err != nil {
			b.Fatal(err)
		}
		least = min(least, processorTime(b)-start)
	}
	b.ReportMetric(least, "cpu-ms")
}

// discard evaluates arrays and gives their memory back, as torch does.
func discard(b *testing.B, y ...*nd.Array) error {
	err := nd.Eval(b.Context(), y...)
	for _, a := range y {
		a.Release()
	}
	return err
}

// inputs are normal numbers.
func inputs(b *testing.B, shapes ...[]int) []*nd.Array {
	b.Helper()
	list := make([]*nd.Array, len(shapes))
	for i, s := range shapes {
		list[i] = nd.Normal(nd.Key(i), nd.Float32, s...).MulScalar(0.3)
	}
	if err := nd.Eval(b.Context(), list...); err != nil {
		b.Fatal(err)
	}
	return list
}

func BenchmarkLayers(b *testing.B) {
	conv := layer.Conv{Padding: []int{1}}
	pool := layer.Pool{Size: []int{2}}
	in := inputs(b, []int{16, 16, 32, 64}, []int{32, 16, 3, 3}, []int{16, 16, 64, 128}, []int{16, 100, 64}, []int{192, 64}, []int{192, 64},
		[]int{4, 4, 256, 32}, []int{4, 4, 256, 32}, []int{4, 4, 256, 32})
	forward := func(name string, f func() *nd.Array) {
		b.Run(name, func(b *testing.B) { processed(b, func() error { return discard(b, f()) }) })
	}
	gradient := func(name string, f func() *nd.Array, by ...*nd.Array) {
		b.Run(name, func(b *testing.B) {
			processed(b, func() error { return discard(b, nd.Grad(f().Sum(), by...)...) })
		})
	}
	convolved := func() *nd.Array { return conv.Apply(in[0], in[1], nil) }
	forward("Conv", convolved)
	gradient("ConvGradient", convolved, in[:2]...)
	forward("Pool", func() *nd.Array { return pool.Max(layer.ReLU(in[2])) })
	gradient("PoolGradient", func() *nd.Array { return pool.Max(layer.ReLU(in[2])) }, in[2])
	gradient("BatchNormGradient", func() *nd.Array {
		y, _, _ := layer.BatchNorm(in[2], nil, nil, 0)
		return y.Mul(y).Mul(y)
	}, in[2])
	gradient("GRUGradient", func() *nd.Array { return layer.GRU(in[3], nil, in[4], in[5], nil, nil) }, in[4:6]...)
	gradient("AttentionGradient", func() *nd.Array { return layer.Attention{Causal: true}.Apply(in[6], in[7], in[8]) }, in[6:]...)
}

// BenchmarkNetwork is a step of training over mel spectrograms, 16 of 64 x 128.
func BenchmarkNetwork(b *testing.B) {
	shapes := map[string][]int{"w1": {16, 1, 3, 3}, "b1": {16}, "g1": {16}, "c1": {16}, "w2": {32, 16, 3, 3}, "b2": {32}, "g2": {32}, "c2": {32},
		"w3": {64, 32, 3, 3}, "b3": {64}, "w4": {10, 64}, "b4": {10}}
	var params []learn.Param
	for _, name := range []string{"w1", "b1", "g1", "c1", "w2", "b2", "g2", "c2", "w3", "b3", "w4", "b4"} {
		params = append(params, learn.Param{Name: name, Value: nd.Normal(nd.Key(len(params)), nd.Float32, shapes[name]...).MulScalar(0.2)})
	}
	x := inputs(b, []int{16, 1, 64, 128})[0]
	labels := nd.Randint(2, 0, 10, nd.Int64, 16)
	conv := layer.Conv{Padding: []int{1}}
	pool := layer.Pool{Size: []int{2}}
	t := learn.Trainer{Params: params, Optimizer: learn.Adam{}, Rate: learn.Constant(0.001), NamedLoss: func(_ int, p learn.Named) *nd.Array {
		h, _, _ := layer.BatchNorm(conv.Apply(x, p["w1"], p["b1"]), p["g1"], p["c1"], 0)
		h, _, _ = layer.BatchNorm(conv.Apply(pool.Max(layer.ReLU(h)), p["w2"], p["b2"]), p["g2"], p["c2"], 0)
		h = layer.ReLU(conv.Apply(pool.Max(layer.ReLU(h)), p["w3"], p["b3"]))
		return layer.CrossEntropy(layer.Linear(h.Mean(-1, -2), p["w4"], p["b4"]), labels)
	}}
	steps := 0
	processed(b, func() error {
		steps++
		return t.Run(b.Context(), steps)
	})
}
