package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// errParts is the reason a group is not fused that begins one result and goes
// on with another: a launch does either.
var errParts = errors.New("begins one result and goes on with another")

// errLeavesLine is the reason a group is not fused after all: some stage needs
// elements of a line that no stage of the same line wrote.
var errLeavesLine = errors.New("an operand leaves its line")

// builder writes the line program of a group.
type builder struct {
	*group
	p     *ir.Line
	step  Step
	local map[BufferID]ir.SlotID // buffer -> slot, for buffers that need not exist
	unit  map[BufferID]int       // buffer -> stride along the line of what lies on chip
	out   map[BufferID]ir.SlotID // buffer -> slot of what is also stored
	seg   int                    // axis of the group that is the segments, or -1
	args  []Arg                  // of the member that is being written
}

// build writes the step of the group. On an error it says which step is to
// blame.
func (g *group) build() (step Step, at StepID, err error) {
	b := &builder{group: g, p: &ir.Line{Segments: 1}, local: map[BufferID]ir.SlotID{}, unit: map[BufferID]int{}, out: map[BufferID]ir.SlotID{}, seg: g.segment}
	for i, d := range g.dims {
		if i == b.seg {
			b.p.Segments = d
		} else {
			b.p.Outer = append(b.p.Outer, d)
		}
	}
	last := g.members[len(g.members)-1].step
	b.step = Step{Program: b.p, Stream: g.plan.Steps[last].Stream, Why: g.plan.Steps[last].Why}
	b.findLocals()
	var labels []string
	for _, m := range g.inOrder() {
		s := &g.plan.Steps[m.step]
		b.args = s.Args
		if err := b.stage(m, s); err != nil {
			return Step{}, m.step, err
		}
		b.step.Args = append(b.step.Args, s.Args...)
		b.step.Nodes = append(b.step.Nodes, s.Nodes...)
		b.step.parts = append(b.step.parts, s.parts...)
		labels = append(labels, s.Label)
	}
	b.step.Label = strings.Join(labels, " > ")
	if err := b.adds(); err != nil {
		return Step{}, last, err
	}
	for _, s := range b.p.Slots {
		if s.Kind == ir.LocalSlot && s.Len == 0 {
			return Step{}, last, errLeavesLine
		}
	}
	if err := b.p.Verify(); err != nil {
		return Step{}, b.blamed(last), err
	}
	return b.step, last, nil
}

// blamed is the step that a program is not valid with: one that adds up lines,
// if there is one, because most is asked of those.
func (b *builder) blamed(last StepID) StepID {
	for _, m := range b.members {
		if m.axes.frames != nil {
			return m.step
		}
	}
	return last
}

// adds finds out whether the step goes on with what earlier steps began.
func (b *builder) adds() error {
	begun := map[BufferID]bool{}
	for _, m := range b.members {
		if s := &b.plan.Steps[m.step]; !s.Adds {
			for _, buf := range s.Writes {
				begun[buf] = true
			}
		}
	}
	for i, buf := range b.step.Writes {
		if goesOn := !begun[buf]; i == 0 {
			b.step.Adds = goesOn
		} else if b.step.Adds != goesOn {
			return errParts
		}
	}
	return nil
}

// inOrder lists the members: those in the segments, the reduction over them,
// those behind.
func (g *group) inOrder() []*member {
	var parts [3][]*member
	for i := range g.members {
		m := &g.members[i]
		at := 0
		switch {
		case m.isBehind():
			at = 2
		case m.sums >= 0:
			at = 1
		case m.axes.frames != nil:
			at = 2
		}
		parts[at] = append(parts[at], m)
	}
	return slices.Concat(parts[0], parts[1], parts[2])
}

// findLocals decides which buffers only the group sees.
func (b *builder) findLocals() {
	other := func(step StepID) bool { return !b.has(step) }
	for _, m := range b.members {
		s := &b.plan.Steps[m.step]
		for k, buf := range s.Writes {
			if _, ok := b.local[buf]; ok || b.uses.result[buf] ||
				slices.ContainsFunc(b.uses.readers[buf], other) || slices.ContainsFunc(b.uses.writers[buf], other) {
				continue
			}
			o := m.axes.writes[k]
			b.unit[buf] = 1
			if m.line >= 0 && o.Strides[m.line] != 0 {
				b.unit[buf] = abs(o.Strides[m.line])
			}
			b.local[buf] = b.p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: o.Type})
		}
	}
}

