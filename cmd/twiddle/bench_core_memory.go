package main

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// large is how many float32 the memory figures work on: 256 MiB, beyond every
// cache.
const large = 64 << 20

// halves runs f on equal parts of [0, n), one per CPU, at the same time.
func halves(n int, f func(from, to int)) {
	parts := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { f(p*n/parts, (p+1)*n/parts) })
	}
	wg.Wait()
}

// copyContender copies float32 with all CPUs: what the machine takes at least.
func copyContender(dst, src []float32) []timing.Contender {
	return []timing.Contender{{Name: "copy", Run: func(reps int) {
		for range reps {
			halves(len(src), func(from, to int) { copy(dst[from:to], src[from:to]) })
		}
	}}}
}

// readContenders load every vector of the slice and do next to nothing else,
// in two ways, of which a machine may like either better: scanning for a byte
// that is not there, and comparing halves that are equal.
func readContenders(src []float32) []timing.Contender {
	all := unsafe.Slice((*byte)(unsafe.Pointer(&src[0])), 4*len(src))
	pass := func(name string, f func(part []byte) bool) timing.Contender {
		return timing.Contender{Name: name, Run: func(reps int) {
			for range reps {
				halves(len(all), func(from, to int) {
					if !f(all[from:to]) {
						panic("bench core: the input is not what it was made to be")
					}
				})
			}
		}}
	}
	return []timing.Contender{
		pass("scan", func(part []byte) bool { return bytes.IndexByte(part, 0xff) < 0 }),
		pass("compare", func(part []byte) bool { return bytes.Equal(part[:len(part)/2], part[len(part)/2:]) }),
	}
}

// evalContender evaluates what build makes and lets it go again.
func evalContender(ctx context.Context, name string, failed *error, build func() *nd.Array) timing.Contender {
	return timing.Contender{Name: name, Run: func(reps int) {
		for range reps {
			y := build()
			if err := nd.Eval(ctx, y); err != nil && *failed == nil {
				*failed = err
			}
			y.Release()
		}
	}}
}

// ramp repeats every 64 numbers and has no byte 0xff in it.
func ramp(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = 1 + float32(i%64)/64
	}
	return x
}

// againstMemory times what build makes against the fastest of some plain
// passes over memory.
func againstMemory(ctx context.Context, o timing.Options, base []timing.Contender, build func() *nd.Array) (ours, peer float64, err error) {
	var failed error
	contenders := append([]timing.Contender{evalContender(ctx, "twiddle", &failed, build)}, base...)
	ns, err := timing.Compare(ctx, o, contenders...)
	if err == nil {
		err = failed
	}
	if err != nil {
		return 0, 0, err
	}
	return ns[0], slices.Min(ns[1:]), nil
}

func benchChain(ctx context.Context, o timing.Options) ([]coreRow, error) {
	src := ramp(large)
	x := nd.From(src)
	ours, base, err := againstMemory(ctx, o, copyContender(make([]float32, large), src), func() *nd.Array {
		return x.AddScalar(1).MulScalar(0.5).SubScalar(0.25).Abs().Mul(x).MaximumScalar(0.125).Neg().AddScalar(3)
	})
	x.Release()
	if err != nil {
		return nil, err
	}
	row := atMost("chain", "eight element-by-element operations on 64 Mi float32, over one copy of the same bytes",
		ours/base, 1.3, "x")
	row.NS, row.BaseNS = ours, base
	return []coreRow{row}, nil
}

func benchSum(ctx context.Context, o timing.Options) ([]coreRow, error) {
	src := ramp(large)
	x := nd.From(src)
	ours, base, err := againstMemory(ctx, o, readContenders(src), func() *nd.Array { return x.Sum() })
	x.Release()
	if err != nil {
		return nil, err
	}
	row := atMost("sum", "the sum of 64 Mi float32, over reading them", ours/base, 1.2, "x")
	row.NS, row.BaseNS = ours, base
	return []coreRow{row}, nil
}

func benchTranspose(ctx context.Context, o timing.Options) ([]coreRow, error) {
	const side = 8192
	src := ramp(side * side)
	x := nd.From(src, side, side)
	// A transpose alone is a view and costs nothing; as one axis it is a copy.
	ours, base, err := againstMemory(ctx, o, copyContender(make([]float32, side*side), src), func() *nd.Array {
		return x.Transpose().Flatten()
	})
	x.Release()
	if err != nil {
		return nil, err
	}
	row := atMost("transpose", "a transposed copy of 8192 x 8192 float32, over a straight copy", ours/base, 2.5, "x")
	row.NS, row.BaseNS = ours, base
	return []coreRow{row}, nil
}
