package main

import (
	"context"
	"math"
	"strings"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// measureFigures times work that one figure dominates. Arrays are evaluated
// before, plans cached by the first run.
func measureFigures(ctx context.Context, dev *nd.Device) (map[string]float64, error) {
	const (
		chain    = 32 // operations of a long map
		launches = 32
		points   = 1024
	)
	large := 1 << 24 // elements: 64 MiB, past every cache
	small := 1 << 14 // stays in the caches
	matrix, lines := 768, 256
	if strings.HasPrefix(dev.Name(), "cuda") {
		// What keeps all of a GPU busy for long enough.
		large, small, matrix, lines = 1<<28, 1<<22, 4096, 1<<16
	}
	place := func(a *nd.Array) *nd.Array { return a.On(dev.Stream()) }
	big := place(nd.Uniform(1, nd.Float32, large))
	little := place(nd.Uniform(2, nd.Float32, small))
	square := place(nd.Uniform(3, nd.Float32, matrix, matrix))
	signals := place(nd.Complex(nd.Uniform(4, nd.Float32, lines, points), nd.Uniform(5, nd.Float32, lines, points)))
	one := place(nd.Uniform(6, nd.Float32, 1))
	if err := nd.Eval(ctx, big, little, square, signals, one); err != nil {
		return nil, err
	}
	ns := func(build func() *nd.Array) (float64, error) {
		run, err := loop(func() error {
			y := build()
			defer y.Release()
			return nd.Eval(ctx, y)
		})
		if err != nil {
			return 0, err
		}
		best, err := timing.Compare(ctx, timing.Options{}, timing.Contender{Run: run})
		if err != nil {
			return 0, err
		}
		return best[0], nil
	}
	figures := map[string]float64{}
	if strings.HasPrefix(dev.Name(), "cuda") {
		link, err := measureLink(ctx, dev)
		if err != nil {
			return nil, err
		}
		figures["link_bytes_per_ns"] = link
	}
	for _, m := range []struct {
		key   string
		build func() *nd.Array
		rate  func(ns float64) float64
	}{
		// Running sums do not fuse: a launch is what each one more costs, and
		// what remains of the first is the wait.
		{"sync_ns", func() *nd.Array { return one.CumSum(0) }, func(ns float64) float64 { return ns }},
		{"launch_ns", func() *nd.Array {
			y := one
			for range 1 + launches {
				y = y.CumSum(0)
			}
			return y
		}, func(ns float64) float64 {
			each := max((ns-figures["sync_ns"])/launches, 1)
			figures["sync_ns"] = max(figures["sync_ns"]-each, 1)
			return each
		}},
		{"copy_bytes_per_ns", func() *nd.Array { return big.AddScalar(1) }, func(ns float64) float64 { return 8 * float64(large) / ns }},
		{"ops_per_ns", func() *nd.Array {
			y := little
			for range chain / 2 {
				y = y.Mul(little).Add(little)
			}
			return y
		}, func(ns float64) float64 { return chain * float64(small) / (ns - figures["launch_ns"]) }},
		{"fft_ops_per_ns", func() *nd.Array { return signals.FFT() }, func(ns float64) float64 { return 5 * points * 10 * float64(lines) / ns }},
		{"gemm_ops_per_ns", func() *nd.Array { return square.MatMul(square) }, func(ns float64) float64 { return 2 * math.Pow(float64(matrix), 3) / ns }},
	} {
		t, err := ns(m.build)
		if err != nil {
			return nil, err
		}
		figures[m.key] = m.rate(t)
	}
	return figures, nil
}

// measureLink is how fast elements go to a device and back, from slices and to
// slices.
func measureLink(ctx context.Context, dev *nd.Device) (float64, error) {
	const elements = 1 << 24
	host := make([]float32, elements)
	run, err := loop(func() error {
		there, err := nd.Upload(ctx, dev.Stream(), host)
		if err != nil {
			return err
		}
		defer there.Release()
		return nd.Read(ctx, host, there)
	})
	if err != nil {
		return 0, err
	}
	best, err := timing.Compare(ctx, timing.Options{}, timing.Contender{Run: run})
	if err != nil {
		return 0, err
	}
	return 2 * 4 * elements / best[0], nil
}
