package bench_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// What programs do once in a while, beside NumPy and SciPy: everyday_peers.py has the same names
// and sizes.

// million is how many elements a line has.
const million = 1000000

// floats runs a benchmark for both types.
func floats(b *testing.B, run func(b *testing.B, t nd.DType)) {
	for _, t := range []nd.DType{nd.Float32, nd.Float64} {
		b.Run(t.String(), func(b *testing.B) { run(b, t) })
	}
}

func BenchmarkUniform(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		evaluated(b, func() *nd.Array { return nd.Uniform(1, t, million) })
	})
}

func BenchmarkNormal(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		evaluated(b, func() *nd.Array { return nd.Normal(1, t, million) })
	})
}

func BenchmarkRandint(b *testing.B) {
	evaluated(b, func() *nd.Array { return nd.Randint(1, 0, 1000, nd.Int64, million) })
}

func BenchmarkSort(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		evaluated(b, func() *nd.Array { return x.Sort(-1) })
	})
}

func BenchmarkArgSort(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		evaluated(b, func() *nd.Array { return x.ArgSort(-1) })
	})
}

func BenchmarkTopK(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		evaluated(b, func() *nd.Array { _, at := x.TopK(10, -1); return at })
	})
}

// BenchmarkStatistics is of a million elements and of a thousand rows of them, and filters of
// four sections.
func BenchmarkStatistics(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		rows := x.Reshape(1000, 1000)
		edges := nd.Linspace[float64](-4, 4, 65).Cast(t)
		sos, err := signal.IIR{Order: 8, Cutoff: [2]float64{0.2}}.SOS()
		if err != nil {
			b.Fatal(err)
		}
		for _, c := range []struct {
			name string
			of   func() *nd.Array
		}{
			{"Histogram", func() *nd.Array { return nd.Histogram(x, edges) }},
			{"Median", func() *nd.Array { return x.Median() }},
			{"MedianOfRows", func() *nd.Array { return rows.Median(1) }},
			{"Quantile", func() *nd.Array { return x.Quantile(0.9) }},
			{"SortRows", func() *nd.Array { return rows.Sort(1) }},
			{"SOS", func() *nd.Array { return sos.Apply(x) }},
			{"FiltFilt", func() *nd.Array { return sos.FiltFilt(x) }},
		} {
			b.Run(c.name, func(b *testing.B) { evaluated(b, c.of) })
		}
	})
}

// BenchmarkColumns goes down the columns of a matrix.
func BenchmarkColumns(b *testing.B) {
	x := noise(b, nd.Float64, 1000, 1000)
	b.Run("Sort", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.Sort(0) }) })
	b.Run("ArgMax", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.ArgMax(0) }) })
	b.Run("Transpose", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.Transpose().MulScalar(2) }) })
	b.Run("RFFTN", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.RFFTN() }) })
	floats(b, func(b *testing.B, t nd.DType) {
		z := noise(b, t, 1024, 1024).RFFT()
		if err := nd.Eval(context.Background(), z); err != nil {
			b.Fatal(err)
		}
		b.Run("FFT", func(b *testing.B) { evaluated(b, func() *nd.Array { return z.FFT(nd.FFT{Axis: nd.Axis(0)}) }) })
	})
}

func BenchmarkNonzero(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		solved(b, func(ctx context.Context) error {
			_, err := nd.Nonzero(ctx, x.GreaterScalar(0))
			return err
		})
	})
}

// BenchmarkShortLines goes along the last axis of many short lines.
func BenchmarkShortLines(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		for _, n := range []int{4, 8, 16, 32} {
			x := noise(b, t, million/n, n)
			run := func(name string, of func() *nd.Array) {
				b.Run(strconv.Itoa(n)+"/"+name, func(b *testing.B) { evaluated(b, of) })
			}
			run("Sort", func() *nd.Array { return x.Sort(1) })
			run("ArgSort", func() *nd.Array { return x.ArgSort(1) })
			run("Median", func() *nd.Array { return x.Median(1) })
			run("CumSum", func() *nd.Array { return x.CumSum(1) })
		}
	})
}

// BenchmarkPlaces reads and writes by indices.
func BenchmarkPlaces(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x, at, bins := noise(b, t, million), nd.Randint(2, 0, million, nd.Int64, million), nd.Randint(3, 0, 1000, nd.Int64, million)
		if err := nd.Eval(context.Background(), at, bins); err != nil {
			b.Fatal(err)
		}
		b.Run("Take", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.Take(at, 0) }) })
		b.Run("ScatterAdd", func(b *testing.B) { evaluated(b, func() *nd.Array { return nd.Zeros(t, 1000).ScatterAdd(bins, x, 0) }) })
		b.Run("AllClose", func(b *testing.B) {
			solved(b, func(ctx context.Context) error { return nd.Close{}.Check(ctx, x, x) })
		})
	})
}

// BenchmarkComplex has elements of type complex64 and complex128.
func BenchmarkComplex(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		z := nd.Complex(noise(b, t, million), noise(b, t, million))
		if err := nd.Eval(context.Background(), z); err != nil {
			b.Fatal(err)
		}
		b.Run("Abs", func(b *testing.B) { evaluated(b, func() *nd.Array { return z.Abs() }) })
		b.Run("Angle", func(b *testing.B) { evaluated(b, func() *nd.Array { return z.Angle() }) })
		b.Run("CumSum", func(b *testing.B) { evaluated(b, func() *nd.Array { return z.CumSum(0) }) })
	})
}

