package a

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

func lastSlice(ctx context.Context, xs []*nd.Array) (out []float32, err error) {
	sum := nd.Zeros(nd.Float32, 8)
	for _, x := range xs {
		sum = sum.Add(x)
		out, err = nd.Slice[float32](ctx, sum) // want `\[warn TW002\] every turn waits and copies, and only the last out is used: call Slice once, after the loop`
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

func lastItem(ctx context.Context, x *nd.Array) (float32, error) {
	var n float32
	var err error
	for range 10 {
		x = x.MulScalar(0.5)
		n, err = nd.Item[float32](ctx, x.Norm()) // want `only the last n is used`
		if err != nil {
			return 0, err
		}
	}
	return n, nil
}

func lastEval(ctx context.Context, xs []*nd.Array) (*nd.Array, error) {
	var y *nd.Array
	for _, x := range xs {
		y = x.RFFT().Abs()
		if err := nd.Eval(ctx, y); err != nil { // want `every turn waits for y, and only the last is used: evaluate once, after the loop`
			return nil, err
		}
	}
	return y, nil
}

func lastWait(ctx context.Context, xs []*nd.Array) (*nd.Array, error) {
	var y *nd.Array
	for _, x := range xs {
		y = x.Exp()
		p := nd.Async(y)
		if err := p.Wait(ctx); err != nil { // want `every turn waits for y`
			return nil, err
		}
	}
	return y, nil
}

func counted(ctx context.Context, x *nd.Array, n int) (data []float64) {
	for i := 0; i < n; i++ {
		x = x.Roll(1, 0)
		data, _ = nd.Slice[float64](ctx, x) // want `only the last data is used`
	}
	return data
}

func twoArrays(ctx context.Context, xs []*nd.Array) (a, b *nd.Array, err error) {
	for _, x := range xs {
		a = x.Sum()
		b = x.Max()
		if err := nd.Eval(ctx, a, b); err != nil { // want `only the last is used`
			return nil, nil, err
		}
	}
	return a, b, nil
}

func usedEachTurn(ctx context.Context, xs []*nd.Array) error {
	for _, x := range xs {
		out, err := nd.Slice[float32](ctx, x)
		if err != nil {
			return err
		}
		fmt.Println(out)
	}
	return nil
}

func logged(ctx context.Context, x *nd.Array) (loss float32, err error) {
	for range 10 {
		x = x.MulScalar(0.5)
		loss, err = nd.Item[float32](ctx, x.Norm())
		if err != nil {
			return 0, err
		}
		fmt.Println(loss)
	}
	return loss, nil
}

func carried(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	for range 1000 {
		x = x.Mul(x).AddScalar(1)
		if err := nd.Eval(ctx, x); err != nil { // keeps the graph small
			return nil, err
		}
	}
	return x, nil
}

func retry(ctx context.Context, x *nd.Array) (out []float32, err error) {
	for range 3 {
		if out, err = nd.Slice[float32](ctx, x); err == nil {
			break
		}
	}
	return out, err
}

func after(ctx context.Context, xs []*nd.Array) ([]float32, error) {
	sum := nd.Zeros(nd.Float32, 8)
	for _, x := range xs {
		sum = sum.Add(x)
	}
	return nd.Slice[float32](ctx, sum)
}

func collected(ctx context.Context, xs []*nd.Array) (all [][]float32, err error) {
	for _, x := range xs {
		out, err := nd.Slice[float32](ctx, x)
		if err != nil {
			return nil, err
		}
		all = append(all, out)
	}
	return all, nil
}

func BenchmarkEval(b *testing.B) {
	var y *nd.Array
	x := nd.Zeros(nd.Float32, 8)
	for b.Loop() {
		y = x.RFFT()
		if err := nd.Eval(b.Context(), y); err != nil {
			b.Fatal(err)
		}
	}
	fmt.Println(y)
}

func measured(ctx context.Context, x *nd.Array) (out []float32, err error) {
	for range 10 {
		start := time.Now()
		out, err = nd.Slice[float32](ctx, x.Exp())
		fmt.Println(time.Since(start), err)
	}
	return out, err
}

func allEvaluated(ctx context.Context, xs []*nd.Array) error {
	for i := range xs {
		xs[i] = xs[i].RFFT()
		if err := nd.Eval(ctx, xs[i]); err != nil {
			return err
		}
	}
	return nil
}

func previous(ctx context.Context, xs []*nd.Array) (y *nd.Array, err error) {
	y = nd.Zeros(nd.Float32, 8)
	for _, x := range xs {
		y = y.MulScalar(0.9).Add(x)
		if err := nd.Eval(ctx, y); err != nil {
			return nil, err
		}
	}
	return y, nil
}
