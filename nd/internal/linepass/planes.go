package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Planes restates a line program for lines that lie side by side on chip: every
// slot there holds real numbers, complex ones being two, and what does not lie
// so in memory is brought on chip by stages of its own. FFT stages bind a line
// and the two planes of its bins; a Reduce is a map of the values, the reduction
// of those, and a map of the results.
//
// Slots in buffers come first, in their order. It gives nil if the program does
// something else than maps, reductions and transforms of whole real lines of
// floats, and the numbers of a line that do not lie side by side in memory.
func Planes(p *ir.Line) (*ir.Line, Exchanges) {
	s := planesOf(p)
	if s == nil {
		return nil, Exchanges{}
	}
	return s.to, s.exchanges
}

// Exchanges is how many numbers of a line do not lie side by side in memory, and
// have to be transposed on their way.
type Exchanges struct{ Real, Complex int }

type planes struct {
	from      *ir.Line
	to        *ir.Line
	home      [][]ir.SlotID // by slot of from: where it is on chip, one slot or two; or itself
	grid      []grid        // by slot of from: what of it is at home; all of it has none
	exchanges Exchanges
}

func planesOf(p *ir.Line) *planes {
	s := &planes{from: p, to: &ir.Line{Outer: p.Outer, Segments: p.Segments, Frames: p.Frames}, home: make([][]ir.SlotID, len(p.Slots)), grid: make([]grid, len(p.Slots))}
	s.to.Slots = slices.Clone(p.Slots)
	for i := range p.EachSlot() {
		if t := p.Slots[i].Type; t.IsHalf() || !t.IsFloat() && !t.IsComplex() || !s.settle(i) {
			return nil
		}
	}
	var before, each, behind []ir.Stage
	for i := range p.EachSlot() {
		switch in := s.bring(i); {
		case in == nil:
		case p.Slots[i].Segment != 0:
			each = append(each, *in)
			s.exchange(i, p.Segments)
		case p.Slots[i].IsAlike():
			for _, slot := range in.Writes {
				s.to.Slots[slot].Kind = ir.SharedSlot
			}
			s.to.Shared = append(s.to.Shared, *in)
		default:
			before = append(before, *in)
			s.exchange(i, 1)
		}
	}
	seen := false
	sums := p.Sums()
	for i := range p.Stages[:len(p.Stages)-len(sums)] {
		list, ok := s.stage(&p.Stages[i])
		switch seen = seen || p.Stages[i].Each; {
		case !ok:
			return nil
		case p.Stages[i].Each:
			each = append(each, list...)
		case seen:
			behind = append(behind, list...)
		default:
			before = append(before, list...)
		}
	}
	for i := range each {
		each[i].Each = true
	}
	if !seen && len(each) > 0 {
		return nil // segments of nothing
	}
	for i := range p.EachSlot() {
		if out := s.take(i); out != nil {
			behind = append(behind, *out)
			s.exchange(i, 1)
		}
	}
	for _, st := range sums {
		if len(s.home[st.Reads[0]]) > 1 {
			return nil // complex frames
		}
		behind = append(behind, ir.Stage{Program: st.Program, Reads: s.home[st.Reads[0]], Writes: st.Writes})
	}
	s.to.Stages = slices.Concat(before, each, behind)
	return s
}

// exchange counts the numbers of a slot that are transposed.
func (s *planes) exchange(slot ir.SlotID, times int) {
	n := times * s.atHome(slot)
	if s.from.Slots[slot].Type.IsComplex() {
		s.exchanges.Complex += n
	} else {
		s.exchanges.Real += n
	}
}

// beside reports lines that are neighbours in memory, element by element.
func (s *planes) beside(slot ir.SlotID) bool {
	at := &s.from.Slots[slot]
	n := len(at.Strides)
	return at.Kind != ir.LocalSlot && n > 0 && at.Strides[n-1] == 1 && !at.Type.IsComplex()
}

// settle finds the home of a slot.
func (s *planes) settle(slot ir.SlotID) bool {
	at := &s.from.Slots[slot]
	if s.beside(slot) && !s.transformed(slot) || isSum(s.from, slot) {
		s.home[slot] = []ir.SlotID{slot}
		return true
	}
	if at.Kind == ir.OutSlot && !s.whole(slot) {
		return false
	}
	if at.Kind == ir.InSlot {
		g, ok := gridOf(s.from, slot)
		if !ok {
			return false
		}
		s.grid[slot] = g
	}
	t := at.Type.Real()
	if at.Kind == ir.LocalSlot { // the planes take its place in the list
		s.to.Slots[slot] = ir.Slot{Kind: ir.LocalSlot, Type: t, Len: at.Len}
		s.home[slot] = []ir.SlotID{slot}
	} else {
		s.home[slot] = []ir.SlotID{s.local(t, s.atHome(slot))}
	}
	if at.Type.IsComplex() {
		s.home[slot] = append(s.home[slot], s.local(t, s.atHome(slot)))
	}
	return true
}

