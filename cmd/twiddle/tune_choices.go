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

// tunedChoice is a key with work that it matters to.
type tunedChoice struct {
	key, what  string
	candidates []float64
	shapes     [][]int // of operands, normal numbers
	run        func(ctx context.Context, in []*nd.Array, candidate int) error
}

// A program keeps the tiles and bundles it was compiled with, so every candidate has one of
// its own, by a size that no other has.
const mostCandidates = 8

var products = [][]int{{1024, 1024}, {8, 384, 1024}, {8, 1024, 128}}

// choices are those of every kind of device.
var choices = []tunedChoice{
	{"gemm_task_panels", "products of 1024 x 1024 matrices and of 8 of 384 x 1024 and 1024 x 128", []float64{4, 6, 10, 16, 32}, products, tryProducts},
	{"gemm_task_columns", "products of 1024 x 1024 matrices and of 8 of 384 x 1024 and 1024 x 128", []float64{128, 256, 512, 1024}, products, tryProducts},
	{"gemm_tile", "products of 1024 x 1024 matrices", []float64{0, 64, 128}, [][]int{{1024, 1024 + 16*mostCandidates}}, tryTile},
	{"line_bundle_bytes", "transforms of 1024 lines of 1024, forth and back", []float64{32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10},
		[][]int{{1024 + mostCandidates, 1024}}, trySpectra},
	{"qr_block", "QR of 2048 x 256 by reflections", []float64{32, 64, 128}, [][]int{{2048, 256}}, tryQR},
	{"svd_band", "top 24 SVD of 2048 x 256", []float64{8, 16, 32, 4096}, [][]int{{2048, 256}}, tryTopSVD(0)},
	{"svd_streams", "top 24 SVD of 2048 x 256 in bands of 16", []float64{1, 2, 4}, [][]int{{2048, 256}}, tryTopSVD(16)},
	{"conv_streams", "causal convolution of 4 x 64 x 16384 with 128 taps", []float64{1, 2, 4}, [][]int{{4, 64, 16384}, {64, 128}}, tryConv},
}

// isOf says whether the device makes a choice.
func (c *tunedChoice) isOf(dev *nd.Device) bool {
	kind, _, _ := strings.Cut(c.key, "_")
	switch {
	case c.key == "gemm_tile":
		return strings.HasPrefix(dev.Name(), "cuda:")
	case kind == "gemm" || kind == "line":
		return dev == nd.CPU()
	case kind == "qr" || kind == "svd":
		return dev.Has(nd.Float64) // which factorisations need
	}
	return true
}

// Tiles that suit large products only would leave cores without work in others.
func tryProducts(ctx context.Context, in []*nd.Array, _ int) error {
	return evaluated(ctx, in[0].MatMul(in[0]), in[1].MatMul(in[2]))
}

func tryTile(ctx context.Context, in []*nd.Array, candidate int) error {
	wide := in[0].SliceAxis(1, nd.Head(1024+16*candidate))
	return evaluated(ctx, wide.MatMul(wide.Transpose()))
}

func trySpectra(ctx context.Context, in []*nd.Array, candidate int) error {
	x := in[0].Slice(nd.Head(1024 + candidate))
	return evaluated(ctx, x.RFFT().MulScalar(0.5).IRFFT(nd.FFT{N: x.Dim(1)}).AbsSquared())
}

func tryQR(ctx context.Context, in []*nd.Array, _ int) error {
	q, r := linalg.QR(in[0], linalg.QROptions{Method: linalg.Householder})
	return evaluated(ctx, q, r)
}

func tryTopSVD(band int) func(ctx context.Context, in []*nd.Array, _ int) error {
	return func(ctx context.Context, in []*nd.Array, _ int) error {
		t, err := linalg.TopSVD(ctx, in[0], 24, linalg.TopSVDOptions{Band: band})
		if err != nil {
			return err
		}
		return released([]*nd.Array{t.U, t.S, t.V}, nil)
	}
}

func tryConv(ctx context.Context, in []*nd.Array, _ int) error {
	return evaluated(ctx, signal.Pipeline{Conv: signal.Conv{Mode: signal.Causal}}.Apply(in[0], in[1]))
}

// evaluated computes arrays and lets them go.
func evaluated(ctx context.Context, out ...*nd.Array) error {
	return released(out, nd.Eval(ctx, out...))
}

// tryChoices times work that each choice of the device matters to, with every candidate in
// turn, and leaves the device as it was.
func tryChoices(ctx context.Context, dev *nd.Device, o timing.Options, progress io.Writer) ([]triedChoice, error) {
	var all []triedChoice
	for _, c := range choices {
		if !c.isOf(dev) {
			continue
		}
		fmt.Fprintf(progress, "twiddle: trying %s\n", c.key)
		in, err := normals(c.shapes...)()
		if err != nil {
			return nil, err
		}
		if in, err = operandsOn(ctx, dev, in...); err != nil {
			return nil, err
		}
		t, err := tryChoice(ctx, dev, o, c.key, c.candidates, func(candidate int) error { return c.run(ctx, in, candidate) })
		if err = released(in, err); err != nil {
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
