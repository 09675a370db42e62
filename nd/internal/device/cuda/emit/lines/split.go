package lines

import (
	"fmt"
	"slices"
)

// split is how the threads of a line share a transform of n complex numbers:
// a pass per radix, each of which reads what the one before it wrote. A pass
// has n/radix butterflies; thread t does butterflies t, t+threads, ...
//
// The first or last pass may be mirrored instead: a thread then does
// butterflies in pairs, b and its mirror image, so that it holds element k of
// the line together with element n-k. That is what real lines need, which
// travel as complex lines of half the length.
type split struct {
	n       int
	radices []int
	threads int
}

// reversed has the passes the other way round.
func (s split) reversed() split {
	r := slices.Clone(s.radices)
	slices.Reverse(r)
	return split{s.n, r, s.threads}
}

// smooth reports whether n has small factors only.
func smooth(n int) bool {
	for _, p := range []int{2, 3, 5, 7, 11, 13} {
		for n%p == 0 {
			n /= p
		}
	}
	return n == 1
}

// mostThreads is what a block may have.
const mostThreads = 1024

// pairs is the number of pairs of butterflies in a mirrored pass. The two that
// are their own images make one; of an odd number, one stands alone.
func pairs(butterflies int) int { return (butterflies + 1) / 2 }

// tuned is a split and how it runs best.
type tuned struct {
	radices  []int
	threads  int // of a line
	lines    int // of a block; 0 for as many as make a block of the usual size
	resident int // threads of a multiprocessor, which bounds registers; 0 for as many as it comes to
}

// The tables hold what was fastest on an H200, for float32, by the length of
// the complex line.
var (
	measured = map[int]tuned{
		16: {radices: []int{4, 4}, threads: 4}, 32: {radices: []int{8, 4}, threads: 4}, 64: {radices: []int{8, 8}, threads: 8},
		128: {radices: []int{8, 16}, threads: 16}, 256: {radices: []int{8, 8, 4}, threads: 32}, 512: {radices: []int{8, 8, 8}, threads: 64},
		1024: {radices: []int{16, 8, 8}, threads: 64}, 2048: {radices: []int{16, 16, 8}, threads: 128}, 4096: {radices: []int{16, 16, 16}, threads: 256},
		8192: {radices: []int{32, 16, 16}, threads: 256}, 16384: {radices: []int{32, 32, 16}, threads: 512},
	}
	// Of real lines of twice the length, whose last pass is mirrored. Threads
	// of a multiprocessor are those of a convolution.
	measuredMirrored = map[int]tuned{
		64: {radices: []int{8, 8}, threads: 4}, 128: {radices: []int{8, 4, 4}, threads: 16}, 256: {radices: []int{8, 4, 8}, threads: 16},
		512: {radices: []int{8, 8, 8}, threads: 32, lines: 2, resident: 640}, 1024: {radices: []int{16, 8, 8}, threads: 64, resident: 768},
		2048: {radices: []int{16, 16, 8}, threads: 128, resident: 768}, 4096: {radices: []int{16, 16, 16}, threads: 128, resident: 384},
		8192: {radices: []int{16, 8, 8, 8}, threads: 512, resident: 1024},
	}
	// Of lines side by side, in passes over longer ones.
	measuredColumns = map[int]tuned{
		210: {radices: []int{15, 14}, threads: 14, lines: 16, resident: 448},
		256: {radices: []int{16, 16}, threads: 16, lines: 8}, 512: {radices: []int{16, 8, 4}, threads: 32, lines: 8, resident: 1024},
		1024: {radices: []int{32, 32}, threads: 32, lines: 8},
		2048: {radices: []int{16, 16, 8}, threads: 128, lines: 4},
	}
)

// splitOf chooses by what was measured, or else by counting instructions.
func splitOf(n int, p *precision, mirrored bool) (split, tuned, error) {
	room := 16 // numbers in registers, of a thread
	if p.bits == 32 {
		room = 32
	}
	return splitWithin(n, p, mirrored, room)
}

