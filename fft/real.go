package fft

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/transform"
)

// RealPlan transforms lines of n real samples to and from their first n/2+1 bins; the
// others are the conjugates of these. It is immutable: any number of goroutines may use it
// at once.
//
// R and C have the same precision: float32 goes with complex64, float64 with complex128.
type RealPlan[R Float, C Complex] struct {
	n       int
	need    int  // elements of scratch
	whole   bool // one kernel transforms a line: there and back
	kernels [2]transform.Whole
	threads int
	real    *transform.Real[R, C] // unscaled
	forward *transform.Real[R, C] // with the norm's factor
	inverse *transform.Real[R, C]
	// parallel runs on up to threads goroutines.
	parallel transform.Parallel
	scratch  pool[C]
	samples  pool[R] // for lines that are brought together
	jobs     sync.Pool
}

// NewRealPlan prepares transforms of n real samples, n >= 1, odd n too. It
// takes at most one Options. Options.Recipe is for the complex transform
// inside, which has n/2 elements for even n, else n.
func NewRealPlan[R Float, C Complex](n int, o ...Options) (*RealPlan[R, C], error) {
	options, err := one("real plan", o)
	if err != nil {
		return nil, err
	}
	return newRealPlan[R, C]("real plan", n, options)
}

func newRealPlan[R Float, C Complex](op string, n int, o Options) (*RealPlan[R, C], error) {
	var r R
	var c C
	if unsafe.Sizeof(c) != 2*unsafe.Sizeof(r) {
		return nil, fmt.Errorf("fft: %s: %T does not go with %T", op, r, c)
	}
	if err := checkLen(op, n); err != nil {
		return nil, err
	}
	inside, err := recipeFor[C](recipe.RealLen(n), o, func(_ int, t recipe.Target) *recipe.Recipe { return recipe.ForHalf(n, t) })
	if err != nil {
		return nil, fmt.Errorf("fft: %s: %w", op, err)
	}
	t, err := transform.NewReal[R, C](recipe.Pack(n, inside), o.simdLevel())
	if err != nil {
		return nil, fmt.Errorf("fft: %s: %w", op, err)
	}
	if t, err = t.Alone(); err != nil {
		return nil, fmt.Errorf("fft: %s: %w", op, err)
	}
	forward, inverse := o.Norm.factors(float64(n))
	p := &RealPlan[R, C]{
		parallel: onThreads(o.Threads),
		n:        n, need: t.ScratchLen(), whole: t.Whole(), threads: o.Threads,
		real: t, forward: t.Scaled(forward), inverse: t.Scaled(inverse),
	}
	if p.whole {
		p.kernels = [2]transform.Whole{p.forward.Kernel(false), p.inverse.Kernel(true)}
	}
	return p, nil
}

// Len is the number of samples of a line.
func (p *RealPlan[R, C]) Len() int { return p.n }

// Bins is the number of bins of a line's spectrum, n/2+1.
func (p *RealPlan[R, C]) Bins() int { return p.n/2 + 1 }

// Recipe is how the complex transform inside is factored, in the form
// Options.Recipe takes. Some short lines have a kernel that does without it.
func (p *RealPlan[R, C]) Recipe() string {
	if p.real == nil { // the zero value
		return ""
	}
	return p.real.Recipe().String()
}

// ScratchLen is how many elements of scratch ForwardScratch and
// InverseScratch need.
func (p *RealPlan[R, C]) ScratchLen() int { return p.need }

// Forward computes the bins dst[k] = sum over j of src[j] * exp(-2*pi*i*j*k/n)
// for 0 <= k <= n/2. dst has n/2+1 elements, src has n.
func (p *RealPlan[R, C]) Forward(dst []C, src []R) error {
	if p != nil && p.whole && len(dst) == p.n/2+1 && len(src) == p.n && !spanOf(dst).overlaps(spanOf(src)) {
		d, s := unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0])
		p.kernels[0].Run(d, unsafe.Add(d, unsafe.Sizeof(src[0])), s, s)
		return nil
	}
	if err := p.check("real forward", dst, src, "dst", "src"); err != nil {
		return err
	}
	p.forwardSingle(dst, src)
	return nil
}

