package fft

import (
	"fmt"
	"slices"
)

// NDPlan transforms arrays of one shape along some of their axes. The arrays
// are contiguous with the last index varying fastest (C order). It is
// immutable: any number of goroutines may use it at once.
type NDPlan[C Complex] struct {
	shape []int
	size  int
	axes  []axisPlan[C] // in the order they are transformed
}

// axisPlan transforms all lines along one axis.
type axisPlan[C Complex] struct {
	plan  *Plan[C]
	lines lines
}

// NewNDPlan prepares transforms of arrays of the given shape along the given
// axes; no axes means all of them. Negative axes count from the end. The norm
// applies to each axis, so its factor is over the product of their lengths.
func NewNDPlan[C Complex](shape, axes []int, o ...Options) (*NDPlan[C], error) {
	const op = "nd plan"
	options, err := one(op, o)
	if err != nil {
		return nil, err
	}
	size, axes, err := checkShape(op, shape, axes)
	if err != nil {
		return nil, err
	}
	p := &NDPlan[C]{shape: slices.Clone(shape), size: size}
	p.axes, err = axisPlans[C](op, shape, axes, options)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// checkShape is the number of elements of a shape, and the axes counted from
// the front.
func checkShape(op string, shape, axes []int) (size int, positive []int, err error) {
	size = 1
	for _, d := range shape {
		if d < 0 {
			return 0, nil, fmt.Errorf("fft: %s: shape %v has a negative dimension", op, shape)
		}
		fits := true
		if size, fits = product(size, d); !fits {
			return 0, nil, fmt.Errorf("fft: %s: shape %v: more elements than can be addressed", op, shape)
		}
	}
	if len(shape) == 0 {
		return 0, nil, fmt.Errorf("fft: %s: shape %v has no axis to transform", op, shape)
	}
	if len(axes) == 0 {
		for i := range shape {
			positive = append(positive, i)
		}
	}
	for _, a := range axes {
		i := a
		if i < 0 {
			i += len(shape)
		}
		if i < 0 || i >= len(shape) {
			return 0, nil, fmt.Errorf("fft: %s: axis %d out of range for shape %v", op, a, shape)
		}
		if slices.Contains(positive, i) {
			return 0, nil, fmt.Errorf("fft: %s: axis %d given twice", op, a)
		}
		positive = append(positive, i)
	}
	for _, i := range positive {
		if shape[i] == 0 {
			return 0, nil, fmt.Errorf("fft: %s: axis %d of shape %v is empty", op, i, shape)
		}
	}
	return size, positive, nil
}

// axisPlans makes one plan per axis, last axis first, so that the first pass
// reads neighbouring elements. Axes of the same length share a plan.
func axisPlans[C Complex](op string, shape, axes []int, o Options) ([]axisPlan[C], error) {
	plans := map[int]*Plan[C]{}
	var out []axisPlan[C]
	for _, axis := range slices.Backward(axes) {
		n := shape[axis]
		if plans[n] == nil {
			t, err := build[C](op, n, o)
			if err != nil {
				return nil, err
			}
			plans[n] = newPlan(n, t, o)
		}
		out = append(out, axisPlan[C]{plans[n], axisLines(shape, shape, axis)})
	}
	return out, nil
}

// axisLines are all lines along one axis, of a dst and a src shape that differ
// in that axis at most.
func axisLines(dst, src []int, axis int) lines {
	outer, inner := 1, 1
	for _, d := range src[:axis] {
		outer *= d
	}
	for _, d := range src[axis+1:] {
		inner *= d
	}
	if inner == 1 {
		return lines{
			outer: 1, inner: outer,
			dst: side{length: dst[axis], dist: dst[axis], stride: 1},
			src: side{length: src[axis], dist: src[axis], stride: 1},
		}
	}
	return lines{
		outer: outer, inner: inner,
		dst: side{length: dst[axis], outer: dst[axis] * inner, dist: 1, stride: inner},
		src: side{length: src[axis], outer: src[axis] * inner, dist: 1, stride: inner},
	}
}

// Len is the number of elements of an array.
func (p *NDPlan[C]) Len() int { return p.size }

// Forward transforms src into dst. Both have Len elements; they are the same
// slice or do not overlap.
func (p *NDPlan[C]) Forward(dst, src []C) error { return p.run("nd forward", dst, src, false) }

// Inverse transforms src back into dst. Both have Len elements; they are the
// same slice or do not overlap.
func (p *NDPlan[C]) Inverse(dst, src []C) error { return p.run("nd inverse", dst, src, true) }

func (p *NDPlan[C]) run(op string, dst, src []C, inverse bool) error {
	switch {
	case p == nil || len(p.axes) == 0:
		return errNoPlan
	case len(dst) != p.size:
		return fmt.Errorf("fft: %s: dst has %d elements, want %d", op, len(dst), p.size)
	case len(src) != p.size:
		return fmt.Errorf("fft: %s: src has %d elements, want %d", op, len(src), p.size)
	case spanOf(dst).partly(spanOf(src)):
		return overlapError(op)
	}
	for _, axis := range p.axes {
		axis.plan.lines(dst, src, axis.lines, inverse)
		src = dst
	}
	return nil
}
