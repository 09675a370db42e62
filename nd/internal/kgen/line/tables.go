package line

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// packed are complex numbers as a table holds them, each part as often as there are lanes.
func (p *precision) packed(z []complex128, lanes int) []byte {
	b := make([]byte, 0, len(z)*p.bytes())
	for _, v := range z {
		for i := range 2 * lanes {
			x := [...]float64{real(v), imag(v)}[i/lanes]
			if p.kind == ktree.Half {
				b = binary.LittleEndian.AppendUint16(b, uint16(elem.F16From(float32(x))))
			} else if p.bits == 32 {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			} else {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		}
	}
	return b
}

// twiddles is the table of passes: for every pass but the first, rows of the
// roots of as many orders as there are powers, for bins that are lower/parts lower.
func twiddles(radices []int, parts, lower int) []complex128 {
	var list []complex128
	ns := 1
	for _, r := range radices {
		if ns > 1 {
			n := parts * ns * r
			table := roots.Of(n)
			for e := 1; e < r; e *= 2 {
				for k := range ns {
					re, im := table.At((e*(parts*k-lower) + n) % n)
					list = append(list, complex(re, im))
				}
			}
		}
		ns *= r
	}
	return list
}

// pairs is a table of complex numbers.
func (k *kernel) pairs(p *precision, key string, list func() []complex128) build.Val {
	return k.lanedPairs(p, 1, key, list)
}

// lanedPairs is a table of complex numbers for so many lanes. Kernels share tables by their
// keys, so a key says for how many.
func (k *kernel) lanedPairs(p *precision, lanes int, key string, list func() []complex128) build.Val {
	if lanes > 1 {
		key = fmt.Sprintf("%s for %d lanes", key, lanes)
	}
	return k.table(fmt.Sprintf("%s %s", key, p.kind), ktree.Vector(p.kind, 2*lanes), func() []byte { return p.packed(list(), lanes) })
}

// lanedFrom is how many numbers a thread has at least whose twiddles a table has for both
// lanes. An H200 computes with a half that both lanes take from one register in one of two
// pipes only: without that, circular convolutions of 16x768x16384 take 359 us instead of 368
// and causal ones 635 instead of 646, causal ones of 64x768x4096 514 instead of 535. Threads
// with 16 numbers have fewer registers left: 281 us instead of 269 for circular ones.
const lanedFrom = 32

// twiddleTable is the twiddles of a split; nothing if it has none.
func (k *kernel) twiddleTable(s *recipe.Recipe, p *precision, quarter bool) build.Val {
	radices := s.Radices
	if len(radices) < 2 {
		return build.Val{}
	}
	name, parts, lower := "twiddles %v", 1, 0
	if quarter {
		name, parts, lower = "quarter twiddles %v", 4, 1
	}
	lanes := 1
	if s.N >= lanedFrom*s.Threads {
		lanes = max(p.lanes, 1)
	}
	return k.lanedPairs(p, lanes, fmt.Sprintf(name, radices), func() []complex128 { return twiddles(radices, parts, lower) })
}

// halfRoots is the first half of the n-th roots of unity, times a half, where they are
// looked up to untangle packed lines.
func (k *kernel) halfRoots(n int, p *precision) build.Val {
	if k.alone { // which has them as constants
		return build.Val{}
	}
	return k.pairs(p, fmt.Sprintf("half roots %d", n), func() []complex128 {
		table := roots.Of(n)
		return lists.Make(n/2, func(i int) complex128 {
			re, im := table.At(i)
			return complex(re/2, im/2)
		})
	})
}
