// Package order is the order in which devices with kernels add up: what makes
// the bits of a sum follow from its length alone.
package order

// A sum comes to the same bits whatever it is fused with and however its
// operands lie, because the order of its additions follows from its length
// alone. There are two orders, for elements that are neighbours in memory and
// for rows of them; every accumulator of either starts with what changes nothing.
//
// Along a line of n elements: parts of PartOf(n), and in each of them
// Lanes(n) sums side by side, of which lane i has the elements at i modulo
// their number, in chains (below). Lane 2i takes in lane 2i+1, and of those
// pairs each takes in the one that is half of all pairs on, then a quarter,
// and so on. The parts are added up the same way, as a line of their own.
//
// Over rows: Chain of them one after the other, Chain such sums one after the
// other, and so on up to ChainLevels.
//
// Frames are added where they overlap in their order, one after the other. Short
// ones that begin at every sample are added up in groups first (see FrameGroup),
// and then group after group.
const (
	// Chain is how many values are added one after the other before a new
	// sum begins, so that long sums stay exact.
	Chain = 64

	// ChainLevels is how often chains are chained; the last one is endless.
	ChainLevels = 4

	// LanesEach is how many lanes a thread has at least: as many float32 as
	// are loaded at once.
	LanesEach = 4

	// A part keeps the threads of a block busy for a while; past mostParts
	// there are blocks enough for any card.
	leastPart, mostParts = 8192, 1024
)

// Lanes is the number of lanes of a sum of n elements, a power of two: up to a
// warp of threads each, then more for several turns of them all.
func Lanes(n int) int {
	threads := 1
	for threads < 32 && threads*LanesEach < n || threads < 256 && threads*LanesEach*8 < n {
		threads *= 2
	}
	return threads * LanesEach
}

// PartOf is how many of n elements a part has: whole turns of the lanes.
func PartOf(n int) int {
	parts := min(max(n/leastPart, 1), mostParts)
	turns := Lanes(n) * parts
	return max((n+turns-1)/turns, 1) * Lanes(n)
}

// FrameGroup is how many frames, from a multiple of it on, are added up by
// themselves, starting from 0, before they are added to what earlier ones came to;
// 0 if each is added at once. A warp that has a frame in each thread adds up its
// own without waiting for others.
func FrameGroup(size, hop int) int {
	if hop == 1 && size <= 64 {
		return 32
	}
	return 0
}