// atHome is how many elements of a slot are on chip.
func (s *planes) atHome(slot ir.SlotID) int {
	if g := s.grid[slot]; g.step > 0 {
		return g.count
	}
	return s.from.Slots[slot].Len
}

// operand is an operand of a slot as one of its home.
func (s *planes) operand(slot ir.SlotID, o ir.Operand) ir.Operand {
	if int(slot) < len(s.grid) && s.grid[slot].step > 0 {
		return s.grid[slot].on(o)
	}
	return o
}

func (s *planes) local(t elem.Type, n int) ir.SlotID {
	return s.to.AddSlot(ir.Slot{Kind: ir.LocalSlot, Type: t, Len: n})
}

// transformed reports a slot that an FFT reads or writes.
func (s *planes) transformed(slot ir.SlotID) bool {
	return slices.ContainsFunc(s.from.Stages, func(st ir.Stage) bool {
		_, ok := st.Program.(*ir.FFT)
		return ok && (st.Reads[0] == slot || st.Writes[0] == slot)
	})
}

// whole reports an output all of which one stage writes, not segment by segment.
func (s *planes) whole(slot ir.SlotID) bool {
	found := false
	for _, st := range s.from.Stages {
		for k, w := range st.Writes {
			if w != slot {
				continue
			}
			_, spans, err := ir.OverLine(st.Program)
			if err != nil || st.Each {
				return false
			}
			o, n := spans[k].Operand, ir.Count(spans[k].Dims)
			found = found || o.Offset == 0 && n == s.from.Slots[slot].Len && (n == 1 || o.Strides[0] == 1)
		}
	}
	return found
}

// bring is the map from an input to its home, or nil.
func (s *planes) bring(slot ir.SlotID) *ir.Stage {
	at := &s.from.Slots[slot]
	if at.Kind != ir.InSlot || s.home[slot][0] == slot {
		return nil
	}
	g := s.grid[slot]
	in := ir.Operand{Type: at.Type, Offset: g.base, Strides: []int{g.step}}
	m := ir.CopyOf(in, g.count)
	if at.Type.IsComplex() {
		m.Out, m.Value = nil, nil
		w := ir.Rewriter[ir.SlotID]{Code: m.Code}
		for _, part := range [...]scalar.Op{scalar.Real, scalar.Imag} {
			m.Out, m.Value = append(m.Out, alongLine(at.Type.Real())), append(m.Value, w.Append(ir.Instr{Kind: ir.Apply, Op: part, Type: at.Type.Real()}))
		}
		m.Code = w.Code
	}
	return &ir.Stage{Program: m, Reads: []ir.SlotID{slot}, Writes: s.home[slot]}
}

// take is the map from the home of an output to it, or nil.
func (s *planes) take(slot ir.SlotID) *ir.Stage {
	at := &s.from.Slots[slot]
	if at.Kind != ir.OutSlot || s.home[slot][0] == slot {
		return nil
	}
	var w ir.Rewriter[ir.SlotID]
	v := ir.ValueID(0)
	for _, home := range s.home[slot] {
		v = w.Load(home, alongLine(at.Type.Real()))
	}
	if at.Type.IsComplex() {
		v = w.Append(ir.Instr{Kind: ir.Apply, Op: scalar.MakeComplex, Type: at.Type, A: 0, B: 1})
	}
	m := &ir.Map{Dims: []int{at.Len}, Code: w.Code, Out: []ir.Operand{alongLine(at.Type)}, Value: []ir.ValueID{v}}
	return &ir.Stage{Program: m, Reads: s.home[slot], Writes: []ir.SlotID{slot}}
}

func alongLine(t elem.Type) ir.Operand { return ir.Operand{Type: t, Strides: []int{1}} }

