package signal

import (
	"slices"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// blockRatio is how many times longer than the smaller array a transform of blocks
// is, along every axis: from 4 on what blocks share costs less than a third, and
// longer transforms gain little more.
const blockRatio = 4

// shortestBlock is the shortest transform of lines: with 31 taps, blocks of 512 take 0.4 of the
// time of those of 128.
const shortestBlock = 512

// convolveBlocks cuts the larger array into blocks that overlap by what the smaller
// one reaches, and transforms each: overlap-save over several axes.
func convolveBlocks(op string, x, k *nd.Array, from, to []int, n int) *nd.Array {
	large, small := x, k
	if size(k, n) > size(x, n) {
		large, small = k, x
	}
	real := !x.DType().IsComplex()
	lead := func(a *nd.Array) []int { return a.Shape()[:a.NDim()-n] }
	lengths, steps, axes := make([]int, n), make([]int, n), make([]int, n)
	blocks := make([]int, n)
	shortest := 1
	if n == 1 {
		shortest = shortestBlock
	}
	for i := range n {
		axis := -n + i
		taps := small.Dim(axis)
		full := large.Dim(axis) + taps - 1
		length, err := fft.NextFastLen(min(max(blockRatio*taps, shortest), full))
		if real && i == n-1 {
			length, err = fft.NextFastRealLen(min(max(blockRatio*taps, shortest), full))
		}
		if err != nil {
			return nd.Fail("signal", op, err, x, k)
		}
		lengths[i], steps[i], axes[i] = length, length-taps+1, axis
		blocks[i] = (to[i] - from[i] + steps[i] - 1) / steps[i]
		// Output t of the result reads samples up to t; blocks begin taps-1 before.
		before := taps - 1 - from[i]
		after := from[i] + blocks[i]*steps[i] - large.Dim(axis)
		large = large.PadAxis(axis, nd.Margin{Before: max(0, before), After: max(0, after)}, nd.Pad{})
		start := max(0, -before)
		large = large.SliceAxis(axis, nd.Range{Start: start, Stop: start + (blocks[i]-1)*steps[i] + length})
	}
	// (..., rows, cols) becomes (..., blocks, blocks, rows, cols).
	for i := range n {
		axis := len(lead(small)) + i
		large = large.Frames(lengths[i], steps[i], axis)
		large = moveAxis(large, axis+1, large.NDim()-1)
	}
	shape := small.Shape()
	rank := len(shape) - n
	small = small.Reshape(slices.Concat(shape[:rank], slices.Repeat([]int{1}, n), shape[rank:])...)
	o := nd.FFTN{Shape: lengths, Axes: axes}
	var y *nd.Array
	if real {
		y = large.RFFTN(o).Mul(small.RFFTN(o)).IRFFTN(o)
	} else {
		y = large.FFTN(o).Mul(small.FFTN(o)).IFFTN(o)
	}
	// The first outputs of a block wrapped around. Then rows of a block come behind
	// their block.
	for i := range n {
		y = y.SliceAxis(-n+i, nd.Range{Start: lengths[i] - steps[i], Stop: lengths[i]})
	}
	out := slices.Clone(y.Shape()[:rank])
	order := make([]int, rank, rank+2*n)
	for i := range order {
		order[i] = i
	}
	for i := range n {
		order = append(order, rank+i, rank+n+i)
		out = append(out, blocks[i]*steps[i])
	}
	y = y.Transpose(order...).Reshape(out...)
	for i := range n {
		y = y.SliceAxis(-n+i, nd.Range{Stop: to[i] - from[i]})
	}
	return y
}

// size is the elements along the last axes.
func size(a *nd.Array, n int) int {
	p := 1
	for i := range n {
		p *= a.Dim(-1 - i)
	}
	return p
}
