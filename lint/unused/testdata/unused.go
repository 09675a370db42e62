package a

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func scale(x *nd.Array) *nd.Array {
	x.MulScalar(0.5) // want `\[error TW017\] the result of MulScalar is not used: x stays as it is`
	return x
}

func add(x, y *nd.Array) {
	x.Add(y) // want `the result of Add is not used`
}

func chain(x *nd.Array) {
	x.RFFT().Abs() // want `the result of Abs is not used: x.RFFT\(\) stays as it is`
}

func made(x *nd.Array) {
	nd.Concat(0, x, x) // want `the result of Concat is not used, and nothing runs because of it`
}

func feature(x, k *nd.Array) {
	signal.Conv{}.Apply(x, k) // want `the result of Apply is not used`
}

func loop(xs []*nd.Array) {
	for _, x := range xs {
		x.Neg() // want `the result of Neg is not used`
	}
}

func assigned(x *nd.Array) *nd.Array {
	x = x.MulScalar(0.5)
	return x
}

func blank(x *nd.Array) { _ = x.Neg() }

func released(x *nd.Array) { x.Release() }

func evaluated(ctx context.Context, x *nd.Array) error { return nd.Eval(ctx, x.Neg()) }

func stream(x *nd.Array, s *nd.Stream) { x.On(s) }

func given(x *nd.Array, f func(*nd.Array)) { f(x.Neg()) }
