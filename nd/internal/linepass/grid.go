package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// grid is the elements of a line in a buffer that stages use: count of them from
// base, step apart. A line of a transposed array spans most of the array, and
// bringing the span on chip for each tile made the time quadratic in the lines.
type grid struct{ base, step, count int }

// mostGaps bounds the elements of a grid that nobody uses, for each that somebody
// does: grids with more are not worth bringing on chip.
const mostGaps = 1

// fewElements is a line that is brought on chip whatever of it is used.
const fewElements = 64

// gridOf is the grid of an input; false if it is mostly elements that no stage
// uses.
func gridOf(p *ir.Line, slot ir.SlotID) (grid, bool) {
	whole := grid{step: 1, count: p.Slots[slot].Len}
	lo, hi, step, used := whole.count, 0, 0, 0
	var offsets []int
	see := func(program ir.Program, slots []ir.SlotID) {
		reads, _, err := ir.OverLine(program)
		if _, ok := program.(*ir.FFT); (ok || err != nil) && slices.Contains(slots, slot) {
			step = 1 // transforms read neighbours
		}
		for k, r := range reads {
			n := ir.Count(r.Dims)
			if slots[k] != slot || n == 0 {
				continue
			}
			from, to := r.Operand.Span(r.Dims)
			lo, hi = min(lo, from), max(hi, to)
			offsets = append(offsets, r.Operand.Offset)
			if n > 1 && r.Operand.Strides[0] != 0 {
				step = gcd(step, r.Operand.Strides[0])
				used += n
			} else {
				used++
			}
		}
	}
	for _, s := range p.Stages {
		if s.First != nil {
			see(s.First, s.Reads)
		}
		see(s.Program, s.Reads)
	}
	if len(offsets) == 0 {
		return whole, true
	}
	for _, o := range offsets {
		step = gcd(step, o-lo)
	}
	if step == 1 {
		return whole, whole.count <= (1+mostGaps)*used || whole.count <= fewElements
	}
	g := grid{base: lo, step: max(step, 1), count: 1}
	g.count += (hi - 1 - lo) / g.step
	return g, g.count <= (1+mostGaps)*used || g.count <= fewElements
}

// on is an operand of the line as one of its grid.
func (g grid) on(o ir.Operand) ir.Operand {
	o.Offset = (o.Offset - g.base) / g.step
	strides := lists.Map(o.Strides, func(s int) int { return s / g.step })
	o.Strides = strides
	return o
}

// gcd is the greatest common divisor of sizes; of 0 and n it is n.
func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
