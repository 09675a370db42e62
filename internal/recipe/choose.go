package recipe

import (
	"cmp"
	"slices"
)

// Target is what the cost model knows about the machine.
type Target struct {
	Bits  int // 32 or 64: the width of a component
	Lanes int // components in a vector register, 1 without vectors
}

// partial reports masked kernels, for rows shorter than a vector.
func (t Target) partial() bool { return t.Lanes*t.Bits == 512 }

// whole reports whether a kernel transforms lines of n > largestRadix elements
// in registers: powers of two with 512-bit vectors, and short lines with any.
func (t Target) whole(n int) bool {
	if short(n) {
		return t.Lanes > 1
	}
	return t.Lanes*t.Bits == 512 && n >= 4*t.Lanes && n <= 32*t.Lanes && n&(n-1) == 0
}

// short says that vectors have a kernel for n > largestRadix elements as rows of
// four.
func short(n int) bool {
	switch n {
	case 20, 24, 28, 32, 36, 40, 48, 60:
		return true
	}
	return false
}

// For picks the recipe for length n, n >= 1. It is deterministic: the same
// arguments give the same recipe on every machine.
func For(n int, t Target) *Recipe { return Candidates(n, t, 1)[0] }

// Candidates returns up to k >= 1 recipes for length n, cheapest first.
func Candidates(n int, t Target, k int) []*Recipe {
	p := planner{t, map[int][]split{}, false}
	return p.candidates(n, k)
}

// planner carries what the parts of one search share.
type planner struct {
	Target
	splits map[int][]split // by length
	// planes says that lines are not interleaved, which whole-line kernels want.
	planes bool
}

func (t *planner) candidates(n, k int) []*Recipe {
	if n <= largestRadix || n <= MaxRadix && prime(n) {
		return []*Recipe{{Kind: Direct, N: n}}
	}
	var all []priced
	if stripped(n) == 1 {
		all = t.smooth(n)
	} else {
		all = t.convolutions(n)
	}
	slices.SortStableFunc(all, func(a, b priced) int { return cmp.Compare(a.cost, b.cost) })
	var out []*Recipe
	for _, c := range all {
		if len(out) < k && !slices.ContainsFunc(out, c.recipe.Equal) {
			out = append(out, c.recipe)
		}
	}
	return out
}

// largestRadix is the largest butterfly that has a kernel of its own.
const largestRadix = 16

// priced is a recipe and its predicted time in nanoseconds.
type priced struct {
	recipe *Recipe
	cost   float64
}

// stripped divides n by all primes that passes can handle.
func stripped(n int) int {
	for _, p := range []int{2, 3, 5, 7, 11, 13} {
		for n%p == 0 {
			n /= p
		}
	}
	return n
}

// smooth prices the ways to run a length with small prime factors only.
func (t *planner) smooth(n int) []priced {
	var all []priced
	add := func(r *Recipe) { all = append(all, priced{r, t.cost(r)}) }
	if t.whole(n) && !t.planes {
		add(&Recipe{Kind: Direct, N: n})
	}
	for _, radices := range t.ordered(n) {
		add(&Recipe{Kind: MixedRadix, N: n, Radices: radices})
	}
	if t.Lanes == 1 {
		return all
	}
	leads := n%t.Lanes == 0 && n/t.Lanes >= t.Lanes
	if leads {
		for _, radices := range t.ordered(n / t.Lanes) {
			add(&Recipe{Kind: MixedRadix, N: n, Radices: append([]int{t.Lanes}, radices...), Turn: 1})
		}
	}
	low := t.Lanes / 2
	if t.partial() {
		low = 2
	}
	for _, a := range divisors(n, low) {
		head, tail := t.ordered(a), t.ordered(n/a)
		for _, h := range head[:min(2, len(head))] {
			for _, l := range tail[:min(2, len(tail))] {
				add(&Recipe{Kind: MixedRadix, N: n, Radices: slices.Concat(h, l), Turn: len(h)})
			}
		}
		if !leads && n >= fourStepFrom/t.Bits*32 && a >= 2*t.Lanes && n/a >= 2*t.Lanes {
			columns := &Recipe{Kind: MixedRadix, N: a, Radices: head[0]}
			rows := &Recipe{Kind: MixedRadix, N: n / a, Radices: tail[0]}
			add(&Recipe{Kind: FourStep, N: n, Columns: columns, Rows: rows})
		}
	}
	return all
}

// fourStepFrom is the shortest float32 line that a four-step is tried for: it
// fills a quarter of a second-level cache of 2 MiB with its two sides. Where a
// lead is possible, the tree behind it was faster at every length measured.
const fourStepFrom = 1 << 15

// divisors are the a near the root of n with a and n/a at least low.
func divisors(n, low int) []int {
	var all []int
	for a := low; a*a <= 16*n && a <= n/low; a++ {
		if n%a == 0 && 16*a*a >= n {
			all = append(all, a)
		}
	}
	return all
}

// convolutions prices Rader and Bluestein.
func (t *planner) convolutions(n int) []priced {
	var all []priced
	t = &planner{t.Target, t.splits, true}
	if n <= maxRader && prime(n) && stripped(n-1) == 1 {
		inner := t.candidates(n-1, 1)[0]
		all = append(all, priced{&Recipe{Kind: Rader, N: n, Inner: inner}, 2*t.cost(inner) + float64(n)*raderPer})
	}
	for _, m := range padded(2*n - 1) {
		inner := t.candidates(m, 1)[0]
		all = append(all, priced{&Recipe{Kind: Bluestein, N: n, Inner: inner}, 2*t.cost(inner) + float64(m)*bluesteinPer})
	}
	return all
}

// padded lists convenient lengths of at least least, and little more.
func padded(least int) []int {
	var all []int
	for _, odd := range []int{1, 3, 5, 9, 15, 25, 27, 45, 75, 81, 125} {
		m := odd
		for m < least {
			m *= 2
		}
		if m <= least+least/4+64 {
			all = append(all, m)
		}
	}
	return all
}

func prime(n int) bool {
	for f := 2; f*f <= n; f++ {
		if n%f == 0 {
			return false
		}
	}
	return n >= 2
}
