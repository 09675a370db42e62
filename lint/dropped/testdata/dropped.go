package a

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func statement(ctx context.Context, x *nd.Array) {
	nd.Eval(ctx, x) // want `\[error TW003\] the error of Eval is dropped`
}

func blank(ctx context.Context, x *nd.Array) []float32 {
	out, _ := nd.Slice[float32](ctx, x) // want `the error of Slice is dropped: on failure the value is empty`
	return out
}

func blankItem(ctx context.Context, x *nd.Array) float32 {
	v, _ := nd.Item[float32](ctx, x.Sum()) // want `the error of Item is dropped`
	return v
}

func thrown(ctx context.Context, x *nd.Array) {
	_ = nd.Eval(ctx, x) // want `\[warn TW003\] the error of Eval is thrown away`
}

func wait(ctx context.Context, x *nd.Array) {
	p := nd.Async(x)
	p.Wait(ctx) // want `the error of Wait is dropped`
}

func read(ctx context.Context, dst []float32, x *nd.Array) {
	nd.Read(ctx, dst, x) // want `the error of Read is dropped`
}

func looked(ctx context.Context, x *nd.Array) {
	nd.Look(ctx, x, func([]float32) error { return nil }) // want `the error of Look is dropped`
}

func compiled(ctx context.Context, step *nd.Compiled, x *nd.Array) []*nd.Array {
	out, _ := step.Call(ctx, x) // want `the error of Call is dropped`
	return out
}

func deferred(ctx context.Context, x *nd.Array) {
	defer nd.Eval(ctx, x) // want `nobody sees the error of this Eval`
	go nd.Eval(ctx, x)    // want `nobody sees the error of this Eval`
}

func asked(x *nd.Array) {
	x.Err() // want `the result of Err is dropped`
}

func pushed(ctx context.Context, s *signal.Stream, x *nd.Array) *nd.Array {
	y, _ := s.Push(ctx, x) // want `the error of Push is dropped`
	return y
}

func Sticky(x *nd.Array) (*nd.Array, error) {
	y := x.RFFT().Abs()
	return y, nil // want `\[warn TW003\] y may carry an error: return its Err\(\) instead of nil`
}

func StickyChain(x *nd.Array) (*nd.Array, error) {
	return x.MatMul(x), nil // want `x.MatMul\(x\) may carry an error`
}

func StickyLater(x *nd.Array) (*nd.Array, error) {
	y := x.Neg()
	y = y.Reshape(2, 3)
	return y, nil // want `y may carry an error`
}

func checked(ctx context.Context, x *nd.Array) error {
	if err := nd.Eval(ctx, x); err != nil {
		return err
	}
	return nil
}

func passedOn(ctx context.Context, x *nd.Array) ([]float32, error) {
	return nd.Slice[float32](ctx, x)
}

func kept(ctx context.Context, x *nd.Array) ([]float32, error) {
	out, err := nd.Slice[float32](ctx, x)
	return out, err
}

func Both(x *nd.Array) (*nd.Array, error) {
	y := x.RFFT()
	return y, y.Err()
}

func Evaluated(ctx context.Context, x *nd.Array) (*nd.Array, error) {
	y := x.RFFT()
	if err := nd.Eval(ctx, y); err != nil {
		return nil, err
	}
	return y, nil
}

func LookedAt(x *nd.Array) (*nd.Array, error) {
	y := x.RFFT()
	if err := y.Err(); err != nil {
		return nil, err
	}
	return y, nil
}

func Given(x *nd.Array) (*nd.Array, error) {
	return x, nil
}

func Scalar() (*nd.Array, error) {
	return nd.Scalar(float32(2)), nil
}

func Helper(x *nd.Array) (*nd.Array, error) {
	y := x.RFFT()
	if !good(y) {
		return nil, context.Canceled
	}
	return y, nil
}

func good(x *nd.Array) bool { return x.Err() == nil }

func internal(x *nd.Array) (*nd.Array, error) {
	y := x.RFFT()
	return y, nil
}

func NoError(x *nd.Array) (*nd.Array, []int) {
	y := x.RFFT()
	return y, nil
}

func blankValue(ctx context.Context, x *nd.Array) error {
	_, err := nd.Slice[float32](ctx, x)
	return err
}

func ignored(ctx context.Context, x *nd.Array) {
	//twiddle:ignore TW003 warming up: the next call reports
	nd.Eval(ctx, x)
}

func started(s *signal.Conv, k *nd.Array) {
	s.Stream(k) // want `the error of Stream is dropped`
}
