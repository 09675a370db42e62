package main

import (
	"context"
	"runtime"
	"time"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// twentyOps is a small graph of twenty operations: a layer with a softmax and
// a loss, of which maps fuse and the rest are steps of their own.
func twentyOps(x, w, b *nd.Array) *nd.Array {
	h := x.MatMul(w).Add(b).Tanh()       // 3
	h = h.MulScalar(0.5).AddScalar(0.5)  // 5
	top := h.Max(1).ExpandDims(1)        // 7
	e := h.Sub(top).Exp()                // 9
	p := e.Div(e.Sum(1).ExpandDims(1))   // 12
	d := p.Sub(x).Abs()                  // 14
	q := d.Mul(d).AddScalar(1e-6).Sqrt() // 17
	return q.Mean(1).MulScalar(2).Sum()  // 20
}

// benchCached evaluates graphs that were built before, with a plan that is
// there already, and counts what that takes and allocates.
func benchCached(ctx context.Context, o timing.Options) ([]coreRow, error) {
	x := nd.Uniform(1, nd.Float32, 16, 16)
	w, b := nd.Uniform(2, nd.Float32, 16, 16), nd.Uniform(3, nd.Float32, 16)
	if err := nd.Eval(ctx, x, w, b); err != nil {
		return nil, err
	}
	const batch = 64
	best := struct{ ns, allocs, buildNS float64 }{1e18, 1e18, 1e18}
	graphs := make([]*nd.Array, batch)
	var before, after runtime.MemStats
	for range max(o.Rounds, 3) * 4 {
		start := time.Now()
		for i := range graphs {
			graphs[i] = twentyOps(x, w, b)
		}
		//twiddle:ignore TW011 building graphs is measured by itself
		build := time.Since(start)
		runtime.ReadMemStats(&before)
		start = time.Now()
		for _, g := range graphs {
			if err := nd.Eval(ctx, g); err != nil {
				return nil, err
			}
		}
		eval := time.Since(start)
		runtime.ReadMemStats(&after)
		best.ns = min(best.ns, float64(eval.Nanoseconds())/batch)
		best.buildNS = min(best.buildNS, float64(build.Nanoseconds())/batch)
		best.allocs = min(best.allocs, float64(after.Mallocs-before.Mallocs)/batch)
		for _, g := range graphs {
			g.Release()
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	speed := atMost("cached", "evaluating a graph of twenty small operations whose plan is cached (base: building it)", best.ns/1e3, 20, "us")
	speed.NS, speed.BaseNS = best.ns, best.buildNS
	return []coreRow{speed, atMost("cached allocs", "objects allocated by that evaluation", best.allocs, 1, "objects")}, nil
}

// benchStreams evaluates a chain of a thousand operations that alternate
// between two streams, so that every one of them waits for the other stream.
func benchStreams(ctx context.Context, o timing.Options) ([]coreRow, error) {
	const ops = 1000
	dev := nd.CPU()
	var streams [2]*nd.Stream
	for i := range streams {
		s, err := dev.NewStream()
		if err != nil {
			return nil, err
		}
		defer s.Close()
		streams[i] = s
	}
	x := nd.Uniform(1, nd.Float32, 16)
	if err := nd.Eval(ctx, x); err != nil {
		return nil, err
	}
	var failed error
	chain := evalContender(ctx, "streams", &failed, func() *nd.Array {
		y := x
		for i := range ops {
			y = y.On(streams[i%2]).AddScalar(1)
		}
		return y
	})
	ns, err := timing.Compare(ctx, o, chain)
	if err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	row := atMost("streams", "each of 1000 small operations that alternate between two streams, built, planned from the cache, and run",
		ns[0]/ops/1e3, 3, "us")
	row.NS = ns[0]
	return []coreRow{row}, nil
}

// benchMatMul compares with OpenBLAS, on one thread and on two. The engine is
// opened anew for each, since it takes its workers when it opens.
func benchMatMul(ctx context.Context, o timing.Options) ([]coreRow, error) {
	const n = 1024
	was := runtime.GOMAXPROCS(0)
	reopen := func(threads int) error {
		if err := nd.CPU().Close(); err != nil {
			return err
		}
		runtime.GOMAXPROCS(threads)
		nd.CPU()
		return nil
	}
	defer func() { _ = reopen(was) }()
	blas, blasErr := peer.OpenBLAS()
	var rows []coreRow
	for _, threads := range []int{1, 2} {
		if err := reopen(threads); err != nil {
			return nil, err
		}
		a, b := nd.Uniform(1, nd.Float32, n, n), nd.Uniform(2, nd.Float32, n, n)
		hostA, err := nd.Slice[float32](ctx, a)
		if err != nil {
			return nil, err
		}
		hostB, err := nd.Slice[float32](ctx, b)
		if err != nil {
			return nil, err
		}
		var failed error
		contenders := []timing.Contender{evalContender(ctx, "twiddle", &failed, func() *nd.Array { return a.MatMul(b) })}
		if blasErr == nil {
			blas.SetThreads(threads)
			out := make([]float32, n*n)
			contenders = append(contenders, timing.Contender{Name: "openblas", Run: func(reps int) {
				for range reps {
					if err := blas.Sgemm(n, n, n, out, hostA, hostB); err != nil && failed == nil {
						failed = err
					}
				}
			}})
		}
		ns, err := timing.Compare(ctx, o, contenders...)
		if err == nil {
			err = failed
		}
		if err != nil {
			return nil, err
		}
		name, what := "matmul 1", "a float32 product of 1024 x 1024 matrices, as a share of the speed of OpenBLAS, on one thread"
		if threads == 2 {
			name, what = "matmul 2", "the same on two threads"
		}
		row := atLeast(name, what, 0, 0.5, "x")
		row.NS = ns[0]
		if blasErr != nil {
			row.Note = "no OpenBLAS"
		} else {
			row = atLeast(name, what, timing.Ratio(ns[0], ns[1]), 0.5, "x")
			row.NS, row.BaseNS = ns[0], ns[1]
		}
		rows = append(rows, row)
	}
	return rows, nil
}
