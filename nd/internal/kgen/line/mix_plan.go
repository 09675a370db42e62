package line

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// mixLines is how many lines a thread takes through a pass together.
//
// A multiprocessor has mixResident threads at once: 128 registers each. On an H200
// 65536 lines of 1024 took 0.53 ms with two lines, 0.46 with four and 0.62 with
// eight; four with 384 threads 0.57, with 640 threads 0.64.
const mixLines, mixResident = 4, 512

// mixThreads is how many threads a line has: enough for all its numbers, or, where
// there are lines for every multiprocessor to have many, those for its share of
// mixLines lines.
func (k *kernel) mixThreads(b *ir.Butterfly) int {
	groups := max(b.N/8, 1)
	if ir.Count(k.outer.dims) >= 4*mixLines*k.target.Processors {
		groups /= mixLines
	}
	return max(min(groups, 256), min(b.N/2, 8))
}

// mixes reports a program with a butterfly.
func (k *kernel) mixes() bool {
	return slices.ContainsFunc(k.p.Stages, func(s ir.Stage) bool {
		_, ok := s.Program.(*ir.Butterfly)
		return ok
	})
}

// woven is a weave's place of a number.
func woven(w recipe.Weave, i build.Val) build.Val {
	byShift := map[int]int{}
	for bit, v := range w {
		for to := range bit {
			if v>>to&1 == 1 {
				byShift[bit-to] |= 1 << to
			}
		}
	}
	at := i
	for shift := range len(w) {
		if mask := byShift[shift]; mask != 0 {
			at = at.Xor(i.Shr(shift).And(mask))
		}
	}
	return at
}
