package sched

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/plan"
)

// verify reports the first broken invariant of a schedule: whatever a step
// reads was written before on its own lane or behind a fence, and no two
// buffers that are alive at one time share a slot. It works from the lanes and
// events alone, by following every path, and not from the clocks they were
// made with.
func (s *schedule) verify() error {
	before := s.ancestors()
	users := make([][]int, len(s.plan.Buffers))
	writers := make([][]int, len(s.plan.Buffers))
	for i := range s.steps {
		st := &s.steps[i]
		for _, b := range s.refs[st.reads[0]:st.reads[1]] {
			for _, w := range writers[b] {
				if !before[i].has(w) {
					return fmt.Errorf("sched: step %d reads buffer %d, but nothing makes it wait for step %d", i, b, w)
				}
			}
			if len(writers[b]) == 0 && !s.plan.Buffers[b].Leaf {
				return fmt.Errorf("sched: step %d reads buffer %d, which nobody wrote", i, b)
			}
			users[b] = append(users[b], i)
		}
		for _, b := range s.refs[st.writes[0]:st.writes[1]] {
			writers[b] = append(writers[b], i)
			users[b] = append(users[b], i)
		}
	}
	for a := range s.slotOf {
		for b := range s.slotOf[:a] {
			if s.slotOf[a] < 0 || s.slotOf[a] != s.slotOf[b] {
				continue
			}
			if !s.turns(a, b, users, writers, before) && !s.turns(b, a, users, writers, before) {
				return fmt.Errorf("sched: buffers %d and %d share slot %d while both are alive", a, b, s.slotOf[a])
			}
		}
	}
	return nil
}

// turns reports whether everything that uses buffer a is done when b is first
// written, or is the very step that overwrites it in place. A result is never
// done.
func (s *schedule) turns(a, b int, users, writers [][]int, before []bits) bool {
	if slices.ContainsFunc(s.plan.Results, func(r plan.Result) bool { return int(r.Buffer) == a }) {
		return false
	}
	first := writers[b][0]
	for _, u := range users[a] {
		if u != first && !before[first].has(u) {
			return false
		}
		if u == first && slices.Contains(writers[a], u) {
			return false
		}
	}
	return true
}

// ancestors is, for every step, the steps that are done before it starts.
func (s *schedule) ancestors() []bits {
	all := make([]bits, len(s.steps))
	last := map[int]int{}
	recorder := map[int32]int{}
	for i := range s.steps {
		st := &s.steps[i]
		all[i] = make(bits, len(s.steps)/64+1)
		if p, ok := last[st.lane]; ok {
			all[i].join(all[p], p)
		}
		for _, ev := range st.waits {
			p := recorder[ev]
			all[i].join(all[p], p)
		}
		last[st.lane] = i
		if st.record >= 0 {
			recorder[st.record] = i
		}
	}
	return all
}

// bits is a set of steps.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

func (b bits) join(o bits, i int) {
	for k := range o {
		b[k] |= o[k]
	}
	b[i/64] |= 1 << (i % 64)
}
