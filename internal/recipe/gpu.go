package recipe

import (
	"fmt"
	"slices"
)

// GPU is what the cost model knows about a GPU. Prices are instructions per
// element.
type GPU struct {
	Arch        int // compute capability, major*10+minor: 80, 90
	Bits        int // 32 or 64: the width of a component
	SharedBytes int // shared memory a block may ask for
	Threads     int // a block may have; 0 for MaxThreads
	// Cluster is how many blocks may hand each other what is in their shared memory;
	// 0 for none.
	Cluster int
	// Way is which transforms of a long line are wanted.
	Way Way
	// Halves says that lines are computed two at a time, in the halves of a register.
	Halves bool
	// LongestAxis is the longest line of a pass over lines that do not fit on chip;
	// 0 for the usual: eight of them are in a block.
	LongestAxis int
}

// Way is which transforms of a line there are.
type Way uint8

const (
	ThereAndBack Way = iota
	There
	Back
)

// MaxThreads is what a block may have.
const MaxThreads = 1024

const (
	// shortestPacked is the length from which packing a real line pays.
	shortestPacked = 8
	// usualAxis is the usual LongestAxis.
	usualAxis = 2048
	// MaxGPULen is the length up to which elements of a line are counted in 32 bits.
	MaxGPULen = 1 << 29
	// chipBytes is what a line may take on chip.
	chipBytes = 128 << 10
)

// bytes is the size of a complex number.
func (g GPU) bytes() int { return g.Bits / 4 }

// MaxOnChip is the longest complex line that a block holds, but for packed ones that were
// measured.
func (g GPU) MaxOnChip() int { return chipBytes / g.bytes() }

// holds reports a line that is short enough for a block.
func (g GPU) holds(n int, packed bool) bool {
	return n <= g.MaxOnChip() || packed && g.tables().packed[n] != nil
}

func (g GPU) longestAxis() int {
	if g.LongestAxis > 0 {
		return g.LongestAxis
	}
	return usualAxis
}

// threads is how many a block may have.
func (g GPU) threads() int {
	if g.Threads > 0 {
		return g.Threads
	}
	return MaxThreads
}

// registers is how many numbers a thread holds at most.
func (g GPU) registers() int {
	if g.Bits == 32 {
		return 32
	}
	return 16
}

// For picks the recipe of a line of n elements: on chip if it fits, else in
// passes over memory.
func (g GPU) For(n int, real bool) (*Recipe, error) {
	if n < 1 || n > MaxGPULen {
		return nil, fmt.Errorf("recipe: gpu: length %d, want 1 to %d", n, MaxGPULen)
	}
	if r, err := g.OnChip(n, real); err == nil {
		return r, nil
	}
	return g.InPasses(n, real)
}

// OnChip picks the recipe of a line that stays in registers and shared memory of
// one block.
func (g GPU) OnChip(n int, real bool) (*Recipe, error) {
	r := g.onChip(n, real)
	if r != nil && g.Exchange(r) > g.SharedBytes {
		r = r.sharing(func(s *Sharing) { s.Tight, s.Wide = true, false })
	}
	// NVIDIA's cards have room for long lines, and their passes are tuned.
	if r != nil && g.Exchange(r) > g.SharedBytes && g.Arch == 0 {
		r = r.sharing(func(s *Sharing) { s.Turns = true })
	}
	if r == nil || g.Exchange(r) > g.SharedBytes {
		return nil, fmt.Errorf("recipe: gpu: a line of %d does not fit on chip", n)
	}
	return r, nil
}

// Quarter picks the recipe of a line with quarter bins, which stays on chip. It is passes:
// roots between them have the powers that put bins there.
func (g GPU) Quarter(n int) (*Recipe, error) {
	if r := g.tunedQuarter(n); r != nil {
		return r, nil
	}
	if g.Halves {
		g.Halves = false
		return g.Quarter(n)
	}
	r, err := g.OnChip(n, false)
	if err == nil && (r.Kind == Rader || r.Kind == Bluestein) {
		err = fmt.Errorf("recipe: gpu: a line of %d has no passes for quarter bins", n)
	}
	return r, err
}

// FastQuarter reports that causal convolutions of n samples were measured to be fastest in
// quarter bins.
func (g GPU) FastQuarter(n int) bool { return g.tunedQuarter(n) != nil }

// tunedQuarter is the recipe that was measured to be, on chip; nil if there is none.
func (g GPU) tunedQuarter(n int) *Recipe {
	r := g.tables().quarter[n]
	if g.Halves {
		r = g.tables().halves[n]
	}
	if r == nil || r.Kind == Cluster || r.Threads > g.threads() || g.Exchange(r) > g.SharedBytes {
		return nil
	}
	return r
}

// Powers is the recipe of a complex line that is two real segments, of which powers are added
// up; nil if segments by themselves are as fast, or this GPU has no room for it.
func (g GPU) Powers(n int) *Recipe {
	if r := g.tables().powers[n]; r != nil && r.Threads <= g.threads() && g.Exchange(r) <= g.SharedBytes {
		return r
	}
	return nil
}

