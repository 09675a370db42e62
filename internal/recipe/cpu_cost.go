package recipe

import (
	"math"
	"slices"
)

// The cost model predicts nanoseconds. Its figures were measured on one core
// of a Xeon server with data in the first cache; only their ratios
// matter, and those are much the same on other machines.

// prices are the times of kernels of a level.
type prices struct {
	pass map[int]float64 // per vector of elements of a pass, by radix
	lead map[int]float64 // per vector of a lead, by radix
	turn float64         // per vector of a turn
	call float64         // per kernel call
	line float64         // per vector and doubling of a whole line
	deep float64         // the same in three stages
	// many is what a pass of more than four legs costs over a line that outgrows the
	// first cache, up to manyTo bytes, per byte: legs a power of two apart fall on the
	// same few sets.
	many, manyTo float64
}

// wide is for vectors of 512 bits. Passes of 14 and 21 take less than their price, 3.0 and 4.0: it
// is such that they are chosen where they save a pass. Where they only make others smaller (7168 as
// 4, 8, 14 for 7, 8, 8), lines take 1.05 to 1.1 of the time.
var wide = prices{
	pass: map[int]float64{
		2: 1.96, 3: 1.88, 4: 1.71, 5: 2.31, 6: 2.26, 7: 2.90, 8: 2.25, 9: 3.46,
		10: 2.87, 11: 3.93, 12: 2.75, 13: 4.46, 14: 3.9, 15: 3.56, 16: 2.97, 21: 4.9, 25: 4.5,
	},
	lead: map[int]float64{4: 5.1, 8: 5.1, 16: 5.1},
	turn: 4.5,
	call: 11,
	line: 1,
	deep: 0.8,
	many: 0.008, manyTo: 160e3,
}

// narrow is for vectors of 256 bits.
var narrow = prices{
	pass: map[int]float64{
		2: 1.20, 3: 1.37, 4: 1.17, 5: 1.80, 6: 1.44, 7: 2.40, 8: 1.45, 9: 2.15,
		10: 2.10, 11: 4.15, 12: 1.80, 13: 5.18, 15: 2.55, 16: 2.07, 25: 3.5,
	},
	lead: map[int]float64{4: 2.60, 8: 2.70, 15: 4.30, 16: 3.75},
	turn: 1.80,
	call: 20,
	line: 0.65,
	many: 0.017, manyTo: midBytes,
}

// counted is for vectors of 128 bits, which nobody has measured: executed
// instructions (bench/instructions: pass32, lead32, turn32), eight of them a
// nanosecond.
var counted = prices{
	pass: map[int]float64{
		2: 1.80, 3: 2.05, 4: 1.91, 5: 2.34, 6: 2.23, 7: 2.66, 8: 2.25, 9: 2.86,
		10: 2.70, 11: 3.57, 12: 2.64, 13: 4.29, 15: 3.24, 16: 2.98,
	},
	lead: map[int]float64{2: 2.47, 4: 2.47},
	turn: 1.74,
	call: 11,
}

func (t Target) prices() *prices {
	switch t.Lanes * t.Bits {
	case 128:
		return &counted
	case 256:
		return &narrow
	}
	return &wide
}

const (
	shortPer     = 0.8  // per element of a short line in one kernel
	scalarPer    = 2.5  // per element and bit of radix, of portable code
	raderPer     = 2.5  // per element around the two inner transforms
	bluesteinPer = 1.5  // per inner element around the two inner transforms
	unalignedPer = 2.0  // what rows off the cache lines cost passes without a turn
	bundlePer    = 1.6  // what the short rows of a four-step cost its passes
	narrowPer    = 1.14 // what passes behind a lead of half the lanes wait for each other

	nearBytes = 40e3  // the first cache, less what tables take
	midBytes  = 1.7e6 // the second
	midPer    = 0.012 // per byte moved to or from the second cache
	farPer    = 0.06  // per byte moved to or from beyond
)

// kernelRadix reports whether there is a vector kernel of the radix.
func (t Target) kernelRadix(r int) bool { return t.prices().pass[r] > 0 }

// move is the time to move bytes that belong to a working set.
func move(bytes, set float64) float64 {
	switch {
	case set > midBytes:
		return bytes * farPer
	case set > nearBytes:
		return bytes * midPer
	}
	return 0
}

