package peer

import (
	"errors"
	"fmt"
	"math"
	"runtime"
)

// Convolution prepares the convolution of lines of l samples of some channels
// with a filter and a bias per channel, by transforms of n: padded, transformed,
// multiplied, transformed back, cut and scaled, each a pass over memory.
func (c *CUFFT) Convolution(batch, channels, l, n int) (*GPUWork, error) {
	if batch < 1 || channels < 1 || l < 1 || n < l {
		return nil, errors.New("peer: cufft: a convolution of nothing")
	}
	return c.prepare(func(w *GPUWork, g *gpuCalls) {
		lines, bins := batch*channels, n/2+1
		forward := Transform{N: n, Batch: lines, Bits: 32, Real: true}
		back := forward
		back.Inverse = true
		x, y, spectra := w.alloc(g, 4*lines*l, 32), w.alloc(g, 4*lines*l, 32), w.alloc(g, 8*lines*bins, 32)
		h, bias := w.alloc(g, 8*channels*bins, 32), w.alloc(g, 4*channels, 32)
		padded := x
		if n > l {
			padded = w.alloc(g, 4*lines*n, 32)
		}
		result := w.alloc(g, 4*lines*n, 32)
		there, again := w.plan(g, forward), w.plan(g, back)
		w.run = func(g *gpuCalls) {
			if n > l {
				w.launch(g, c.pad, lines*n, pointer(x), pointer(padded), long(lines*n), integer(l), integer(n))
			}
			w.exec(g, forward, there, padded, spectra)
			w.launch(g, c.multiply, lines*bins, pointer(spectra), pointer(h), long(lines*bins), integer(bins), integer(channels))
			w.exec(g, back, again, spectra, result)
			w.launch(g, c.finish, lines*l, pointer(result), pointer(bias), pointer(y), long(lines*l), integer(l), integer(n), integer(channels),
				uint64(math.Float32bits(1/float32(n))))
		}
	})
}

// Peaks prepares Welch's method for lines of overlapping segments of n, each
// less its mean and windowed, and the k highest maxima of every spectrum: cut,
// transformed, averaged and searched, each a pass over memory.
func (c *CUFFT) Peaks(batch, n, segments, k int) (*GPUWork, error) {
	bins := n/2 + 1
	if batch < 1 || n < 4 || segments < 1 || k < 1 || 4*bins > 40<<10 {
		return nil, fmt.Errorf("peer: cufft: no peaks of %d lines of %d segments of %d", batch, segments, n)
	}
	return c.prepare(func(w *GPUWork, g *gpuCalls) {
		lines := batch * segments
		samples := n + (segments-1)*(n/2)
		forward := Transform{N: n, Batch: lines, Bits: 32, Real: true}
		x, window, cut := w.alloc(g, 4*batch*samples, 32), w.alloc(g, 4*n, 32), w.alloc(g, 4*lines*n, 32)
		spectra, averaged := w.alloc(g, 8*lines*bins, 32), w.alloc(g, 4*batch*bins, 32)
		heights, places := w.alloc(g, 4*batch*k, 32), w.alloc(g, 4*batch*k, 32)
		plan := w.plan(g, forward)
		w.run = func(g *gpuCalls) {
			w.launchBlocks(g, c.segment, lines, 0, pointer(x), pointer(window), pointer(cut), integer(n), integer(segments), integer(samples))
			w.exec(g, forward, plan, cut, spectra)
			w.launch(g, c.power, batch*bins, pointer(spectra), pointer(averaged), long(batch*bins), integer(bins), integer(segments))
			w.launchBlocks(g, c.peaks, batch, 4*bins, pointer(averaged), pointer(heights), pointer(places), integer(bins), integer(k))
		}
	})
}

// Kernel parameters, of which the driver reads as many bytes as they have.
func pointer(p uintptr) uint64 { return uint64(p) }
func long(n int) uint64        { return uint64(n) }
func integer(n int) uint64     { return uint64(uint32(n)) }

// launch queues a kernel with a thread for each of count elements.
func (w *GPUWork) launch(g *gpuCalls, kernel uintptr, count int, values ...uint64) {
	w.launchBlocks(g, kernel, (count+255)/256, 0, values...)
}

// launchBlocks queues blocks of 256 threads, with shared memory for each.
func (w *GPUWork) launchBlocks(g *gpuCalls, kernel uintptr, blocks, shared int, values ...uint64) {
	addresses := make([]uintptr, len(values))
	for i := range values {
		addresses[i] = at(&values[i])
	}
	g.do("cuLaunchKernel", w.c.driver.launch, kernel, uintptr(blocks), 1, 1, 256, 1, 1, uintptr(shared), 0, at(&addresses[0]), 0)
	runtime.KeepAlive(values)
	runtime.KeepAlive(addresses)
}