// Inverse computes the samples whose bins are src, divided by n or as
// Options.Norm says. dst has n elements, src has n/2+1. The imaginary parts of
// bin 0 and, for even n, of bin n/2 are ignored. src is not changed.
func (p *RealPlan[R, C]) Inverse(dst []R, src []C) error {
	if p != nil && p.whole && len(dst) == p.n && len(src) == p.n/2+1 && !spanOf(dst).overlaps(spanOf(src)) {
		d, s := unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0])
		p.kernels[1].Run(d, d, s, unsafe.Add(s, unsafe.Sizeof(dst[0])))
		return nil
	}
	if err := p.check("real inverse", src, dst, "src", "dst"); err != nil {
		return err
	}
	p.inverseSingle(dst, src)
	return nil
}

// ForwardScratch is Forward with scratch from the caller: at least ScratchLen
// elements of any content, apart from dst and src.
func (p *RealPlan[R, C]) ForwardScratch(dst []C, src []R, scratch []C) error {
	if err := p.check("real forward", dst, src, "dst", "src"); err != nil {
		return err
	}
	if err := checkScratch("real forward", spanOf(scratch), len(scratch), p.need, spanOf(dst), spanOf(src)); err != nil {
		return err
	}
	p.forward.Forward(dst, src, scratch)
	return nil
}

// InverseScratch is to Inverse what ForwardScratch is to Forward.
func (p *RealPlan[R, C]) InverseScratch(dst []R, src, scratch []C) error {
	if err := p.check("real inverse", src, dst, "src", "dst"); err != nil {
		return err
	}
	if err := checkScratch("real inverse", spanOf(scratch), len(scratch), p.need, spanOf(dst), spanOf(src)); err != nil {
		return err
	}
	p.inverse.Inverse(dst, src, scratch)
	return nil
}

// forwardSingle transforms one contiguous line, with the plan's threads.
func (p *RealPlan[R, C]) forwardSingle(dst []C, src []R) {
	if p.threads > 1 && (p.real.FoldsInParts() || lineAmount[C](p.n/2) >= forwardRealWork) {
		defer callers.leave()
		if callers.enter(p.threads) {
			scratch := p.scratch.get(p.real.ParallelScratchLen())
			p.forward.ForwardParallel(dst, src, *scratch, p.parallel)
			p.scratch.put(scratch)
			return
		}
	}
	scratch := p.scratch.get(p.need)
	p.forward.Forward(dst, src, *scratch)
	p.scratch.put(scratch)
}

// inverseSingle is the reverse of forwardSingle.
func (p *RealPlan[R, C]) inverseSingle(dst []R, src []C) {
	if p.threads > 1 && lineAmount[C](p.n/2) >= lineWork {
		defer callers.leave()
		if callers.enter(p.threads) {
			scratch := p.scratch.get(p.real.ParallelScratchLen())
			p.inverse.InverseParallel(dst, src, *scratch, p.parallel)
			p.scratch.put(scratch)
			return
		}
	}
	scratch := p.scratch.get(p.need)
	p.inverse.Inverse(dst, src, *scratch)
	p.scratch.put(scratch)
}

// check takes the two sides with the names the caller gave them.
func (p *RealPlan[R, C]) check(op string, bins []C, samples []R, binsName, samplesName string) error {
	switch {
	case p == nil || p.real == nil:
		return errNoPlan
	case len(bins) != p.Bins():
		return fmt.Errorf("fft: %s: %s has %d bins, want %d", op, binsName, len(bins), p.Bins())
	case len(samples) != p.n:
		return fmt.Errorf("fft: %s: %s has %d samples, want %d", op, samplesName, len(samples), p.n)
	case spanOf(bins).overlaps(spanOf(samples)):
		return fmt.Errorf("fft: %s: dst and src overlap", op)
	}
	return nil
}
