package recipe

// Trip is the passes over lines whose spectrum nobody needs in another order than
// they leave it: those of a transform that is transformed back after its bins were
// multiplied, and of packed real lines.
type Trip struct {
	// First is how the first axis is transformed, there and back.
	First *Recipe
	// Around is how the second axis is transformed, and transformed back in the same
	// pass, by threads that may have two lines of it at once.
	Around *Recipe
	// Zero is how line 0 of that axis is, if lines are packed: it is its own image.
	Zero *Recipe
	// Within says that the launch of the second axis has groups for line 0, too: they need
	// the same threads and no more room.
	Within bool
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
	if r.Kind == Packed && g.tunedHalf(inside.N).Equal(inside) {
		t.Around = inside.Rows
	} else if m := g.fits(g.tables().trip[inside.N]); m != nil {
		t.First, t.Around = m.Columns, m.Rows
	} else if t.Around = g.around(inside.Axes()[1]); t.Around == nil {
		return nil
	}
	if r.Kind == Packed {
		zero := g.onChip(2*t.Around.N, true)
		if zero == nil || zero.Kind != Packed || g.Exchange(zero) > g.SharedBytes {
			return nil
		}
		// Line 0 of many, and not a convolution of its own, in as little room as it needs.
		t.Zero = zero.Inner.alone(0).sharing(func(s *Sharing) { s.Wide = false })
		for _, z := range []*Recipe{t.Zero, t.Zero.sharing(func(s *Sharing) { s.Turns = true })} {
			within := *t
			within.Zero, within.Within = z, true
			if l, middle := g.Image(&within), g.Middle(t); l.BlockThreads() == middle.BlockThreads() && l.SharedBytes() <= middle.SharedBytes() {
				return &within
			}
		}
	}
	return t
}

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
	lines := r.Lines
	for lines > 1 && (lines*r.Threads > min(twoLines, g.threads()) || lines*g.Exchange(r)+1024 > g.SharedBytes) {
		lines /= 2
	}
	return r.alone(lines)
}

// Out is the launch of the first pass, Middle that of the second, Image that of its
// line 0 and Home that of the last, in which threads follow lines when they load, and
// walk across lines when they store.
func (g GPU) Out(t *Trip) Launch { return g.Pass(Axis, t.First) }

func (g GPU) Middle(t *Trip) Launch {
	l := g.Pass(AxisBack, t.Around)
	l.Role = Mirror
	room := max(t.Around.Room(g.Bits), t.Around.Reversed().Room(g.Bits))
	l.Exchange = (room*g.bytes() + 15) / 16 * 16
	l.Pitch = Pitch(l.Exchange, l.Threads, l.Lines, g.bytes())
	if l.Resident == 0 {
		l.Resident = max(twoLines/l.BlockThreads(), 1)
	}
	return l
}

func (g GPU) Image(t *Trip) Launch {
	l := g.Launches(Pack(2*t.Zero.N, t.Zero))[0]
	if t.Within {
		l.Lines = g.Middle(t).BlockThreads() / l.Threads
		l.Pitch = Pitch(l.Exchange, l.Threads, l.Lines, 0)
	}
	return l
}

func (g GPU) Home(t *Trip) Launch {
	l := g.Pass(AxisBack, t.First)
	l.Role = LastAxis
	return l
}
