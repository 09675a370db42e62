package signal

import (
	"cmp"
	"slices"
)

// fate is what becomes of a peak.
type fate uint8

const (
	open fate = iota
	stays
	goes
)

// crowd is how many peaks there may be in the distance, on average, for looking
// at neighbours to be faster than sorting.
const crowd = 8

// distant leaves those that stay if, from the highest down, each takes away
// those closer than distance. Of equal ones the last comes first.
func (s *search) distant(x []float64, sel []int32, distance int) []int32 {
	n := len(sel)
	s.fates = slices.Grow(s.fates[:0], n)[:n]
	s.heights = slices.Grow(s.heights[:0], n)[:n]
	clear(s.fates)
	for j, i := range sel {
		s.heights[j] = x[s.at[i]]
	}
	if n*distance > crowd*len(x) {
		s.byHeight(sel, distance)
	} else {
		s.byNeighbours(sel, distance)
	}
	kept := 0
	for j, i := range sel {
		sel[kept] = i
		if s.fates[j] == stays {
			kept++
		}
	}
	return sel[:kept]
}

// byHeight is distant by its definition.
func (s *search) byHeight(sel []int32, distance int) {
	s.order = s.order[:0]
	for j := range sel {
		s.order = append(s.order, int32(j))
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.heights[b], s.heights[a]), cmp.Compare(b, a))
	})
	for _, j := range s.order {
		if s.fates[j] != open {
			continue
		}
		s.fates[j] = stays
		at := int(s.at[sel[j]])
		for k := j - 1; k >= 0 && at-int(s.at[sel[k]]) < distance; k-- {
			s.fates[k] = goes
		}
		for k := j + 1; int(k) < len(sel) && int(s.at[sel[k]])-at < distance; k++ {
			s.fates[k] = goes
		}
	}
}

// byNeighbours uses that a peak goes if and only if a higher one in the
// distance stays, which is found out first.
func (s *search) byNeighbours(sel []int32, distance int) {
	for j := range sel {
		if s.fates[j] != open {
			continue
		}
		s.order = append(s.order[:0], int32(j))
		for len(s.order) > 0 {
			top := s.order[len(s.order)-1]
			verdict, ask := s.judge(sel, int(top), distance)
			if verdict == open {
				s.order = append(s.order, int32(ask))
				continue
			}
			s.fates[top] = verdict
			s.order = s.order[:len(s.order)-1]
		}
	}
}

// judge is the fate of a peak, or a higher neighbour whose fate has to be known
// first.
func (s *search) judge(sel []int32, j, distance int) (verdict fate, ask int) {
	at, height := int(s.at[sel[j]]), s.heights[j]
	verdict = stays
	for k := j + 1; k < len(sel) && int(s.at[sel[k]])-at < distance; k++ {
		if s.heights[k] >= height {
			switch s.fates[k] {
			case stays:
				return goes, 0
			case open:
				verdict, ask = open, k
			}
		}
	}
	for k := j - 1; k >= 0 && at-int(s.at[sel[k]]) < distance; k-- {
		if s.heights[k] > height {
			switch s.fates[k] {
			case stays:
				return goes, 0
			case open:
				verdict, ask = open, k
			}
		}
	}
	return verdict, ask
}
