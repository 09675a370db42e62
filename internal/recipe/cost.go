package recipe

import (
	"cmp"
	"math"
	"slices"
)

// The cost model predicts nanoseconds. Its figures were measured on one core
// of a Sapphire Rapids server with data in the first cache; only their ratios
// matter, and those are much the same on other machines.

// vectorPass is the time per vector of elements of a pass, by radix.
var vectorPass = map[int]float64{
	2: 1.96, 3: 1.88, 4: 1.71, 5: 2.31, 6: 2.26, 7: 2.90, 8: 2.25, 9: 3.46,
	10: 2.87, 11: 3.93, 12: 2.75, 13: 4.46, 15: 3.56, 16: 2.97,
}

const (
	callCost     = 11   // per kernel call
	leadPer      = 5.1  // per vector of a lead
	turnPer      = 2.8  // per vector of a turn
	scalarPer    = 2.5  // per element and bit of radix, of portable code
	raderPer     = 6.0  // per element around the two inner transforms
	bluesteinPer = 2.5  // per inner element around the two inner transforms
	nearBytes    = 40e3 // what the first cache holds besides tables
	midBytes     = 1.6e6
	midPer       = 0.045 // per byte that comes from the second cache
	farPer       = 0.11  // per byte that comes from beyond
)

// kernelRadix reports whether there is a vector kernel of the radix.
func kernelRadix(r int) bool { return vectorPass[r] > 0 }

// cost predicts the time of a recipe that runs on smooth lengths.
func (t Target) cost(r *Recipe) float64 {
	switch r.Kind {
	case Direct:
		if r.N > MaxRadix {
			return float64(r.N/t.Lanes) * math.Log2(float64(r.N)) * 1.0
		}
		return float64(r.N) * math.Log2(float64(r.N)) * scalarPer
	case FourStep:
		return t.fourStepCost(r)
	case MixedRadix:
	default:
		return math.Inf(1)
	}
	bytes := float64(r.N) * float64(t.Bits) / 4
	total := 0.0
	// A pass reads one buffer and writes another; a tree works in place.
	sweep := func(footprint float64) {
		switch {
		case footprint > midBytes:
			total += 2 * bytes * farPer
		case footprint > nearBytes:
			total += 2 * bytes * midPer * min(1, (footprint-nearBytes)/nearBytes)
		}
	}
	cols := 1
	head := r.Radices[:r.Turn]
	tail := r.Radices[r.Turn:]
	a, b := product(head), product(tail)
	tree := false
	switch {
	case r.Turn == 0:
	case r.Turn == 1 && a == t.Lanes && b >= t.Lanes:
		total += callCost + float64(r.N/t.Lanes)*leadPer
		sweep(3 * bytes)
		tree = true
	default:
		cols = b
		for _, f := range head {
			total += t.passCost(f, r.N, cols)
			sweep(2 * bytes)
			cols *= f
		}
		if min(a, b) < t.Lanes {
			total += float64(r.N) * 3 // a narrower turn
		}
		total += callCost + float64(r.N/t.Lanes)*turnPer
		sweep(3 * bytes)
		tree = a%t.Lanes == 0
	}
	cols = a
	rest := b
	for i, f := range tail {
		total += t.passCost(f, r.N, cols)
		switch {
		case !tree:
			cols *= f
			sweep(2 * bytes)
		case i == len(tail)-1:
			// The last pass of a tree follows the one before it block by block.
			sweep(bytes * float64(rest) / float64(b))
			sweep(bytes)
		default:
			sweep(bytes * float64(rest) / float64(b))
			total += callCost * float64(b/rest)
			rest /= f
		}
	}
	return total
}

// fourStepCost is the passes down both sides, near; and four trips of the
// line through the outer caches.
func (t Target) fourStepCost(r *Recipe) float64 {
	bytes := float64(r.N) * float64(t.Bits) / 4
	total := float64(r.N/t.Lanes) * turnPer * 1.3
	for _, f := range slices.Concat(r.Columns.Radices, r.Rows.Radices) {
		total += t.passCost(f, r.N, t.Lanes)
	}
	per := midPer
	if 2*bytes > midBytes {
		per = farPer
	}
	// Long columns push a bundle out of the first cache.
	bundle := float64(max(r.Columns.N, r.Rows.N)*2*64*2) * 2
	if bundle > nearBytes {
		total += bytes * midPer * float64(len(r.Columns.Radices)+len(r.Rows.Radices))
	}
	return total + 4*bytes*per*0.8
}

// passCost is one pass over n elements with the given columns.
func (t Target) passCost(radix, n, cols int) float64 {
	if !kernelRadix(radix) || t.Lanes == 1 || 2*cols < t.Lanes {
		return callCost + float64(n)*scalarPer*(1+math.Log2(float64(radix)))
	}
	lanes := t.Lanes
	if cols < lanes {
		lanes /= 2
	}
	vectors := float64(n/cols) * float64((cols+lanes-1)/lanes)
	return callCost + vectors*vectorPass[radix]
}

func product(radices []int) int {
	n := 1
	for _, r := range radices {
		n *= r
	}
	return n
}

// splits lists the best few ways to write n as a product of radices, by the
// time of their passes, large radices in front.
func splits(n int) [][]int {
	memo := map[int][]split{}
	var out [][]int
	for _, s := range best(n, memo) {
		radices := slices.Clone(s.radices)
		slices.SortFunc(radices, func(a, b int) int { return cmp.Compare(b, a) })
		if !slices.ContainsFunc(out, func(o []int) bool { return slices.Equal(o, radices) }) {
			out = append(out, radices)
		}
	}
	return out
}

type split struct {
	radices []int
	cost    float64
}

// keep is how many splits best carries along; the order of radices does not
// matter to it, so some are duplicates.
const keep = 6

func best(n int, memo map[int][]split) []split {
	if n == 1 {
		return []split{{}}
	}
	if s, ok := memo[n]; ok {
		return s
	}
	var all []split
	for _, r := range []int{16, 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2} {
		if n%r != 0 {
			continue
		}
		for _, s := range best(n/r, memo) {
			if len(s.radices) > 0 && s.radices[0] > r {
				continue
			}
			all = append(all, split{append([]int{r}, s.radices...), s.cost + vectorPass[r]})
		}
	}
	slices.SortStableFunc(all, func(a, b split) int { return cmp.Compare(a.cost, b.cost) })
	all = all[:min(keep, len(all))]
	memo[n] = all
	return all
}
