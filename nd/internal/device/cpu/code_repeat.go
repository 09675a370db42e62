package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// An operand that is repeated over the leading dimensions, such as three factors for three
// colours, has the same elements in every block but for where they begin. A worker gathers them
// once, repeated for a whole block, and every block starts at its place among them.

// mostRepeated is the longest period that is repeated: then a block has it twice.
const mostRepeated = 1024

// period is how many points the dimensions behind lead have.
func (c *code) period(lead int) int { return ir.Count(c.dims[lead:]) }

// leading is how many of the first dimensions an operand does not depend on.
func (c *code) leading(l *layout) int {
	for i, n := range c.dims {
		if n != 1 && l.strides[i] != 0 {
			return i
		}
	}
	return len(c.dims)
}

// repeats reports an operand that is better repeated than gathered for every block.
func (c *code) repeats(l *layout) bool {
	lead := c.leading(l)
	return !c.rows && lead > 0 && c.period(lead) <= min(mostRepeated, c.block)
}

// repeat gives an operand its memory.
func (e *emitter) repeat(l *load) {
	l.lead = e.c.leading(&l.layout)
	n := min(e.c.period(l.lead)+e.c.block, ir.Count(e.c.dims))
	l.ptr, l.tile = e.place(), e.memory(n*l.size)
}

// repeat fills that memory.
func (c *code) repeat(f *frame, o *load) {
	period := c.period(o.lead)
	n := min(period+c.block, ir.Count(c.dims))
	to := f.ptr[o.tile]
	clear(f.walk)
	if o.kind == positionRepeat {
		positionsOf(&c.vec.I64, unsafe.Slice((*int64)(to), period), &o.layout, c.dims, f.walk)
	} else {
		gatherPoints(&c.vec.Move, to, f.mem[o.mem], &o.layout, c.dims, f.walk, period)
	}
	repeatBytes(slice[byte](to, n*o.size), period*o.size)
}

// phase is where a block begins among the elements of a repeat.
func (c *code) phase(f *frame, o *load) int {
	at := 0
	for i := o.lead; i < len(c.dims); i++ {
		at = at*c.dims[i] + f.index[i]
	}
	return at
}
