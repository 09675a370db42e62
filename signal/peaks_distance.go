package signal

import (
	"cmp"
	"slices"
)

// rival is a peak that is neither known to stay nor to go.
type rival struct {
	height float64
	at     int32 // its sample
	peak   int32 // its place among the selected
}

// rounds is how often neighbours are compared before what is left is sorted:
// noise is settled in two or three, a long slope would take as many as it has
// peaks.
const rounds = 4

// crowd is how many peaks there may be in the distance, on average, for
// comparing neighbours to be faster than sorting.
const crowd = 8

// distant leaves those that stay if, from the highest down, each takes away
// those closer than distance. Of equal ones the last comes first.
//
// A peak that no neighbour beats stays, whatever else happens, and takes its
// neighbours away. Then the same holds among those that are left.
func (s *search) distant(x []float64, sel []int32, distance int) []int32 {
	n := len(sel)
	s.gone = slices.Grow(s.gone[:0], n)[:n]
	s.beaten = slices.Grow(s.beaten[:0], n+1)[:n+1]
	s.rivals = slices.Grow(s.rivals[:0], n)[:n]
	clear(s.gone)
	for j, i := range sel {
		s.rivals[j] = rival{x[s.at[i]], s.at[i], int32(j)}
	}
	rivals := s.rivals
	for round := 0; len(rivals) > 0; round++ {
		if round == rounds || len(rivals)*distance > crowd*len(x) {
			s.byHeight(rivals, distance)
			break
		}
		rivals = s.settle(rivals, distance)
	}
	kept := 0
	for j, i := range sel {
		sel[kept] = i
		kept += int(1 - s.gone[j])
	}
	return sel[:kept]
}

// settle takes away the neighbours of those that no neighbour beats, and gives
// those whose fate is still open.
func (s *search) settle(rivals []rival, distance int) []rival {
	beaten := s.beaten[:len(rivals)]
	clear(beaten)
	for j := range rivals {
		a := &rivals[j]
		var lost uint8
		for k := j + 1; k < len(rivals) && int(rivals[k].at-a.at) < distance; k++ {
			var higher uint8
			if rivals[k].height >= a.height {
				higher = 1
			}
			lost |= higher
			beaten[k] |= 1 ^ higher
		}
		beaten[j] |= lost
	}
	for j := range rivals {
		if beaten[j] != 0 {
			continue
		}
		a := &rivals[j]
		for k := j + 1; k < len(rivals) && int(rivals[k].at-a.at) < distance; k++ {
			s.gone[rivals[k].peak] = 1
		}
		for k := j - 1; k >= 0 && int(a.at-rivals[k].at) < distance; k-- {
			s.gone[rivals[k].peak] = 1
		}
	}
	open := 0
	for j, r := range rivals {
		rivals[open] = r
		open += int(beaten[j] &^ s.gone[r.peak])
	}
	return rivals[:open]
}

// byHeight is distant by its definition.
func (s *search) byHeight(rivals []rival, distance int) {
	s.order = s.order[:0]
	for j := range rivals {
		s.order = append(s.order, int32(j))
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(rivals[b].height, rivals[a].height), cmp.Compare(b, a))
	})
	for _, j := range s.order {
		a := &rivals[j]
		if s.gone[a.peak] != 0 {
			continue
		}
		for k := j - 1; k >= 0 && int(a.at-rivals[k].at) < distance; k-- {
			s.gone[rivals[k].peak] = 1
		}
		for k := j + 1; int(k) < len(rivals) && int(rivals[k].at-a.at) < distance; k++ {
			s.gone[rivals[k].peak] = 1
		}
	}
}
