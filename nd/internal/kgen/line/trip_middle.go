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
	k    *kernel
	k1   build.Val // an Int, at least lo
	lo   int
	back bool // threads take the butterflies that hold bins from the last on

	load func(p place) number                       // an element between passes
	save func(p place, z number)                    // the same on the way back
	make func(r *recipe.Recipe, inverse bool) *core // its transforms
}

// newStrand is a strand of the array between passes.
func (g *trip) newStrand(k *kernel, k1 build.Val) *strand {
	s := &strand{trip: g, k: k, k1: k1}
	s.load = func(p place) number { return g.fetch(k, s.at(p).at) }
	s.save = func(p place, z number) { g.store(k, s.at(p), z) }
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
	k := g.begun(g.gpu.Middle(g.Trip), false, g.there)
	if k.outer.add(g.First.N); g.First.N >= k.lines/2 {
		k.outer.columns = true
		k.outer.tile = len(k.outer.dims) - 1
	}
	k.function(func() {
		s := g.newStrand(k, k.Let("k1", k.outer.last()))
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
