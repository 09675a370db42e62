package peak

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
)

var highest = math.Inf(1)

// Finder is the maxima of a line, what was measured of them, and room to find them
// in, which one goroutine uses for line after line.
type Finder struct {
	At []int32 // the maxima: samples between lower ones, or the middle of flat tops, rounded down
	// Ordered says that all samples compare. Else no more is known than the maxima.
	Ordered bool
	// Selected is which of them conditions have left: bits in words, all at first.
	Selected []uint64

	// What Measure finds of each.
	Prominences []float64
	Bases       []Bases

	// What Cross finds of each of the selected.
	Crossings

	kernels
	longest int     // of the lines
	ground  *Ground // of At
	rounds  [2]*Ground
	stack   []ridge
	// What the slices above are cut from.
	wide        []float64
	at          []int32
	extremes    []int32
	selected    []uint64
	prominences []float64
	based       []Bases
	crossings   Crossings
	contest     contest
}

// kernels is what a level does by itself.
type kernels struct {
	// widen converts samples.
	widen func(dst []float64, src []float32)
	// tops puts samples greater than both neighbours and between low and high in
	// heights, and their places in at. Where neighbours are equal or do not compare
	// it gives false, and what it found means nothing.
	tops func(at []int, heights, x []float64, low, high float64) (n int, plain bool)
	// turns puts maxima in at, and makes g of them. It gives false as tops does.
	turns func(f *Finder, x []float64) (plain bool)
	// round measures the maxima of a list of n elements that are lower than both
	// neighbours, leaves them out, and gives the length of the list that is left.
	// It may be nil.
	round func(dst, src *Ground, n int, prominences []float64, bases []Bases) int
	// cross finds the crossings of those of a set.
	cross func(f *Finder, x []float64, rel float64)
	// between takes those out of a set whose value is less than low or greater than
	// high.
	between func(set []uint64, values []float64, low, high float64)
	// near is which places are less than distance before the one by further on, and
	// which of those heights are at least as high.
	near func(near, higher []uint64, at []int32, heights []float64, by, distance int)
	// pack puts the values of a set in dst, one after the other; places and bases
	// are the same for others.
	pack   func(dst, values []float64, set []uint64)
	places func(dst []int, values []int32, set []uint64)
	bases  func(left, right []int, values []Bases, set []uint64)
}

var portable = kernels{widen: widen, tops: tops, turns: turns, cross: cross, between: between, near: near, pack: pack, places: places, bases: basesOf}

// NewFinder is for lines of up to n samples. Room for them is made when it is needed first:
// Tops needs none.
func NewFinder(n int, l simd.Level) *Finder { return &Finder{kernels: kernelsOf(l), longest: n} }

// most is how many maxima a line may have.
func (f *Finder) most() int { return f.longest/2 + 2 }

// Wide is a line of float32 as the others; the next takes its place.
func (f *Finder) Wide(x []float32) []float64 {
	if f.wide == nil {
		f.wide = make([]float64, f.longest)
	}
	if len(x) > 0 {
		f.widen(f.wide[:len(x)], x)
	}
	return f.wide[:len(x)]
}

// prepare makes room for maxima.
func (f *Finder) prepare() {
	most := f.most()
	f.ground, f.at, f.extremes = NewGround(most), make([]int32, most+Slack), make([]int32, f.longest+1)
	f.selected, f.prominences, f.based = make([]uint64, most/64+1), make([]float64, most), make([]Bases, most)
	which := f.ground.which()
	for i := range which {
		which[i] = uint64(i)
	}
}

// Heights is the samples at the maxima.
func (f *Finder) Heights() []float64 { return f.ground.heights()[:len(f.At)] }

// Tops puts the maxima from low to high in at and heights, which have room for half
// as many as x has and Slack more, and gives their number. It finds nothing and gives
// false if some neighbours are equal or do not compare: then there may be flat tops.
func (f *Finder) Tops(at []int, heights, x []float64, low, high float64) (n int, plain bool) {
	if len(x) < 3 {
		return 0, true
	}
	return f.tops(at, heights, x, low, high)
}

// Find finds the maxima of a line.
func (f *Finder) Find(x []float64) {
	if f.ground == nil {
		f.prepare()
	}
	f.At, f.Ordered = f.at[:0], true
	if len(x) >= 3 && !f.turns(f, x) {
		f.plateaus(x)
		f.valleys(x)
	}
	n := len(f.At)
	f.Prominences, f.Bases = f.prominences[:n], f.based[:n]
	f.Selected = f.selected[:(n+63)/64]
	for i := range f.Selected {
		f.Selected[i] = ^uint64(0)
	}
	if n%64 != 0 {
		f.Selected[n/64] = 1<<(n%64) - 1
	}
}