// splitWithin is splitOf for threads that hold so many numbers at most, if they
// were not measured to do well with more.
func splitWithin(n int, p *precision, mirrored bool, room int) (split, tuned, error) {
	table := measured
	if mirrored {
		table = measuredMirrored
	}
	if t, ok := table[n]; ok && p.bits == 32 {
		return split{n, t.radices, t.threads}, t, nil
	}
	best, least := split{}, 0.0
	try := func(radices []int, threads int) {
		s := split{n, radices, threads}
		held := s.held(mirrored)
		if threads < 1 || threads > mostThreads || held > room {
			return
		}
		if c := s.cost(mirrored, held); best.n == 0 || c < least {
			best, least = split{n, slices.Clone(radices), threads}, c
		}
	}
	factorings(n, 16, nil, func(radices []int) {
		last := n / radices[len(radices)-1]
		if mirrored {
			for d := 1; d <= 4; d *= 2 {
				try(radices, (pairs(last)+d-1)/d)
			}
			return
		}
		for _, r := range radices {
			for d := 1; d <= 4; d *= 2 {
				try(radices, (n/r+d-1)/d)
			}
		}
	})
	if best.n == 0 {
		return best, tuned{}, fmt.Errorf("lines: fft: no split of %d", n)
	}
	return best, tuned{}, nil
}

// factorings calls f with the ways to write n as a product of radices: odd
// ones first, since threads that write an odd number of places apart do not
// meet in a bank of shared memory, then larger ones first, except for the last,
// which may be any.
func factorings(n, most int, begun []int, f func([]int)) {
	if n == 1 {
		if len(begun) == 0 {
			f([]int{1})
			return
		}
		for i, r := range begun {
			if slices.Index(begun, r) != i {
				continue
			}
			list := append(slices.Delete(slices.Clone(begun), i, i+1), r)
			slices.SortStableFunc(list[:len(list)-1], func(a, b int) int { return b%2 - a%2 })
			f(list)
		}
		return
	}
	if len(begun) == 6 {
		return
	}
	for r := min(n, most); r > 1; r-- {
		if n%r == 0 {
			factorings(n/r, r, append(begun, r), f)
		}
	}
}

// held is how many numbers a thread has in registers at most.
func (s split) held(mirrored bool) int {
	most := 0
	for i, r := range s.radices {
		most = max(most, r*s.turns(i, mirrored && i == len(s.radices)-1))
	}
	return most
}

// turns is how many butterflies of a pass a thread does.
func (s split) turns(pass int, mirrored bool) int {
	b := s.n / s.radices[pass]
	if mirrored {
		return 2 * ((pairs(b) + s.threads - 1) / s.threads)
	}
	return (b + s.threads - 1) / s.threads
}

// cost is about the instructions per element.
func (s split) cost(mirrored bool, held int) float64 {
	const exchange, twiddles = 12, 6
	c := 0.0
	for i, r := range s.radices {
		share := float64(s.turns(i, mirrored && i == len(s.radices)-1)*s.threads*r) / float64(s.n)
		c += share * (butterflyCost(r) + exchange)
		if i > 0 {
			c += share * twiddles
		}
	}
	if held > 16 {
		c += 8
	}
	if 32%s.threads != 0 && s.threads%32 != 0 {
		c += 3
	}
	if s.threads < 4 && s.n > 32 {
		c += 20
	}
	return c
}

// idle is how many times as many butterflies threads have turns for as there
// are.
func (s split) idle() float64 {
	sum := 0.0
	for i, r := range s.radices {
		sum += float64(s.turns(i, false)*s.threads*r) / float64(s.n)
	}
	return sum / float64(len(s.radices))
}

// butterflyCost is the instructions per element of a transform in registers.
func butterflyCost(r int) float64 {
	switch r {
	case 1:
		return 0
	case 2:
		return 2
	case 4:
		return 4
	}
	if m := inner(r); m > 1 {
		return butterflyCost(m) + butterflyCost(r/m) + 2.5
	}
	h := float64(r / 2)
	return (4*h*h + 10*h) / float64(r)
}