func abs(n int) int { return max(n, -n) }

// bind gives the slot of an operand and restates the operand along the line.
func (b *builder) bind(m *member, buf BufferID, o ir.Operand, n int, write bool) (ir.SlotID, ir.Operand, error) {
	along := 0
	if m.line >= 0 {
		along = o.Strides[m.line]
	}
	if slot, ok := b.local[buf]; ok {
		unit := b.unit[buf]
		if along%unit != 0 || o.Offset%unit != 0 {
			return 0, o, errLeavesLine
		}
		on := ir.Operand{Type: o.Type, Offset: o.Offset / unit, Strides: []int{along / unit}}
		lo, hi := on.Span([]int{n})
		s := &b.p.Slots[slot]
		switch {
		case write && lo >= 0:
			s.Len = max(s.Len, hi)
		case lo < 0 || hi > s.Len:
			return 0, o, errLeavesLine
		}
		return slot, on, nil
	}
	// The slot starts at the lowest element the stage touches.
	on := ir.Operand{Type: o.Type, Strides: []int{along}}
	lo, hi := on.Span([]int{n})
	on.Offset = -lo
	if slot, ok := b.out[buf]; ok {
		s := &b.p.Slots[slot]
		on.Offset = o.Offset - s.Offset
		lo, hi = on.Span([]int{n})
		if lo < 0 || !write && hi > s.Len {
			return 0, o, errLeavesLine
		}
		s.Len = max(s.Len, hi)
		return slot, on, nil
	}
	s := ir.Slot{Kind: ir.InSlot, Type: o.Type, Len: hi - lo, Offset: o.Offset + lo}
	if write {
		s.Kind = ir.OutSlot
		b.out[buf] = ir.SlotID(len(b.p.Slots))
		b.step.Writes = append(b.step.Writes, buf)
	}
	for j, axis := range m.outer {
		stride := 0
		if axis >= 0 {
			stride = o.Strides[axis]
		}
		if j == b.seg {
			if m.sums < 0 || !write {
				s.Segment = stride
			}
		} else {
			s.Strides = append(s.Strides, stride)
		}
	}
	if !write {
		if slot := b.alike(buf, s); slot >= 0 {
			return slot, on, nil
		}
		b.step.Reads = append(b.step.Reads, buf)
	}
	return b.p.AddSlot(s), on, nil
}

// alike is the slot that reads the same lines of a buffer already, for an
// earlier stage; -1 if there is none. A line that stays near is one read.
func (b *builder) alike(buf BufferID, s ir.Slot) ir.SlotID {
	read := 0
	for i, t := range b.p.EachSlot() {
		if t.Kind != ir.InSlot {
			continue
		}
		if b.step.Reads[read] == buf && t.Type == s.Type && t.Len == s.Len && t.Offset == s.Offset &&
			t.Segment == s.Segment && slices.Equal(t.Strides, s.Strides) {
			return i
		}
		read++
	}
	return -1
}

// bindShared gives the slot of an operand that every line reads all of.
func (b *builder) bindShared(buf BufferID, o ir.Operand, dims []int) (ir.SlotID, ir.Operand) {
	lo, hi := o.Span(dims)
	s := ir.Slot{Kind: ir.InSlot, Type: o.Type, Len: hi - lo, Offset: lo, Strides: make([]int, len(b.p.Outer))}
	o.Offset -= lo
	if slot := b.alike(buf, s); slot >= 0 {
		return slot, o
	}
	b.step.Reads = append(b.step.Reads, buf)
	return b.p.AddSlot(s), o
}

// bindAll binds a list of operands over n points.
func (b *builder) bindAll(m *member, bufs []BufferID, ops []ir.Operand, n int, write bool) ([]ir.SlotID, []ir.Operand, error) {
	slots := make([]ir.SlotID, len(ops))
	on := make([]ir.Operand, len(ops))
	for i, o := range ops {
		var err error
		if slots[i], on[i], err = b.bind(m, bufs[i], o, n, write); err != nil {
			return nil, nil, err
		}
	}
	return slots, on, nil
}

