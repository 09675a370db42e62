package a

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

func timed(x *nd.Array) time.Duration {
	start := time.Now()
	y := x.RFFT().Abs()
	d := time.Since(start) // want `\[error TW011\] this measures how long it takes to build the graph`
	fmt.Println(y, d)
	return d
}

func subtracted(x *nd.Array) {
	t0 := time.Now()
	for range 100 {
		x = x.MulScalar(0.5)
	}
	fmt.Println(time.Now().Sub(t0)) // want `nothing between start and here evaluates`
}

func throughHelper(x *nd.Array) {
	start := time.Now()
	y := smooth(x)
	fmt.Println(y.Shape(), time.Since(start)) // want `build the graph`
}

func smooth(x *nd.Array) *nd.Array { return x.Mul(x).Sum(-1) }

func BenchmarkLoop(b *testing.B) {
	x := nd.Zeros(nd.Float32, 1024)
	for b.Loop() { // want `this benchmark measures how long it takes to build the graph`
		_ = x.RFFT()
	}
}

func BenchmarkCount(b *testing.B) {
	x := nd.Zeros(nd.Float32, 1024)
	for i := 0; i < b.N; i++ { // want `its loop evaluates nothing`
		x = x.RFFT().Abs()
	}
}

func BenchmarkRange(b *testing.B) {
	x := nd.Zeros(nd.Float32, 1024)
	for range b.N { // want `its loop evaluates nothing`
		smooth(x)
	}
}

func evaluated(ctx context.Context, x *nd.Array) (time.Duration, error) {
	start := time.Now()
	y := x.RFFT().Abs()
	err := nd.Eval(ctx, y)
	return time.Since(start), err
}

func evaluatedInside(ctx context.Context, x *nd.Array) time.Duration {
	start := time.Now()
	compute(ctx, x.RFFT())
	return time.Since(start)
}

func compute(ctx context.Context, x *nd.Array) error { return nd.Eval(ctx, x) }

func unknown(x *nd.Array, f func(*nd.Array)) time.Duration {
	start := time.Now()
	f(x.RFFT())
	return time.Since(start)
}

func planned(x *nd.Array) (time.Duration, error) {
	start := time.Now()
	_, err := nd.Explain(x.RFFT())
	return time.Since(start), err
}

func noArrays(n int) time.Duration {
	start := time.Now()
	sum := 0
	for i := range n {
		sum += i
	}
	fmt.Println(sum)
	return time.Since(start)
}

func BenchmarkEval(b *testing.B) {
	x := nd.Zeros(nd.Float32, 1024)
	for b.Loop() {
		if err := nd.Eval(b.Context(), x.RFFT()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHelper(b *testing.B) {
	x := nd.Zeros(nd.Float32, 1024)
	for range b.N {
		if err := compute(b.Context(), x.Neg()); err != nil {
			b.Fatal(err)
		}
	}
}

func notABenchmark(xs []*nd.Array) {
	for i := range xs {
		xs[i] = xs[i].Neg()
	}
}

func channel(x *nd.Array, done chan bool) time.Duration {
	start := time.Now()
	x.RFFT()
	<-done
	return time.Since(start)
}
