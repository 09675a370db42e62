package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// kinds has every kind of program by itself, in several layouts.
func (r *recorder) kinds() []testcase {
	x, y := r.floats(1, 3, 5, 40), r.floats(2, 3, 5, 40)
	z := r.complexes(3, 4, 7, 30)
	wide := r.floats(4, 64, 257)
	long := r.floats(5, 2, 100003)
	var cases []testcase
	add := func(name string, f func() *nd.Array) { cases = append(cases, one("kind/"+name, f)) }
	add("map", func() *nd.Array { return x.Mul(y).Add(x.Tanh()).Sqrt() })
	add("map transposed", func() *nd.Array { return x.Transpose().Add(y.Transpose().MulScalar(3)) })
	add("map broadcast", func() *nd.Array {
		return wide.Add(r.floats(6, 257)).Mul(r.floats(7, 64, 1)).Sub(nd.Arange[float32](0, 257, 1).On(r.device.Stream()))
	})
	add("map flipped", func() *nd.Array { return x.Flip(0, 2).Roll(3, 1).Add(y) })
	add("map complex", func() *nd.Array { return z.Mul(z.Conj()).Add(z.MulScalar(2)).Angle() })
	add("concat", func() *nd.Array { return nd.Concat(1, x, y.MulScalar(2), x.Exp()) })
	add("stack", func() *nd.Array { return nd.Stack(1, x, y) })
	for _, mode := range []nd.PadMode{nd.PadConstant, nd.PadReflect, nd.PadEdge, nd.PadWrap} {
		add(fmt.Sprintf("pad %v", mode), func() *nd.Array {
			return x.PadAxis(-1, nd.Margin{Before: 7, After: 12}, nd.Pad{Mode: mode}).PadAxis(1, nd.Margin{Before: 2, After: 1}, nd.Pad{Mode: mode})
		})
	}
	for i, axes := range [][]int{{-1}, {0}, {1}, {0, 2}, {0, 1, 2}} {
		for _, name := range slices.Sorted(maps.Keys(reductions)) {
			f := reductions[name]
			add(fmt.Sprintf("%s axes %d", name, i), func() *nd.Array { return f(x.Mul(y), axes) })
		}
	}
	add("sum long", func() *nd.Array { return long.Mul(long).Sum(-1) })
	add("sum all", func() *nd.Array { return long.Sum() })
	add("logsumexp", func() *nd.Array { return wide.LogSumExp(-1) })
	add("var columns", func() *nd.Array { return wide.Var(0) })
	for axis := range 3 {
		add(fmt.Sprintf("cumsum axis %d", axis), func() *nd.Array { return x.CumSum(axis) })
		add(fmt.Sprintf("cumprod axis %d", axis), func() *nd.Array { return x.CumProd(axis) })
		add(fmt.Sprintf("sort axis %d", axis), func() *nd.Array { return x.Sort(axis) })
		add(fmt.Sprintf("argsort axis %d", axis), func() *nd.Array { return x.ArgSortDescending(axis) })
	}
	add("cumsum long", func() *nd.Array { return long.CumSum(-1) })
	add("sort long", func() *nd.Array { return long.Sort(-1) })
	cases = append(cases, lazy("kind/topk", func() []*nd.Array { v, p := wide.TopK(9, -1); return []*nd.Array{v, p} }))
	cases = append(cases, lazy("kind/topk columns", func() []*nd.Array { v, p := wide.TopK(5, 0); return []*nd.Array{v, p} }))
	add("take", func() *nd.Array { return wide.Take(r.indices(8, 257, 31), -1) })
	add("gather", func() *nd.Array { return wide.Gather(r.indices(9, 257, 64, 31), -1) })
	add("scatter", func() *nd.Array { return wide.ScatterAdd(r.indices(10, 257, 31), r.floats(11, 64, 31), -1) })
	for _, n := range [][3]int{{5, 7, 9}, {64, 64, 64}, {130, 257, 66}, {1, 500, 3}, {300, 16, 300}} {
		add(fmt.Sprintf("matmul %d", n), func() *nd.Array { return r.floats(12, n[0], n[1]).MatMul(r.floats(13, n[1], n[2])) })
	}
	add("matmul batched", func() *nd.Array { return x.MatMul(y.SwapAxes(1, 2)) })
	add("matmul complex", func() *nd.Array { return z.MatMul(z.SwapAxes(1, 2).Conj()) })
	add("overlap", func() *nd.Array { return r.floats(14, 3, 20, 16).OverlapAdd(nd.Overlap{Hop: 4}) })
	add("overlap every", func() *nd.Array {
		return r.floats(15, 100, 64).OverlapAdd(nd.Overlap{Hop: 1, Skip: 5, Length: 140})
	})
	add("butterfly", func() *nd.Array { return r.floats(16, 6, 64).Butterfly(r.floats(17, 6, 2, 2, 32)) })
	add("butterfly complex", func() *nd.Array { return r.complexes(18, 6, 64).Butterfly(r.complexes(19, 6, 2, 2, 32)) })
	add("random", func() *nd.Array { return nd.Normal(5, nd.Float32, 999).On(r.device.Stream()) })
	cases = append(cases, lazy("kind/batch", func() []*nd.Array {
		var many []*nd.Array
		for i := range 12 {
			many = append(many, r.floats(uint64(20+i), 10+i).MulScalar(i).Sum())
		}
		return many
	}))
	return cases
}

