package kgen

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Without float64 a line is cut into the same pieces whatever else is computed with it, and
// on however many processors: the pieces show in its bits.
func TestScansAreCutByTheirLength(t *testing.T) {
	pieces := func(n, lines, processors int) [2]int {
		o := ir.Contiguous(elem.Float32, []int{lines, n})
		w := &scan{s: &ir.Scan{Dims: []int{lines, n}, In: o, Out: o, Op: ir.Sum}, n: n}
		w.lines = newSpace([]int{lines}, withoutLast(o), withoutLast(o))
		w.divide(processors)
		return [2]int{w.piece, w.each}
	}
	for _, n := range []int{5000, 1 << 14, 100_000, 1 << 20} {
		want := pieces(n, 1, 1)
		for _, lines := range []int{1, 3, 64, 1000} {
			for _, processors := range []int{1, 2, 14, 48} {
				if got := pieces(n, lines, processors); got != want {
					t.Errorf("%d lines of %d on %d processors: pieces and how many %v, want %v", lines, n, processors, got, want)
				}
			}
		}
	}
}
