package sched

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/plan"
)

// lifetimes is what slot assignment knows about buffers.
type lifetimes struct {
	last  []int32   // by buffer: the last step that uses it, from 1
	users [][]int32 // by slot: the steps that used it since it was last free
	free  []int32   // slots
}

// assign gives every buffer a slot. A slot is used again once every step that
// used it is known to be done: at once on one lane, behind a fence on others.
func (s *schedule) assign(clocks []clock, donated []bool) {
	n := len(s.plan.Buffers)
	s.slotOf = make([]int32, n)
	l := lifetimes{last: make([]int32, n)}
	result := make([]bool, n)
	for i := range s.slotOf {
		s.slotOf[i] = -1
	}
	for _, r := range s.plan.Results {
		result[r.Buffer] = true
	}
	for i := range s.steps {
		for _, b := range s.uses(i) {
			l.last[b] = int32(i + 1)
		}
	}
	for i := range s.steps {
		st := &s.steps[i]
		for _, b := range s.refs[st.writes[0]:st.writes[1]] {
			if s.slotOf[b] >= 0 {
				continue
			}
			at := s.inPlace(i, int(b), clocks[i], &l, result, donated)
			if at < 0 && !(s.apart && result[b]) {
				at = s.freeSlot(s.plan.Buffers[b].Bytes, result[b], clocks[i], &l)
			}
			if at < 0 {
				at = int32(len(s.slots))
				s.slots = append(s.slots, slot{bytes: s.plan.Buffers[b].Bytes, lane: st.lane, leaf: -1})
				l.users = append(l.users, nil)
			}
			s.slotOf[b] = at
			if result[b] {
				s.slots[at].result = true
			}
		}
		for _, b := range s.uses(i) {
			at := s.slotOf[b]
			if at < 0 {
				continue
			}
			l.users[at] = append(l.users[at], int32(i+1))
			if !slices.Contains(s.slots[at].lanes, st.lane) {
				s.slots[at].lanes = append(s.slots[at].lanes, st.lane)
			}
		}
		for _, b := range s.uses(i) {
			if at := s.slotOf[b]; at >= 0 && l.last[b] == int32(i+1) && !result[b] && !slices.Contains(l.free, at) && !s.taken(i, int(b), at) {
				l.free = append(l.free, at)
			}
		}
	}
}

// uses is the buffers that step i reads and writes.
func (s *schedule) uses(i int) []int32 { return s.refs[s.steps[i].reads[0]:s.steps[i].writes[1]] }

// taken reports whether step i writes another buffer in b's slot, in place.
func (s *schedule) taken(i, b int, at int32) bool {
	st := &s.steps[i]
	return slices.ContainsFunc(s.refs[st.writes[0]:st.writes[1]], func(w int32) bool { return int(w) != b && s.slotOf[w] == at })
}

// inPlace is the slot of an operand of step i that its output may overwrite:
// one that is not needed later, read exactly where the output is written. A
// donated leaf becomes a slot that way.
func (s *schedule) inPlace(i, out int, c clock, l *lifetimes, result, donated []bool) int32 {
	p := &s.plan.Steps[i]
	if len(p.Writes) != 1 || p.Adds {
		return -1
	}
	for k, b := range p.Reads {
		if l.last[b] != int32(i+1) || result[b] || !s.mayOverwrite(p.Program, k) {
			continue
		}
		others := lists.Count(p.Reads, func(r plan.BufferID) bool { return r == b })
		switch {
		case others > 1:
		case s.plan.Buffers[b].Leaf:
			if donated[b] {
				s.slots = append(s.slots, slot{bytes: s.plan.Buffers[out].Bytes, lane: s.steps[i].lane, leaf: int(b)})
				l.users = append(l.users, nil)
				return int32(len(s.slots) - 1)
			}
		case s.apart && result[out]:
		case s.plan.Buffers[b].Bytes >= s.plan.Buffers[out].Bytes && s.isOver(l.users[s.slotOf[b]], c):
			return s.slotOf[b]
		}
	}
	return -1
}

// mayOverwrite reports that a program reads its operand k exactly where it writes its result.
func (s *schedule) mayOverwrite(p ir.Program, k int) bool {
	if m, ok := p.(*ir.Map); ok {
		return sameLayout(m.In[k], m.Out[0]) && m.In[k].Touched(m.Dims) == ir.Count(m.Dims)
	}
	f, ok := p.(*ir.FFT)
	return ok && s.dev.info.Over != nil && sameLayout(f.In, f.Out) && s.dev.info.Over(f)
}

// sameLayout asks for one type, too: a device may clear the output of a
// conversion before it fills it.
func sameLayout(a, b ir.Operand) bool {
	return a.Type == b.Type && a.Offset == b.Offset && slices.Equal(a.Strides, b.Strides)
}

// freeSlot takes the smallest free slot that is large enough, not wastefully
// large, and done with by everything that used it. Results stay, so they waste
// less.
func (s *schedule) freeSlot(bytes int, result bool, c clock, l *lifetimes) int32 {
	most := 2*bytes + 4096
	if result {
		most = bytes + bytes/8 + 64
	}
	best := -1
	for i, at := range l.free {
		have := s.slots[at].bytes
		if have < bytes || have > most || best >= 0 && have >= s.slots[l.free[best]].bytes || !s.isOver(l.users[at], c) {
			continue
		}
		best = i
	}
	if best < 0 {
		return -1
	}
	at := l.free[best]
	l.free = slices.Delete(l.free, best, best+1)
	l.users[at] = l.users[at][:0]
	return at
}

// isOver reports whether every one of the steps is done at a clock.
func (s *schedule) isOver(steps []int32, c clock) bool {
	return !slices.ContainsFunc(steps, func(u int32) bool { return c[s.steps[u-1].lane] < u })
}
