package lines

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// packed are complex numbers as a table holds them.
func (p *precision) packed(z []complex128) []byte {
	b := make([]byte, 0, len(z)*p.bytes())
	for _, v := range z {
		for _, x := range [...]float64{real(v), imag(v)} {
			if p.bits == 32 {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			} else {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		}
	}
	return b
}

// twiddles is the table of passes: for every pass but the first, rows of the
// roots of as many orders as there are powers.
func twiddles(radices []int) []complex128 {
	var list []complex128
	ns := 1
	for _, r := range radices {
		if ns > 1 {
			table := roots.Of(ns * r)
			for e := 1; e < r; e *= 2 {
				for k := range ns {
					re, im := table.At(e * k)
					list = append(list, complex(re, im))
				}
			}
		}
		ns *= r
	}
	return list
}

// twiddleTable is the name of the twiddles of a split; "" if it has none.
func (k *kernel) twiddleTable(s *recipe.Recipe, p *precision) string {
	radices := s.Radices
	if len(radices) < 2 {
		return ""
	}
	key := fmt.Sprintf("twiddles %s %v", p.real, radices)
	return k.table(key, func() []byte { return p.packed(twiddles(radices)) }, p.pair)
}

// rootTable is the name of the first half of the n-th roots of unity.
func (k *kernel) rootTable(n int, p *precision) string {
	return k.table(fmt.Sprintf("roots %s %d", p.real, n), func() []byte {
		table := roots.Of(n)
		list := make([]complex128, n/2)
		for i := range list {
			re, im := table.At(i)
			list[i] = complex(re, im)
		}
		return p.packed(list)
	}, p.pair)
}
