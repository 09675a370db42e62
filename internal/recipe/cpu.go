package recipe

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// Target is what the cost model knows about a CPU.
type Target struct {
	Bits  int // 32 or 64: the width of a component
	Lanes int // components in a vector register, 1 without vectors
}

// partial reports masked kernels, for rows shorter than a vector.
func (t Target) partial() bool { return t.Lanes*t.Bits == 512 }

// Joint reports that lines of n elements behind a lead of half the lanes keep complex numbers
// interleaved. Shorter ones take up to 1.2 times as long so in batches, where they go in pairs
// otherwise, and float64 1.1.
func (t Target) Joint(n int) bool { return t.partial() && t.Bits == 32 && n >= jointFrom }

const jointFrom = 512

// registers reports whether one kernel transforms lines of n > largestRadix elements:
// powers of two with vectors of 512 bits, in registers or, the longest, in three stages, up to 8 KiB or,
// of float32, 32 KiB, and of 256, in two stages, up to 16 KiB, and short lines with any.
func (t Target) registers(n int) bool {
	if short(n) {
		return t.Lanes > 1
	}
	least, most := 4*t.Lanes, deepFrom
	switch {
	case t.Lanes*t.Bits == 256:
		least, most = 64, 64<<10/t.Bits
	case t.Bits == 32:
		most = MaxDirect
	}
	return t.Lanes*t.Bits >= 256 && n >= least && n <= most && (n&(n-1) == 0 || t.partial() && t.Bits == 32 && threefold(n))
}

// threefold says that n is three times a power of two that float32 has a kernel for, in three stages of vectors
// of 512 bits.
func threefold(n int) bool { return n == 768 || n == 1536 || n == 3072 }

// deepFrom is the shortest line that a kernel with vectors of 512 bits transforms in three stages. It is
// the longest of float64.
const deepFrom = 512

// deepPackedTo is the longest half line that such a kernel of float32 untangles.
const deepPackedTo = 2048

// leads are the radices that a first pass over n elements can have which transposes what it
// makes. Vectors of eight components or more have one of half the lanes, for lengths that the
// lanes do not divide, and those of 256 bits one of 15, whose rows are padded to 16.
func (t Target) leads(n int) []int {
	var leads []int
	if t.Lanes*t.Bits == 256 && n%t.Lanes != 0 && n%30 == 0 && n/4*t.Bits < paddedTo {
		leads = append(leads, 15)
	}
	if t.Lanes >= 8 && n%t.Lanes != 0 && n/4*t.Bits < narrowTo {
		return append(leads, t.Lanes/2)
	}
	if t.Lanes*t.Bits != 256 {
		return []int{t.Lanes}
	}
	if leads != nil {
		return leads
	}
	if t.Bits == 32 {
		return []int{8, 16}
	}
	return []int{4, 8, 16}
}

// paddedTo bounds lines, in bytes, that begin with a lead of 15 also in batches.
const paddedTo = 64 << 10

// narrowTo bounds lines, in bytes, that begin with a lead of half the lanes: what is behind
// it goes from buffer to buffer, and of longer lines (9800 complex64) these outgrow the near
// caches.
const narrowTo = 48 << 10