// stage restates a stage as one or several.
func (s *planes) stage(st *ir.Stage) ([]ir.Stage, bool) {
	switch p := st.Program.(type) {
	case *ir.Map:
		out, ok := s.mapStage(p, st.Reads, st.Writes)
		if !ok {
			return nil, false
		}
		if st.First != nil {
			first, ok := s.mapStage(st.First.(*ir.Map), st.Reads[:len(ir.Reads(st.First))], st.Writes)
			// What is accumulated is one plane, and comes last.
			if !ok || len(out.Writes) != 1 || !slices.Equal(first.Reads, out.Reads[:len(first.Reads)]) {
				return nil, false
			}
			out.First, out.Combine = first.Program, st.Combine
		}
		return []ir.Stage{out}, true
	case *ir.FFT:
		if !p.Halved() || p.Planes || p.Window != nil || p.InLen < p.InNeeded() || p.In.Strides[0] != 1 || p.Out.Strides[0] != 1 {
			return nil, false
		}
		f := *p
		f.Planes, f.In.Type, f.Out.Type = true, p.In.Type.Real(), p.Out.Type.Real()
		return []ir.Stage{{Program: &f, Reads: s.home[st.Reads[0]], Writes: s.home[st.Writes[0]]}}, true
	case *ir.Reduce:
		return s.reduceStages(p, st)
	}
	return nil, false
}

func (s *planes) mapStage(m *ir.Map, reads, writes []ir.SlotID) (ir.Stage, bool) {
	c := newPlanar(&m.Code, s, reads)
	out := ir.Stage{}
	if c == nil {
		return out, false
	}
	n := &ir.Map{Dims: m.Dims, Code: c.w.Code}
	for k, o := range m.Out {
		for i, home := range s.home[writes[k]] {
			o.Type = o.Type.Real()
			n.Out, n.Value = append(n.Out, o), append(n.Value, c.values[m.Value[k]][i])
			out.Writes = append(out.Writes, home)
		}
	}
	out.Program, out.Reads = n, c.w.Sources
	return out, true
}

// mostRows bounds the lines that are reduced by rows: those that a reduction
// line by line adds up in one block.
const mostRows = 512

// reduceStages restates a reduction along the line.
func (s *planes) reduceStages(r *ir.Reduce, st *ir.Stage) ([]ir.Stage, bool) {
	t := r.Instrs[r.Value].Type
	if !t.IsFloat() || t.IsHalf() || r.Op != ir.Sum && r.Op != ir.Max && r.Op != ir.Min || r.Dims[0] < 1 || r.Dims[0] > mostRows {
		return nil, false
	}
	values := newPlanar(&r.Code, s, st.Reads[:len(r.In)])
	if values == nil {
		return nil, false
	}
	v := s.local(t, r.Dims[0])
	sum := &ir.Reduce{Dims: r.Dims, Inner: 1, Op: r.Op, Code: ir.CopyOf(alongLine(t), r.Dims[0]).Code,
		Post: ir.Code{Instrs: r.Post.Instrs[:1]}, Out: r.Out}
	list := []ir.Stage{
		{Program: &ir.Map{Dims: r.Dims, Code: values.w.Code, Out: []ir.Operand{alongLine(t)}, Value: []ir.ValueID{values.values[r.Value][0]}},
			Reads: values.w.Sources, Writes: []ir.SlotID{v}},
		{Program: sum, Reads: []ir.SlotID{v}, Writes: s.home[st.Writes[0]]},
	}
	if len(r.Post.Instrs) == 1 { // what is combined is the result
		return list, true
	}
	a := s.local(t, 1)
	sum.Out, list[1].Writes = ir.Operand{Type: t}, []ir.SlotID{a}
	post := ir.Code{Positions: over1(r.Post.Positions), Instrs: r.Post.Instrs, In: over1(r.Post.In)}.AccFrom(alongLine(t))
	m := &ir.Map{Dims: []int{1}, Code: post, Out: over1([]ir.Operand{r.Out}), Value: []ir.ValueID{post.Last()}}
	acc := ir.SlotID(len(s.from.Slots))
	last, ok := s.mapStageWith(m, append(slices.Clone(st.Reads[len(r.In):]), acc), st.Writes, a)
	return append(list, last), ok
}

// over1 is operands of one point as those of a line of one.
func over1(list []ir.Operand) []ir.Operand {
	out := slices.Clone(list)
	for i := range out {
		out[i].Strides = []int{0}
	}
	return out
}

// mapStageWith is mapStage where one more slot, behind all others, has its home
// at the given one.
func (s *planes) mapStageWith(m *ir.Map, reads, writes []ir.SlotID, home ir.SlotID) (ir.Stage, bool) {
	s.home = append(s.home, []ir.SlotID{home})
	defer func() { s.home = s.home[:len(s.home)-1] }()
	return s.mapStage(m, reads, writes)
}

// isSum reports a slot that lines are added to.
func isSum(p *ir.Line, slot ir.SlotID) bool {
	return slices.ContainsFunc(p.Sums(), func(s ir.Stage) bool { return s.Writes[0] == slot })
}