// cost predicts the time of a recipe that runs on smooth lengths, on lines in planes or interleaved.
func (t Target) cost(r *Recipe, planes bool) float64 {
	switch {
	case r.Kind == Direct && short(r.N) && t.Lanes > 1:
		return t.prices().call + float64(r.N)*shortPer
	case r.Kind == Direct && t.partial() && r.N >= deepFrom:
		return float64(r.N/t.Lanes) * math.Log2(float64(r.N)) * t.prices().deep
	case r.Kind == Direct && r.N > MaxRadix:
		return float64(r.N/t.Lanes) * math.Log2(float64(r.N)) * t.prices().line
	case r.Kind == Direct:
		return float64(r.N) * math.Log2(float64(r.N)) * scalarPer
	case r.Kind == FourStep:
		return t.fourStepCost(r)
	}
	bytes := float64(r.N) * float64(t.Bits) / 4
	head, tail := r.Radices[:r.Turn], r.Radices[r.Turn:]
	a, b := product(head), product(tail)
	total, gaps := 0.0, false
	switch {
	case r.Turn == 0:
		cols := 1
		for _, f := range tail {
			total += t.passCost(f, r.N/cols, cols) + move(2*bytes, 2*bytes)
			cols *= f
		}
		if t.Lanes > 1 && r.N >= t.Lanes*t.Lanes {
			total *= unalignedPer
		}
		return total
	case r.Turn == 1 && 2*a == t.Lanes && slices.Contains(t.leads(r.N), a) && b >= t.Lanes:
		return t.narrowCost(r.N, a, tail, bytes, !planes && t.Joint(r.N))
	case r.Turn == 1 && slices.Contains(t.leads(r.N), a) && b >= t.Lanes:
		gaps = true
		// Source, table and scratch.
		total += t.prices().call + float64(r.N/t.Lanes)*t.prices().lead[a] + move(3*bytes, 3*bytes)
	default:
		for _, f := range head {
			total += t.passCost(f, a, b) + move(2*bytes, 2*bytes)
		}
		if !t.partial() && min(a, b) < t.Lanes/2 {
			total += float64(r.N) * scalarPer
		} else {
			tiles := float64((a+t.Lanes-1)/t.Lanes) * float64((b+t.Lanes-1)/t.Lanes)
			total += t.prices().call + tiles*float64(t.Lanes)*t.prices().turn
		}
		total += move(3*bytes, 3*bytes)
	}
	return total + t.treeCost(tail, a, bytes, gaps)
}

// narrowCost is a lead of half the lanes and the passes from buffer to buffer behind it,
// the first of which takes two rows at a time.
func (t Target) narrowCost(n, cols int, radices []int, bytes float64, joint bool) float64 {
	total := t.prices().call + float64(n/t.Lanes)*t.prices().lead[cols] + move(3*bytes, 3*bytes)
	if joint {
		// Whole vectors in any order, of which the rising one comes first: the sum is in one order.
		for _, f := range slices.Sorted(slices.Values(radices)) {
			total += t.passCost(f, n/t.Lanes, t.Lanes) + move(2*bytes, 2*bytes)
		}
		return total
	}
	for i, f := range radices {
		if i == 0 && len(radices) > 1 && twoRows(f) {
			total += t.passCost(f, n/t.Lanes, t.Lanes)
		} else {
			total += t.passCost(f, n/cols, cols)
		}
		total += move(2*bytes, 2*bytes)
		cols *= f
	}
	return total * narrowPer
}

// treeCost is the passes in place of a line after its lead or turn. Each works
// on blocks; the last reads a block and writes all over the line. Behind a lead there are gaps
// between the legs of the first.
func (t Target) treeCost(radices []int, cols int, bytes float64, gaps bool) float64 {
	total, blocks := 0.0, 1.0
	n := product(radices)
	for i, f := range radices {
		total += t.passCost(f, n, cols)
		set := bytes / blocks
		if i < len(radices)-1 {
			total += move(2*bytes, set) + t.prices().call*blocks
			if legs := set / 2 / float64(f); f > 4 && !(gaps && i == 0) && set > nearBytes && set <= t.prices().manyTo && math.Mod(legs, 1024) == 0 {
				total += 2 * bytes * t.prices().many
			}
			blocks *= float64(f)
		} else {
			total += move(bytes, set) + move(bytes, 2*bytes)
		}
	}
	return total
}

// fourStepCost is the passes down both sides in bundles, the turn, and the
// line's way through the outer caches.
func (t Target) fourStepCost(r *Recipe) float64 {
	bytes := float64(r.N) * float64(t.Bits) / 4
	// Read and write twice; what is written is fetched first.
	total := float64(r.N/t.Lanes)*t.prices().turn*1.5 + move(6*bytes, 3*bytes)
	for _, side := range []*Recipe{r.Columns, r.Rows} {
		bundle := float64(side.N) * 2 * 64 * 2
		for _, f := range side.Radices {
			total += bundlePer*t.passCost(f, side.N, r.N/side.N) + move(2*bytes, 2*bundle)
		}
	}
	return total
}

// passCost is one pass over rows of cols elements.
func (t Target) passCost(radix, rows, cols int) float64 {
	if !t.kernelRadix(radix) || t.Lanes == 1 || !t.partial() && 2*cols <= t.Lanes {
		return t.prices().call + float64(rows*cols)*scalarPer*(1+math.Log2(float64(radix)))
	}
	vectors := float64(rows) * float64((cols+t.Lanes-1)/t.Lanes)
	return t.prices().call + vectors*t.prices().pass[radix]
}
