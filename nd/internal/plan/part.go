package plan

import (
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// longEnd is how many operations on the result of a sum are better a step of their own, if
// that costs no launch: one thread does them, and waits for its instructions to come from
// memory, while sums that could run beside this one wait for it.
const longEnd = 16

// partSums is a plan in which sums to one number are apart from what is computed of it;
// nil if there are none.
func partSums(p *Plan) *Plan {
	isLong := func(s *Step) bool {
		r, ok := s.Program.(*ir.Reduce)
		return ok && !s.Adds && ir.Count(r.Outer()) == 1 && len(r.Post.Positions) == 0 &&
			lists.Count(r.Post.Instrs, func(in ir.Instr) bool { return in.Kind == ir.Apply }) >= longEnd
	}
	if !slices.ContainsFunc(p.Steps, func(s Step) bool { return isLong(&s) }) {
		return nil
	}
	q := p.Clone()
	var steps []Step
	for _, s := range q.Steps {
		if !isLong(&s) {
			steps = append(steps, s)
			continue
		}
		r := s.Program.(*ir.Reduce)
		acc := r.Post.Instrs[0]
		one := ir.Contiguous(acc.Type, r.Outer())
		sum := q.addBuffer(Buffer{Node: q.Buffers[s.Writes[0]].Node, Bytes: acc.Type.Size()})
		end := &ir.Map{Dims: slices.Clone(r.Outer()), Code: r.Post.AccFrom(one), Value: []ir.ValueID{r.Post.Last()}, Out: []ir.Operand{r.Out}}
		behind := s
		behind.Program = end
		behind.Reads = append(slices.Clone(s.Reads[len(r.In):]), sum)
		behind.Args, behind.Nodes = slices.Clone(s.Args), slices.Clone(s.Nodes)
		r.Post, r.Out = ir.Code{Instrs: []ir.Instr{acc}}, one
		s.Reads, s.Writes = slices.Clone(s.Reads[:len(r.In)]), []BufferID{sum}
		s.Label, _, _ = strings.Cut(s.Label, "+")
		steps = append(steps, s, behind)
	}
	q.Steps = steps
	return q
}
