package recipe

import (
	"math/bits"
	"slices"
)

// NetworkPasses splits the factors of a butterfly network, which join numbers as
// far apart as their spans, into passes of GPU threads: how many factors are in
// each. Numbers have so many bytes.
// A pass can have those whose spans are a number and its doubles, in any order.
// Few passes are good, and so are spans from 1 on or far from it: between, threads
// that follow each other read blocks that do not.
func NetworkPasses(spans []int, bytes int) []int {
	most := 3
	if bytes == 16 {
		most = 2
	}
	type plan struct {
		price int
		n     int // factors of the first pass
	}
	best := make([]plan, len(spans)+1) // of the factors from one on
	for f := len(spans) - 1; f >= 0; f-- {
		for n := 1; n <= min(most, len(spans)-f); n++ {
			together := spans[f : f+n]
			if !doubling(together) {
				continue
			}
			price := 4 + best[f+n].price
			if least := slices.Min(together); least > 1 && least < 16 {
				price += n
			}
			if best[f].n == 0 || price <= best[f].price {
				best[f] = plan{price, n}
			}
		}
	}
	var list []int
	for f := 0; f < len(spans); f += best[f].n {
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

// Weave is how the numbers of a line lie in shared memory: at the exclusive or of
// what every set bit of their number says, such that the threads of a warp that
// load or store together are in different banks.
type Weave []int // by bit

// WeaveOf finds the weave for the passes of a network over n numbers. Threads that follow each
// other differ, in a pass, in the lowest bits that do not tell a group's numbers
// apart; in the loads and stores in the order of memory, in the lowest of all, or
// the highest if that order is reversed.
func WeaveOf(n int, spans []int, bytes int, passes []int) Weave {
	count := bits.Len(uint(n - 1))
	banks := min(bits.Len(uint(128/bytes-1)), count)
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
		lowest(bits.Len(uint(slices.Min(spans[first:first+n])-1)), n)
		first += n
	}
	var highest []int
	for i := range banks {
		highest = append(highest, count-1-i)
	}
	together = append(together, highest)
	w := make(Weave, count)
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
func (w Weave) dependent(set []int, last, banks int) int {
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

// Place is where a number lies.
func (w Weave) Place(i int) int {
	at := 0
	for bit, v := range w {
		if i>>bit&1 == 1 {
			at ^= v
		}
	}
	return at
}
