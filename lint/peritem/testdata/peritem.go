package a

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

func each(ctx context.Context, x *nd.Array, n int) (sum float32, err error) {
	for i := range n {
		v, err := nd.Item[float32](ctx, x.At(i)) // want `\[warn TW016\] every turn evaluates and copies one element of x: read all of them with Slice, before the loop`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func counted(ctx context.Context, x *nd.Array) (sum float64, err error) {
	for i := 0; i < x.Len(); i++ {
		v, err := nd.Item[float64](ctx, x.At(i)) // want `one element of x`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func rows(ctx context.Context, x *nd.Array, n, m int) (sum float64, err error) {
	for i := range n {
		for j := range m {
			v, err := nd.Item[float64](ctx, x.At(i, j)) // want `one element of x`
			if err != nil {
				return 0, err
			}
			sum += v
		}
	}
	return sum, nil
}

func named(ctx context.Context, x *nd.Array, n int) (sum float64, err error) {
	for i := range n {
		e := x.At(i)
		v, err := nd.Item[float64](ctx, e) // want `one element of x`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func ranges(ctx context.Context, x *nd.Array, n int) (sum float64, err error) {
	for i := range n {
		v, err := nd.Item[float64](ctx, x.SliceAxis(0, nd.Range{Start: i, Stop: i + 1})) // want `one element of x`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func listed(ctx context.Context, x *nd.Array, places []int) (sum float64, err error) {
	for _, i := range places {
		v, err := nd.Item[float64](ctx, x.At(i)) // want `one element of x`
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func whole(ctx context.Context, x *nd.Array) ([]float32, error) { return nd.Slice[float32](ctx, x) }

func one(ctx context.Context, x *nd.Array) (float32, error) { return nd.Item[float32](ctx, x.At(3)) }

func same(ctx context.Context, x *nd.Array, n int) error {
	for range n {
		if _, err := nd.Item[float32](ctx, x.At(0)); err != nil {
			return err
		}
	}
	return nil
}

func other(ctx context.Context, list []*nd.Array, i int) (sum float64, err error) {
	for _, x := range list {
		v, err := nd.Item[float64](ctx, x.At(i))
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func reduced(ctx context.Context, list []*nd.Array) (sum float64, err error) {
	for _, x := range list {
		v, err := nd.Item[float64](ctx, x.Max())
		if err != nil {
			return 0, err
		}
		sum += v
	}
	return sum, nil
}

func grows(ctx context.Context, x *nd.Array, n int) error {
	for i := range n {
		x = x.MulScalar(2)
		if _, err := nd.Item[float64](ctx, x.At(i)); err != nil {
			return err
		}
	}
	return nil
}
