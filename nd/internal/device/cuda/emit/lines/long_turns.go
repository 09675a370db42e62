package lines

import (
	"fmt"
	"math/bits"

	"github.com/twiddle-go/twiddle/internal/roots"
)

// mostTurns is up to how many roots a pass has in one table, in which lines side
// by side find theirs side by side; longer tables would not stay near. On an H200
// it takes a transform of 2^20 from 617 to 602 us.
const mostTurns = 128 << 10

// factors are the roots of order n with exponents at*by, by < after, of the first
// place of a butterfly and of the distances 1, 2, 4 and so on between its places:
// looked up in a table for this alone, or as products of two; early if that is
// long before they are used.
func (k *kernel) factors(p *precision, at []place, n, after int, by string, inverse, early bool) []number {
	root := k.rootsOf(p, n, by)
	if n/len(at) <= mostTurns {
		root = k.rootsBy(p, len(at), n, after, by, early)
	}
	list := []number{root("("+at[0].String()+")", -1)}
	for j, row := 1, n/after/len(at); j < len(at); j, row = 2*j, row+1 {
		list = append(list, root(fmt.Sprint(at[j].add-at[0].add), row))
	}
	if inverse {
		for j := range list {
			list[j] = list[j].Conjugate()
		}
	}
	return list
}

// turns are the roots of all places of a butterfly, as products of its factors.
func turns(a arithmetic, factors []number, places int) []number {
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
func (k *kernel) rootsBy(p *precision, places, n, after int, by string, early bool) func(exponent string, row int) number {
	return func(exponent string, row int) number {
		rows := n / after / places
		table := k.table(fmt.Sprintf("turns %s %d %d %d", p.real, n, after, places), func() []byte {
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
			return p.packed(list)
		}, p.pair)
		at := fmt.Sprintf("%d", row*after)
		if row < 0 {
			at = fmt.Sprintf("%s * %d", exponent, after)
		}
		at = fmt.Sprintf("%s[%s + (int)%s]", table, at, by)
		if early {
			at = fmt.Sprintf("%s(&%s)", k.uses.Part("load_now"), at)
		}
		v := k.let(p.pair, "%s", at)
		return p.parts(v)
	}
}

// rootsOf looks roots up as products of two, of which there are few.
func (k *kernel) rootsOf(p *precision, n int, by string) func(exponent string, row int) number {
	fine := 1
	for fine*fine < n {
		fine *= 2
	}
	return func(exponent string, _ int) number {
		low, high := k.powerTable(n, 1, fine, p), k.powerTable(n, fine, (n+fine-1)/fine, p)
		e := k.let("u32", "(u32)%s * (u32)%s", exponent, by)
		x := k.let(p.pair, "%s[%s %% %d]", low, e, fine)
		y := k.let(p.pair, "%s[%s / %d]", high, e, fine)
		return k.arithmetic(p).Mul(p.parts(x), p.parts(y))
	}
}

// powerTable has the roots of order n with exponents step times 0, 1, ...
func (k *kernel) powerTable(n, step, count int, p *precision) string {
	return k.table(fmt.Sprintf("powers %s %d %d", p.real, n, step), func() []byte {
		table := roots.Of(n)
		list := make([]complex128, count)
		for i := range list {
			re, im := table.At(i * step)
			list[i] = complex(re, im)
		}
		return p.packed(list)
	}, p.pair)
}
