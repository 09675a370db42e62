package live

import (
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// Conv is a convolution with a long filter that gives every block of samples its
// outputs at once: no delay beyond the block itself.
//
// The filter is cut into parts as long as a block. Each block is transformed once; its
// spectrum meets all parts, one with every later block (uniformly partitioned
// convolution). A block takes two transforms and, for n taps, n products of complex
// numbers, however many blocks the filter is long.
type Conv[R fft.Float, C fft.Complex] struct {
	block    int
	plan     *fft.RealPlan[R, C]
	parts    []C // spectra of the parts of the filter, one after another
	blocks   []C // spectra of the last blocks, a ring
	newest   int // in blocks
	window   []R // the block before, and this one
	sum      []C
	product  []C
	mul, add func(dst, x, y []C, stream bool)
	out      []R
	scratch  []C
	bins     int
	segments int
}

// NewConv convolves float32 samples that come in blocks.
func NewConv(taps []float32, block int) (*Conv[float32, complex64], error) {
	return newConv[float32, complex64](taps, block)
}

// NewConv64 is NewConv for float64.
func NewConv64(taps []float64, block int) (*Conv[float64, complex128], error) {
	return newConv[float64, complex128](taps, block)
}

// maxBlock bounds the memory that a block asks for.
const maxBlock = 1 << 24

func newConv[R fft.Float, C fft.Complex](taps []R, block int) (*Conv[R, C], error) {
	if block < 1 || block > maxBlock {
		return nil, fmt.Errorf("live: conv: blocks of %d samples: want 1 to %d", block, maxBlock)
	}
	if len(taps) == 0 {
		return nil, fmt.Errorf("live: conv: a filter without taps")
	}
	plan, err := fft.NewRealPlan[R, C](2 * block)
	if err != nil {
		return nil, fmt.Errorf("live: conv: %w", err)
	}
	c := &Conv[R, C]{block: block, plan: plan, bins: plan.Bins(), segments: (len(taps) + block - 1) / block,
		window: make([]R, 2*block), out: make([]R, 2*block), scratch: make([]C, plan.ScratchLen())}
	c.mul, c.add = kernels[C]()
	c.sum, c.product = make([]C, c.bins), make([]C, c.bins)
	c.parts, c.blocks = make([]C, c.segments*c.bins), make([]C, c.segments*c.bins)
	for i := range c.segments {
		clear(c.window)
		copy(c.window, taps[i*block:min((i+1)*block, len(taps))])
		if err := plan.ForwardScratch(c.parts[i*c.bins:][:c.bins], c.window, c.scratch); err != nil {
			return nil, fmt.Errorf("live: conv: %w", err)
		}
	}
	clear(c.window)
	return c, nil
}

// Block is how many samples Process takes.
func (c *Conv[R, C]) Block() int { return c.block }

// Reset forgets all samples.
func (c *Conv[R, C]) Reset() {
	clear(c.window)
	clear(c.blocks)
}

// Process gives the outputs of the next block. dst may be src.
func (c *Conv[R, C]) Process(dst, src []R) error {
	if len(src) != c.block || len(dst) != c.block {
		return fmt.Errorf("live: conv: %d samples into %d: want blocks of %d", len(src), len(dst), c.block)
	}
	copy(c.window, c.window[c.block:])
	copy(c.window[c.block:], src)
	if c.newest--; c.newest < 0 {
		c.newest = c.segments - 1
	}
	if err := c.plan.ForwardScratch(c.blocks[c.newest*c.bins:][:c.bins], c.window, c.scratch); err != nil {
		return err
	}
	// Part i meets the block of i blocks ago: blocks from the newest on, then those
	// from the start of the ring.
	clear(c.sum)
	turn := (c.segments - c.newest) * c.bins
	c.addProducts(c.parts[:turn], c.blocks[c.newest*c.bins:])
	c.addProducts(c.parts[turn:], c.blocks[:c.newest*c.bins])
	if err := c.plan.InverseScratch(c.out, c.sum, c.scratch); err != nil {
		return err
	}
	copy(dst, c.out[c.block:]) // the first half wraps
	return nil
}

// addProducts adds up the products of as many rows as x and y have.
func (c *Conv[R, C]) addProducts(x, y []C) {
	for n := c.bins; len(x) > 0; x, y = x[n:], y[n:] {
		c.mul(c.product, x[:n], y[:n], false)
		c.add(c.sum, c.sum, c.product, false)
	}
}

// kernels are the vector forms of products and sums.
func kernels[C fft.Complex]() (mul, add func(dst, x, y []C, stream bool)) {
	t := vec.For(simd.Active())
	switch any(*new(C)).(type) {
	case complex64:
		return any(t.C64.Mul.VV).(func(dst, x, y []C, stream bool)), any(t.C64.Add.VV).(func(dst, x, y []C, stream bool))
	default:
		return any(t.C128.Mul.VV).(func(dst, x, y []C, stream bool)), any(t.C128.Add.VV).(func(dst, x, y []C, stream bool))
	}
}
