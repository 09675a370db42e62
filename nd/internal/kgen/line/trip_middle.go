package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// strand is a line of the second axis in the middle of a round trip: the elements
// with one digit k1 of the first axis.
type strand struct {
	*trip
	k     *kernel
	k1    build.Val // an Int, at least lo
	lo    int
	alive build.Val // the condition that results are stored; nothing if always
	back  bool      // threads take the butterflies that hold bins from the last on

	load func(p place) number                       // an element between passes
	save func(p place, z number)                    // the same on the way back
	make func(r *recipe.Recipe, inverse bool) *core // its transforms
}

// newStrand is a strand of the array between passes.
func (g *trip) newStrand(k *kernel, k1 build.Val, lo int) *strand {
	s := &strand{trip: g, k: k, k1: k1, lo: lo}
	s.load = func(p place) number { return g.fetch(k, s.at(p).at) }
	s.save = func(p place, z number) {
		p = s.at(p)
		p.ok = both(p.ok, s.alive)
		g.store(k, p, z)
	}
	s.make = func(r *recipe.Recipe, inverse bool) *core { return g.long.core(k, r, inverse) }
	return s
}

// at is the place of an element between passes, which is also the number of a bin.
func (s *strand) at(p place) place {
	n1 := s.First.N
	return place{at: s.k.LetIn("at", s.k1.Add(p.at.Mul(n1)), s.lo+p.lo()*n1, p.hi()*n1+n1-1), ok: p.ok}
}

// turned multiplies elements by the roots that join the axes.
func (s *strand) turned(c *core, at []place, v []number, inverse bool) []number {
	f := s.k.factors(s.precision, at, s.n, s.First.N, s.k1.To(ktree.Uint), inverse, false)
	return c.turned(v, f)
}

// fetched are the inputs of the transform there, all of them.
func (s *strand) fetched(c *core) [][]number {
	return lists.Map(c.groups(0), func(group []place) []number { return lists.Map(c.inputs(group, c.radices[0]), s.load) })
}

// core is the transform there or back of a strand.
func (s *strand) core(inverse, back bool) *core {
	r := s.Around
	if back {
		r = r.Reversed()
	}
	c := s.make(r, inverse)
	c.backLast, c.backFirst = s.back && !back, s.back && back
	return c
}

// bins transforms what was fetched.
func (s *strand) bins(c *core, from [][]number) (places [][]place, values [][]number) {
	c.run(func(at []place) []number {
		list := s.turned(c, at, from[0], c.inverse)
		from = from[1:]
		return list
	}, func(at []place, v []number) {
		places, values = append(places, at), append(values, v)
	})
	return places, values
}

// stored transforms back.
func (s *strand) stored(c *core, from [][]number) {
	c.run(taken(&from), func(at []place, v []number) {
		for j, z := range s.turned(c, at, v, c.inverse) {
			s.save(at[j], z)
		}
	})
}

// strands is the kernel over so many lines, or pairs of them, of the second axis.
func (g *trip) strands(count int) *kernel {
	k := g.begun(g.gpu.Middle(g.Trip), g.there < 0, g.there)
	if k.outer.add(count); count >= k.lines/2 {
		k.outer.columns = true
		k.outer.tile = len(k.outer.dims) - 1
	}
	return k
}

// strand is which of them a thread has.
func (k *kernel) strand() build.Val { return k.outer.index[len(k.outer.index)-1].To(ktree.Int) }

// through takes a bin through the maps between the transforms, or behind the one
// there.
func (g *trip) through(k *kernel, at place, z number) number {
	x := k.ffts[g.there]
	values := k.pass(g.there, one(at), []number{k.times(x, z)})
	if g.back < 0 {
		return z
	}
	return x.numberOf(values[k.chains[g.there].gives][0])
}

// twin takes a pair of bins from one side of the second pass to the other: from
// those of packed lines, or else from where the transform back reads them, to those
// of packed lines, or to where the transform there writes them.
func (g *trip) twin(k *kernel, c *core, t twin, roots build.Val, full func(twin) (at, image place)) twin {
	at, image := full(t)
	if g.there >= 0 {
		x, y := c.untangled(t, roots)
		t.a = g.through(k, at, x)
		if !t.self {
			t.b = g.through(k, image, y)
		}
	} else {
		in := k.sourceOf(g.back)
		t.a = in(one(at))[0]
		if !t.self {
			t.b = in(one(image))[0]
		}
	}
	if g.back >= 0 {
		t.a, t.b = c.tangled(t, roots)
	}
	return t
}

