package nd_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// shown is an array as Format shows it.
func shown(t *testing.T, a *nd.Array) string {
	t.Helper()
	s, err := nd.Format(t.Context(), a)
	if err != nil {
		t.Error(err)
	}
	return s
}

// The small operations people reach for, on numbers that can be checked by eye.
func TestEveryday(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.Arange(0.0, 6, 1).Reshape(2, 3)
	z := nd.From([]complex128{1 + 2i, 3 - 1i})
	nan := math.NaN()
	for _, c := range []struct {
		name string
		a    *nd.Array
		want string
	}{
		{"arange", nd.Arange(0, 5, 2), "[0 2 4]"},
		{"linspace", nd.Linspace(0, 1, 3), "[0.  0.5 1. ]"},
		{"head", x.SliceAxis(1, nd.Head(2)), "[[0. 1.]\n [3. 4.]]"},
		{"tail", x.SliceAxis(1, nd.Tail(2)), "[[1. 2.]\n [4. 5.]]"},
		{"tail of nothing", x.Slice(nd.Tail(0)), "[]"},
		{"skip", x.SliceAxis(1, nd.Skip(2)), "[[2.]\n [5.]]"},
		{"between", x.SliceAxis(1, nd.Between(1, -1)), "[[1.]\n [4.]]"},
		{"keep one", x.Sub(x.Keep(-1).Mean()), "[[-1.  0.  1.]\n [-1.  0.  1.]]"},
		{"keep all", x.Keep().Max(), "[[5.]]"},
		{"keep both", x.Keep(1, 0).Sum(), "[[15.]]"},
		{"keep argmax", x.Keep(0).ArgMax(), "[[1 1 1]]"},
		{"keep median", x.Keep(1).Median(), "[[1.]\n [4.]]"},
		{"keep quantile", x.Keep(0).Quantile(1), "[[3. 4. 5.]]"},
		{"where number", nd.Where(x.GreaterScalar(2), 0, x), "[[0. 1. 2.]\n [0. 0. 0.]]"},
		{"where numbers", nd.Where(x.GreaterScalar(2), x, -1), "[[-1. -1. -1.]\n [ 3.  4.  5.]]"},
		{"one minus", x.SubFrom(1), "[[ 1.  0. -1.]\n [-2. -3. -4.]]"},
		{"one over", x.AddScalar(1).DivInto(12), "[[12.   6.   4. ]\n [ 3.   2.4  2. ]]"},
		{"polar", nd.Polar(nd.From([]float64{2, 3}), nd.From([]float64{0, 0})), "[2.+0.i 3.+0.i]"},
		{"mul real", z.MulReal(nd.From([]float64{2, 10})), "[ 2.+4.i  30.-10.i]"},
		{"count", x.GreaterScalar(1).Sum(), "4"},
		{"counts", x.GreaterScalar(1).Sum(0), "[1 1 2]"},
		{"part", x.GreaterScalar(1).Mean(1), "[0.33333333 1.        ]"},
		{"diff", x.Diff(1), "[[1. 1.]\n [1. 1.]]"},
		{"diff bools", nd.From([]bool{true, true, false}).Diff(0), "[false  true]"},
		{"median even", nd.From([]float64{3, 1, 2, 4}).Median(), "2.5"},
		{"median of one axis", nd.From([]float32{3, 1, 2, 4}, 2, 2).Median(0), "[2.5 2.5]"},
		{"median of NaN", nd.From([]float64{3, nan, 2, 1, 5, nan}, 2, 3).Median(1), "[nan nan]"},
		{"median of infinities", nd.From([]float64{math.Inf(1), math.Inf(1)}).Median(), "inf"},
		{"median of nothing", nd.Zeros(nd.Float64, 0).Median(), "nan"},
		{"quantile", nd.Arange(0.0, 11, 1).Quantile(0.25), "2.5"},
		{"search", nd.SearchSorted(nd.From([]float64{1, 2, 2, 3}), nd.From([]float64{0, 1, 2, 2.5, 3, 9, nan})), "[0 1 3 3 4 4 4]"},
		{"search nothing", nd.SearchSorted(nd.Zeros(nd.Float32, 0), nd.Ones(nd.Float32, 2)), "[0 0]"},
		{"histogram", nd.Histogram(nd.From([]float64{-1, 0, .5, 1, 2, 3, nan}), nd.From([]float64{0, 1, 2})), "[2 2]"},
		{"interp", nd.Interp(nd.From([]float64{-1, 0, .25, 1, 1.5, 5, nan}), nd.From([]float64{0, 1, 2}), nd.From([]float64{10, 20, 0})), "[10.  10.  12.5 20.  10.   0.   nan]"},
		{"interp one", nd.Interp(nd.From([]float64{-1, 7}), nd.From([]float64{0}), nd.From([]float64{10})), "[10. 10.]"},
	} {
		if got := shown(t, c.a); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func TestEverydayErrors(t *testing.T) {
	x := nd.Zeros(nd.Float64, 2, 3)
	line := nd.Zeros(nd.Float64, 4)
	for _, c := range []struct{ got, want string }{
		{what(x.Slice(nd.Range{Start: 1})), "nd: slice: range of axis 0 starts at 1 and stops at 0: give it a Stop, or nd.Skip(1) to go to the end"},
		{what(x.Keep(5).Mean()), "nd: mean: axis 5 out of range for shape [2 3]"},
		{what((*nd.Array)(nil).Keep(0).Sum()), "nd: sum: operand 0 is a nil Array"},
		{what(nd.Where(x.IsNaN(), 1, 2)), "nd: where: int and int: one of them must be an Array, which says the element type"},
		{what(nd.Where(x.IsNaN(), "a", x)), "nd: where: constant of type string is not a number"},
		{what(nd.Where(x.IsNaN(), nil, x)), "nd: where: constant of type <nil> is not a number"},
		{what(nd.Where(x.IsNaN(), 1.5, nd.Zeros(nd.Int64, 2, 3))), "nd: where: constant 1.5 does not fit int64"},
		{what(x.Quantile(1.5)), "nd: quantile: q 1.5, want 0 to 1"},
		{what(x.Quantile(math.NaN())), "nd: quantile: q NaN, want 0 to 1"},
		{what(nd.Zeros(nd.Int64, 3).Median()), "nd: median: dtype int64: want a float dtype"},
		{what(x.Diff(2)), "nd: diff: axis 2 out of range for shape [2 3]"},
		{what(nd.Zeros(nd.Float64, 0).Diff(0)), "nd: diff: axis 0 of shape [0] is empty"},
		{what(nd.SearchSorted(x, x)), "nd: search_sorted: shape [2 3], want one axis"},
		{what(nd.SearchSorted(line, nd.Zeros(nd.Float32, 2))), "nd: search_sorted: float32 in float64: want one dtype that has an order"},
		{what(nd.Histogram(x, nd.Zeros(nd.Float64, 1))), "nd: histogram: 1 edge, want at least 2"},
		{what(nd.Interp(x, line, nd.Zeros(nd.Float64, 3))), "nd: interp: points [4] and values [3]: want one axis of the same length, not empty"},
		{what(nd.Zeros(nd.Complex64, 2).MulReal(x)), "nd: mul_real: complex64 by float64, want a complex array by a real one of its precision"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

// Quantiles, counts and positions of random numbers, as loops find them.
func TestEverydayRandom(t *testing.T) {
	testdevice.NeedsFloat64(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		n := 1 + r.IntN(60)
		data, edges := make([]float64, n), make([]float64, 2+r.IntN(9))
		for i := range data {
			data[i] = float64(r.IntN(20)) / 4
		}
		for i := range edges {
			edges[i] = float64(r.IntN(20)) / 4
		}
		slices.Sort(edges)
		want, places := make([]int64, len(edges)-1), make([]int64, n)
		for i, v := range data {
			for b := range want {
				if v >= edges[b] && (v < edges[b+1] || b == len(want)-1 && v == edges[b+1]) {
					want[b]++
				}
			}
			for _, e := range edges {
				if e <= v {
					places[i]++
				}
			}
		}
		x, e := nd.From(data), nd.From(edges)
		counts, err := nd.Slice[int64](t.Context(), nd.Histogram(x, e))
		if err != nil || !slices.Equal(counts, want) {
			t.Errorf("histogram of %v between %v: %v, %v, want %v", data, edges, counts, err, want)
		}
		found, err := nd.Slice[int64](t.Context(), nd.SearchSorted(e, x))
		if err != nil || !slices.Equal(found, places) {
			t.Errorf("%v in %v: %v, %v, want %v", data, edges, found, err, places)
		}
		q := r.Float64()
		slices.Sort(data)
		at := q * float64(n-1)
		low := int(at)
		wantQ := data[low]
		if low+1 < n {
			wantQ += (data[low+1] - data[low]) * (at - float64(low))
		}
		got, err := nd.Item[float64](t.Context(), x.Quantile(q))
		if err != nil || got != wantQ {
			t.Errorf("quantile %v of %v: %v, %v, want %v", q, data, got, err, wantQ)
		}
	}
}

func TestNonzero(t *testing.T) {
	x := nd.From([]float32{0, 1, 2, 0, 0, 3}, 2, 3)
	at, err := nd.Nonzero(t.Context(), x)
	if err != nil || fmt.Sprint(at) != "[[0 0 1] [1 2 2]]" {
		t.Error(at, err)
	}
	if none, err := nd.Nonzero(t.Context(), nd.Zeros(nd.Bool, 0, 3)); err != nil || len(none) != 2 || none[0].Len() != 0 {
		t.Error(none, err)
	}
	var op *nd.OpError
	if _, err := nd.Nonzero(t.Context(), nd.Full(3, nd.Float32)); !errors.As(err, &op) || op.Op != "nonzero" || !strings.Contains(err.Error(), "Reshape(1)") {
		t.Errorf("of a single number: %v", err)
	}
	if _, err := nd.Nonzero(t.Context(), nil); err == nil {
		t.Error("no error for a nil Array")
	}
	r := rand.New(rand.NewPCG(2, 2))
	for _, shape := range [][]int{{1}, {7}, {8}, {57}, {3, 5}, {4, 1, 6}, {2, 3, 1}, {5, 30}, {300}} {
		for _, part := range []float64{0, 0.3, 1} {
			n := 1
			for _, d := range shape {
				n *= d
			}
			set, want := make([]bool, n), make([][]int64, len(shape))
			for i := range set {
				if set[i] = r.Float64() < part; !set[i] {
					continue
				}
				for d, rest := len(shape)-1, i; d >= 0; d-- {
					want[d] = append(want[d], int64(rest%shape[d]))
					rest /= shape[d]
				}
			}
			at, err := nd.Nonzero(t.Context(), nd.From(set).Reshape(shape...))
			if err != nil || len(at) != len(want) {
				t.Fatalf("%v of %v: %v, %v", set, shape, at, err)
			}
			for d, a := range at {
				if got, err := nd.Slice[int64](t.Context(), a); err != nil || !slices.Equal(got, want[d]) {
					t.Errorf("%v of %v, axis %d: %v, %v, want %v", set, shape, d, got, err, want[d])
				}
			}
		}
	}
}

// Arrays are compared on devices that have no float64, too.
func TestAllCloseByType(t *testing.T) {
	for _, x := range []*nd.Array{nd.From([]float32{1.5, -2}), nd.From([]complex64{1 + 2i, 3}), nd.From([]int64{1 << 40, -3}),
		nd.From([]bool{true, false}), nd.From([]float32{1.5, -2}).Cast(nd.BFloat16)} {
		for _, same := range []bool{true, false} {
			y := x
			if !same {
				y = x.Flip(0)
			}
			if ok, err := nd.AllClose(t.Context(), x, y); ok != same || err != nil {
				t.Errorf("%s: %v, %v, want %v", x.DType(), ok, err, same)
			}
		}
	}
}

func TestAllClose(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.From([]float64{1, math.Inf(1), math.NaN()})
	y := nd.From([]float64{1 + 1e-9, math.Inf(1), math.NaN()})
	if ok, err := nd.AllClose(t.Context(), x, y); ok || err != nil {
		t.Error("NaN is near NaN", err)
	}
	if err := (nd.Close{Rel: 1e-8, NaNs: true}).Check(t.Context(), x, y); err != nil {
		t.Error(err)
	}
	var far *nd.FarError
	if err := (nd.Close{Exactly: true, NaNs: true}).Check(t.Context(), x, y); !errors.As(err, &far) || far.Count != 1 || far.Of != 3 || fmt.Sprint(far.At) != "[0]" {
		t.Error(err)
	}
	if err := (nd.Close{}).Check(t.Context(), nd.Ones(nd.Float32, 2, 3), nd.From([]float32{1, 2, 1})); !errors.As(err, &far) || far.Count != 2 ||
		err.Error() != "nd: all_close: 2 of 6 elements differ, most at [0 1]: 1 and 2 are 1 apart, allowed 2e-05" {
		t.Error(err)
	}
	if _, err := nd.AllClose(t.Context(), nd.Ones(nd.Float32, 2), nd.Ones(nd.Float64, 2)); err == nil {
		t.Error("no error for two dtypes")
	}
}

func TestLogs(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.From([]float64{1, 2, 8, 10, 1000, 1e-5})
	for _, c := range []struct {
		got  *nd.Array
		want func(float64) float64
	}{{x.Log2(), math.Log2}, {x.Log10(), math.Log10}} {
		values, err := nd.Slice[float64](t.Context(), c.got)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range []float64{1, 2, 8, 10, 1000, 1e-5} {
			if math.Abs(values[i]-c.want(v)) > 1e-15*math.Abs(c.want(v)) {
				t.Errorf("of %v: %v, want %v", v, values[i], c.want(v))
			}
		}
	}
	if err := nd.From([]int{1}).Log10().Err(); err == nil || !strings.Contains(err.Error(), "nd: log10") {
		t.Errorf("%v: want an error of log10", err)
	}
}

// Squares of integers, which have a loop of their own, wrap as other powers do.
func TestSquaresOfIntegers(t *testing.T) {
	x := nd.From([]int32{0, 1, -3, 46341, -1 << 31, 1<<31 - 1})
	for _, p := range []int{2, 3} {
		want := x.Mul(x)
		if p == 3 {
			want = want.Mul(x)
		}
		if got := shown(t, x.PowScalar(p)); got != shown(t, want) || got != shown(t, x.Pow(nd.FullLike(x, p))) {
			t.Errorf("power %d: %s, want %s", p, got, shown(t, want))
		}
	}
}

// What is only compared can still be differentiated.
func TestAllCloseKeepsHistories(t *testing.T) {
	x := nd.Ones(nd.Float32, 3)
	y, z := x.MulScalar(2), x.Add(x)
	if near, err := nd.AllClose(t.Context(), y, z); err != nil || !near {
		t.Fatal(near, err)
	}
	if err := nd.Eval(t.Context(), nd.Grad(y.Mul(z).Sum(), x)...); err != nil {
		t.Error(err)
	}
}

// Truth values are counted along lines of any length, and down columns.
func TestCounts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := nd.Randint(3, 0, 4, nd.Int32, 7, 3001)
	data, err := nd.Slice[int32](t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	rows, columns := make([]int64, 7), make([]int64, 3001)
	for i, v := range data {
		if v > 1 {
			rows[i/3001]++
			columns[i%3001]++
		}
	}
	large := x.GreaterScalar(1)
	for _, c := range []struct {
		got  *nd.Array
		want []int64
	}{
		{large.Sum(1), rows}, {large.Sum(0), columns}, {large.Transpose().Sum(0), rows},
		{large.Mean(1).MulScalar(3001).Round().Cast(nd.Int64), rows},
		{large.Cast(nd.Float64).Sum(0).Cast(nd.Int64), columns},
	} {
		if got, err := nd.Slice[int64](t.Context(), c.got); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("counts are %v, %v, want %v", got, err, c.want)
		}
	}
}
