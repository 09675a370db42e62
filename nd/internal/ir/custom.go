package ir

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/kernc"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Custom runs a kernel of the user's over a grid of threads. Operands are over
// their own shapes: an output is all of its buffer, row-major; so is an input,
// from its offset on, unless Strided.
type Custom struct {
	Unit              *kernc.Unit
	Grid, Threadgroup [3]int // in threads
	In, Out           []Operand
	InShapes          [][]int
	OutShapes         [][]int
	// Init is what outputs hold before the kernel runs.
	Init float64
	// Written says, per output, that the kernel sets every element, so that
	// none needs Init.
	Written []bool
	Check   bool  // watch for races and conflicting writes
	Strided bool  // inputs are given as they lie
	Limit   int64 // turns of loops per group; 0 is no limit
	// Work is how many operations all threads do, if whoever launches it has said so.
	Work float64
}

// Name is "custom".
func (*Custom) Name() string { return "custom" }

// Ops is what the launch says, or a guess of one operation per thread: nobody else knows
// what a body does.
func (c *Custom) Ops() float64 {
	if c.Work > 0 {
		return c.Work
	}
	return float64(c.Grid[0]) * float64(c.Grid[1]) * float64(c.Grid[2])
}

// Verify checks that operands fit the kernel.
func (c *Custom) Verify() error {
	if len(c.In) != len(c.Unit.Inputs) || len(c.InShapes) != len(c.In) ||
		len(c.Out) != len(c.Unit.Outputs) || len(c.OutShapes) != len(c.Out) || len(c.Written) != len(c.Out) {
		return fmt.Errorf("ir: custom: %s has %d inputs and %d outputs, given %d and %d",
			c.Unit.Name, len(c.Unit.Inputs), len(c.Unit.Outputs), len(c.In), len(c.Out))
	}
	check := func(o Operand, shape []int, as kernc.Operand, packed bool) error {
		if o.Type != as.Type || len(o.Strides) != len(shape) {
			return fmt.Errorf("ir: custom: %s: %v over %v for %s %s", c.Unit.Name, o, shape, as.Type, as.Name)
		}
		if err := verifyDims(shape); err != nil {
			return fmt.Errorf("ir: custom: %s: %w", c.Unit.Name, err)
		}
		if packed && !o.IsPacked(shape) {
			return fmt.Errorf("ir: custom: %s: %s is not row-major: strides %v over %v", c.Unit.Name, as.Name, o.Strides, shape)
		}
		if slices.ContainsFunc(o.Strides, func(s int) bool { return s < 0 }) {
			return fmt.Errorf("ir: custom: %s: %s walks backwards: strides %v", c.Unit.Name, as.Name, o.Strides)
		}
		return nil
	}
	for i, o := range c.In {
		if err := check(o, c.InShapes[i], c.Unit.Inputs[i], !c.Strided); err != nil {
			return err
		}
	}
	for i, o := range c.Out {
		if err := check(o, c.OutShapes[i], c.Unit.Outputs[i], true); err != nil {
			return err
		}
	}
	for i := range 3 {
		if c.Grid[i] < 1 || c.Threadgroup[i] < 1 {
			return fmt.Errorf("ir: custom: %s: grid %v in groups of %v", c.Unit.Name, c.Grid, c.Threadgroup)
		}
	}
	return nil
}

// IsPacked reports that elements over dims follow each other in row-major
// order. The strides of dimensions of one element do not matter.
func (o Operand) IsPacked(dims []int) bool { return o.view(dims).IsContiguous() }

// Reach is how many elements the kernel may reach of an operand.
func (c *Custom) Reach(o Operand, dims []int) int {
	if !c.Strided {
		return Count(dims)
	}
	_, hi := o.Span(dims)
	return max(hi-o.Offset, 0)
}

func (*Custom) String() string { return "custom" }

// Extent is the grid.
func (c *Custom) Extent() []int { return c.Grid[:] }

func (c *Custom) Accesses() []Access {
	list := lists.Make(len(c.In), func(i int) Access { return Access{Operand: c.In[i], Dims: c.InShapes[i]} })
	return append(list, lists.Make(len(c.Out), func(i int) Access { return Access{Operand: c.Out[i], Dims: c.OutShapes[i], Write: true} })...)
}

func (c *Custom) key(k *keyer) {
	k.b = append(k.b, c.Unit.Key[:]...)
	k.ints(c.Grid[:])
	k.ints(c.Threadgroup[:])
	k.operands(c.In...)
	k.operands(c.Out...)
	for _, list := range [][][]int{c.InShapes, c.OutShapes} {
		for _, s := range list {
			k.ints(s)
		}
	}
	for _, w := range c.Written {
		k.ints([]int{flag(w)})
	}
	k.ints([]int{flag(c.Check), flag(c.Strided), int(c.Limit)})
	k.float(c.Init)
	k.float(c.Work)
}

func (c *Custom) clone() Program { return c }

// spaces is nothing: a kernel asks for its shapes.
func (c *Custom) spaces(func(*Space)) {}
