//go:build unix

package bench_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/layer"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// BenchmarkGPU is what programs do once in a while, on a GPU: gpu_peers.py has the same names and
// sizes in PyTorch. A figure is one evaluation by the host's clock, its graph built anew.
//
//	TWIDDLE_TEST_DEVICE=cuda:0 go test -run '^$' -bench GPU -benchtime 20x
func BenchmarkGPU(b *testing.B) {
	dev, err := nd.Open(cmp.Or(os.Getenv("TWIDDLE_TEST_DEVICE"), "cpu"))
	if err != nil {
		b.Fatal(err)
	}
	key := nd.Key(0)
	there := func(a *nd.Array) *nd.Array {
		a = a.On(dev.Stream())
		if err := nd.Eval(context.Background(), a); err != nil {
			b.Fatal(err)
		}
		return a
	}
	random := func(t nd.DType, shape ...int) *nd.Array {
		key += 2
		switch t {
		case nd.Complex64:
			return there(nd.Complex(nd.Normal(key, nd.Float32, shape...), nd.Normal(key+1, nd.Float32, shape...)))
		case nd.Complex128:
			return there(nd.Complex(nd.Normal(key, nd.Float64, shape...), nd.Normal(key+1, nd.Float64, shape...)))
		}
		return there(nd.Normal(key, t, shape...).On(dev.Stream()))
	}
	places := func(high int64, shape ...int) *nd.Array {
		key++
		return there(nd.Randint(key, 0, high, nd.Int64, shape...).On(dev.Stream()))
	}
	// Inputs are made when a row is run: no row holds the memory of another.
	type inputs = []*nd.Array
	row := func(name string, make func() inputs, f func(in inputs) []*nd.Array) {
		b.Run(name, func(b *testing.B) {
			in := make()
			run := func() {
				if err := discard(b, f(in)...); err != nil {
					b.Fatal(err)
				}
			}
			for range 3 {
				run()
			}
			for b.Loop() {
				run()
			}
			for _, a := range in {
				a.Release()
			}
		})
	}
	one := func(name string, t nd.DType, shape []int, f func(x *nd.Array) *nd.Array) {
		row(name, func() inputs { return inputs{random(t, shape...)} }, func(in inputs) []*nd.Array { return inputs{f(in[0])} })
	}
	two := func(name string, x, y func() *nd.Array, f func(x, y *nd.Array) *nd.Array) {
		row(name, func() inputs { return inputs{x(), y()} }, func(in inputs) []*nd.Array { return inputs{f(in[0], in[1])} })
	}
	of := func(shape ...int) func() *nd.Array { return func() *nd.Array { return random(nd.Float32, shape...) } }
	at := func(high int64, shape ...int) func() *nd.Array {
		return func() *nd.Array { return places(high, shape...) }
	}
	f32, c64 := nd.Float32, nd.Complex64
	flat, wide, square := []int{1 << 24}, []int{8192, 4096}, []int{8192, 8192}

	one("Elements/GELU", f32, flat, layer.GELU)
	one("Elements/Softmax", f32, wide, func(x *nd.Array) *nd.Array { return layer.Softmax(x) })
	one("Elements/LogSumExp", f32, wide, func(x *nd.Array) *nd.Array { return x.LogSumExp(-1) })
	row("Elements/LayerNorm", func() inputs { return inputs{random(f32, wide...), random(f32, 4096), random(f32, 4096)} },
		func(in inputs) []*nd.Array { return inputs{layer.LayerNorm(in[0], in[1], in[2], 1e-5)} })
	one("Elements/VarRows", f32, wide, func(x *nd.Array) *nd.Array { return x.Var(-1) })
	one("Elements/VarColumns", f32, wide, func(x *nd.Array) *nd.Array { return x.Var(0) })
	one("Elements/ArgMaxColumns", f32, wide, func(x *nd.Array) *nd.Array { return x.ArgMax(0) })
	one("Elements/Standardize", f32, wide, func(x *nd.Array) *nd.Array {
		return x.Sub(x.Keep(-1).Mean()).Div(x.Keep(-1).Std())
	})
	one("Elements/CumSum", f32, flat, func(x *nd.Array) *nd.Array { return x.CumSum(-1) })
	one("Elements/CumSumRows", f32, wide, func(x *nd.Array) *nd.Array { return x.CumSum(-1) })
	one("Elements/CumSumColumns", f32, wide, func(x *nd.Array) *nd.Array { return x.CumSum(0) })
	one("Elements/CumProdRows", f32, wide, func(x *nd.Array) *nd.Array { return x.CumProd(-1) })
	one("Elements/Diff", f32, flat, func(x *nd.Array) *nd.Array { return x.Diff(-1) })
	one("Elements/AbsComplex", c64, flat, func(x *nd.Array) *nd.Array { return x.Abs() })
	one("Elements/AngleComplex", c64, flat, func(x *nd.Array) *nd.Array { return x.Angle() })
	one("Elements/Where", f32, flat, func(x *nd.Array) *nd.Array { return nd.Where(x.GreaterScalar(0), x, 0.0) })
	one("Elements/Any", f32, flat, func(x *nd.Array) *nd.Array { return x.GreaterScalar(9).Any() })
	one("Elements/CountTrue", f32, flat, func(x *nd.Array) *nd.Array { return x.GreaterScalar(0).Cast(nd.Int64).Sum() })
	one("Elements/SumAxes02", f32, []int{256, 256, 512}, func(x *nd.Array) *nd.Array { return x.Sum(0, 2) })
	one("Elements/SumFloat64", nd.Float64, flat, func(x *nd.Array) *nd.Array { return x.Sum() })

	one("Random/Normal", f32, []int{1}, func(*nd.Array) *nd.Array { return nd.Normal(7, f32, 1<<26).On(dev.Stream()) })
	one("Random/Uniform", f32, []int{1}, func(*nd.Array) *nd.Array { return nd.Uniform(7, f32, 1<<26).On(dev.Stream()) })
	one("Random/Permutation", f32, []int{1}, func(*nd.Array) *nd.Array { return nd.Permutation(7, 1<<20).On(dev.Stream()) })

	one("Moves/Transpose021", f32, []int{256, 512, 512}, func(x *nd.Array) *nd.Array { return x.Transpose(0, 2, 1).AddScalar(1) })
	one("Moves/Transpose3210", f32, []int{64, 64, 64, 256}, func(x *nd.Array) *nd.Array { return x.Transpose(3, 2, 1, 0).AddScalar(1) })
	one("Moves/Transpose102", f32, []int{512, 512, 64}, func(x *nd.Array) *nd.Array { return x.Transpose(1, 0, 2).AddScalar(1) })
	two("Moves/Concat", of(8192, 2048), of(8192, 2048), func(x, y *nd.Array) *nd.Array { return nd.Concat(1, x, y) })
	two("Moves/Stack", of(1<<24), of(1<<24), func(x, y *nd.Array) *nd.Array { return nd.Stack(-1, x, y) })
	one("Moves/Flip", f32, square, func(x *nd.Array) *nd.Array { return x.Flip(-1).AddScalar(1) })
	one("Moves/Roll", f32, square, func(x *nd.Array) *nd.Array { return x.Roll(100, -1) })
	one("Moves/RepeatElements", f32, []int{8192, 1024}, func(x *nd.Array) *nd.Array { return x.Repeat(4, -1) })
	one("Moves/Tile", f32, []int{8192, 1024}, func(x *nd.Array) *nd.Array { return x.Tile(1, 4) })
	one("Moves/PadReflect", f32, []int{64, 1 << 20}, func(x *nd.Array) *nd.Array {
		return x.PadAxis(-1, nd.Margin{Before: 1024, After: 1024}, nd.Pad{Mode: nd.PadReflect})
	})
	one("Moves/EverySecond", f32, square, func(x *nd.Array) *nd.Array { return x.Slice(nd.All, nd.Range{Stop: nd.End, Step: 2}).AddScalar(1) })

	one("Orders/SortFlat", f32, flat, func(x *nd.Array) *nd.Array { return x.Sort(-1) })
	one("Orders/SortRows", f32, []int{16384, 1024}, func(x *nd.Array) *nd.Array { return x.Sort(-1) })
	one("Orders/SortShortRows", f32, []int{1 << 20, 16}, func(x *nd.Array) *nd.Array { return x.Sort(-1) })
	one("Orders/SortColumns", f32, []int{1024, 8192}, func(x *nd.Array) *nd.Array { return x.Sort(0) })
	one("Orders/ArgSortRows", f32, []int{1024, 16384}, func(x *nd.Array) *nd.Array { return x.ArgSort(-1) })
	one("Orders/ArgSortFlat", f32, flat, func(x *nd.Array) *nd.Array { return x.ArgSort(-1) })
	one("Orders/MedianRows", f32, []int{16384, 1024}, func(x *nd.Array) *nd.Array { return x.Median(-1) })
	one("Orders/MedianFlat", f32, []int{1 << 22}, func(x *nd.Array) *nd.Array { return x.Median() })
	one("Orders/QuantileFlat", f32, []int{1 << 22}, func(x *nd.Array) *nd.Array { return x.Quantile(0.9) })
	one("Orders/TopKFlat", f32, flat, func(x *nd.Array) *nd.Array { v, _ := x.TopK(10, -1); return v })
	one("Orders/TopKRows", f32, []int{16384, 1024}, func(x *nd.Array) *nd.Array { v, _ := x.TopK(10, -1); return v })
	two("Orders/SearchSorted", func() *nd.Array { return there(random(f32, 1<<16).Sort(-1)) }, of(1<<22), nd.SearchSorted)
	two("Orders/Histogram", func() *nd.Array { return there(nd.Linspace[float32](-4, 4, 257)) }, of(1<<24), func(e, x *nd.Array) *nd.Array { return nd.Histogram(x, e) })

	two("Places/Embedding", of(50000, 512), at(50000, 65536), func(x, i *nd.Array) *nd.Array { return x.Take(i, 0) })
	two("Places/TakeFlat", of(1<<24), at(1<<24, 1<<24), func(x, i *nd.Array) *nd.Array { return x.Take(i, 0) })
	two("Places/TakeColumns", of(8192, 4096), at(4096, 2048), func(x, i *nd.Array) *nd.Array { return x.Take(i, 1) })
	two("Places/GatherRows", of(8192, 4096), at(4096, 8192, 1024), func(x, i *nd.Array) *nd.Array { return x.Gather(i, 1) })
	two("Places/ScatterAddRows", of(65536, 256), at(1000, 65536), func(x, i *nd.Array) *nd.Array {
		return nd.Zeros(f32, 1000, 256).On(dev.Stream()).ScatterAdd(i.ExpandDims(1), x, 0)
	})
	two("Places/EmbeddingGradient", of(50000, 512), at(50000, 65536), func(x, i *nd.Array) *nd.Array {
		y := x.Take(i, 0)
		return nd.Grad(y.Mul(y).Sum(), x)[0]
	})

	matmul := func(x, y *nd.Array) *nd.Array { return x.MatMul(y) }
	two("Products/Batch64", of(4096, 64, 64), of(4096, 64, 64), matmul)
	two("Products/Batch512", of(64, 512, 512), of(64, 512, 512), matmul)
	two("Products/Skinny", of(1<<20, 64), of(64, 64), matmul)
	two("Products/InnerLong", of(64, 1<<20), of(1<<20, 64), matmul)
	two("Products/Vector", of(16384, 16384), of(16384), matmul)
	two("Products/VectorTransposed", of(16384, 16384), of(16384), func(x, y *nd.Array) *nd.Array { return y.MatMul(x) })
	two("Products/Transposed", of(2048, 2048), of(2048, 2048), func(x, y *nd.Array) *nd.Array { return x.MatMul(y.Transpose()) })
	two("Products/Broadcast", of(64, 512, 512), of(512, 512), matmul)
	two("Products/Dot", of(1<<26), of(1<<26), func(x, y *nd.Array) *nd.Array { return x.Dot(y) })
	two("Products/Outer", of(8192), of(8192), func(x, y *nd.Array) *nd.Array { return x.ExpandDims(1).Mul(y) })
	two("Products/Einsum", of(16, 1024, 8, 64), of(16, 1024, 8, 64), func(x, y *nd.Array) *nd.Array { return nd.Einsum("bqhd,bkhd->bhqk", x, y) })
	two("Products/Distances", of(4096, 1, 32), of(4096, 32), func(x, y *nd.Array) *nd.Array { d := x.Sub(y); return d.Mul(d).Sum(-1).Sqrt() })

	one("Transforms/FFT2", c64, []int{256, 256, 256}, func(x *nd.Array) *nd.Array { return x.FFTN(nd.FFTN{Axes: []int{1, 2}}) })
	one("Transforms/FFT2Shift", c64, []int{4096, 4096}, func(x *nd.Array) *nd.Array { return x.FFTN().FFTShift() })
	one("Transforms/RFFT2", f32, []int{256, 512, 512}, func(x *nd.Array) *nd.Array { return x.RFFTN(nd.FFTN{Axes: []int{1, 2}}) })
	one("Transforms/FFTN128", c64, []int{128, 128, 128}, func(x *nd.Array) *nd.Array { return x.FFTN() })
	one("Transforms/RFFTColumns", f32, square, func(x *nd.Array) *nd.Array { return x.RFFT(nd.FFT{Axis: nd.Axis(0)}) })
	one("Transforms/FFTDouble", nd.Complex128, []int{4096, 4096}, func(x *nd.Array) *nd.Array { return x.FFT() })
	two("Transforms/FFTConv2", of(64, 512, 512), of(31, 31), func(x, k *nd.Array) *nd.Array {
		return signal.Convolve{Mode: signal.Same, Axes: []int{-2, -1}}.Apply(x, k.Reshape(1, 31, 31))
	})

	audio := []int{64, 220500}
	one("Signal/STFT", f32, audio, func(x *nd.Array) *nd.Array { return signal.STFT{NFFT: 1024, Hop: 256}.Apply(x) })
	one("Signal/STFTPower", f32, audio, func(x *nd.Array) *nd.Array { return signal.STFT{NFFT: 1024, Hop: 256}.Apply(x).AbsSquared() })
	one("Signal/STFT400", f32, audio, func(x *nd.Array) *nd.Array { return signal.STFT{NFFT: 400, Hop: 160}.Apply(x).AbsSquared() })
	one("Signal/RoundTrip", f32, audio, func(x *nd.Array) *nd.Array {
		s := signal.STFT{NFFT: 1024, Hop: 256}
		return s.Inverse(s.Apply(x), signal.Inverse{Length: 220500})
	})
	one("Signal/Mel", f32, audio, func(x *nd.Array) *nd.Array {
		return signal.PowerToDB(signal.Mel{STFT: signal.STFT{NFFT: 1024, Hop: 256}, FS: 22050, NMels: 80, HTK: true, Flat: true}.Apply(x))
	})
	one("Signal/MFCC", f32, audio, func(x *nd.Array) *nd.Array {
		return signal.Mel{STFT: signal.STFT{NFFT: 1024, Hop: 256}, FS: 22050, NMels: 80, HTK: true, Flat: true}.MFCC(x, 20)
	})
	one("Signal/MelGradient", f32, audio, func(x *nd.Array) *nd.Array {
		m := signal.Mel{STFT: signal.STFT{NFFT: 1024, Hop: 256}, FS: 22050, NMels: 80, HTK: true, Flat: true}.Apply(x)
		return nd.Grad(m.AddScalar(1e-5).Log().Sum(), x)[0]
	})
	one("Signal/GriffinLim", f32, []int{4, 513, 862}, func(x *nd.Array) *nd.Array {
		return signal.GriffinLim{STFT: signal.STFT{NFFT: 1024, Hop: 256}, Iterations: 32}.Apply(x.Abs())
	})
	one("Signal/ResamplePoly", f32, []int{64, 441000}, func(x *nd.Array) *nd.Array { return signal.ResamplePoly{Up: 160, Down: 441}.Apply(x) })
	one("Signal/Biquad", f32, audio, func(x *nd.Array) *nd.Array {
		return signal.SOS{{0.2, 0.4, 0.2, 1, -0.5, 0.3}}.Filter(x)
	})
	one("Signal/SOS6", f32, audio, func(x *nd.Array) *nd.Array {
		s, err := signal.IIR{Order: 12, Cutoff: [2]float64{0.2}}.SOS()
		if err != nil {
			b.Fatal(err)
		}
		return s.Filter(x)
	})
	one("Signal/Hilbert", f32, []int{512, 16384}, func(x *nd.Array) *nd.Array { return signal.Envelope(x) })
	two("Signal/Reverb", of(64, 220500), of(1, 44100), func(x, k *nd.Array) *nd.Array { return signal.Convolve{Axes: []int{-1}}.Apply(x, k) })
	two("Signal/FIR31", of(64, 220500), of(1, 31), func(x, k *nd.Array) *nd.Array {
		return signal.Convolve{Mode: signal.Same, Axes: []int{-1}}.Apply(x, k)
	})
	one("Signal/MedFilt5", f32, audio, func(x *nd.Array) *nd.Array { return signal.MedFilt(x, 1, 5) })
	one("Signal/Unwrap", f32, audio, func(x *nd.Array) *nd.Array { return signal.Unwrap(x) })
	one("Signal/DCT", f32, []int{16384, 1024}, func(x *nd.Array) *nd.Array { return signal.DCT{}.Apply(x) })
	one("Signal/Correlate", f32, []int{1024, 16384}, func(x *nd.Array) *nd.Array {
		return x.RFFT(nd.FFT{N: 32768}).AbsSquared().Cast(c64).IRFFT().SliceAxis(-1, nd.Head(16384))
	})
	one("Signal/MovingMean", f32, audio, func(x *nd.Array) *nd.Array { return x.Frames(64, 1).Mean(-1) })
	one("Signal/MovingMax", f32, audio, func(x *nd.Array) *nd.Array { return x.Frames(64, 1).Max(-1) })

	image := of(64, 64, 56, 56)
	conv := layer.Conv{Padding: []int{1}}
	two("Layers/Conv", image, of(64, 64, 3, 3), func(x, w *nd.Array) *nd.Array { return conv.Apply(x, w, nil) })
	row("Layers/ConvGradient", func() inputs { return inputs{image(), random(f32, 64, 64, 3, 3)} },
		func(in inputs) []*nd.Array { return nd.Grad(conv.Apply(in[0], in[1], nil).AbsSquared().Sum(), in...) })
	two("Layers/Conv1d", of(64, 64, 16384), of(64, 64, 9), func(x, w *nd.Array) *nd.Array { return layer.Conv{Padding: []int{4}}.Apply(x, w, nil) })
	two("Layers/Depthwise", of(64, 64, 16384), of(64, 1, 9), func(x, w *nd.Array) *nd.Array {
		return layer.Conv{Padding: []int{4}, Groups: 64}.Apply(x, w, nil)
	})
	one("Layers/MaxPool", f32, []int{64, 64, 112, 112}, layer.Pool{Size: []int{2}}.Max)
	row("Layers/BatchNormGradient", func() inputs { return inputs{image()} }, func(in inputs) []*nd.Array {
		y, _, _ := layer.BatchNorm(in[0], nil, nil, 0)
		return nd.Grad(y.Mul(y).Mul(y).Sum(), in[0])
	})
	heads := func() inputs {
		return inputs{random(f32, 8, 16, 1024, 64), random(f32, 8, 16, 1024, 64), random(f32, 8, 16, 1024, 64)}
	}
	row("Layers/Attention", heads, func(in inputs) []*nd.Array {
		return inputs{layer.Attention{Causal: true}.Apply(in[0], in[1], in[2])}
	})
	row("Layers/AttentionGradient", heads, func(in inputs) []*nd.Array {
		return nd.Grad(layer.Attention{Causal: true}.Apply(in[0], in[1], in[2]).AbsSquared().Sum(), in...)
	})
	two("Layers/CrossEntropyGradient", of(8192, 32000), at(32000, 8192), func(x, l *nd.Array) *nd.Array {
		return nd.Grad(layer.CrossEntropy(x, l), x)[0]
	})
	rows := []int{65536, 1024}
	one("Layers/Softmax", f32, rows, func(x *nd.Array) *nd.Array { return layer.Softmax(x) })
	one("Layers/SoftmaxGradient", f32, rows, func(x *nd.Array) *nd.Array { y := layer.Softmax(x); return nd.Grad(y.Mul(y).Sum(), x)[0] })
	norm := func() inputs { return inputs{random(f32, rows...), random(f32, 1024), random(f32, 1024)} }
	row("Layers/LayerNorm", norm, func(in inputs) []*nd.Array { return inputs{layer.LayerNorm(in[0], in[1], in[2], 1e-5)} })
	row("Layers/LayerNormGradient", norm, func(in inputs) []*nd.Array {
		return nd.Grad(layer.LayerNorm(in[0], in[1], in[2], 1e-5).AbsSquared().Sum(), in...)
	})
	linear := func() inputs { return inputs{random(f32, 4096, 1024), random(f32, 4096, 1024), random(f32, 4096)} }
	row("Layers/Linear", linear, func(in inputs) []*nd.Array { return inputs{layer.Linear(in[0], in[1], in[2])} })
	row("Layers/LinearGELU", linear, func(in inputs) []*nd.Array { return inputs{layer.GELU(layer.Linear(in[0], in[1], in[2]))} })
	row("Layers/LinearGELUGradient", linear, func(in inputs) []*nd.Array {
		return nd.Grad(layer.GELU(layer.Linear(in[0], in[1], in[2])).AbsSquared().Sum(), in...)
	})
	row("Layers/Adam", func() inputs {
		return inputs{random(f32, 25_000_000), random(f32, 25_000_000), random(f32, 25_000_000), random(f32, 25_000_000).Abs(), random(f32, 1)}
	}, func(in inputs) []*nd.Array {
		m, err := learn.Adam{}.Step(b.Context(), learn.Point{Step: 3, Rate: 1e-3, Params: in[:1], State: in[2:4],
			Loss: func([]*nd.Array) (*nd.Array, []*nd.Array) { return in[4].Sum(), in[1:2] }})
		if err != nil {
			b.Fatal(err)
		}
		return append(m.Params, m.State...)
	})
	row("Layers/GRU", func() inputs { return inputs{random(f32, 64, 128, 256), random(f32, 768, 256), random(f32, 768, 256)} },
		func(in inputs) []*nd.Array {
			return inputs{layer.GRU(in[0], nil, in[1].MulScalar(0.05), in[2].MulScalar(0.05), nil, nil)}
		})

	positive := func(n ...int) func() *nd.Array {
		return func() *nd.Array {
			x := random(f32, n...)
			return there(x.MatMul(x.SwapAxes(-1, -2)).Add(nd.Eye(f32, n[len(n)-1]).On(dev.Stream())))
		}
	}
	factors := func(name string, make func() *nd.Array, f func(ctx context.Context, a *nd.Array) ([]*nd.Array, error)) {
		row("Factors/"+name, func() inputs { return inputs{make()} }, func(in inputs) []*nd.Array {
			out, err := f(context.Background(), in[0])
			if err != nil {
				b.Fatal(err)
			}
			return out
		})
	}
	wrap := func(a *nd.Array, err error) ([]*nd.Array, error) { return inputs{a}, err }
	solve := func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
		return wrap(linalg.Solve(ctx, a, a.SliceAxis(-1, nd.Head(1))))
	}
	factors("Solve1024", positive(1024, 1024), solve)
	factors("SolveBatch32", positive(4096, 32, 32), solve)
	factors("Cholesky1024", positive(1024, 1024), func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Cholesky(ctx, a)) })
	factors("CholeskyBatch32", positive(4096, 32, 32), func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Cholesky(ctx, a)) })
	factors("Inverse512", positive(512, 512), func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Inverse(ctx, a)) })
	factors("QRBatch64", of(512, 64, 64), func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
		q, r := linalg.QR(a)
		return inputs{q, r}, nil
	})
	eigh := func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
		w, v, err := linalg.Eigh(ctx, a)
		return inputs{w, v}, err
	}
	svd := func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
		u, s, v, err := linalg.SVD(ctx, a)
		return inputs{u, s, v}, err
	}
	factors("Eigh256", positive(256, 256), eigh)
	factors("SVD256", of(256, 256), svd)
	for _, s := range [][]int{{512, 64, 64}, {64, 256, 256}, {1, 512, 512}, {1, 1024, 1024}, {1, 2048, 2048}, {1, 4096, 4096}} {
		for _, t := range []nd.DType{f32, nd.Float64} {
			name := fmt.Sprintf("%dx%d/%v", s[0], s[1], t)
			dominant := func() *nd.Array { // positive definite
				x := random(t, s...)
				return there(x.MatMul(x.SwapAxes(-1, -2)).MulScalar(1 / float64(s[1])).Add(nd.Eye(t, s[1]).On(dev.Stream())))
			}
			factors("Det"+name, dominant, func(_ context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Det(a), nil) })
			factors("Solve"+name, dominant, solve)
			factors("Cholesky"+name, dominant, func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Cholesky(ctx, a)) })
			factors("Inverse"+name, dominant, func(ctx context.Context, a *nd.Array) ([]*nd.Array, error) { return wrap(linalg.Inverse(ctx, a)) })
		}
	}
	for _, s := range [][]int{{4096, 8, 8}, {513, 16, 16}, {513, 32, 32}} {
		for _, t := range []nd.DType{f32, nd.Float64, nd.Complex64} {
			name := fmt.Sprintf("Batch%d/%v", s[1], t)
			covariance := func() *nd.Array {
				x := random(t, s...)
				return there(x.MatMul(x.SwapAxes(-1, -2).Conj()))
			}
			factors("Eigh"+name, covariance, eigh)
			factors("SVD"+name, func() *nd.Array { return random(t, s...) }, svd)
		}
	}
}
