package line

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// Butterflies of a power of two may look up all of their roots instead of multiplying powers
// of one by constants: half as many as they have numbers, several in a load.

// rooted reports passes whose butterflies behind the first have an even number of roots.
func rooted(radices []int) bool {
	for _, r := range radices[1:] {
		if r&(r-1) != 0 || r < 4 {
			return false
		}
	}
	return true
}

// rootsInLoad is how many roots of a recipe's butterflies one load gives: two, or four of halves, which
// then have each once instead of once for each lane. With three passes shared memory and the cache of a
// multiprocessor bound lines: 493 us instead of 508 for 64x768x4096 bfloat16, 226 instead of 229 for
// 64x768x2048, but 107.5 instead of 105.2 for 64x768x1024, which has two. With 32 numbers in a thread
// both take as long (16x768x16384).
func rootsInLoad(s *recipe.Recipe, p *precision) int {
	radices := s.Passes()
	if p.lanes > 1 && len(radices) > 2 && s.N < lanedFrom*s.Threads && slices.Min(radices[1:]) >= 8 {
		return 4
	}
	return 2
}

// rootTable is the table of a core that looks up all roots: for each pass but the first rows
// of as many as a load gives, in the order of dft.Looked.
func (k *kernel) rootTable(radices []int, quarter bool, p *precision, each int) build.Val {
	parts, lower := 1, 0
	if quarter {
		parts, lower = 4, 1
	}
	typ, lanes := p.two(), max(p.lanes, 1)
	if each > 2 {
		typ, lanes = ktree.Vector(p.kind, 2*each), 1
	}
	return k.table(fmt.Sprintf("roots %v, %d/4 lower, %d in a load, %s", radices, lower, each, p.kind), typ, func() []byte {
		var list []complex128
		ns := radices[0]
		for _, r := range radices[1:] {
			n := parts * ns * r
			table := roots.Of(n)
			for row := 0; row < r/2; row += each {
				for b := range ns {
					for i := row; i < row+each; i++ {
						level, at := lookedAt(i, r)
						re, im := table.At(((parts*(b+at*ns)-lower)<<level + n) % n)
						list = append(list, complex(re, im))
					}
				}
			}
			ns *= r
		}
		return p.packed(list, lanes)
	})
}

// lookedAt is which list of dft.Looked has the i-th root of a butterfly of r numbers, and where.
func lookedAt(i, r int) (level, at int) {
	for size := max(r/4, 1); i >= size; size = max(r>>level/4, 1) {
		i -= size
		level++
	}
	return level, i
}

// tableLen is how many entries the table of a pass has.
func (c *core) tableLen(ns, r int) int {
	if c.rooted {
		return ns * r / 2 / c.inLoad
	}
	return ns * dft.Powers(r)
}

// rootsOf are the roots of a butterfly, from a place of the table on.
func (c *core) rootsOf(at build.Val, r, ns, table int) [][]number {
	w := make([][]number, dft.Powers(r))
	for i := 0; i < r/2; i += c.inLoad {
		for j, root := range c.k.lookedRoots(c.table.At(raised(at, table+i/c.inLoad*ns)), c.inLoad) {
			if c.inverse {
				root = root.Conjugate()
			}
			level, _ := lookedAt(i+j, r)
			w[level] = append(w[level], root)
		}
	}
	return w
}
