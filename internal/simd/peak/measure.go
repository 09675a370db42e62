package peak

import "math"

// sparse is how many elements of a list there may be for one that a round takes out:
// with more, as on a long slope, a walk over the rest is faster than rounds.
const sparse = 16

// Measure finds how far the maxima stand out, and their bases: of equally low places
// the nearest. The line is Ordered.
//
// A maximum between two higher ones is measured: the ground on either side ends
// there. Without it the list is that of a line which has no such maximum, where the
// lower of the two valleys beside it remains. So round after round goes through what
// is left, which in noise is two thirds of what there was.
func (f *Finder) Measure() {
	left, list := len(f.At)+1, f.ground
	if f.round == nil {
		f.climb(list, left)
		return
	}
	if f.rounds[0] == nil {
		for i := range f.rounds {
			f.rounds[i] = NewGround(len(f.prominences))
		}
	}
	for i := 0; left > 1; i ^= 1 {
		n := f.round(f.rounds[i], list, left, f.Prominences, f.Bases)
		out := left - n
		left, list = n, f.rounds[i]
		if out*sparse < n {
			f.climb(list, left)
			return
		}
	}
}

// ridge is a maximum that nothing to its right has overtaken so far. Heights are
// keys: what is random in noise is then chosen without a branch, which floats are
// not.
type ridge struct {
	height  int64
	low     int64 // of the lowest places between it and the ridge before
	leftLow int64 // of the place that is the base on its left
	peak    int32
	left    int32
	// Of equal lowest places the first and the last.
	first, last int32
}

// key is an integer that is as much greater or less as a number is; zeros of either
// sign are equal.
func key(v float64) int64 {
	bits := int64(math.Float64bits(v + 0))
	return bits ^ int64(uint64(bits>>63)>>1)
}

// number undoes key.
func number(k int64) float64 { return math.Float64frombits(uint64(k ^ int64(uint64(k>>63)>>1))) }

// climb measures the maxima of a list of n elements in one walk. It keeps a stack of
// ridges, each lower than the one before or as high: the ground beside a maximum is
// the lowest of the valleys up to the first higher one.
func (f *Finder) climb(g *Ground, n int) {
	// A ridge higher than everything at the bottom is never overtaken.
	if f.stack == nil {
		f.stack = make([]ridge, len(f.prominences)+1)
		f.stack[0].height = math.MaxInt64
	}
	stack, depth := f.stack, 0
	heights, lows, lowest, which := g.heights()[:n], g.lows()[:n], g.lowest()[:n], g.which()[:n]
	for i := range n - 1 {
		height, low := key(heights[i]), key(lows[i])
		first, last := int32(lowest[i]), int32(lowest[i]>>32)
		for stack[depth].height < height {
			r := &stack[depth]
			depth--
			f.overtaken(r, low, first)
			// Loaded before, they are chosen without a branch.
			gap, gapFirst, gapLast := r.low, r.first, r.last
			if gap <= low {
				first = gapFirst
			}
			if gap < low {
				last = gapLast
			}
			low = min(low, gap)
		}
		// The left ground goes on through maxima of the same height.
		left, leftLow := last, low
		if r := &stack[depth]; r.height == height && r.leftLow < low {
			left, leftLow = r.left, r.leftLow
		}
		depth++
		stack[depth] = ridge{height, low, leftLow, int32(which[i]), left, first, last}
	}
	first, low := int32(lowest[n-1]), key(lows[n-1])
	for ; depth > 0; depth-- {
		r := &stack[depth]
		f.overtaken(r, low, first)
		if r.low <= low {
			first, low = r.first, r.low
		}
	}
}

// overtaken ends a ridge, given the lowest place to its right up to higher ground.
func (f *Finder) overtaken(r *ridge, low int64, right int32) {
	f.Prominences[r.peak] = number(r.height) - number(max(low, r.leftLow))
	f.Bases[r.peak] = Bases{r.left, right}
}
