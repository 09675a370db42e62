package main

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// convPeer is a convolution the way it is done around an FFT library: frames
// are copied out and padded, all are transformed, all spectra multiplied, all
// transformed back, and the wanted part is copied out, each a pass over
// memory. The passes use the same vector kernels and the same number of
// threads as Twiddle does.
type convPeer struct {
	lines, channels int
	l, n            int // samples of a line and of a transform
	frames          int // per line
	step, from      int // outputs per frame, and where they start in it
	x, y            []float32
	h               []complex64 // per channel, scaled by 1/n
	forward, back   *peer.Plan
	table           *vec.Table
	threads         int
}

// newConvPeer prepares the convolution of lines of l samples by transforms of
// n; with blocks, each of step outputs.
func newConvPeer(p peer.FFT, dims [3]int, taps, n, step int) (*convPeer, error) {
	c := &convPeer{lines: dims[0] * dims[1], channels: dims[1], l: dims[2], n: n, frames: 1, step: dims[2],
		table: vec.For(simd.Active()), threads: runtime.GOMAXPROCS(0)}
	if step > 0 {
		c.step, c.from = step, taps-1
		c.frames = (c.l + step - 1) / step
	}
	var err error
	t := peer.Transform{N: n, Batch: c.lines * c.frames, Bits: 32, Real: true, Threads: c.threads}
	if c.forward, err = p.Plan(t); err != nil {
		return nil, err
	}
	t.Inverse = true
	if c.back, err = p.Plan(t); err != nil {
		return nil, err
	}
	c.x, c.y = make([]float32, c.lines*c.l), make([]float32, c.lines*c.l)
	fill(c.x)
	clear(peer.In[float32](c.forward))
	c.h = make([]complex64, c.channels*c.bins())
	for i := range c.h {
		c.h[i] = complex(rand.Float32(), rand.Float32()) / complex(float32(n), 0)
	}
	if c.whole() {
		copy(peer.In[float32](c.forward), c.x)
	}
	return c, nil
}

func (c *convPeer) bins() int { return c.n/2 + 1 }

// whole says that a transform takes a line as it is, so that nothing needs to
// be copied in or out.
func (c *convPeer) whole() bool { return c.n == c.l }

func (c *convPeer) run(reps int) {
	for range reps {
		if !c.whole() {
			c.each(c.lines*c.frames, c.gather)
		}
		c.forward.Run(1)
		c.each(c.lines*c.frames, c.multiply)
		c.back.Run(1)
		if !c.whole() {
			c.each(c.lines*c.frames, c.scatter)
		}
	}
}

// gather copies a frame of the signal behind the samples before it.
func (c *convPeer) gather(i int) {
	line, at := i/c.frames, i%c.frames*c.step-c.from
	src := c.x[line*c.l : (line+1)*c.l]
	dst := peer.In[float32](c.forward)[i*c.n : (i+1)*c.n]
	if at < 0 {
		dst, at = dst[-at:], 0
	}
	n := copy(dst, src[at:min(at+len(dst), c.l)])
	clear(dst[n:])
}

func (c *convPeer) multiply(i int) {
	channel := i / c.frames % c.channels
	b := c.bins()
	c.table.C64.Mul.VV(peer.In[complex64](c.back)[i*b:(i+1)*b], peer.Out[complex64](c.forward)[i*b:(i+1)*b], c.h[channel*b:(channel+1)*b], false)
}

func (c *convPeer) scatter(i int) {
	line, at := i/c.frames, i%c.frames*c.step
	copy(c.y[line*c.l+at:line*c.l+min(at+c.step, c.l)], peer.Out[float32](c.back)[i*c.n+c.from:(i+1)*c.n])
}

// each runs f for all of n, shared by the threads.
func (c *convPeer) each(n int, f func(i int)) {
	var all sync.WaitGroup
	for t := range c.threads {
		all.Go(func() {
			for i := t * n / c.threads; i < (t+1)*n/c.threads; i++ {
				f(i)
			}
		})
	}
	all.Wait()
}
