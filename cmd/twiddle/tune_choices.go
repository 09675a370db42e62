package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// triedChoice is the candidates of a choice, in the order they were tried.
type triedChoice struct {
	Key        string      `json:"key"`
	What       string      `json:"what"` // was timed
	Winner     float64     `json:"winner"`
	Candidates []candidate `json:"candidates"`
}

type candidate struct {
	Value float64 `json:"value"`
	NS    float64 `json:"ns"`
}

func (c triedChoice) best() float64 {
	return slices.MinFunc(c.Candidates, func(a, b candidate) int {
		if a.NS < b.NS {
			return -1
		}
		return 1
	}).NS
}

// worthChanging is how much faster than the value in force a candidate has to
// be: what is closer is noise.
const worthChanging = 0.97

// tryChoices times work that each choice matters to, with every candidate in
// turn, and leaves the device as it was.
func tryChoices(ctx context.Context, dev *nd.Device, o timing.Options, progress io.Writer) ([]triedChoice, error) {
	place := func(a *nd.Array) *nd.Array { return a.On(dev.Stream()) }
	square := place(nd.Normal(1, nd.Float32, 1024, 1024))
	wide := place(nd.Normal(6, nd.Float32, 1024, 1088))
	few, thin := place(nd.Normal(7, nd.Float32, 8, 384, 1024)), place(nd.Normal(8, nd.Float32, 8, 1024, 128))
	tall := place(nd.Normal(2, nd.Float32, 2048, 256))
	signals := place(nd.Normal(3, nd.Float32, 4, 64, 16384))
	taps := place(nd.Normal(4, nd.Float32, 64, 128))
	if err := nd.Eval(ctx, square, wide, few, thin, tall, signals, taps); err != nil {
		return nil, err
	}
	evaluated := func(build func() []*nd.Array) func() error {
		return func() error {
			out := build()
			err := nd.Eval(ctx, out...)
			for _, a := range out {
				a.Release()
			}
			return err
		}
	}
	// Tiles that suit large products only would leave cores without work in others.
	product := evaluated(func() []*nd.Array { return []*nd.Array{square.MatMul(square), few.MatMul(thin)} })
	tiles := func(candidate int) error { // compiled programs keep their tiles, as bundles below
		y := wide.Slice(nd.All, nd.Range{Stop: 1024 + 16*candidate}).MatMul(wide.Transpose().Slice(nd.Range{Stop: 1024 + 16*candidate}))
		defer y.Release()
		return nd.Eval(ctx, y)
	}
	factors := evaluated(func() []*nd.Array {
		q, r := linalg.QR(tall, linalg.QROptions{Method: linalg.Householder})
		return []*nd.Array{q, r}
	})
	top := func(band int) func() error {
		return func() error {
			t, err := linalg.TopSVD(ctx, tall, 24, linalg.TopSVDOptions{Band: band})
			if err == nil {
				t.U.Release()
				t.S.Release()
				t.V.Release()
			}
			return err
		}
	}
	filter := evaluated(func() []*nd.Array {
		return []*nd.Array{signal.Pipeline{Conv: signal.Conv{Mode: signal.Causal}}.Apply(signals, taps)}
	})
	// A program keeps the bundles it was compiled with, so every candidate has
	// one of its own, by a number of lines that no other has.
	const lines, length, mostCandidates = 1024, 1024, 8
	line := place(nd.Normal(5, nd.Float32, lines+mostCandidates, length))
	if err := nd.Eval(ctx, line); err != nil {
		return nil, err
	}
	spectra := func(candidate int) error {
		x := line.Slice(nd.Range{Stop: lines + candidate})
		y := x.RFFT().MulScalar(0.5).IRFFT(nd.FFT{N: length}).AbsSquared()
		defer y.Release()
		return nd.Eval(ctx, y)
	}
	same := func(run func() error) func(int) error { return func(int) error { return run() } }
	var all []triedChoice
	for _, c := range []struct {
		key, what  string
		candidates []float64
		run        func(candidate int) error
	}{
		{"gemm_task_panels", "products of 1024 x 1024 matrices and of 8 of 384 x 1024 and 1024 x 128", []float64{4, 6, 10, 16, 32}, same(product)},
		{"gemm_task_columns", "products of 1024 x 1024 matrices and of 8 of 384 x 1024 and 1024 x 128", []float64{128, 256, 512, 1024}, same(product)},
		{"gemm_tile", "products of 1024 x 1024 matrices", []float64{0, 64, 128}, tiles},
		{"line_bundle_bytes", "transforms of 1024 lines of 1024, forth and back", []float64{32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10}, spectra},
		{"qr_block", "QR of 2048 x 256 by reflections", []float64{32, 64, 128}, same(factors)},
		{"svd_band", "top 24 SVD of 2048 x 256", []float64{8, 16, 32, 4096}, same(top(0))},
		{"svd_streams", "top 24 SVD of 2048 x 256 in bands of 16", []float64{1, 2, 4}, same(top(16))},
		{"conv_streams", "causal convolution of 4 x 64 x 16384 with 128 taps", []float64{1, 2, 4}, same(filter)},
	} {
		if (c.key == "gemm_tile") != strings.HasPrefix(dev.Name(), "cuda:") && (strings.HasPrefix(c.key, "gemm_") || strings.HasPrefix(c.key, "line_")) {
			continue // of another kind of device
		}
		if !dev.Has(nd.Float64) && (strings.HasPrefix(c.key, "qr_") || strings.HasPrefix(c.key, "svd_")) {
			continue // factorisations need float64
		}
		fmt.Fprintf(progress, "twiddle: trying %s\n", c.key)
		t, err := tryChoice(ctx, dev, o, c.key, c.candidates, c.run)
		if err != nil {
			return nil, err
		}
		t.What = c.what
		all = append(all, t)
	}
	return all, nil
}

func tryChoice(ctx context.Context, dev *nd.Device, o timing.Options, key string, values []float64, run func(candidate int) error) (triedChoice, error) {
	was := dev.Tuned(key)
	if !slices.Contains(values, was) {
		values = append(slices.Clone(values), was)
	}
	var contenders []timing.Contender
	for i, v := range values {
		once, err := loop(func() error {
			if err := dev.Tune(key, v); err != nil {
				return err
			}
			return run(i)
		})
		if err != nil {
			return triedChoice{}, err
		}
		contenders = append(contenders, timing.Contender{Run: once})
	}
	ns, err := timing.Compare(ctx, o, contenders...)
	if back := dev.Tune(key, was); err == nil {
		err = back
	}
	if err != nil {
		return triedChoice{}, err
	}
	t := triedChoice{Key: key, Winner: was}
	now := ns[slices.Index(values, was)]
	best := now * worthChanging
	for i, v := range values {
		t.Candidates = append(t.Candidates, candidate{v, ns[i]})
		if ns[i] < best {
			t.Winner, best = v, ns[i]
		}
	}
	return t, nil
}
