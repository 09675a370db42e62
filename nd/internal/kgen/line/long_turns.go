package line

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// mostTurns is up to how many roots a pass has in one table, in which lines side
// by side find theirs side by side; longer tables would not stay near. On an H200
// it takes a transform of 2^20 from 617 to 602 us.
const mostTurns = 128 << 10

// factors are the roots of order n with exponents at*by, by < after, of the first
// place of a butterfly and of the distances 1, 2, 4 and so on between its places:
// looked up in a table for this alone, or as products of two; early if that is
// long before they are used.
func (k *kernel) factors(p *precision, at []place, n, after int, by build.Val, inverse, early bool) []number {
	root := k.rootsOf(p, n, by)
	if n/len(at) <= mostTurns {
		root = k.rootsBy(p, len(at), n, after, by, early)
	}
	list := []number{root(at[0].at, -1)}
	for j, row := 1, n/after/len(at); j < len(at); j, row = 2*j, row+1 {
		list = append(list, root(whole(j*n/after/len(at)), row))
	}
	if inverse {
		for j := range list {
			list[j] = list[j].Conjugate()
		}
	}
	return list
}

// turns are the roots of all places of a butterfly, as products of its factors.
func turns(a dft.Arith, factors []number, places int) []number {
	out := factors[:1:1]
	for i := 1; i < places; i++ {
		top := bits.Len(uint(i))
		out = append(out, a.Mul(out[i-1<<(top-1)], factors[top]))
	}
	return out
}

// rootsBy looks roots up in a table of rows, by column: those of each butterfly of
// so many places, then those of the distances between its places. A row below 0
// stands for the exponent's.
func (k *kernel) rootsBy(p *precision, places, n, after int, by build.Val, early bool) func(exponent build.Val, row int) number {
	rows := n / after / places
	return func(exponent build.Val, row int) number {
		table := k.pairs(p, fmt.Sprintf("turns %d %d %d", n, after, places), func() []complex128 {
			all := roots.Of(n)
			var list []complex128
			add := func(exponent int) {
				for c := range after {
					re, im := all.At(exponent * c % n)
					list = append(list, complex(re, im))
				}
			}
			for e := range rows {
				add(e)
			}
			for j := 1; j < places; j *= 2 {
				add(j * rows)
			}
			return list
		})
		at := whole(row * after)
		if row < 0 {
			at = exponent.Mul(after)
		}
		from := table.At(at.Add(by.To(ktree.Int)))
		if early {
			from = build.Now(from)
		}
		return k.looked(from)
	}
}

// rootsOf looks roots up as products of two, of which there are few.
func (k *kernel) rootsOf(p *precision, n int, by build.Val) func(exponent build.Val, row int) number {
	fine := 1
	for fine*fine < n {
		fine *= 2
	}
	return func(exponent build.Val, _ int) number {
		low, high := k.powerTable(n, 1, fine, p), k.powerTable(n, fine, (n+fine-1)/fine, p)
		e := k.Let("e", exponent.To(ktree.Uint).Mul(by))
		return k.arith(p).Mul(k.looked(low.At(e.Rem(fine))), k.looked(high.At(e.Div(fine))))
	}
}

// powerTable has the roots of order n with exponents step times 0, 1, ...
func (k *kernel) powerTable(n, step, count int, p *precision) build.Val {
	return k.pairs(p, fmt.Sprintf("powers %d %d", n, step), func() []complex128 {
		table := roots.Of(n)
		return lists.Make(count, func(i int) complex128 {
			re, im := table.At(i * step)
			return complex(re, im)
		})
	})
}

// turned is numbers times the turns that factors are of.
func (c *core) turned(v, factors []number) []number {
	w := turns(c.Arith, factors, len(v))
	return lists.Make(len(v), func(j int) number { return c.Mul(v[j], w[j]) })
}

// vacant is the places that the first pass reads, and room for two numbers at each.
func (c *core) vacant() (places [][]place, values, images [][]number) {
	for _, group := range c.groups(0) {
		at := c.inputs(group, c.radices[0])
		places, values, images = append(places, at), append(values, make([]number, len(at))), append(images, make([]number, len(at)))
	}
	return places, values, images
}
