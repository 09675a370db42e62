package recipe

import "slices"

// Trip is the passes over lines whose spectrum nobody needs in another order than
// they leave it: those of a transform that is transformed back after its bins were
// multiplied, and of packed real lines.
type Trip struct {
	// First is how the first axis is transformed, there and back.
	First *Recipe
	// Around is how the second axis is transformed, and transformed back in the same
	// pass. Of packed lines it has twice as many numbers as that axis: a row of both
	// columns that are a number.
	Around *Recipe
	// Cluster is all of it as one pass of packed lines; nil if there are three.
	Cluster *Recipe
}

// Trip gives nil for recipes that have no two axes.
func (g GPU) Trip(r *Recipe) *Trip {
	inside := r
	if r.Kind == Packed {
		inside = r.Inner
	}
	if r.Kind == Packed && inside.Kind == Cluster {
		return &Trip{First: inside.Columns, Around: inside.Rows, Cluster: inside}
	}
	if inside.Kind != FourStep || len(inside.Axes()) != 2 {
		return nil
	}
	t := &Trip{First: inside.Axes()[0]}
	if r.Kind == Packed {
		if t.Around = g.rows(2 * inside.Axes()[1].N); t.Around == nil {
			return nil
		}
		if lines := t.Around.Lines; g.Way == There && lines*g.bytes() < wholeRuns {
			t.Around = g.crowd(t.Around, 2*lines)
		}
		return t
	}
	if m := g.fits(g.tables().trip[inside.N]); m != nil {
		t.First, t.Around = m.Columns, m.Rows
	} else if t.Around = g.around(inside.Axes()[1]); t.Around == nil {
		return nil
	}
	return t
}

// Images is from where on the columns of packed lines have, between passes, what is at n1-k1
// for the rows of 0 to n1/2, n1 being their length: behind those, where 128 bytes begin.
func (t *Trip) Images() int { return (t.First.N/2 + 16) / 16 * 16 }

// Numbers is how many of a packed line there are between passes. Rows of lines follow each other,
// with one more than half a column to a line: so lines are one more number apart, too.
func (t *Trip) Numbers() int { return t.Around.N*t.Images() + 1 }

// wholeRuns is how many bytes side by side rows store that are not transformed back, if they have room:
// of bins that are images, no run begins with a sector. On an H200, 2^20 float32 take 333 us with 128 bytes
// and 382 with 64, 2^19 317 with 256 and 336 with 128. Back, 2^20 take 310 with 64 and 329 with 128.
const wholeRuns = 256

// twoLines is how many threads a multiprocessor has that hold two lines: 128
// registers each.
const twoLines = 512

// around is an axis with few numbers to a thread; nil if there is no way.
func (g GPU) around(axis *Recipe) *Recipe {
	most := g.registers() / 2
	r := axis
	if axis.Held(false) > most {
		if r = g.share(axis.N, false, most); r == nil || len(r.Radices) < 2 || r.Held(false) > most {
			return nil
		}
		r = r.alone(8)
	}
	return g.crowd(r.alone(r.Lines), r.Lines)
}

// crowd is a recipe for as many lines to a block as there is room for, up to some.
func (g GPU) crowd(r *Recipe, lines int) *Recipe {
	for lines > 1 && (lines*r.Threads > min(twoLines, g.threads()) || lines*g.Exchange(r)+1024 > g.SharedBytes) {
		lines /= 2
	}
	o := *r
	o.Lines = lines
	return &o
}

// rows is how rows of n numbers are transformed by threads that have neighbours of them in the
// first pass and, on the way back, in the last, and both halves of a row in the other: whose
// butterflies have an even number. It is nil if there is no way.
func (g GPU) rows(n int) *Recipe {
	if r := g.tables().rows[n]; r != nil && g.LongestAxis == 0 && g.hasRoom(r) {
		return r
	}
	var best *Recipe
	least := 0.0
	factorings(n, 16, nil, func(radices []int) {
		pairs := Pairs(n / radices[0])
		for d := 1; d <= 4 && len(radices) > 1 && radices[len(radices)-1]%2 == 0; d *= 2 {
			r := Recipe{Kind: MixedRadix, N: n, Radices: radices, Sharing: Sharing{Threads: (pairs + d - 1) / d}}
			if r.Threads > g.threads() || max(r.Held(false), 2*d*radices[0]) > g.registers() {
				continue
			}
			if c := r.instructions(false); best == nil || c < least {
				r.Radices = slices.Clone(radices)
				best, least = &r, c
			}
		}
	})
	if best == nil {
		return nil
	}
	lines := 8
	for lines < 32 && lines*best.Threads < 128 {
		lines *= 2
	}
	return g.crowd(best, lines)
}

// Out is the launch of the first pass, Middle that of the second and Home that of the last, in
// which threads follow lines when they load, and walk across lines when they store.
func (g GPU) Out(t *Trip) Launch { return g.Pass(Axis, t.First) }

func (g GPU) Middle(t *Trip) Launch {
	l := g.Pass(AxisBack, t.Around)
	l.Role = Reals
	room := max(t.Around.Room(g.Bits), t.Around.Reversed().Room(g.Bits))
	l.Exchange = (room*g.bytes() + 15) / 16 * 16
	l.Pitch = Pitch(l.Exchange, l.Threads, l.Lines, g.bytes())
	if l.Resident == 0 {
		l.Resident = max(twoLines/l.BlockThreads(), 1)
	}
	return l
}

func (g GPU) Home(t *Trip) Launch {
	l := g.Pass(AxisBack, t.First)
	l.Role = LastAxis
	return l
}
