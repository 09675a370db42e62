package nd

import (
	"cmp"
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// BenchmarkFused compares programs as one plan with the same operations one after the other, in turns,
// on the device that TWIDDLE_BENCH_DEVICE names:
//
//	go test -run - -bench Fused -benchtime 5x ./nd
//
// steps-ns is the least time of the operations, of-steps the plan's least time over it: above 1 is a
// bug of the planner.
func BenchmarkFused(b *testing.B) {
	dev, err := Open(cmp.Or(os.Getenv("TWIDDLE_BENCH_DEVICE"), "cpu"))
	if err != nil {
		b.Skip(err)
	}
	for _, p := range everydayPrograms(b, dev.Stream()) {
		b.Run(p.name, func(b *testing.B) {
			fused, steps := time.Duration(1<<62), time.Duration(1<<62)
			once := func(run func(*testing.B, *Array)) time.Duration {
				start := time.Now()
				y := p.f()
				run(b, y)
				took := time.Since(start)
				y.Release()
				return took
			}
			once(evaluated) // plan and compile
			once(stepped)
			for b.Loop() {
				fused = min(fused, once(evaluated))
				steps = min(steps, once(stepped))
			}
			b.ReportMetric(0, "ns/op") // of both together
			b.ReportMetric(float64(steps), "steps-ns")
			b.ReportMetric(float64(fused)/float64(steps), "of-steps")
		})
	}
}

func evaluated(b *testing.B, y *Array) {
	if err := Eval(context.Background(), y); err != nil {
		b.Fatal(err)
	}
}

// stepped evaluates the operations behind y one after the other. Each result is released behind its last
// reader, as a careful user does.
func stepped(b *testing.B, y *Array) {
	order, readers := operationsOf(y.node)
	for _, n := range order {
		inputs := stored(n)
		evaluated(b, &Array{node: n})
		for _, in := range inputs {
			if readers[in]--; readers[in] == 0 {
				(&Array{node: in}).Release()
			}
		}
	}
}

// operationsOf lists what is to be computed for y, inputs first, and how many operations read each.
func operationsOf(y *graph.Node) (order []*graph.Node, readers map[*graph.Node]int) {
	readers = map[*graph.Node]int{}
	seen := map[*graph.Node]bool{}
	var visit func(n *graph.Node)
	visit = func(n *graph.Node) {
		if seen[n] || n.Held() != nil {
			return
		}
		seen[n] = true
		for _, in := range n.In() {
			visit(in)
		}
		if n == y || !n.Op.IsView() && !n.Op.IsSource() {
			order = append(order, n)
		}
	}
	visit(y)
	for _, n := range order {
		for _, in := range stored(n) {
			if slices.Contains(order, in) {
				readers[in]++
			}
		}
	}
	return order, readers
}

// stored is the operations that n reads, some through views.
func stored(n *graph.Node) (list []*graph.Node) {
	for _, in := range n.In() {
		for in.Op.IsView() && in.Held() == nil {
			in = in.In()[0]
		}
		if !slices.Contains(list, in) {
			list = append(list, in)
		}
	}
	return list
}

// program is what someone writes in a line or two.
type program struct {
	name string
	f    func() *Array
}

// everydayPrograms are about as many as there are ways to fuse.
func everydayPrograms(b *testing.B, s *Stream) []program {
	key := Key(0)
	there := func(a *Array) *Array {
		a = a.On(s)
		evaluated(b, a)
		return a
	}
	random := func(shape ...int) *Array {
		key++
		return there(Normal(key, Float32, shape...))
	}
	x, y := random(512, 2048), random(512, 2048)
	wide, small, long := there(x.Cast(Float64)), random(256, 64), random(1<<20)
	z, line, column := there(Complex(x, y)), random(2048), random(512, 1)
	batch := random(64, 64, 1024)
	filter, bias, window := there(random(64, 1024).RFFT()), random(64, 1), random(1024)
	signals := there(batch.Reshape(64, 1<<16))
	mel, weights := there(random(40, 513).Abs()), random(2048, 64)
	places, pcm := there(Randint(1, 0, 512, Int64, 4096)), there(Randint(2, -30000, 30000, Int16, 512, 2048))
	rows := places.Reshape(4096, 1).BroadcastTo(4096, 2048)
	frames := func() *Array { return signals.Frames(1024, 512).Mul(window) }
	softmax := func(x *Array, axis int) *Array {
		e := x.Sub(x.Keep(axis).Max()).Exp()
		return e.Div(e.Keep(axis).Sum())
	}
	gelu := func(x *Array) *Array { return x.MulScalar(0.5).Mul(x.MulScalar(0.70710678).Erf().AddScalar(1)) }
	loss := func(x *Array) *Array {
		return x.Frames(512, 128).RFFT().Abs().Sub(Scalar[float32](1)).AbsSquared().Mean()
	}
	return []program{
		{"softmax of rows", func() *Array { return softmax(x, -1) }},
		{"softmax of rows, float64", func() *Array { return softmax(wide, -1) }},
		{"softmax of columns", func() *Array { return softmax(x, 0) }},
		{"layer norm", func() *Array {
			d := x.Sub(x.Keep(-1).Mean())
			return d.Mul(d.AbsSquared().Keep(-1).Mean().AddScalar(1e-5).Rsqrt()).Mul(line).Add(line)
		}},
		{"variance of rows", func() *Array { return x.Var(-1) }},
		{"variance of columns", func() *Array { return x.Var(0) }},
		{"standardised columns", func() *Array { return x.Sub(x.Keep(0).Mean()).Div(x.Keep(0).Std()) }},
		{"log of sums of exp", func() *Array { return x.LogSumExp(-1) }},
		{"rows of length 1", func() *Array { return x.Div(x.Keep(-1).Norm()) }},
		{"cosine of rows", func() *Array { return x.Mul(y).Sum(-1).Div(x.Norm(-1).Mul(y.Norm(-1))) }},
		{"distances of points", func() *Array {
			return small.Reshape(256, 1, 64).Sub(small).AbsSquared().Sum(-1).Sqrt()
		}},
		{"sum of a table of products", func() *Array { return line.Reshape(2048, 1).Mul(line).Tanh().Sum() }},
		{"running mean by sums", func() *Array { return x.CumSum(-1).SliceAxis(-1, Skip(64)).Sub(x.SliceAxis(-1, Head(1984))) }},
		{"differences, squared, summed", func() *Array { return x.Diff(-1).AbsSquared().Sum(-1) }},
		{"mean of 32 neighbours", func() *Array { return x.Frames(32, 1).Mean(-1) }},
		{"greatest of 32 neighbours", func() *Array { return x.Frames(32, 1).Max(-1) }},
		{"five neighbours, weighted", func() *Array {
			p := x.PadAxis(-1, Margin{Before: 2, After: 2}, Pad{Mode: PadReflect})
			return p.SliceAxis(-1, Head(2048)).Add(p.SliceAxis(-1, Skip(4))).MulScalar(0.25).Add(p.SliceAxis(-1, Between(2, 2050)))
		}},
		{"matrix product, bias, GELU", func() *Array { return gelu(x.MatMul(weights).Add(line.SliceAxis(0, Head(64)))) }},
		{"covariance", func() *Array {
			c := x.Sub(x.Keep(-1).Mean())
			return c.MatMul(c.Transpose(1, 0)).DivScalar(2047)
		}},
		{"two layers", func() *Array { return x.MatMul(weights).Tanh().MatMul(weights.Transpose(1, 0)).Sigmoid() }},
		{"convolution", func() *Array { return batch.RFFT().Mul(filter).IRFFT(FFT{N: 1024}).Add(bias) }},
		{"causal convolution, GELU", func() *Array {
			return gelu(batch.RFFT(FFT{N: 2048}).Mul(filter.SliceAxis(-1, Head(1)).Add(batch.RFFT(FFT{N: 2048}))).IRFFT(FFT{N: 2048}).SliceAxis(-1, Head(1024)))
		}},
		{"Welch", func() *Array { return frames().RFFT().AbsSquared().Mean(-2) }},
		{"STFT in decibels", func() *Array { return frames().RFFT().AbsSquared().AddScalar(1e-10).Log10().MulScalar(10) }},
		{"mel in decibels", func() *Array {
			return frames().RFFT().AbsSquared().MatMul(mel.Transpose(1, 0)).AddScalar(1e-10).Log10().MulScalar(10)
		}},
		{"STFT and back", func() *Array { return frames().RFFT().IRFFT(FFT{N: 1024}).Mul(window).OverlapAdd(Overlap{Hop: 512}) }},
		{"spectral flux", func() *Array { return frames().RFFT().Abs().Diff(-2).MaximumScalar(0).Sum(-1) }},
		{"spectral centroid", func() *Array {
			p := frames().RFFT().Abs()
			return p.Mul(line.SliceAxis(0, Head(513))).Sum(-1).Div(p.Sum(-1))
		}},
		{"greatest bins", func() *Array { return frames().RFFT().AbsSquared().ArgMax(-1) }},
		{"modulus and phase", func() *Array { f := z.FFT(); return f.Abs().Add(f.Angle()) }},
		{"autocorrelation", func() *Array {
			return x.RFFT(FFT{N: 4096}).AbsSquared().Cast(Complex64).IRFFT(FFT{N: 4096}).SliceAxis(-1, Head(2048))
		}},
		{"correlation of rows", func() *Array { return x.RFFT().Mul(y.RFFT().Conj()).IRFFT(FFT{N: 2048}) }},
		{"envelope", func() *Array {
			return x.Cast(Complex64).FFT().SliceAxis(-1, Head(1024)).PadAxis(-1, Margin{After: 1024}, Pad{}).IFFT().Abs()
		}},
		{"two axes, shifted", func() *Array { return z.FFTN().FFTShift().AbsSquared() }},
		{"columns of a transform", func() *Array { return z.FFT(FFT{Axis: Axis(0)}).AbsSquared().Sum(0) }},
		{"a long line's power", func() *Array { return long.Mul(long).RFFT().AbsSquared() }},
		{"a long line, filtered", func() *Array { return long.RFFT().MulScalar(0.5).IRFFT(FFT{N: 1 << 20}) }},
		{"PCM to spectra", func() *Array { return pcm.Cast(Float32).MulScalar(1.0 / 32768).RFFT().AbsSquared() }},
		{"halves", func() *Array { return x.Cast(Float16).MulScalar(2).AddScalar(1).Cast(Float32).Sum(-1) }},
		{"median taken out", func() *Array { return x.Sub(x.Keep(-1).Median()) }},
		{"sorted, weighted", func() *Array { return x.Abs().Sort(-1).Mul(line).Sum(-1) }},
		{"ten greatest", func() *Array { v, _ := x.Abs().TopK(10, -1); return v.Mean(-1) }},
		{"polynomial", func() *Array { return x.MulScalar(0.3).AddScalar(1).Mul(x).AddScalar(2).Mul(x).AddScalar(3).Mul(x) }},
		{"soft threshold", func() *Array { return x.Sign().Mul(x.Abs().SubScalar(0.5).MaximumScalar(0)) }},
		{"gates", func() *Array { return x.Sigmoid().Mul(y.Tanh()).Add(x.Mul(y)) }},
		{"scaled by a column, rows added", func() *Array { return x.Mul(column).Add(line).Exp().Sum(0) }},
		{"complex products, summed", func() *Array { return z.Mul(z.Conj()).Sum(-1) }},
		{"transposed, twice as many, summed", func() *Array { return x.Transpose(1, 0).Repeat(2, 0).Sum(-1) }},
		{"transposed and added", func() *Array { return x.Transpose(1, 0).Add(y.Transpose(1, 0)).Exp() }},
		{"both halves joined", func() *Array { return Concat(-1, x.Sin(), y.Cos()).MulScalar(2) }},
		{"flipped and added", func() *Array { return x.Add(x.Flip(-1)).MulScalar(0.5) }},
		{"rows taken, summed", func() *Array { return x.Exp().Take(places, 0).Sum(0) }},
		{"rows added up", func() *Array {
			return Zeros(Float32, 512, 2048).ScatterAdd(rows, x.Take(places, 0).MulScalar(2), 0)
		}},
		{"RMS of frames in decibels", func() *Array { return signals.Frames(1024, 256).AbsSquared().Mean(-1).Log10().MulScalar(10) }},
		{"every second, filtered", func() *Array {
			return x.Frames(9, 1).Mul(line.SliceAxis(0, Head(9))).Sum(-1).SliceAxis(-1, Range{Stop: End, Step: 2})
		}},
		{"gradient of a spectral loss", func() *Array { return Grad(loss(signals), signals)[0] }},
		{"gradient of a softmax", func() *Array { return Grad(softmax(x, -1).Mul(y).Sum(), x)[0] }},
		{"gradient of two layers", func() *Array {
			return Grad(x.MatMul(weights).Tanh().MatMul(weights.Transpose(1, 0)).AbsSquared().Mean(), weights)[0]
		}},
		{"histogram", func() *Array { return Histogram(x.Abs(), Linspace[float32](0, 4, 65)) }},
		{"cumulative product of shrinks", func() *Array { return x.Abs().Neg().Exp().CumProd(-1).Sum(-1) }},
	}
}
