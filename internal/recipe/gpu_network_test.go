package recipe

import (
	"fmt"
	"slices"
	"testing"
)

// Numbers that the threads of a warp load or store together are in different
// banks, in every pass and at both ends of a transform.
func TestWeave(t *testing.T) {
	for _, bytes := range []int{4, 8, 16} {
		for n := 64; n <= 4096; n *= 4 {
			var spans []int
			for h := 1; h < n; h *= 2 {
				spans = append(spans, h)
			}
			banks := 128 / bytes
			passes := NetworkPasses(spans, bytes)
			w := WeaveOf(n, spans, bytes, passes)
			seen := map[int]bool{}
			for i := range n {
				seen[w.Place(i)] = true
			}
			if len(seen) != n {
				t.Fatalf("%d bytes, %d numbers: %d places", bytes, n, len(seen))
			}
			check := func(what string, at func(thread int) int) {
				if waits := waiting(n/8, banks, func(i int) int { return w.Place(at(i)) }); waits != (n/8+banks-1)/banks {
					t.Errorf("%d bytes, %d numbers, %s: %d turns for %d numbers", bytes, n, what, waits, n/8)
				}
			}
			check("in order", func(i int) int { return i })
			check("in turned order", func(i int) int {
				at := 0
				for bit := 1; bit < n; bit *= 2 {
					at = 2*at + min(i&bit, 1)
				}
				return at
			})
			first := 0
			for _, count := range passes {
				least := slices.Min(spans[first : first+count])
				check(fmt.Sprintf("pass at %d", first), func(g int) int { return g/least*(least<<count) + g%least })
				first += count
			}
		}
	}
}
