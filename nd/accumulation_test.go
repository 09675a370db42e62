package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleArray_SumWith() {
	x := nd.From([]float32{1e8, 1, -1e8})
	exact, err := nd.Item[float32](context.Background(), x.SumWith(nd.Exact))
	fmt.Println(exact, err)
	// Output: 1 <nil>
}

func ExampleArray_Dot() {
	x := nd.From([]float64{1e200, 1, 1e200})
	y := nd.From([]float64{1e200, 3, -1e200})
	dot, err := nd.Item[float64](context.Background(), x.Dot(y, nd.Exact))
	fmt.Println(dot, err)
	// Output: 3 <nil>
}

func ExampleArray_NormWith() {
	norm, err := nd.Item[float32](context.Background(), nd.From([]float32{3e30, 4e30}).NormWith(nd.Exact))
	fmt.Println(norm, err)
	// Output: 5e+30 <nil>
}

// hard makes lines whose products nearly cancel: the condition number of their
// sum is about ten to the power given.
func hard(r *rand.Rand, n, power int) (x, y []float64, want float64) {
	for range n / 2 {
		e := r.IntN(power/2 + 1)
		a, b := math.Pow(10, float64(e))*(r.Float64()-0.5), math.Pow(10, float64(e))*(r.Float64()-0.5)
		x, y = append(x, a), append(y, b)
	}
	sum := new(big.Float).SetPrec(3000)
	add := func(a, b float64) {
		p := new(big.Float).SetPrec(3000).SetFloat64(a)
		sum.Add(sum, p.Mul(p, new(big.Float).SetPrec(3000).SetFloat64(b)))
	}
	for i := range x {
		add(x[i], y[i])
	}
	// The other half takes the sum down, one product after the other.
	for range n - n/2 {
		b := r.Float64() + 0.5
		f, _ := sum.Float64()
		a := -f / b
		x, y = append(x, a), append(y, b)
		add(a, b)
	}
	for i := len(x) - 1; i > 0; i-- {
		j := r.IntN(i + 1)
		x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i]
	}
	want, _ = sum.Float64()
	return x, y, want
}

func TestExactDots(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	for _, power := range []int{0, 8, 16, 24, 30} {
		for _, n := range []int{2, 7, 100, 1000} {
			x, y, want := hard(r, n, power)
			for range 3 {
				got, err := nd.Item[float64](ctx, nd.From(x).Dot(nd.From(y), nd.Exact))
				if err != nil || got != want {
					t.Fatalf("condition 1e%d, %d products: %g, want %g, %v", power, n, got, want, err)
				}
				r.Shuffle(n, func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
			}
			size := 0.0
			for i := range x {
				size += math.Abs(x[i] * y[i])
			}
			got, err := nd.Item[float64](ctx, nd.From(x).Dot(nd.From(y), nd.Compensated))
			if bound := 0x1p-52*math.Abs(want) + float64(4*n*n)*0x1p-106*size; err != nil || math.Abs(got-want) > bound {
				t.Errorf("condition 1e%d, compensated: off by %g, allowed %g, %v", power, got-want, bound, err)
			}
		}
	}
}

// Every way to write a sum gives the same bits, over any axes, split or not,
// and on any stream.
func TestExactOrder(t *testing.T) {
	ctx := context.Background()
	const n = 200000 // several parts
	r := rand.New(rand.NewPCG(3, 4))
	v := make([]float32, n)
	sum := new(big.Float).SetPrec(400)
	for i := range v {
		v[i] = float32(math.Ldexp(r.NormFloat64(), r.IntN(80)-40))
		sum.Add(sum, big.NewFloat(float64(v[i])))
	}
	want, _ := sum.Float32()
	stream, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	x := nd.From(v)
	shuffled := slices.Clone(v)
	r.Shuffle(n, func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for name, a := range map[string]*nd.Array{
		"line": x.SumWith(nd.Exact), "backwards": x.Flip(0).SumWith(nd.Exact), "matrix": x.Reshape(400, 500).SumWith(nd.Exact), "transposed": x.Reshape(400, 500).Transpose().SumWith(nd.Exact, 0, 1),
		"shuffled": nd.From(shuffled).SumWith(nd.Exact), "stream": x.On(stream).SumWith(nd.Exact), "dot": x.Dot(nd.Ones(nd.Float32, n), nd.Exact),
		"product": x.Reshape(1, n).MatMul(nd.Ones(nd.Float32, n, 1), nd.Exact).Reshape(),
	} {
		if got, err := nd.Item[float32](ctx, a); err != nil || got != want {
			t.Errorf("%s: %g, want %g, %v", name, got, want, err)
		}
	}
	// Columns of a matrix, many outputs of several parts.
	one, err := nd.Slice[float32](ctx, x.Reshape(n/4, 4).SumWith(nd.Exact, 0))
	if err != nil {
		t.Fatal(err)
	}
	for j := range one {
		c := new(big.Float).SetPrec(400)
		for i := j; i < n; i += 4 {
			c.Add(c, big.NewFloat(float64(v[i])))
		}
		if w, _ := c.Float32(); one[j] != w {
			t.Errorf("column %d: %g, want %g", j, one[j], w)
		}
	}
	first, err := nd.Item[float32](ctx, x.SumWith(nd.Compensated))
	if err != nil || math.Abs(float64(first-want)) > 1e-6*math.Abs(float64(want)) {
		t.Errorf("compensated: %g, want %g, %v", first, want, err)
	}
}

func TestExactSpecial(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	inf, nan, max := math.Inf(1), math.NaN(), math.MaxFloat64
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{[]float64{1e8, 1, -1e8}, 1}, {[]float64{}, 0}, {[]float64{max, max, -max}, max}, {[]float64{max, max}, inf}, {[]float64{-max, -max}, -inf}, {[]float64{inf, -1}, inf},
		{[]float64{inf, -inf}, nan}, {[]float64{nan, 1}, nan}, {[]float64{5e-324, 5e-324}, 1e-323}, {[]float64{1, 0x1p-53, 0x1p-106}, 1 + 0x1p-52}, {[]float64{1, 0x1p-53}, 1},
	} {
		for _, mode := range []nd.Accumulation{nd.Exact} {
			got, err := nd.Item[float64](ctx, nd.From(c.x).SumWith(mode))
			if err != nil || got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
				t.Errorf("%v: %g, want %g, %v", c.x, got, c.want, err)
			}
		}
	}
	big := nd.From([]float64{1e300, 1e300})
	if got, err := nd.Item[float64](ctx, big.NormWith(nd.Exact)); err != nil || got != math.Sqrt2*1e300 {
		t.Errorf("norm of large numbers: %g, %v", got, err)
	}
	if got, err := nd.Item[float64](ctx, big.MulScalar(1e-300).MulScalar(1e-300).NormWith(nd.Exact)); err != nil || got != math.Sqrt2*1e-300 {
		t.Errorf("norm of small numbers: %g, %v", got, err)
	}
}