var reductions = map[string]func(a *nd.Array, axes []int) *nd.Array{
	"sum":    func(a *nd.Array, axes []int) *nd.Array { return a.Sum(axes...) },
	"prod":   func(a *nd.Array, axes []int) *nd.Array { return a.Prod(axes...) },
	"max":    func(a *nd.Array, axes []int) *nd.Array { return a.Max(axes...) },
	"argmax": func(a *nd.Array, axes []int) *nd.Array { return a.ArgMax(axes...) },
	"norm":   func(a *nd.Array, axes []int) *nd.Array { return a.Norm(axes...) },
	"std":    func(a *nd.Array, axes []int) *nd.Array { return a.Std(axes...) },
	"any":    func(a *nd.Array, axes []int) *nd.Array { return a.GreaterScalar(3).Any(axes...) },
}

// types has each kind in each element type.
func (r *recorder) types() []testcase {
	var cases []testcase
	for _, t := range []nd.DType{nd.Bool, nd.Uint8, nd.Int32, nd.Int64, nd.Uint32, nd.Float16, nd.BFloat16, nd.Float32, nd.Float64, nd.Complex64, nd.Complex128} {
		x, y := r.floats(41, 6, 48).MulScalar(20).Abs().Cast(t), r.floats(42, 6, 48).MulScalar(20).Abs().Cast(t)
		add := func(name string, f func() *nd.Array) {
			cases = append(cases, one(fmt.Sprintf("type/%s %s", name, t), f))
		}
		add("cast", func() *nd.Array { return x.Cast(nd.Float64) })
		add("where", func() *nd.Array { return nd.Where(x.Equal(y), x, y.Flip(1)) })
		add("concat", func() *nd.Array { return nd.Concat(0, x, y) })
		add("take", func() *nd.Array { return x.Take(r.indices(43, 48, 20), 1) })
		if t.IsOrdered() {
			add("sort", func() *nd.Array { return x.Sort(1) })
		}
		if t == nd.Bool {
			add("any", func() *nd.Array { return x.Any(1) })
			continue
		}
		if t.IsOrdered() {
			add("max", func() *nd.Array { return x.Max(0) })
		}
		add("arithmetic", func() *nd.Array { return x.Mul(y).Add(x).Sub(y) })
		add("sum", func() *nd.Array { return x.Sum(1) })
		add("sum columns", func() *nd.Array { return x.Sum(0) })
		add("cumsum", func() *nd.Array { return x.CumSum(1) })
		add("matmul", func() *nd.Array { return x.MatMul(y.SwapAxes(0, 1)) })
		add("scatter", func() *nd.Array { return x.ScatterAdd(r.indices(44, 48, 20), y.SliceAxis(1, nd.Range{Stop: 20}), 1) })
		if t.IsFloat() {
			add("functions", func() *nd.Array { return x.Exp().Log1p().Sin().Add(y.Sqrt().Erf()) })
		}
		if t.Size() >= 4 && (t.IsFloat() || t.IsComplex()) {
			add("fft", func() *nd.Array { return x.FFT() })
			add("fused", func() *nd.Array { return x.Mul(y).FFT().AbsSquared().Sum(-1) })
			add("overlap", func() *nd.Array { return x.OverlapAdd(nd.Overlap{Hop: 5}) })
			cases = append(cases, lazy(fmt.Sprintf("type/grad %s", t), func() []*nd.Array { return withGradients(x.Mul(y).IFFT().Real(), x, y) }))
		}
	}
	return cases
}

// accumulations has sums, products and transforms in each mode.
func (r *recorder) accumulations() []testcase {
	var cases []testcase
	x, y := r.floats(51, 3, 1000), r.floats(52, 3, 1000)
	for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact} {
		cases = append(cases,
			one(fmt.Sprintf("mode/sum %v", mode), func() *nd.Array { return x.Mul(y).SumWith(mode, -1) }),
			one(fmt.Sprintf("mode/norm %v", mode), func() *nd.Array { return x.NormWith(mode, -1) }),
			one(fmt.Sprintf("mode/matmul %v", mode), func() *nd.Array { return x.MatMul(y.Transpose(), mode) }),
			one(fmt.Sprintf("mode/rfft %v", mode), func() *nd.Array { return x.RFFT(nd.FFT{Mode: mode}) }))
	}
	return cases
}

// transforms has each transform at lengths that take different recipes.
func (r *recorder) transforms() []testcase {
	var cases []testcase
	for _, n := range []int{1, 2, 3, 8, 15, 16, 24, 60, 64, 100, 127, 128, 256, 360, 1000, 1024, 2047, 4096, 6000, 16384, 44100, 65536, 262144} {
		rows := max(1, min(40, 1<<16/n))
		x := r.floats(uint64(60+n), rows, n)
		z := nd.Complex(x, r.floats(uint64(61+n), rows, n))
		cases = append(cases,
			one(fmt.Sprintf("transform/fft %d", n), func() *nd.Array { return z.FFT() }),
			one(fmt.Sprintf("transform/ifft %d", n), func() *nd.Array { return z.IFFT() }),
			one(fmt.Sprintf("transform/rfft %d", n), func() *nd.Array { return x.RFFT() }),
			one(fmt.Sprintf("transform/irfft %d", n), func() *nd.Array { return z.IRFFT(nd.FFT{N: n}) }))
		if n <= 4096 {
			cases = append(cases,
				one(fmt.Sprintf("transform/columns %d", n), func() *nd.Array { return z.SwapAxes(0, 1).FFT(nd.FFT{Axis: nd.Axis(0)}) }),
				lazy(fmt.Sprintf("transform/there and back %d", n), func() []*nd.Array {
					return withGradients(x.RFFT().MulScalar(0.5).IRFFT(nd.FFT{N: n}).Mul(x), x)
				}))
		}
	}
	return cases
}
