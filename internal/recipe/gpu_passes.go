package recipe

import (
	"fmt"
	"slices"
)

// InPasses picks the recipe of a line that does not fit in a block: one pass by a
// cluster of blocks if they have room, else an array of two or three axes with a pass
// over memory for each. Lengths with large prime
// factors are padded, and their transforms are passes out, one that turns round,
// and passes back.
func (g GPU) InPasses(n int, real bool) (*Recipe, error) {
	if n >= 1 && n <= MaxGPULen {
		if real && n%2 == 0 {
			half := g.tunedHalf(n / 2)
			if half == nil {
				half = g.axes(n / 2)
			}
			if half != nil {
				return Pack(n, half), nil
			}
		}
		if r := g.fits(g.tables().cluster[n]); r != nil {
			return r, nil
		}
		if r := g.fits(g.tables().passes[n]); r != nil && g.Way != ThereAndBack {
			return r, nil
		}
		if r := g.axes(n); r != nil {
			return r, nil
		}
		if padded := g.paddedAxes(n); padded != nil {
			return &Recipe{Kind: Bluestein, N: n, Inner: padded}, nil
		}
	}
	return nil, fmt.Errorf("recipe: gpu: no passes for a length of %d", n)
}

// tunedHalf is the measured way of a packed line of n numbers; nil if there is none.
func (g GPU) tunedHalf(n int) *Recipe {
	t := g.tables()
	for _, table := range []map[int]*Recipe{t.oneWay(g.Way), t.pairs, t.reals, t.trip} {
		if r := g.fits(table[n]); r != nil {
			return r
		}
	}
	return nil
}

// fits is a measured recipe of long lines, or nil if there is none or this GPU has no room
// for it.
func (g GPU) fits(r *Recipe) *Recipe {
	if r == nil || r.Kind == MixedRadix || g.LongestAxis > 0 || r.Blocks > g.Cluster {
		return nil
	}
	if r.Kind == Cluster {
		if l := g.Together(r); l.BlockThreads() > g.threads() || l.SharedBytes() > g.SharedBytes {
			return nil
		}
		return r
	}
	if !slices.ContainsFunc(r.Axes(), func(axis *Recipe) bool { return !g.hasRoom(axis) }) {
		return r
	}
	return nil
}

// hasRoom reports an axis whose passes fit in a block.
func (g GPU) hasRoom(axis *Recipe) bool {
	return !slices.ContainsFunc([]Role{Axis, Row}, func(role Role) bool {
		l := g.Pass(role, axis)
		return l.BlockThreads() > g.threads() || l.SharedBytes()+1024 > g.SharedBytes
	})
}

// axes splits n into axes, as equal as they can be without threads that idle, two
// of them if they are short enough, else three; nil if that is too few.
func (g GPU) axes(n int) *Recipe {
	if !Smooth(n) {
		return nil
	}
	var lengths []int
	axes, price := map[int]*Recipe{}, map[int]float64{}
	for m := 1; m <= min(n, g.longestAxis()); m++ {
		if n%m != 0 {
			continue
		}
		if r := g.axis(m); r != nil {
			lengths = append(lengths, m)
			axes[m], price[m] = r, float64(m)
			if g.tables().columns[m] == nil {
				price[m] *= r.idle()
			}
		}
	}
	var found []int
	least := 0.0
	try := func(list ...int) {
		most := 0.0
		for _, m := range list {
			if price[m] == 0 {
				return
			}
			most = max(most, price[m])
		}
		if found == nil || most < least {
			found, least = list, most
		}
	}
	for _, a := range lengths {
		try(a, n/a)
	}
	if found == nil {
		for _, a := range lengths {
			for _, b := range lengths {
				if n/a%b == 0 {
					try(a, b, n/a/b)
				}
			}
		}
	}
	var parts []*Recipe
	for _, m := range found {
		parts = append(parts, axes[m])
	}
	return joined(parts)
}

// joined is a FourStep of some axes.
func joined(axes []*Recipe) *Recipe {
	switch len(axes) {
	case 0:
		return nil
	case 1:
		return axes[0]
	}
	rows := joined(axes[1:])
	return &Recipe{Kind: FourStep, N: axes[0].N * rows.N, Columns: axes[0], Rows: rows}
}

// axis is how lines of m numbers that lie side by side are transformed, and how
// many a block takes; nil if eight do not fit in one.
func (g GPU) axis(m int) *Recipe {
	r := g.columns(m)
	if r == nil || len(r.Radices) < 2 || 8*r.Threads > g.threads() || 8*r.Room(g.Bits)*g.bytes()+1024 > g.SharedBytes {
		return nil
	}
	return r
}

func (g GPU) columns(m int) *Recipe {
	if r := g.tables().columns[m]; r != nil {
		return r
	}
	r := g.share(m, false, g.registers())
	if r == nil {
		return nil
	}
	lines, bytes := 8, r.Room(g.Bits)*g.bytes()
	if m%4 != 0 && 16*r.Threads <= g.threads() && 16*bytes <= 64<<10 {
		lines = 16 // rows do not begin with a sector of memory, so more of each helps
	}
	for lines < 32 && lines*r.Threads < 128 && 2*lines*bytes <= min(32<<10, g.SharedBytes*3/4) {
		lines *= 2
	}
	return r.alone(lines)
}