// twoRows says that two rows of half a vector have a kernel for a pass of the radix.
func twoRows(radix int) bool {
	switch radix {
	case 3, 5, 7, 9, 25:
		return true
	}
	return false
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

// composed is the two passes of a short line that vectors have a kernel for, or nil. A batch goes
// through the passes.
func (t Target) composed(n int) []int {
	if t.Lanes == 1 {
		return nil
	}
	return composed[n]
}

var composed = map[int][]int{18: {6, 3}, 21: {7, 3}, 22: {11, 2}, 25: {5, 5}, 26: {13, 2}, 27: {9, 3}, 30: {6, 5},
	35: {7, 5}, 42: {7, 6}, 45: {9, 5}, 50: {10, 5}, 54: {9, 6}, 56: {8, 7}}

// largestRadix is the largest butterfly up to which a line is one pass.
const largestRadix = 16

// planner is a CPU to the engine, with what the parts of one search share.
type planner struct {
	Target
	splits map[int][]split // by length
	// planes says that lines are not interleaved, which whole-line kernels want.
	planes bool
	// odd says that lines are real and odd: what was measured are complex lines, whose later
	// passes run on all of their columns.
	odd bool
}

func newPlanner(t Target) *planner { return &planner{Target: t, splits: map[int][]split{}} }

func (t *planner) whole(n int) bool { return n <= largestRadix || n <= MaxRadix && prime(n) }

// inners keeps the ways to run padded lengths, by innerKey: few are possible, and every length
// that is not smooth asks for a dozen of them, which took 0.9 of the time to plan it.
var inners sync.Map

type innerKey struct {
	Target
	n int
}

func (t *planner) inner(n int) (priced, bool) {
	key := innerKey{t.Target, n}
	if p, ok := inners.Load(key); ok {
		return p.(priced), true
	}
	p, ok := best(ways(n, &planner{Target: t.Target, splits: t.splits, planes: true}))
	if ok && slices.Contains(oddParts, n>>bits.TrailingZeros(uint(n))) { // any length may be Rader's
		inners.Store(key, p)
	}
	return p, ok
}

func (t *planner) guess() float64 { return 1 }

// oddParts are what is left of padded lengths without their factors of two.
var oddParts = []int{1, 3, 5, 9, 15, 25, 27, 45, 75, 81, 125}

// padded lists convenient lengths of at least least, and little more.
func (t *planner) padded(least int) []int {
	all := doubled(least, oddParts...)
	return slices.DeleteFunc(all, func(m int) bool { return m > least+least/4+64 })
}

func (t *planner) convolved(kind Kind, n int, inner priced) float64 {
	if kind == Rader {
		return 2*inner.cost + float64(n)*raderPer
	}
	return 2*inner.cost + float64(inner.recipe.N)*bluesteinPer
}

func (t *planner) smooth(n int) []priced {
	var all []priced
	add := func(r *Recipe) { all = append(all, priced{r, t.cost(r, t.planes), 1}) }
	if t.whole(n) {
		add(&Recipe{Kind: Direct, N: n})
		return all
	}
	if t.registers(n) && !t.planes {
		add(&Recipe{Kind: Direct, N: n})
	}
	if radices := t.composed(n); radices != nil && !t.planes && !t.odd {
		r := &Recipe{Kind: MixedRadix, N: n, Radices: radices}
		all = append(all, priced{r, t.prices().call + float64(n)*shortPer, 1})
	}
	for _, radices := range t.ordered(n) {
		add(&Recipe{Kind: MixedRadix, N: n, Radices: radices})
	}
	if t.Lanes == 1 {
		return all
	}
	leads := false
	for _, lead := range t.leads(n) {
		if n%lead != 0 || n/lead < t.Lanes {
			continue
		}
		leads = true
		for _, radices := range t.behindLead(n / lead) {
			if n&(n-1) != 0 {
				// The last pass has no twiddles, and small radices have kernels for short
				// rows. Powers of two were as fast in either order.
				slices.Reverse(radices)
			}
			add(&Recipe{Kind: MixedRadix, N: n, Radices: append([]int{lead}, radices...), Turn: 1})
			if t.prices().many > 0 && slices.Contains(radices, 4) {
				add(&Recipe{Kind: MixedRadix, N: n, Radices: append([]int{lead}, foursFirst(radices)...), Turn: 1})
			}
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

// ordered lists the best few ways to write n as a product of radices, by the
// time of their passes, large radices in front.
func (t *planner) ordered(n int) [][]int {
	var out [][]int
	for _, s := range t.best(n) {
		radices := slices.Clone(s.radices)
		slices.SortFunc(radices, func(a, b int) int { return cmp.Compare(b, a) })
		if !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(o, radices) }) {
			out = append(out, radices)
		}
	}
	return out
}

// behindLead is ordered with squares of five as passes of their own, where vectors have a
// kernel for those. Behind turns they are no faster than radices of ten.
func (t *planner) behindLead(n int) [][]int {
	all := t.ordered(n)
	squares := []int{}
	for rest := n; t.kernelRadix(square) && rest%square == 0; {
		rest /= square
		squares = append(squares, square)
		for _, radices := range t.ordered(rest) {
			all = append(all, slices.Concat(squares, radices))
		}
	}
	return all
}

// square is the largest radix that has a kernel of its own.
const square = 25

// foursFirst has the passes of radix four in front of the others.
func foursFirst(radices []int) []int {
	out := slices.Clone(radices)
	slices.SortStableFunc(out, func(a, b int) int {
		if (a == 4) == (b == 4) {
			return 0
		}
		if a == 4 {
			return -1
		}
		return 1
	})
	return out
}

// hasRadix reports whether passes of the radix are considered: 14 has kernels for vectors of 512
// bits only, and where 21 pays with shorter ones is measured.
func (t Target) hasRadix(r int) bool { return r != 14 && r != 21 || t.partial() }

type split struct {
	radices []int
	cost    float64
}

// keep is how many splits best carries along; the order of radices does not
// matter to it, so some are duplicates.
const keep = 6

func (t *planner) best(n int) []split {
	if n == 1 {
		return []split{{}}
	}
	if s, ok := t.splits[n]; ok {
		return s
	}
	var all []split
	for _, r := range []int{21, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2} {
		if n%r != 0 || !t.hasRadix(r) || r > largestRadix && r == n {
			continue
		}
		for _, s := range t.best(n / r) {
			if len(s.radices) > 0 && s.radices[0] > r {
				continue
			}
			all = append(all, split{append([]int{r}, s.radices...), s.cost + t.prices().pass[r]})
		}
	}
	slices.SortStableFunc(all, func(a, b split) int { return cmp.Compare(a.cost, b.cost) })
	all = all[:min(keep, len(all))]
	t.splits[n] = all
	return all
}
