package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// mergeMaps joins maps that walk the same elements and share an operand, or of
// which one reads what the other writes: each element is then read once for
// both. A result that was stored only for a map it has been joined with is
// not stored any more.
func mergeMaps(p *Plan, maxOps int) { mergeSome(p, maxOps, func(*Step) bool { return true }) }

// mergeSome is mergeMaps of those steps that may be joined.
func mergeSome(p *Plan, maxOps int, may func(*Step) bool) {
	m := merger{plan: p, maxOps: maxOps, may: may, writer: make([]int, len(p.Buffers)), writers: make([]int, len(p.Buffers))}
	for i := range m.writer {
		m.writer[i] = -1
	}
	for _, s := range p.Steps {
		for _, b := range s.Writes {
			m.writers[b]++
		}
	}
	steps := p.Steps
	p.Steps = nil
	for _, s := range steps {
		if !m.join(s) {
			for _, b := range s.Writes {
				m.writer[b] = len(p.Steps)
			}
			p.Steps = append(p.Steps, s)
		}
	}
	dropUnread(p)
}

// lookBack is how many steps before a map are tried as partners.
const lookBack = 8

type merger struct {
	plan    *Plan
	maxOps  int
	may     func(*Step) bool
	writer  []int // by buffer: the step that last wrote it, -1 for leaves
	writers []int // by buffer: how many steps write it
}

// join adds s to an earlier step if it can.
func (m *merger) join(s Step) bool {
	b, ok := s.Program.(*ir.Map)
	if !ok || !m.alone(&s) || !m.may(&s) {
		return false
	}
	steps := m.plan.Steps
	for i := len(steps) - 1; i >= max(0, len(steps)-lookBack); i-- {
		a, ok := steps[i].Program.(*ir.Map)
		if ok && m.alone(&steps[i]) && m.may(&steps[i]) && steps[i].Stream == s.Stream && slices.Equal(a.Dims, b.Dims) &&
			operations(a)+operations(b) <= m.maxOps && m.fits(i, a, &s, b) {
			appendMap(&steps[i], a, &s, b)
			for _, buf := range s.Writes {
				m.writer[buf] = i
			}
			return true
		}
	}
	return false
}

func operations(m *ir.Map) int {
	return lists.Count(m.Instrs, func(in ir.Instr) bool { return in.Kind == ir.Apply })
}

// alone reports that nobody else writes what a step writes.
func (m *merger) alone(s *Step) bool {
	return !slices.ContainsFunc(s.Writes, func(b BufferID) bool { return m.writers[b] != 1 })
}

// fits reports whether b can run together with step i and gains from it:
// everything it reads is there before step i, or is the very element that
// step i computes.
func (m *merger) fits(i int, a *ir.Map, s *Step, b *ir.Map) bool {
	first := &m.plan.Steps[i]
	gain := false
	for k, buf := range s.Reads {
		switch w := m.writer[buf]; {
		case w > i:
			return false
		case w == i:
			if !a.Out[slices.Index(first.Writes, buf)].Equal(b.In[k]) {
				return false
			}
			gain = true
		default:
			gain = gain || ir.FindOperand(first.Reads, a.In, buf, b.In[k]) >= 0
		}
	}
	return gain
}

// appendMap writes b's code after a's. What both compute is computed once.
func appendMap(first *Step, a *ir.Map, s *Step, b *ir.Map) {
	w := ir.Rewriter[BufferID]{Code: a.Code, Sources: first.Reads}
	args := len(first.Args)
	c := ir.Copying[BufferID]{To: &w, From: &b.Code, Load: func(in ir.Instr) ir.ValueID {
		buf := s.Reads[in.Slot]
		if k := slices.Index(first.Writes, buf); k >= 0 {
			return a.Value[k]
		}
		return w.Load(buf, b.In[in.Slot])
	}, Arg: func(in ir.Instr) int {
		if in.Kind == ir.Const {
			arg := s.Args[in.Slot]
			if at := slices.Index(first.Args, arg); at >= 0 {
				return at
			}
			return args + slices.Index(s.Args, arg)
		}
		return args + in.Slot
	}}
	c.All()
	a.Code, first.Reads = w.Code, w.Sources
	for i, v := range b.Value {
		a.Out, a.Value = append(a.Out, b.Out[i]), append(a.Value, c.Value(v))
	}
	first.Writes = append(first.Writes, s.Writes...)
	first.Args = append(first.Args, s.Args...)
	first.Nodes = append(first.Nodes, s.Nodes...)
	first.Label += ", " + s.Label
	if s.Why != first.Why {
		first.Why += "; " + s.Why
	}
}

// dropDead takes out steps whose results nobody reads, which empty operands
// leave behind: an evaluation only waits for what its results need.
func dropDead(p *Plan) {
	read := p.results()
	live := make([]bool, len(p.Steps))
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if live[i] = slices.ContainsFunc(p.Steps[i].Writes, func(b BufferID) bool { return read[b] }); !live[i] {
			continue
		}
		for _, b := range p.Steps[i].Reads {
			read[b] = true
		}
	}
	kept := p.Steps[:0]
	for i, s := range p.Steps {
		if live[i] {
			kept = append(kept, s)
		}
	}
	clear(p.Steps[len(kept):])
	p.Steps = kept
}

// dropUnread stops maps and sorts from storing what nobody reads.
func dropUnread(p *Plan) {
	read := p.results()
	for _, s := range p.Steps {
		for _, b := range s.Reads {
			read[b] = true
		}
	}
	for i := range p.Steps {
		s := &p.Steps[i]
		a, ok := s.Program.(interface{ DropWrite(i int) })
		if !ok || len(s.Writes) == 1 {
			continue
		}
		for k := len(s.Writes) - 1; k >= 0 && len(s.Writes) > 1; k-- {
			if !read[s.Writes[k]] {
				s.Writes = slices.Delete(s.Writes, k, k+1)
				a.DropWrite(k)
			}
		}
	}
}
