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
	last := make([]clock, lanes)                    // of the last step of each lane
	writers := make([][]int32, len(s.plan.Buffers)) // steps that wrote a buffer, from 1
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
			needed = append(needed, writers[b]...)
		}
		if st.adds {
			// The parts of a result may be written at once, but only after the
			// first, which begins it.
			for _, b := range s.refs[st.writes[0]:st.writes[1]] {
				needed = append(needed, writers[b][0])
			}
		}
		// The latest step first: waiting for it often covers the others.
		slices.SortFunc(needed, func(a, b int32) int { return int(b - a) })
		for _, w := range needed {
			from := &s.steps[w-1]
			if c[from.lane] >= w {
				continue
			}
			st.waits = append(st.waits, s.recorded(from))
			c.join(clocks[w-1])
		}
		c[st.lane] = int32(i + 1)
		clocks[i], last[st.lane] = c, c
		for _, b := range s.refs[st.writes[0]:st.writes[1]] {
			writers[b] = append(writers[b], int32(i+1))
		}
	}
	s.fenceResults(writers, clocks)
	return clocks
}

// fenceResults makes the lane that a result is said to come from wait for the
// other lanes that wrote parts of it.
func (s *schedule) fenceResults(writers [][]int32, clocks []clock) {
	for _, r := range s.plan.Results {
		list := writers[r.Buffer]
		if len(list) == 0 {
			continue // a leaf
		}
		end := list[len(list)-1]
		for _, w := range list {
			from := &s.steps[w-1]
			if clocks[end-1][from.lane] >= w {
				continue
			}
			s.ends = append(s.ends, endWait{s.steps[end-1].lane, s.recorded(from)})
		}
	}
}

// recorded is the event behind a step.
func (s *schedule) recorded(st *step) int32 {
	if st.record < 0 {
		st.record = int32(s.events)
		s.events++
	}
	return st.record
}

func (c clock) join(o clock) {
	for i, v := range o {
		c[i] = max(c[i], v)
	}
}
