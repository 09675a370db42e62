package ir

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Butterfly multiplies lines of N elements, a power of two from 2 on, by a
// product of sparse factors, each of which mixes pairs of elements:
//
//	v[i] = In[From[i]]                      for i < N
//	for f := range Spans:                   // h = Spans[f], a power of two below N
//	    for p < N/2:                        // i = p/h*2h + p%h, j = i+h
//	        v[i], v[j] = W[f,0,0,p]*v[i] + W[f,0,1,p]*v[j],
//	                     W[f,1,0,p]*v[i] + W[f,1,1,p]*v[j]
//	Out[To[i]] = v[i]                       for i < N
//
// A nil From or To is the order as it is. The line, W and the result have one
// type, a float of 32 or 64 bits or a complex type of them; all lines share W.
// With Spans 1, 2, ..., N/2 and From the bit reversal this is a radix-2 FFT
// whose twiddles are an operand.
type Butterfly struct {
	Outer    []int // the lines
	N        int
	Spans    []int // of each factor, in the order they are applied
	From, To []int // permutations of N positions, or nil
	In, Out  Operand
	W        Operand // over WDims, and not over Outer
}

// WDims is the index space of W: factor, row and column of a block, pair.
func (b *Butterfly) WDims() []int { return []int{len(b.Spans), 2, 2, b.N / 2} }

func (*Butterfly) Name() string { return "butterfly" }

func (b *Butterfly) String() string {
	return fmt.Sprintf("butterfly %d, %d factors", b.N, len(b.Spans))
}

func (b *Butterfly) Extent() []int { return with(b.Outer, b.N) }

func (b *Butterfly) Accesses() []Access {
	line := b.Extent()
	return []Access{{Operand: b.In, Dims: line}, {Operand: b.W, Dims: b.WDims()}, {Operand: b.Out, Dims: line, Write: true}}
}

func (b *Butterfly) key(k *keyer) {
	k.ints(b.Outer)
	k.operands(b.In, b.W, b.Out)
	k.ints([]int{b.N})
	k.ints(b.Spans)
	k.ints(b.From)
	k.ints(b.To)
}

func (b *Butterfly) clone() Program { c := *b; return &c }

func (b *Butterfly) spaces(visit func(*Space)) { b.Outer = outside(b.Outer, visit, &b.In, &b.Out) }

// Ops counts four products and two sums per pair.
func (b *Butterfly) Ops() float64 {
	ops := 3 * float64(b.N) * float64(len(b.Spans)) * float64(Count(b.Outer))
	if b.Out.Type.IsComplex() {
		ops *= 14. / 3 // of 6 and 2 real operations
	}
	return ops
}

func (b *Butterfly) Verify() error {
	t := b.In.Type
	real := t
	if t.IsComplex() {
		real = t.Real()
	}
	if b.N < 2 || b.N&(b.N-1) != 0 || len(b.Spans) == 0 || real.Complex() == elem.Invalid || b.W.Type != t || b.Out.Type != t ||
		len(b.In.Strides) != len(b.Outer)+1 || len(b.Out.Strides) != len(b.Outer)+1 || len(b.W.Strides) != 4 {
		return fmt.Errorf("ir: butterfly: n %d, %d factors, lines %v, in %v, w %v, out %v", b.N, len(b.Spans), b.Outer, b.In, b.W, b.Out)
	}
	if err := verifyDims(b.Outer); err != nil {
		return fmt.Errorf("ir: butterfly: %w", err)
	}
	for f, h := range b.Spans {
		if h < 1 || h >= b.N || bits.OnesCount(uint(h)) != 1 {
			return fmt.Errorf("ir: butterfly: factor %d has span %d, want a power of two below %d", f, h, b.N)
		}
	}
	for _, order := range [][]int{b.From, b.To} {
		if order != nil && !shape.IsPermutation(order, b.N) {
			return fmt.Errorf("ir: butterfly: %v is no order of %d elements", order, b.N)
		}
	}
	return nil
}
