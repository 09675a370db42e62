package lines

import (
	"fmt"
	"math/bits"
	"slices"

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
	if ir.Count(k.outer.dims) >= 4*mixLines*k.card.Processors {
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

// mixPasses splits the factors of a butterfly into passes: how many are in each.
// A pass can have those whose spans are a number and its doubles, in any order.
// Few passes are good, and so are spans from 1 on or far from it: between, threads
// that follow each other read blocks that do not.
func mixPasses(b *ir.Butterfly) []int {
	most := 3
	if b.In.Type.Size() == 16 {
		most = 2
	}
	type plan struct {
		price int
		n     int // factors of the first pass
	}
	best := make([]plan, len(b.Spans)+1) // of the factors from one on
	for f := len(b.Spans) - 1; f >= 0; f-- {
		for n := 1; n <= min(most, len(b.Spans)-f); n++ {
			spans := b.Spans[f : f+n]
			if !doubling(spans) {
				continue
			}
			price := 4 + best[f+n].price
			if least := slices.Min(spans); least > 1 && least < 16 {
				price += n
			}
			if best[f].n == 0 || price <= best[f].price {
				best[f] = plan{price, n}
			}
		}
	}
	var list []int
	for f := 0; f < len(b.Spans); f += best[f].n {
		list = append(list, best[f].n)
	}
	return list
}

// doubling reports spans that are a number and its doubles.
func doubling(spans []int) bool {
	all := 0
	for _, h := range spans {
		all |= h
	}
	return all == slices.Min(spans)*(1<<len(spans)-1)
}

// weave is how the numbers of a line lie in shared memory: at the exclusive or of
// what every set bit of their number says, such that the threads of a warp that
// load or store together are in different banks.
type weave []int // by bit

// weaveOf finds the weave for the passes of a butterfly. Threads that follow each
// other differ, in a pass, in the lowest bits that do not tell a group's numbers
// apart; in the loads and stores in the order of memory, in the lowest of all, or
// the highest if that order is reversed.
func weaveOf(b *ir.Butterfly, passes []int) weave {
	count := bits.Len(uint(b.N - 1))
	banks := min(bits.Len(uint(128/b.In.Type.Size()-1)), count)
	var together [][]int
	lowest := func(skip, n int) {
		var set []int
		for i := 0; i < count && len(set) < banks; i++ {
			if i < skip || i >= skip+n {
				set = append(set, i)
			}
		}
		together = append(together, set)
	}
	lowest(count, 0)
	first := 0
	for _, n := range passes {
		lowest(bits.Len(uint(slices.Min(b.Spans[first:first+n])-1)), n)
		first += n
	}
	var highest []int
	for i := range banks {
		highest = append(highest, count-1-i)
	}
	together = append(together, highest)
	w := make(weave, count)
	for i := range w {
		w[i] = 1 << i
		if i < banks {
			continue
		}
		best, least := 0, -1
		for add := range 1 << banks {
			w[i] = 1<<i | add
			meet := 0
			for _, set := range together {
				if slices.Contains(set, i) {
					meet += w.dependent(set, i, 1<<banks-1)
				}
			}
			if least < 0 || meet < least {
				best, least = add, meet
			}
		}
		w[i] = 1<<i | best
	}
	return w
}

// dependent is how many bits up to the last, of a set, say nothing about the bank
// that others do not.
func (w weave) dependent(set []int, last, banks int) int {
	var basis []int
	n := 0
	for _, i := range set {
		if i > last {
			continue
		}
		v := w[i] & banks
		for _, u := range basis {
			v = min(v, v^u)
		}
		if v == 0 {
			n++
		} else {
			basis = append(basis, v)
		}
	}
	return n
}

// place is where a number lies.
func (w weave) place(i int) int {
	at := 0
	for bit, v := range w {
		if i>>bit&1 == 1 {
			at ^= v
		}
	}
	return at
}

// spelled is place as an expression.
func (w weave) spelled(i string) string {
	byShift := map[int]int{}
	for bit, v := range w {
		for to := range bit {
			if v>>to&1 == 1 {
				byShift[bit-to] |= 1 << to
			}
		}
	}
	text := i
	for shift := range len(w) {
		if mask := byShift[shift]; mask != 0 {
			text += fmt.Sprintf(" ^ (%s >> %d & %d)", i, shift, mask)
		}
	}
	return text
}
