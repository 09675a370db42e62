package peak

import (
	"cmp"
	"math/bits"
	"slices"
)

// contest is who of the selected stays away from whom: bits of maxima.
type contest struct {
	// For the maximum by places further on, less one: whether it is too near, and
	// whether it is as high or higher.
	near, higher [][]uint64
	open         []uint64 // neither known to stay nor to go
	won          []uint64
	order        []int32
}

// farthest is how many maxima further on one that is too near may be: more are sorted
// by height, which is then as fast.
const farthest = 16

// turnsMost is how often neighbours are compared before what is left is sorted: noise
// is settled in three or four, a long slope would take as many as it has maxima.
const turnsMost = 6

// KeepDistant takes those out of the selected that are closer than distance, from the
// highest down, to one that stays. Of equal ones the last comes first.
//
// A maximum that no neighbour beats stays, whatever else happens, and takes its
// neighbours away. Then the same holds among those that are left.
func (f *Finder) KeepDistant(distance int) {
	c := &f.contest
	words := len(f.Selected)
	c.open = append(c.open[:0], f.Selected...)
	c.won = slices.Grow(c.won[:0], words)[:words]
	clear(f.Selected)
	// Maxima have lower samples between them.
	if by := (distance - 1) / 2; by <= farthest {
		f.compare(min(by, len(f.At)-1), distance)
		for range turnsMost {
			if !f.settle() {
				return
			}
		}
	}
	f.byHeight(distance)
}

// compare fills near and higher for as many maxima further on as may be too near.
func (f *Finder) compare(by, distance int) {
	c := &f.contest
	c.near, c.higher = c.near[:0], c.higher[:0]
	words := len(f.Selected)
	for k := 1; k <= by; k++ {
		c.near, c.higher = grow(c.near, words), grow(c.higher, words)
		f.near(c.near[k-1], c.higher[k-1], f.At, f.Heights(), k, distance)
	}
}

// grow is a list of sets and one more, which is empty.
func grow(list [][]uint64, words int) [][]uint64 {
	n := len(list)
	list = slices.Grow(list, 1)[:n+1]
	list[n] = slices.Grow(list[n][:0], words)[:words]
	clear(list[n])
	return list
}

// settle selects those that no neighbour beats, and says whether some are open that
// are not near any of these.
func (f *Finder) settle() bool {
	c := &f.contest
	for i, open := range c.open {
		var beaten uint64
		for k, near := range c.near {
			higher := c.higher[k]
			beaten |= near[i] & higher[i] & later(c.open, i, k+1)
			beaten |= (near[i] &^ higher[i] & open) << (k + 1)
			if i > 0 {
				beaten |= (near[i-1] &^ higher[i-1] & c.open[i-1]) >> (63 - k)
			}
		}
		c.won[i] = open &^ beaten
	}
	var left uint64
	for i, won := range c.won {
		gone := won
		for k, near := range c.near {
			gone |= near[i] & later(c.won, i, k+1)
			gone |= (near[i] & won) << (k + 1)
			if i > 0 {
				gone |= (near[i-1] & c.won[i-1]) >> (63 - k)
			}
		}
		f.Selected[i] |= won
		c.open[i] &^= gone
		left |= c.open[i]
	}
	return left != 0
}

// later is word i of a set where each takes the place of the one k before it.
func later(set []uint64, i, k int) uint64 {
	w := set[i] >> k
	if i+1 < len(set) {
		w |= set[i+1] << (64 - k)
	}
	return w
}

// byHeight selects those of the open that stay, by definition.
func (f *Finder) byHeight(distance int) {
	c := &f.contest
	heights := f.Heights()
	c.order = c.order[:0]
	for w, rest := range c.open {
		for ; rest != 0; rest &= rest - 1 {
			c.order = append(c.order, int32(64*w+bits.TrailingZeros64(rest)))
		}
	}
	slices.SortFunc(c.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(heights[b], heights[a]), cmp.Compare(b, a))
	})
	for _, i := range c.order {
		if c.open[i/64]>>(i%64)&1 == 0 {
			continue
		}
		f.Selected[i/64] |= 1 << (i % 64)
		for k := i - 1; k >= 0 && int(f.At[i]-f.At[k]) < distance; k-- {
			c.open[k/64] &^= 1 << (k % 64)
		}
		for k := i; int(k) < len(f.At) && int(f.At[k]-f.At[i]) < distance; k++ {
			c.open[k/64] &^= 1 << (k % 64)
		}
	}
}

// near is kernels.near.
func near(near, higher []uint64, at []int32, heights []float64, by, distance int) {
	for i, v := range heights[:len(heights)-by] {
		near[i/64] |= uint64(bit(int(at[i+by]-at[i]) < distance)) << (i % 64)
		higher[i/64] |= uint64(bit(heights[i+by] >= v)) << (i % 64)
	}
}