// plainMiddle is the second pass of complex lines.
func (g *trip) plainMiddle() {
	k := g.strands(g.First.N)
	k.function(func() {
		s := g.newStrand(k, k.Let("k1", k.strand()), 0)
		c := s.core(k.ffts[g.there].inverse(), false)
		places, values := s.bins(c, s.fetched(c))
		for i, at := range places {
			for j, p := range at {
				values[i][j] = g.through(k, s.at(p), values[i][j])
			}
		}
		s.stored(s.core(k.ffts[g.back].inverse(), true), values)
	})
}

// middle is the second pass of packed lines: of line 0 by groups that have nothing else,
// and of the others in pairs.
func (g *trip) middle() {
	k := g.strands(g.First.N / 2)
	if g.back < 0 && k.outer.columns {
		k.bySectors(g.p.Stages[g.there].Writes[0], 1)
	}
	z := g.begun(g.gpu.Image(g.Trip), g.there < 0, g.there)
	if g.Within {
		k.joined(z, func() { g.zeroth(z) }, func() { g.twins(k) })
		return
	}
	k.function(func() { g.twins(k) })
	for z.lines*z.threads > 32 && z.lines > 1 && z.groups() < z.target.Processors {
		z.lines /= 2
	}
	z.function(func() { g.zeroth(z) })
}

// joined makes one launch of two kernels with as many threads, whose groups come behind
// those of the first.
func (k *kernel) joined(first *kernel, firstBody, body func()) {
	k.open(k.lines*k.threads, k.resident, k.pitch*k.lines)
	first.entry = k.entry
	groups := first.groups()
	k.before = k.size("before", groups)
	k.IfElse(k.Group().Lt(k.before), func() {
		first.begin()
		firstBody()
	}, func() {
		clear(k.rooms) // those of the other kernel's lines
		k.begin()
		body()
	})
	k.close(groups + k.groups())
}

// twins is the second pass but for line 0: threads take line k1
// together with its image n1-k1, whose bins are the images of its own from the
// last to the first. A line in the middle is its own image, and is taken twice.
func (g *trip) twins(k *kernel) {
	n1 := g.First.N
	a := g.newStrand(k, k.Let("k1", k.strand().Add(1)), 1)
	b := g.newStrand(k, k.Let("k1", whole(n1).Sub(a.k1)), n1-n1/2)
	b.back = true
	if n1%2 == 0 {
		b.alive = k.Let("apart", a.k1.Ne(n1/2))
	}
	var c *core
	var places [][]place
	var values, images [][]number
	if g.there >= 0 {
		c = a.core(false, false)
		second := b.core(false, false)
		early, also := a.fetched(c), b.fetched(second)
		places, values = a.bins(c, early)
		_, images = b.bins(second, also)
	} else {
		c = a.core(true, true)
		places, values, images = c.vacant()
	}
	roots := k.halfRoots(g.f.N, g.precision)
	for i, at := range places {
		for j, p := range at {
			other := len(at) - 1 - j
			t := g.twin(k, c, twin{k: a.at(p), a: values[i][j], b: images[i][other]}, roots, func(t twin) (at, image place) {
				return t.k, place{at: k.Let("image", whole(g.n).Sub(t.k.at)), ok: both(t.k.ok, b.alive)}
			})
			values[i][j], images[i][other] = t.a, t.b
		}
	}
	if g.back >= 0 {
		a.stored(a.core(true, true), values)
		b.stored(b.core(true, true), images)
	}
}

// zeroth is line 0 of the second pass of packed lines: a packed line itself.
func (g *trip) zeroth(k *kernel) {
	n1, n2 := g.First.N, g.Zero.N
	full := func(p place) place {
		return place{at: k.LetIn("at", p.at.Mul(n1), p.lo()*n1, p.hi()*n1), ok: p.ok}
	}
	roots := k.halfRoots(2*n2, g.precision)
	twins := func(c *core, at []place, v []number) []number {
		list, s, isZero := c.twins(at)
		if v != nil {
			c.seated(list, s, isZero, v)
		}
		for j, t := range list {
			list[j] = g.twin(k, c, t, roots, func(t twin) (at, image place) {
				if !t.self {
					image = full(c.imageOf(t.k))
				}
				return full(t.k), image
			})
		}
		if g.back < 0 {
			return nil
		}
		return c.unseated(list, s, isZero)
	}
	var between [][]number
	if g.there >= 0 {
		c := g.core(k, g.Zero, false)
		c.mirrorLast = true
		c.run(func(at []place) []number {
			return lists.Map(at, func(p place) number { return g.fetch(k, full(p).at) })
		}, func(at []place, v []number) { between = append(between, twins(c, at, v)) })
	}
	if g.back < 0 {
		return
	}
	c := g.core(k, g.Zero.Reversed(), true)
	c.mirrorFirst = true
	read := taken(&between)
	if g.there < 0 {
		read = func(at []place) []number { return twins(c, at, nil) }
	}
	c.run(read, func(at []place, v []number) {
		for j, p := range at {
			g.store(k, full(p), v[j])
		}
	})
}
