package main

import (
	"context"
	"io"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// resident times the computation by itself, with true peaks, from samples on a
// GPU to peaks on it, by the GPU's clock.
func (r fusionRequest) resident(ctx context.Context, index int, peers string, w io.Writer) (gpuRows, error) {
	cufft, err := openCUFFT(peers, index, w)
	if err != nil {
		return nil, err
	}
	var rows gpuRows
	for _, batch := range r.batches {
		x := nd.Normal(1, nd.Float32, batch, r.samples()).On(r.device.Stream())
		window := signal.Window{}.Array(nd.Float32, r.nfft).On(r.device.Stream())
		if err := nd.Eval(ctx, x, window); err != nil {
			return nil, err
		}
		var work *peer.GPUWork
		if cufft != nil {
			if work, err = cufft.Peaks(batch, r.nfft, r.segments, r.k); err != nil {
				return nil, err
			}
		}
		row := gpuRow{What: "welch and peaks", Shape: []int{batch, r.segments, r.nfft}}
		if err := row.fill(ctx, r.device, 4*float64(x.Len()), func() *nd.Array { return r.peaks(x, window) }, work); err != nil {
			return nil, err
		}
		rows = append(rows, row)
		x.Release()
	}
	return rows, nil
}

// peaks is the k highest maxima of the averaged spectrum of every line, each
// its bin and its power. A segment has its mean taken off and a window.
func (r fusionRequest) peaks(x, window *nd.Array) *nd.Array {
	f := x.Frames(r.nfft, r.nfft/2)
	power := f.Sub(f.Mean(-1).ExpandDims(-1)).Mul(window).RFFT().AbsSquared().Mean(-2)
	middle := power.SliceAxis(-1, nd.Range{Start: 1, Stop: -1})
	left, right := power.SliceAxis(-1, nd.Range{Stop: -2}), power.SliceAxis(-1, nd.Range{Start: 2, Stop: nd.End})
	heights, places := nd.Where(middle.Greater(left).And(middle.Greater(right)), middle, nd.FullLike(middle, 0)).TopK(r.k, -1)
	return nd.Stack(-1, places.AddScalar(1).Cast(nd.Float32), heights)
}
