package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// onChip is the longest transform that stays in a core's second-level cache
// with its spectrum and scratch; beyond it an FFT's passes go through memory.
const onChip = 1 << 15

// transformCost is the cost of an FFT of length n, in units of its shortest:
// n log n, and twice that where it does not stay on chip (measured on a core
// with 2 MiB of second-level cache).
func transformCost(n int) float64 {
	c := float64(n) * math.Log2(float64(max(n, 2)))
	if n > onChip {
		c *= 2
	}
	return c
}

// block chooses the transform length of overlap-save, or 0 for one transform.
func (c Conv) block(l, taps int) int {
	switch {
	case c.Block != 0:
		return max(c.Block, 0)
	case l < 4*taps:
		return 0
	}
	whole := transformCost(fastLen(l+taps-1)) / float64(l)
	best, cost := 0, whole
	for n := 2; n <= onChip; n *= 2 {
		step := n - taps + 1
		if n < 2*taps || 2*step > l {
			continue
		}
		if each := transformCost(n) / float64(step); each < cost {
			best, cost = n, each
		}
	}
	return best
}

// TransformLen is the length of the transforms that convolve lines of l samples
// with filters of taps. A step above 0 says that they are blocks of
// overlap-save, each giving as many outputs.
func (c Conv) TransformLen(l, taps int) (n, step int) {
	c.Mode = c.Mode.or(Causal)
	if c.Mode == Circular {
		if n = l; fastLen(l) != l {
			n = fastLen(2 * l)
		}
		return n, 0
	}
	if c.Mode == Causal {
		taps = min(taps, l)
	}
	if n = c.block(l, taps); n > 0 {
		return n, n - taps + 1
	}
	// Outputs before from may wrap, as long as those wanted do not.
	from, to := span(c.Mode, l, taps)
	return fastLen(max(l+taps-1-from, to, l, taps)), 0
}

// overlapSave computes samples from..to of the full convolution in blocks: a
// transform of n samples gives step = n-taps+1 outputs that do not wrap.
//
// The first block starts the signal and the last ends it, with zeros that the
// transforms imply; those between are overlapping frames of x itself. Each
// writes its part of the result, and nothing else crosses memory.
func overlapSave(x *nd.Array, k *taps, n, from, to int) *nd.Array {
	l, taps := x.Dim(-1), k.count()
	step := n - taps + 1
	middle := l/step - 1 // blocks whose frame lies within x
	if middle < 1 {
		return spectrumProduct(x, k, fastLen(l+taps-1), from, to)
	}
	h := k.transformed(n) // one for all blocks
	first := spectrumProduct(x.SliceAxis(-1, nd.Range{Stop: step}), h, n, 0, step)
	parts := []*nd.Array{first, middleBlocks(x, h, n, step, middle)}

	done := (middle + 1) * step
	if to > done {
		tail := x.SliceAxis(-1, nd.Range{Start: done - (taps - 1), Stop: nd.End})
		rest := l + taps - 1 - done
		m := fastLen(tail.Dim(-1) + taps - 1)
		parts = append(parts, spectrumProduct(tail, k, m, taps-1, taps-1+rest))
	}
	y := nd.Concat(-1, parts...)
	if from == 0 && to == y.Dim(-1) {
		return y
	}
	return y.SliceAxis(-1, nd.Range{Start: from, Stop: to})
}

// middleBlocks gives step outputs for each of count frames of n samples.
func middleBlocks(x *nd.Array, k *taps, n, step, count int) *nd.Array {
	taps := n - step + 1
	begin := step - (taps - 1)
	inner := x.SliceAxis(-1, nd.Range{Start: begin, Stop: begin + (count-1)*step + n})
	h := k.spectrum(n)
	if h.NDim() == 2 {
		h = h.ExpandDims(1) // a filter serves all frames of its channel
	}
	y := inner.Frames(n, step).RFFT(k.transform(n)).Mul(h).IRFFT(k.transform(n)).
		SliceAxis(-1, nd.Range{Start: taps - 1, Stop: n})
	shape := append(x.Shape()[:x.NDim()-1], count*step)
	return y.Reshape(shape...)
}
