package fft

import (
	"fmt"
	"math"
	"unsafe"
)

// Trig names a transform between real lines: a discrete cosine or sine
// transform, or the Hartley transform.
type Trig int

// The transforms. The DCTs and DSTs are those of scipy.fft, factors of 2
// included; see the package's documentation for the sums.
const (
	DCT1 Trig = iota + 1
	DCT2
	DCT3
	DCT4
	DST1
	DST2
	DST3
	DST4
	Hartley
)

var trigNames = [...]string{
	DCT1: "DCT-I", DCT2: "DCT-II", DCT3: "DCT-III", DCT4: "DCT-IV",
	DST1: "DST-I", DST2: "DST-II", DST3: "DST-III", DST4: "DST-IV",
	Hartley: "Hartley",
}

func (t Trig) valid() bool { return t >= DCT1 && t <= Hartley }

func (t Trig) String() string {
	if !t.valid() {
		return fmt.Sprintf("Trig(%d)", int(t))
	}
	return trigNames[t]
}

// ParseTrig is the transform of that name, as String gives it: DCT-II.
func ParseTrig(name string) (Trig, error) {
	for t := DCT1; t <= Hartley; t++ {
		if trigNames[t] == name {
			return t, nil
		}
	}
	return 0, fmt.Errorf("fft: transform %q: want one of %v", name, trigNames[DCT1:])
}

// inverse is the kind that undoes t, up to a factor.
func (t Trig) inverse() Trig {
	switch t {
	case DCT2:
		return DCT3
	case DCT3:
		return DCT2
	case DST2:
		return DST3
	case DST3:
		return DST2
	}
	return t
}

// total is what a transform and the one that undoes it multiply by together.
func (t Trig) total(n int) float64 {
	switch t {
	case DCT1:
		return 2 * float64(n-1)
	case DST1:
		return 2 * float64(n+1)
	case Hartley:
		return float64(n)
	}
	return 2 * float64(n)
}

// kernel computes one kind of one length, unscaled. dst and src are equal or
// disjoint; the factor multiplies every output.
type kernel[R Float] interface {
	run(dst, src []R, factor R)
}

// TrigPlan transforms real lines of one length with a cosine, sine or Hartley
// transform. It is immutable: any number of goroutines may use it at once.
type TrigPlan[R Float] struct {
	n                int
	kind             Trig
	ortho            bool
	forward, inverse kernel[R]
	forwardFactor    R
	inverseFactor    R
	scratch          pool[R] // for the orthonormal ends
}

// NewTrigPlan prepares transforms of that kind of n elements, n >= 1, or
// n >= 2 for DCT1. With NormOrtho the transform matrix is orthogonal, as with
// norm="ortho" in SciPy. It takes at most one Options, whose Threads and
// Recipe do not apply.
func NewTrigPlan[R Float](kind Trig, n int, o ...Options) (*TrigPlan[R], error) {
	const op = "trig plan"
	options, err := one(op, o)
	if err != nil {
		return nil, err
	}
	if !kind.valid() {
		return nil, fmt.Errorf("fft: %s: %v is not a kind of transform: want DCT1 to DST4, or Hartley", op, kind)
	}
	if err := checkLen(op, n); err != nil {
		return nil, err
	}
	if kind == DCT1 && n < 2 {
		return nil, fmt.Errorf("fft: %s: %v of length %d, want at least 2", op, kind, n)
	}
	options.Recipe, options.Threads = "", 1
	p := &TrigPlan[R]{n: n, kind: kind, ortho: options.Norm == NormOrtho}
	if p.forward, err = newKernel[R](op, kind, n, options); err != nil {
		return nil, err
	}
	p.inverse = p.forward
	if inverse := kind.inverse(); inverse != kind {
		if p.inverse, err = newKernel[R](op, inverse, n, options); err != nil {
			return nil, err
		}
	}
	forward, inverse := options.Norm.factors(kind.total(n))
	p.forwardFactor, p.inverseFactor = R(forward), R(inverse)
	return p, nil
}

// newKernel picks the complex type that goes with R.
func newKernel[R Float](op string, kind Trig, n int, o Options) (kernel[R], error) {
	if unsafe.Sizeof(R(0)) == 4 {
		return kernelOf[R, complex64](op, kind, n, o)
	}
	return kernelOf[R, complex128](op, kind, n, o)
}

func kernelOf[R Float, C Complex](op string, kind Trig, n int, o Options) (kernel[R], error) {
	o.Norm = NormBackward
	switch kind {
	case DCT1, DST1:
		return newExtended[R, C](op, kind, n, o)
	case DCT2, DST2, DCT3, DST3:
		return newQuarter[R, C](op, kind, n, o)
	case DCT4, DST4:
		if n%2 == 0 {
			return newFourEven[R, C](op, kind, n, o)
		}
		return newFourOdd[R, C](op, kind, n, o)
	}
	return newHartley[R, C](op, n, o)
}

// Len is the number of elements of a line.
func (p *TrigPlan[R]) Len() int { return p.n }

// Kind is the transform that Forward performs.
func (p *TrigPlan[R]) Kind() Trig { return p.kind }

// Forward transforms src into dst. Both have Len elements; they are the same
// slice or do not overlap.
func (p *TrigPlan[R]) Forward(dst, src []R) error {
	if err := p.check("trig forward", dst, src); err != nil {
		return err
	}
	p.run(p.forward, p.kind, dst, src, p.forwardFactor)
	return nil
}

// Inverse undoes Forward. Both slices have Len elements; they are the same
// slice or do not overlap.
func (p *TrigPlan[R]) Inverse(dst, src []R) error {
	if err := p.check("trig inverse", dst, src); err != nil {
		return err
	}
	p.run(p.inverse, p.kind.inverse(), dst, src, p.inverseFactor)
	return nil
}

func (p *TrigPlan[R]) check(op string, dst, src []R) error {
	if p == nil || p.forward == nil {
		return errNoPlan
	}
	return checkLines(op, p.n, dst, src)
}

// run applies a kernel. To be orthogonal, types I to III weigh their end
// elements by sqrt(2) on one side or the other.
func (p *TrigPlan[R]) run(k kernel[R], kind Trig, dst, src []R, factor R) {
	last := p.n - 1
	if !p.ortho {
		k.run(dst, src, factor)
		return
	}
	switch kind {
	case DCT1, DCT3, DST3:
		weighed := p.scratch.get(p.n)
		copy(*weighed, src)
		switch kind {
		case DCT1:
			(*weighed)[0] *= math.Sqrt2
			(*weighed)[last] *= math.Sqrt2
		case DCT3:
			(*weighed)[0] *= math.Sqrt2
		case DST3:
			(*weighed)[last] *= math.Sqrt2
		}
		k.run(dst, *weighed, factor)
		p.scratch.put(weighed)
	default:
		k.run(dst, src, factor)
	}
	switch kind {
	case DCT1:
		dst[0] *= math.Sqrt2 / 2
		dst[last] *= math.Sqrt2 / 2
	case DCT2:
		dst[0] *= math.Sqrt2 / 2
	case DST2:
		dst[last] *= math.Sqrt2 / 2
	}
}
