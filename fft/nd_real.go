package fft

import (
	"fmt"
	"slices"
)

// RealNDPlan transforms real arrays of one shape along some of their axes. The
// last of these axes becomes n/2+1 bins long, the others keep their length.
// Arrays are contiguous with the last index varying fastest (C order). It is
// immutable: any number of goroutines may use it at once.
type RealNDPlan[R Float, C Complex] struct {
	size, bins int
	shape      []int // of the bins
	real       *RealPlan[R, C]
	forward    lines // samples to bins along the real axis
	inverse    lines // bins to samples
	axes       []axisPlan[C]
	scratch    pool[C]
}

// NewRealNDPlan prepares transforms of real arrays of the given shape along
// the given axes; no axes means all of them. Negative axes count from the end.
// The norm applies to each axis. R and C are of the same precision.
func NewRealNDPlan[R Float, C Complex](shape, axes []int, o ...Options) (*RealNDPlan[R, C], error) {
	const op = "real nd plan"
	options, err := one(op, o)
	if err != nil {
		return nil, err
	}
	size, axes, err := checkShape(op, shape, axes)
	if err != nil {
		return nil, err
	}
	last := axes[len(axes)-1]
	p := &RealNDPlan[R, C]{size: size, shape: slices.Clone(shape)}
	p.shape[last] = shape[last]/2 + 1
	p.bins = size / shape[last] * p.shape[last]
	p.forward = axisLines(p.shape, shape, last)
	p.inverse = axisLines(shape, p.shape, last)
	if p.real, err = newRealPlan[R, C](op, shape[last], options); err != nil {
		return nil, err
	}
	if p.axes, err = axisPlans[C](op, p.shape, axes[:len(axes)-1], options); err != nil {
		return nil, err
	}
	return p, nil
}

// Len is the number of real elements of an array.
func (p *RealNDPlan[R, C]) Len() int { return p.size }

// Bins is the number of complex elements of its transform.
func (p *RealNDPlan[R, C]) Bins() int { return p.bins }

// BinsShape is the shape of the transform.
func (p *RealNDPlan[R, C]) BinsShape() []int { return slices.Clone(p.shape) }

// Forward transforms src, of Len elements, into dst, of Bins elements.
func (p *RealNDPlan[R, C]) Forward(dst []C, src []R) error {
	if err := p.check("real nd forward", dst, src); err != nil {
		return err
	}
	p.real.lines(dst, src, p.forward, false)
	for _, axis := range p.axes {
		axis.plan.lines(dst, dst, axis.lines, false)
	}
	return nil
}

// Inverse transforms src, of Bins elements, back into dst, of Len elements.
// src is not changed.
func (p *RealNDPlan[R, C]) Inverse(dst []R, src []C) error {
	if err := p.check("real nd inverse", src, dst); err != nil {
		return err
	}
	if len(p.axes) == 0 {
		p.real.lines(src, dst, p.inverse, true)
		return nil
	}
	scratch := p.scratch.get(p.bins)
	from := src
	for _, axis := range slices.Backward(p.axes) {
		axis.plan.lines(*scratch, from, axis.lines, true)
		from = *scratch
	}
	p.real.lines(*scratch, dst, p.inverse, true)
	p.scratch.put(scratch)
	return nil
}

func (p *RealNDPlan[R, C]) check(op string, bins []C, samples []R) error {
	switch {
	case p == nil || p.real == nil:
		return errNoPlan
	case len(bins) != p.bins:
		return fmt.Errorf("fft: %s: the complex side has %d elements, want %d", op, len(bins), p.bins)
	case len(samples) != p.size:
		return fmt.Errorf("fft: %s: the real side has %d elements, want %d", op, len(samples), p.size)
	case spanOf(bins).overlaps(spanOf(samples)):
		return fmt.Errorf("fft: %s: dst and src overlap", op)
	}
	return nil
}
