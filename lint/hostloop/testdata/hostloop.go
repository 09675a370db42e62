package a

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

func gain(ctx context.Context, x *nd.Array, g float32) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data { // want `\[warn TW009\] this loop changes elements on the host one by one: MulScalar does it in one operation`
		data[i] *= g
	}
	return nd.From(data), nil
}

func logs(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float64](ctx, x)
	if err != nil {
		return nil, err
	}
	for i, v := range data { // want `Log does it in one operation`
		data[i] = math.Log(v)
	}
	return nd.From(data), nil
}

func other(ctx context.Context, x, y *nd.Array) (*nd.Array, error) {
	a, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	b, err := nd.Slice[float32](ctx, y)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(a))
	for i := 0; i < len(a); i++ { // want `Mul does it in one operation`
		out[i] = a[i] * b[i]
	}
	return nd.From(out), nil
}

func formula(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data { // want `operations on the array do it in one pass`
		data[i] = 20 * float32(math.Log10(float64(data[i])+1e-9))
	}
	return nd.From(data), nil
}

func negate(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float64](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data { // want `Neg does it`
		data[i] = -data[i]
	}
	return nd.From(data, 4, -1), nil
}

func two(ctx context.Context, x *nd.Array) (a, b *nd.Array, err error) {
	data, err := nd.Slice[float64](ctx, x)
	if err != nil {
		return nil, nil, err
	}
	s, c := make([]float64, len(data)), make([]float64, len(data))
	for i, v := range data { // want `operations on the array do it in one pass`
		s[i] = math.Sin(v)
		c[i] = math.Cos(v)
	}
	return nd.From(s), nd.From(c), nil
}

func offset(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float64](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data { // want `AddScalar does it`
		data[i] = 1 + data[i]
	}
	return nd.From(data), nil
}

func recursive(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := 1; i < len(data); i++ {
		data[i] += 0.9 * data[i-1]
	}
	return nd.From(data), nil
}

func notPutBack(ctx context.Context, x *nd.Array) ([]float32, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data {
		data[i] *= 2
	}
	return data, nil
}

func notRead(samples []float32) *nd.Array {
	for i := range samples {
		samples[i] *= 2
	}
	return nd.From(samples)
}

func filled(n int) *nd.Array {
	data := make([]float64, n)
	for i := range data {
		data[i] = math.Sin(float64(i))
	}
	return nd.From(data)
}

func special(ctx context.Context, x *nd.Array, f func(float32) float32) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data {
		data[i] = f(data[i])
	}
	return nd.From(data), nil
}

func printed(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data {
		fmt.Println(data[i])
		data[i] *= 2
	}
	return nd.From(data), nil
}

func position(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	data, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	for i := range data {
		data[i] *= float32(i)
	}
	return nd.From(data), nil
}

func asOperation(x *nd.Array) *nd.Array { return x.MulScalar(2) }
