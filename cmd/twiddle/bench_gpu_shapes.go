package main

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/nd"
)

// parseShapes reads shapes such as 512x512,256x256x256.
func parseShapes(list string) ([][]int, error) {
	var shapes [][]int
	for text := range strings.SplitSeq(list, ",") {
		var dims []int
		points := 1
		for part := range strings.SplitSeq(text, "x") {
			n, err := strconv.Atoi(part)
			if err != nil || n < 1 || n > 1<<28/points {
				return nil, usagef("--shapes %q: %q is not a shape of up to 2^28 points: write 512x512", list, text)
			}
			dims, points = append(dims, n), points*n
		}
		if len(dims) < 2 || len(dims) > 3 {
			return nil, usagef("--shapes %q: %q has %d axes: want 2 or 3", list, text, len(dims))
		}
		shapes = append(shapes, dims)
	}
	return shapes, nil
}

// benchFFTNOnGPU times complex transforms along several axes, as many as keep the
// device busy.
func benchFFTNOnGPU(ctx context.Context, name string, shapes [][]int, dtypes []dtype, peers string, w io.Writer) (gpuRows, error) {
	dev, cufft, err := openContenders(name, peers, w)
	if err != nil {
		return nil, err
	}
	var rows gpuRows
	for _, d := range dtypes {
		if d.real {
			return nil, usagef("--shapes is for c64 and c128, and not for %s", d.name)
		}
		for _, dims := range shapes {
			row, err := benchOneFFTNOnGPU(ctx, dev, cufft, dims, d)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func benchOneFFTNOnGPU(ctx context.Context, dev *nd.Device, cufft *peer.CUFFT, dims []int, d dtype) (gpuRow, error) {
	points, t := 1, nd.Float32
	for _, n := range dims {
		points *= n
	}
	if d.bits == 64 {
		t = nd.Float64
	}
	count := max(busyBytes(dev)/(d.bits/4)/points, 1)
	shape := append([]int{count}, dims...)
	row := gpuRow{What: "fftn " + d.name, Shape: shape}
	x := nd.Complex(nd.Uniform(1, t, shape...).On(dev.Stream()), nd.Uniform(2, t, shape...).On(dev.Stream()))
	if err := nd.Eval(ctx, x); err != nil {
		return row, err
	}
	defer x.Release()
	var work *peer.GPUWork
	if cufft != nil {
		var err error
		if work, err = cufft.TransformN(dims, count, d.bits); err != nil {
			return row, err
		}
	}
	axes := make([]int, len(dims))
	for i := range axes {
		axes[i] = i + 1
	}
	return row, row.fill(ctx, dev, 2*float64(count*points)*float64(d.bits/4), func() *nd.Array { return x.FFTN(nd.FFTN{Axes: axes}) }, work)
}
