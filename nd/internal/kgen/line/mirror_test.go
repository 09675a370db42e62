package line

import "testing"

// Every element of the thread with butterfly 0 is in one twin, however twins are seated.
func TestSeats(t *testing.T) {
	for r := 2; r <= 32; r++ {
		for _, even := range []bool{false, true} {
			for _, quarters := range []bool{false, true} {
				s, seen := seatingOf(r, even, quarters), map[seat]int{}
				for _, pair := range s.zero {
					seen[pair[0]]++
					if pair[1] != pair[0] {
						seen[pair[1]]++
					}
				}
				if s.alone != nil {
					seen[*s.alone]++
				}
				butterflies := 1
				if even {
					butterflies = 2
				}
				for b := range butterflies {
					for e := range r {
						if at := (seat{b, e}); seen[at] != 1 {
							t.Errorf("radix %d, even %v, quarters %v: %v is in %d twins", r, even, quarters, at, seen[at])
						}
					}
				}
			}
		}
	}
}
