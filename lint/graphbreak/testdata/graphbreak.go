package a

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

func roundTrip(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x.RFFT().Abs())
	if err != nil {
		return nil, err
	}
	return nd.From(data, 8, -1).Log(), nil // want `\[warn TW001\] x.RFFT\(\).Abs\(\) is read to the host and fed back`
}

func part(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	return nd.From(data[2:10]), nil // want `x is read to the host and fed back: use the array itself, or a Slice`
}

func peak(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	m, err := nd.Item[float32](ctx, x.Max())
	if err != nil {
		return nil, err
	}
	return x.DivScalar(m), nil // want `x.Max\(\) is read to the host and fed back: use Div with the array itself`
}

func arithmetic(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	m, err := nd.Item[float32](ctx, x.Std())
	if err != nil {
		return nil, err
	}
	limit := 3 * float64(m)
	return x.Clip(-limit, limit), nil // want `x.Std\(\) is read to the host and fed back`
}

func scalar(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	m, err := nd.Item[float32](ctx, x.Mean())
	if err != nil {
		return nil, err
	}
	return x.Sub(nd.Scalar(m)), nil // want `x.Mean\(\) is read to the host`
}

func inLoop(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	for range 10 {
		n, err := nd.Item[float32](ctx, x.Norm())
		if err != nil {
			return nil, err
		}
		x = x.DivScalar(n) // want `fed back in every turn of the loop, which waits each time`
	}
	return x, nil
}

func element(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	v, err := nd.Slice[float64](ctx, x)
	if err != nil {
		return nil, err
	}
	return x.SubScalar(v[0]), nil // want `x is read to the host and fed back: use Sub`
}

func full(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	m, err := nd.Item[float32](ctx, x.Min())
	if err != nil {
		return nil, err
	}
	return nd.Full(m, nd.Float32, 8), nil // want `x.Min\(\) is read`
}

func onlyRead(ctx context.Context, x *nd.Array) ([]float32, error) { return nd.Slice[float32](ctx, x) }

func decide(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	m, err := nd.Item[float32](ctx, x.Max())
	if err != nil {
		return nil, err
	}
	if m > 1 {
		return x.DivScalar(2), nil
	}
	return x, nil
}

func converge(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	for {
		x = x.MulScalar(0.5)
		n, err := nd.Item[float32](ctx, x.Norm())
		if err != nil || n < 1e-6 {
			return x, err
		}
	}
}

func changed(ctx context.Context, x *nd.Array, f func([]float32)) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	f(data)
	return nd.From(data), nil
}

func edited(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	data[0] = 0
	return nd.From(data), nil
}

func fromElsewhere(samples []float32, gain float32) *nd.Array {
	return nd.From(samples).MulScalar(gain)
}

func printed(ctx context.Context, x *nd.Array) error {
	data, err := nd.Slice[float32](ctx, x)
	for i, v := range data {
		fmt.Println(i, v)
	}
	return err
}

func lengthOnly(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	return x.DivScalar(len(data)), nil
}

func twoSources(ctx context.Context, x *nd.Array, gain float32, auto bool) (*nd.Array, error) {
	if auto {
		m, err := nd.Item[float32](ctx, x.Max())
		if err != nil {
			return nil, err
		}
		gain = 1 / m
	}
	return x.MulScalar(gain), nil
}

func onceForAll(ctx context.Context, x *nd.Array, blocks []*nd.Array) ([]*nd.Array, error) {
	peak, err := nd.Item[float32](ctx, x.Max())
	if err != nil {
		return nil, err
	}
	for i, b := range blocks {
		blocks[i] = b.DivScalar(peak)
	}
	return blocks, nil
}