// All modes agree where nothing is hard, for every type, and keep shapes.
func TestModes(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range []nd.DType{nd.Float16, nd.BFloat16, nd.Float32, nd.Float64, nd.Complex64, nd.Complex128, nd.Int32, nd.Int64} {
		x := nd.Randint(1, -4, 5, nd.Int32, 3, 4, 5).Cast(dt)
		y := nd.Randint(2, -4, 5, nd.Int32, 3, 5, 2).Cast(dt)
		for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Fast, nd.Compensated, nd.Exact} {
			for name, pair := range map[string][2]*nd.Array{
				"sum": {x.SumWith(mode, 1), x.Sum(1)}, "sum all": {x.SumWith(mode), x.Sum()}, "matmul": {x.MatMul(y, mode), x.MatMul(y)},
				"dot": {x.Dot(x, mode), x.Mul(x).Sum(-1)}, "sum of nothing": {x.Slice(nd.All, nd.Range{}).SumWith(mode, 1), x.Slice(nd.All, nd.Range{}).Sum(1)},
			} {
				if !slices.Equal(pair[0].Shape(), pair[1].Shape()) {
					t.Errorf("%v %v %s: shape %v, want %v (%v)", dt, mode, name, pair[0].Shape(), pair[1].Shape(), pair[0].Err())
					continue
				}
				same, err := nd.Item[bool](ctx, pair[0].Equal(pair[1]).All())
				if err != nil || !same {
					t.Errorf("%v %v %s: differ, %v", dt, mode, name, err)
				}
			}
			if dt.IsFloat() || dt.IsComplex() {
				a, b := x.NormWith(mode, 0, 2), x.Norm(0, 2)
				off, err := nd.Item[float64](ctx, a.Sub(b).Abs().Cast(nd.Float64).Max())
				if err != nil || off > 0.07 || !slices.Equal(a.Shape(), b.Shape()) || a.DType() != b.DType() {
					t.Errorf("%v %v norm: %v off by %g, %v", dt, mode, a, off, err)
				}
			}
		}
	}
	var op *nd.OpError
	for name, a := range map[string]*nd.Array{"mode": nd.Ones(nd.Float32, 3).SumWith(9), "axis": nd.Ones(nd.Float32, 3).SumWith(nd.Exact, 4), "lines": nd.Ones(nd.Float32, 3).Dot(nd.Ones(nd.Float32, 4)),
		"norm": nd.Ones(nd.Complex64, 3).NormWith(nd.Exact, 7), "matmul": nd.Ones(nd.Float32, 2, 2).MatMul(nd.Ones(nd.Float32, 2, 2), 9), "ints": nd.Ones(nd.Int32, 3).NormWith(nd.Exact), "scalar": nd.Scalar(1.0).Dot(nd.Scalar(2.0))} {
		if !errors.As(a.Err(), &op) {
			t.Errorf("%s: %v", name, a.Err())
		}
	}
	if got, err := nd.Item[float64](ctx, nd.Scalar(3.0).SumWith(nd.Exact)); err != nil || got != 3 {
		t.Errorf("sum of a scalar: %g, %v", got, err)
	}
}
