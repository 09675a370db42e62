package line

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// Butterflies of a power of two may look up all of their roots instead of multiplying powers
// of one by constants: half as many as they have numbers, two in a load.

// rooted reports passes whose butterflies behind the first have an even number of roots.
func rooted(radices []int) bool {
	for _, r := range radices[1:] {
		if r&(r-1) != 0 || r < 4 {
			return false
		}
	}
	return true
}

// rootTable is the table of a core that looks up all roots: for each pass but the first rows
// of two, in the order of dft.Looked.
func (k *kernel) rootTable(radices []int, quarter bool, p *precision) build.Val {
	parts, lower := 1, 0
	if quarter {
		parts, lower = 4, 1
	}
	return k.table(fmt.Sprintf("roots %v, %d/4 lower %s", radices, lower, p.kind), p.two(), func() []byte {
		var list []complex128
		ns := radices[0]
		for _, r := range radices[1:] {
			n := parts * ns * r
			table := roots.Of(n)
			for row := 0; row < r/2; row += 2 {
				for b := range ns {
					for i := row; i < row+2; i++ {
						level, at := lookedAt(i, r)
						re, im := table.At(((parts*(b+at*ns)-lower)<<level + n) % n)
						list = append(list, complex(re, im))
					}
				}
			}
			ns *= r
		}
		return p.packed(list, max(p.lanes, 1))
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
		return ns * r / 4
	}
	return ns * dft.Powers(r)
}

// rootsOf are the roots of a butterfly, from a place of the table on.
func (c *core) rootsOf(at build.Val, r, ns, table int) [][]number {
	w := make([][]number, dft.Powers(r))
	for i := 0; i < r/2; i += 2 {
		for j, root := range c.k.lookedTwo(c.table.At(raised(at, table+i/2*ns))) {
			if c.inverse {
				root = root.Conjugate()
			}
			level, _ := lookedAt(i+j, r)
			w[level] = append(w[level], root)
		}
	}
	return w
}
