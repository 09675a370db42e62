package sched

import "slices"

// clock says how far each lane has come: clock[l] is the last step of lane l
// that is known to be done, counted from 1.
type clock []int32

// fence adds the events that order steps of different lanes, no more than are
// needed, and gives the clock of every step: what is done when it starts, and
// itself.
func (s *schedule) fence() []clock {
	lanes := len(s.lanes)
	if lanes == 0 {
		return nil
	}
	all := make([]int32, len(s.steps)*lanes)
	clocks := make([]clock, len(s.steps))
	last := make([]clock, lanes)                 // of the last step of each lane
	writer := make([]int32, len(s.plan.Buffers)) // last step that wrote a buffer, from 1
	seen := make(map[leafRead]bool)
	var needed []int32
	for i := range s.steps {
		st := &s.steps[i]
		c := clock(all[i*lanes : (i+1)*lanes])
		copy(c, last[st.lane])
		needed = needed[:0]
		for _, b := range s.refs[st.reads[0]:st.reads[1]] {
			if s.plan.Buffers[b].Leaf {
				if r := (leafRead{int(b), st.lane}); !seen[r] {
					seen[r] = true
					s.reads = append(s.reads, r)
				}
				continue
			}
			needed = append(needed, writer[b])
		}
		// The latest step first: waiting for it often covers the others.
		slices.SortFunc(needed, func(a, b int32) int { return int(b - a) })
		for _, w := range needed {
			from := &s.steps[w-1]
			if c[from.lane] >= w {
				continue
			}
			if from.record < 0 {
				from.record = int32(s.events)
				s.events++
			}
			st.waits = append(st.waits, from.record)
			c.join(clocks[w-1])
		}
		c[st.lane] = int32(i + 1)
		clocks[i], last[st.lane] = c, c
		for _, b := range s.refs[st.writes[0]:st.writes[1]] {
			writer[b] = int32(i + 1)
		}
	}
	return clocks
}

func (c clock) join(o clock) {
	for i, v := range o {
		c[i] = max(c[i], v)
	}
}
