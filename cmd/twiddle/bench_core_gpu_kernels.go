package main

import (
	"context"

	"github.com/twiddle-go/twiddle/kernels"
	"github.com/twiddle-go/twiddle/nd"
)

// gpuKernels is about kernels that users write: bodies of the library, one
// element per thread, over a copy of the same bytes.
func gpuKernels(ctx context.Context, dev *nd.Device, rounds int) ([]coreRow, error) {
	x, err := gpuInput(ctx, dev, gpuLarge)
	if err != nil {
		return nil, err
	}
	exp, base, err := gpuAgainstCopy(ctx, dev, rounds, x, func() *nd.Array { return kernels.Exp(x) })
	if err != nil {
		return nil, err
	}
	lines, err := gpuInput(ctx, dev, 64, gpuLarge/64/4096, 4096)
	if err != nil {
		return nil, err
	}
	taps, err := gpuInput(ctx, dev, lines.Dim(1), 3)
	if err != nil {
		return nil, err
	}
	defer taps.Release()
	conv, convBase, err := gpuAgainstCopy(ctx, dev, rounds, lines, func() *nd.Array { return kernels.ShortConv(lines, taps, true) })
	if err != nil {
		return nil, err
	}
	rows := []coreRow{
		atMost("kernel exp", "a kernel's exp of 256 Mi float32, over a copy", exp/base, 1.15, "x"),
		atMost("kernel depthwise", "a kernel's three-tap convolution of as many, over a copy", conv/convBase, 1.15, "x"),
	}
	rows[0].NS, rows[0].BaseNS = exp, base
	rows[1].NS, rows[1].BaseNS = conv, convBase
	return rows, nil
}