// alone is a recipe for blocks of so many lines, whatever they are part of.
func (r *Recipe) alone(lines int) *Recipe {
	o := *r
	o.Lines, o.Resident, o.Ahead, o.Stays = lines, 0, 0, false
	return &o
}

// row is how rows of m numbers are transformed, multiplied and transformed back;
// nil if a block has no room for one.
func (g GPU) row(m int) *Recipe {
	if m > min(8*g.longestAxis(), g.MaxOnChip()) {
		return nil
	}
	r := g.share(m, false, g.registers())
	if r == nil || len(r.Radices) < 2 || r.Room(g.Bits)*g.bytes() > g.SharedBytes {
		return nil
	}
	lines, bytes := 1, g.Exchange(r)
	for 2*lines*r.Threads <= 128 && 2*lines*bytes <= min(56<<10, g.SharedBytes*3/4) {
		lines *= 2
	}
	if r = r.alone(lines); r.N == aheadRow {
		r.Ahead = 1
	}
	return r
}

// aheadRow is the length of rows that blocks ask for ahead. On an H200 a line of 99991 took
// 5.48 times a copy instead of 5.91 with it; one of 1000003, by rows of 8192, 7.95 instead of 7.56.
const aheadRow = 4096

// paddedAxes chooses a padded length for a line of n and its axes, of which the
// last is the row, by what passes move and compute; nil if there is none.
func (g GPU) paddedAxes(n int) *Recipe {
	c := shapes{GPU: g, n: n, axisPrices: map[int]float64{}, rowPrices: map[int]float64{}}
	for most := 1; most <= 2 && c.best == nil; most++ {
		for _, length := range paddedOnGPU(2*n - 1) {
			c.split(length, length, most, nil)
		}
	}
	if c.best == nil {
		return nil
	}
	if r := g.tunedPadded(2*n-1, c.length); r != nil {
		return r
	}
	var axes []*Recipe
	for _, m := range c.best {
		axes = append(axes, g.columns(m))
	}
	return joined(append(axes, g.row(c.last)))
}

// tunedPadded is the shortest measured way of a line that is padded to between least and most
// numbers; nil if there is none. Lengths that were measured need not be among those tried.
func (g GPU) tunedPadded(least, most int) *Recipe {
	var best *Recipe
	for n, r := range g.tables().padded {
		if n >= least && n <= most && (best == nil || n < best.N) && g.fits(r) != nil {
			best = r
		}
	}
	return best
}

// shapes is a search for the shape of a padded line.
type shapes struct {
	GPU
	n                     int
	axisPrices, rowPrices map[int]float64 // of passes; 0 where there is none
	length, last          int
	best                  []int
	least                 float64
}

// About so many instructions fit in the time that a number takes to memory, on
// an H200. Turning and multiplying by chirps is around so many.
const perNumber, around = 56, 14

// split tries all ways to write what is left of a length as axes and a row.
func (c *shapes) split(length, rest, more int, begun []int) {
	if len(begun) > 0 && c.rowPrice(rest) > 0 {
		c.try(length, rest, begun)
	}
	if more == 0 {
		return
	}
	for f := 2; f <= min(rest, c.longestAxis()); f++ {
		if rest%f == 0 && c.axisPrice(f) > 0 {
			c.split(length, rest/f, more-1, append(slices.Clone(begun), f))
		}
	}
}

func (c *shapes) try(length, row int, axes []int) {
	price := passPrice(2*perNumber, c.rowPrice(row))
	moved := 1 + float64(c.n)/float64(length)
	for _, f := range axes {
		price += 2 * passPrice(moved*perNumber, c.axisPrice(f))
		moved = 2
	}
	if price *= float64(length); c.best == nil || price < c.least {
		c.length, c.last, c.best, c.least = length, row, axes, price
	}
}

// axisPrice is what a pass along an axis of f computes. Long ones hold more on
// chip, so that fewer run at a time.
func (c *shapes) axisPrice(f int) float64 {
	p, ok := c.axisPrices[f]
	if !ok {
		if r := c.axis(f); r != nil {
			p = (r.instructions(false) + around) * (1 + float64(f)/usualAxis)
		}
		c.axisPrices[f] = p
	}
	return p
}

// rowPrice is what a pass over rows of m computes. Few threads to a row do not
// read whole sectors of memory.
func (c *shapes) rowPrice(m int) float64 {
	p, ok := c.rowPrices[m]
	if !ok {
		if r := c.row(m); r != nil {
			p = 2*r.instructions(false) + around + 256/float64(r.Threads)
		}
		c.rowPrices[m] = p
	}
	return p
}

// passPrice is about the time of a pass: what it moves and what it computes
// overlap, but not all of it.
func passPrice(moves, computes float64) float64 {
	return max(moves, computes) + min(moves, computes)/4
}