// QuarterCluster is the recipe of a line of n whose bins are a quarter lower, by clusters; nil
// if none was measured to be fast, or this GPU has no room for it.
func (g GPU) QuarterCluster(n int) *Recipe {
	if r := g.fits(g.tables().quarter[n]); r != nil && r.Kind == Cluster {
		return r
	}
	return nil
}

// Narrow is the recipe with numbers stored one by one.
func (r *Recipe) Narrow() *Recipe { return r.sharing(func(s *Sharing) { s.Wide = false }) }

// sharing is the recipe with another way to share its lines.
func (r *Recipe) sharing(change func(*Sharing)) *Recipe {
	o := *r
	if r.Inner != nil {
		o.Inner = r.Inner.sharing(change)
	}
	if o.Threads > 0 {
		change(&o.Sharing)
	}
	return &o
}

func (g GPU) onChip(n int, real bool) *Recipe {
	if n < 1 || n > 2*g.MaxOnChip() && !(real && n%2 == 0 && g.holds(n/2, true)) { // a packed line is half as long
		return nil
	}
	if real && n%2 == 0 && n >= shortestPacked && Smooth(n/2) {
		if r := g.tables().oneWay(g.Way)[n/2]; r != nil && r.Kind == MixedRadix {
			return Pack(n, r)
		}
		if half := g.share(n/2, true, g.registers()); half != nil {
			if g.Way != ThereAndBack { // lines and residents were measured for convolutions
				half = half.sharing(func(s *Sharing) { s.Lines, s.Resident, s.Wide = 0, 0, false })
			}
			return Pack(n, half)
		}
		// A pair of butterflies of 11 or 13 is too much for a thread: unpacked, then.
	}
	found, _ := best(ways(n, block{GPU: g, held: g.registers()}))
	return found.recipe
}

// block is the threads of a GPU's block to the engine: what they transform stays
// on chip.
type block struct {
	GPU
	held      int  // numbers that a thread holds at most
	convolves bool // lines are transformed there and back
}

func (b block) whole(int) bool { return false }

// inner leaves a thread room: beside the numbers that pass from one transform of
// a convolution to the other there are roots and places.
func (b block) inner(n int) (priced, bool) { return best(ways(n, block{b.GPU, 16, true})) }

// guess: a length that was not measured must gain as much by count to be taken
// instead of a power of two.
func (b block) guess() float64 { return 0.85 }

func (b block) smooth(n int) []priced {
	r := b.measured(n)
	if t := b.tables().line[n]; r == nil && !b.convolves && t != nil && t.Threads <= b.threads() {
		r = t // it may hold more than is searched for
	}
	if r == nil {
		r = b.share(n, false, b.held)
	}
	if r == nil {
		return nil
	}
	return []priced{{r, r.instructions(false), 1}}
}

// measured is the measured recipe of a line that is convolved with a chirp; nil if there is
// none, or no room for it.
func (b block) measured(n int) *Recipe {
	r := b.tables().padded[n]
	if !b.convolves || r == nil || r.Kind != MixedRadix || r.Threads > b.threads() || max(r.Room(b.Bits), r.Reversed().Room(b.Bits))*b.bytes() > b.SharedBytes {
		return nil
	}
	return r
}

// padded has measured lengths first: others must be cheaper by count to be taken. Much
// shorter ones are, and powers of two.
func (b block) padded(least int) []int {
	all := paddedOnGPU(least)
	var measured []int
	inside := b
	inside.convolves = true
	for n := range b.tables().padded {
		near := 11*n <= 12*least || least > b.MaxOnChip()
		if n >= least-maxWrapped && n < all[0] && near && inside.measured(n) != nil {
			measured = append(measured, n)
		}
	}
	slices.Sort(measured)
	return append(measured, all...)
}

// paddedOnGPU lists lengths of at least least with small factors: the power of
// two, and shorter ones.
func paddedOnGPU(least int) []int {
	all := doubled(least, 1, 3, 5, 7, 9, 15, 21, 25, 27, 35, 45, 63, 75, 105)
	limit := 0
	return slices.DeleteFunc(all, func(m int) bool {
		drop := m%16 != 0 || limit > 0 && m >= limit
		if !drop && limit == 0 {
			limit = m
		}
		return drop
	})
}

// What a convolution costs beside its two transforms. Bluestein's multiplies by a
// chirp when it loads and stores; Rader's puts the line in another order in
// shared memory and back, where threads meet in banks.
const (
	chirpCost = 12
	raderCost = 32
)

func (b block) convolved(kind Kind, _ int, inner priced) float64 {
	extra := float64(chirpCost)
	if kind == Rader {
		extra = raderCost
	}
	return float64(inner.recipe.N) * (2*inner.cost + extra)
}