func BenchmarkElements(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x, y := noise(b, t, million), noise(b, t, million)
		b.Run("Rem", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.Rem(y) }) })
		b.Run("Repeat", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.Repeat(4, 0) }) })
		b.Run("IsNaN", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.IsNaN() }) })
		base := x.Abs()
		if err := nd.Eval(context.Background(), base); err != nil {
			b.Fatal(err)
		}
		b.Run("Pow", func(b *testing.B) { evaluated(b, func() *nd.Array { return base.Pow(y) }) })
		for _, by := range []float64{2, 0.5, 3, 1.7} {
			b.Run("Pow"+strconv.FormatFloat(by, 'g', -1, 64), func(b *testing.B) { evaluated(b, func() *nd.Array { return base.PowScalar(by) }) })
		}
		b.Run("CumSum", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.CumSum(0) }) })
		b.Run("ArgMax", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.ArgMax() }) })
		b.Run("Any", func(b *testing.B) { evaluated(b, func() *nd.Array { return x.GreaterScalar(9).Any() }) })
	})
}

func BenchmarkElementsOfIntegers(b *testing.B) {
	for _, t := range []nd.DType{nd.Uint8, nd.Int8, nd.Int16, nd.Int32, nd.Uint32, nd.Int64} {
		f := noise(b, nd.Float32, million).MulScalar(50)
		x, y := f.Cast(t), noise(b, nd.Float32, million).MulScalar(50).Cast(t)
		if err := nd.Eval(context.Background(), f, x, y); err != nil {
			b.Fatal(err)
		}
		run := func(name string, of func() *nd.Array) {
			b.Run(t.String()+"/"+name, func(b *testing.B) { evaluated(b, of) })
		}
		run("Add", func() *nd.Array { return x.Add(y) })
		run("Mul", func() *nd.Array { return x.Mul(y) })
		run("MulScalar", func() *nd.Array { return x.MulScalar(3) })
		run("Maximum", func() *nd.Array { return x.Maximum(y) })
		run("Less", func() *nd.Array { return x.Less(y) })
		run("EqualScalar", func() *nd.Array { return x.EqualScalar(7) })
		run("Abs", func() *nd.Array { return x.Abs() })
		run("Clip", func() *nd.Array { return x.Clip(5, 50) })
		run("DivScalar", func() *nd.Array { return x.DivScalar(3) })
		run("Div", func() *nd.Array { return x.Div(y) })
		run("Rem", func() *nd.Array { return x.Rem(y) })
		run("RemScalar", func() *nd.Array { return x.RemScalar(7) })
		run("Sign", func() *nd.Array { return x.Sign() })
		run("Where", func() *nd.Array { return nd.Where(x.Less(y), x, y) })
		run("Max", func() *nd.Array { return x.Max() })
		run("Sum", func() *nd.Array { return x.Cast(nd.Int64).Sum() })
		run("SumSame", func() *nd.Array { return x.Sum() })
		run("Mean", func() *nd.Array { return x.Cast(nd.Float64).Mean() })
		run("ArgMax", func() *nd.Array { return x.ArgMax() })
		run("CumSum", func() *nd.Array { return x.CumSum(0) })
		run("ToFloat32", func() *nd.Array { return x.Cast(nd.Float32) })
		run("ToFloat64", func() *nd.Array { return x.Cast(nd.Float64) })
		if t != nd.Int32 { // which is the array itself
			run("ToInt32", func() *nd.Array { return x.Cast(nd.Int32) })
		}
		run("ToScaled", func() *nd.Array { return x.Cast(nd.Float32).MulScalar(1.0 / 32768) })
		run("FromFloat32", func() *nd.Array { return f.Cast(t) })
		run("Sort", func() *nd.Array { return x.Sort(0) })
	}
}

func BenchmarkDCT(b *testing.B) {
	floats(b, func(b *testing.B, t nd.DType) {
		x := noise(b, t, million)
		evaluated(b, func() *nd.Array { return signal.DCT{}.Apply(x) })
	})
}

// solved repeats a computation that returns evaluated arrays.
func solved(b *testing.B, run func(ctx context.Context) error) {
	b.Helper()
	for b.Loop() {
		if err := run(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// definite is a matrix with eigenvalues above 0.
func definite(b *testing.B, n int) *nd.Array {
	x := noise(b, nd.Float64, n, n)
	a := x.MatMul(x.Transpose(1, 0)).Add(nd.Eye(nd.Float64, n).MulScalar(float64(n)))
	if err := nd.Eval(context.Background(), a); err != nil {
		b.Fatal(err)
	}
	return a
}

func BenchmarkEigh(b *testing.B) {
	a := definite(b, 256)
	solved(b, func(ctx context.Context) error {
		_, _, err := linalg.Eigh(ctx, a)
		return err
	})
}

func BenchmarkSVD(b *testing.B) {
	a := noise(b, nd.Float64, 256, 256)
	solved(b, func(ctx context.Context) error {
		_, _, _, err := linalg.SVD(ctx, a)
		return err
	})
}

func BenchmarkCholesky(b *testing.B) {
	a := definite(b, 256)
	solved(b, func(ctx context.Context) error {
		_, err := linalg.Cholesky(ctx, a)
		return err
	})
}

func BenchmarkSolve(b *testing.B) {
	for _, n := range []int{64, 256, 512} {
		a, y := noise(b, nd.Float64, n, n), noise(b, nd.Float64, n, 1)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			solved(b, func(ctx context.Context) error {
				_, err := linalg.Solve(ctx, a, y)
				return err
			})
		})
	}
}

func BenchmarkToeplitzSolve(b *testing.B) {
	const n = 1001
	c := nd.Concat(0, nd.Full(50.0, nd.Float64, 1), noise(b, nd.Float64, n-1))
	y := noise(b, nd.Float64, n)
	if err := nd.Eval(context.Background(), c); err != nil {
		b.Fatal(err)
	}
	solved(b, func(ctx context.Context) error {
		_, err := linalg.ToeplitzSolve(ctx, c, nil, y)
		return err
	})
}