// stage writes the stage, or stages, of a member.
func (b *builder) stage(m *member, s *Step) error {
	each := b.seg >= 0 && m.outer[b.seg] >= 0
	n := 1
	if m.line >= 0 {
		n = m.axes.dims[m.line]
	}
	inLen, outLen := m.lineReads(s.Program), n
	if f, ok := s.Program.(*ir.FFT); ok {
		outLen = f.OutLen()
	}
	if q, ok := s.Program.(*ir.Sort); ok {
		outLen = q.Keep
	}
	if r, ok := s.Program.(*ir.Reduce); ok {
		return b.reduce(m, s, r, n, each)
	}
	if o, ok := s.Program.(*ir.Overlap); ok {
		return b.overlap(m, s, o)
	}
	own := len(s.Reads)
	if m.axes.shared > 0 {
		own = m.axes.shared
	}
	reads, in, err := b.bindAll(m, s.Reads[:own], m.axes.reads[:own], inLen, false)
	if err != nil {
		return err
	}
	writes, out, err := b.bindAll(m, s.Writes, m.axes.writes, outLen, true)
	if err != nil {
		return err
	}
	var p ir.Program
	switch q := s.Program.(type) {
	case *ir.Map:
		c := b.code(&q.Code, in)
		c.Positions = m.alongLine(q.Positions)
		p = &ir.Map{Dims: []int{n}, Code: c, Out: out, Value: q.Value}
	case *ir.FFT:
		f := *q
		f.Outer, f.In, f.Out = nil, in[0], out[0]
		p = &f
	case *ir.Butterfly:
		f := *q
		f.Outer, f.In, f.Out = nil, in[0], out[0]
		var slot ir.SlotID
		slot, f.W = b.bindShared(s.Reads[own], q.W, q.WDims())
		reads = append(reads, slot)
		p = &f
	case *ir.Scan:
		p = &ir.Scan{Dims: []int{n}, Op: q.Op, In: in[0], Out: out[0]}
	case *ir.Sort:
		t := *q
		t.Dims, t.In = []int{n}, in[0]
		t.SetWrites(out)
		p = &t
	default:
		return fmt.Errorf("plan: %s has no stage", p.Name())
	}
	b.p.Stages = append(b.p.Stages, ir.Stage{Program: p, Reads: reads, Writes: writes, Each: each})
	return nil
}

// code restates code for other operands and for the arguments of the fused
// launch, in which the member's own come after those so far. A constant that is
// there already is that one, so that devices see what stages have in common.
func (b *builder) code(c *ir.Code, in []ir.Operand) ir.Code {
	out := c.WithArguments(func(x ir.Instr) int {
		if x.Kind == ir.Const {
			if at := slices.Index(b.step.Args, b.args[x.Slot]); at >= 0 {
				return at
			}
		}
		return x.Slot + len(b.step.Args)
	})
	out.In, out.Positions = in, nil
	return out
}

// alongLine restates positions for one line.
func (m *member) alongLine(list []ir.Operand) []ir.Operand {
	out := make([]ir.Operand, len(list))
	for i, o := range list {
		out[i] = ir.Operand{Type: o.Type, Offset: o.Offset, Strides: []int{0}}
		if m.line >= 0 {
			out[i].Strides[0] = o.Strides[m.line]
		}
	}
	return out
}

// reduce writes a reduction along the line, or the accumulation over segments
// followed by what the reduction ends in.
func (b *builder) reduce(m *member, s *Step, r *ir.Reduce, n int, each bool) error {
	reads, in, err := b.bindAll(m, s.Reads[:len(r.In)], m.axes.reads[:len(r.In)], n, false)
	if err != nil {
		return err
	}
	if m.sums < 0 {
		point := *m
		point.line = -1
		postReads, postIn, err := b.bindAll(&point, s.Reads[len(r.In):], m.axes.reads[len(r.In):], 1, false)
		if err != nil {
			return err
		}
		writes, out, err := b.bindAll(&point, s.Writes, m.axes.writes, 1, true)
		if err != nil {
			return err
		}
		for i := range postIn {
			postIn[i].Strides = nil
		}
		out[0].Strides = nil
		p := &ir.Reduce{Dims: []int{n}, Inner: 1, Code: b.code(&r.Code, in), Value: r.Value, Op: r.Op,
			Post: b.code(&r.Post, postIn), Out: out[0]}
		b.p.Stages = append(b.p.Stages, ir.Stage{Program: p, Reads: append(reads, postReads...), Writes: writes, Each: each})
		return nil
	}

	typ := r.Instrs[r.Value].Type
	acc := b.p.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: typ, Len: n})
	whole := ir.Operand{Type: typ, Strides: []int{1}}
	first := &ir.Map{Dims: []int{n}, Code: b.code(&r.Code, in), Out: []ir.Operand{whole}, Value: []ir.ValueID{r.Value}}
	b.p.Stages = append(b.p.Stages, ir.Stage{
		First: first, Program: accumulate(first, r.Op, typ), Combine: r.Op,
		Reads: append(reads, acc), Writes: []ir.SlotID{acc}, Each: true,
	})
	return b.after(m, s, r, acc, n)
}

// accumulate is a map that combines what first computes with what is there.
func accumulate(first *ir.Map, op ir.ReduceOp, typ elem.Type) *ir.Map {
	w := ir.Rewriter[int]{Code: ir.Clone(first).(*ir.Map).Code, Sources: make([]int, len(first.In))}
	before := w.Load(1, first.Out[0])
	v := w.Append(ir.Instr{Kind: ir.Apply, Op: combine[op], Type: typ, A: before, B: first.Value[0]})
	return &ir.Map{Dims: first.Dims, Code: w.Code, Out: first.Out, Value: []ir.ValueID{v}}
}

// combine is the pointwise operation of each reduction.
var combine = [...]scalar.Op{
	ir.Sum: scalar.Add, ir.Prod: scalar.Mul, ir.Max: scalar.Maximum,
	ir.Min: scalar.Minimum, ir.All: scalar.And, ir.Any: scalar.Or,
}

// after writes what follows a reduction over segments: its Post code as a map
// along the line, with the accumulated value in place of Acc.
func (b *builder) after(m *member, s *Step, r *ir.Reduce, acc ir.SlotID, n int) error {
	behind := *m
	behind.outer = slices.Clone(m.outer)
	behind.outer[b.seg] = -1
	reads, in, err := b.bindAll(&behind, s.Reads[len(r.In):], m.axes.reads[len(r.In):], n, false)
	if err != nil {
		return err
	}
	writes, out, err := b.bindAll(&behind, s.Writes, m.axes.writes, n, true)
	if err != nil {
		return err
	}
	code := b.code(&r.Post, in).AccFrom(ir.Operand{Type: r.Post.Instrs[0].Type, Strides: []int{1}})
	p := &ir.Map{Dims: []int{n}, Code: code, Out: out, Value: []ir.ValueID{code.Last()}}
	b.p.Stages = append(b.p.Stages, ir.Stage{Program: p, Reads: append(reads, acc), Writes: writes})
	return nil
}

// overlap writes the stage that adds lines where they overlap.
func (b *builder) overlap(m *member, s *Step, o *ir.Overlap) error {
	slot, in, err := b.bind(m, s.Reads[0], m.axes.reads[0], o.Size, false)
	if err != nil {
		return err
	}
	if b.p.Slots[slot].Kind != ir.LocalSlot {
		return errStored
	}
	out := ir.Slot{Kind: ir.OutSlot, Type: o.Out.Type, Len: o.Length, Offset: o.Out.Offset, Strides: m.outerStrides(m.axes.writes[0])}
	b.step.Writes = append(b.step.Writes, s.Writes[0])
	b.p.Frames = m.frameSteps()
	one := &ir.Overlap{Turns: 1, Phases: 1, Size: o.Size, Count: o.Count, Hop: o.Hop, Skip: o.Skip, Length: o.Length,
		In:  ir.Operand{Type: in.Type, Offset: in.Offset, Strides: []int{0, 0, in.Strides[0]}},
		Out: ir.Operand{Type: o.Out.Type, Strides: []int{1}}}
	b.p.Stages = append(b.p.Stages, ir.Stage{Program: one, Reads: []ir.SlotID{slot}, Writes: []ir.SlotID{b.p.AddSlot(out)}})
	return nil
}

// errStored is the reason why frames are not added on chip.
var errStored = errors.New("the frames are wanted, too")
