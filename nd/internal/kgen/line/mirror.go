package line

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/roots"
)

// A mirrored pass gives a thread butterflies b and n/r-b, so that it has the
// elements k and n-k of a line. twin is such a pair of elements. The thread
// with butterfly 0 has that one's own images and those of the butterfly in the
// middle, so where its twins are is decided at run time.
type twin struct {
	k    place // of the first; the second is at n-k
	a, b number
	self bool // one element only, n/2
	// If set, the root of k is a quarter turn further than the one at this place,
	before build.Val
	// but where this holds that of 3n/4.
	unless build.Val
}

// seat is an element of a pair of butterflies.
type seat struct{ butterfly, element int }

// seating is where a thread finds its twins: in every pair of butterflies but
// the first, twin s is element s of the one and r-1-s of the other.
type seating struct {
	r        int
	zero     [][2]seat // of butterfly 0; nil where it has none
	alone    *seat     // of butterfly 0: element n/2
	quarters bool      // twins s and s+r/2 are n/2 apart, but for 0 and r/2 of butterfly 0
}

// seatingOf is for passes of radix r with an even or odd number of butterflies. Butterfly 0
// has half of its twins where others have theirs, which takes fewer choices.
func seatingOf(r int, even, quarters bool) seating {
	s := seating{r: r, zero: make([][2]seat, r)}
	s.zero[0] = [2]seat{{0, 0}, {0, 0}}
	if quarters && even && r%4 == 0 {
		s.seatQuarters()
		return s
	}
	for e := 1; e < (r+1)/2; e++ {
		s.zero[e] = [2]seat{{0, e}, {0, r - e}}
	}
	if r%2 == 0 {
		s.alone = &seat{0, r / 2}
	}
	if even {
		for e := (r + 1) / 2; e < r; e++ {
			s.zero[e] = [2]seat{{1, e}, {1, r - 1 - e}}
		}
		if r%2 == 1 {
			s.alone = &seat{1, r / 2}
		}
	} else {
		for e := (r + 1) / 2; e < r; e++ {
			s.zero[e] = [2]seat{{-1, 0}, {-1, 0}}
		}
	}
	return s
}

// seatQuarters gives butterfly 0 the first of each two quarters of the twins, and the one in
// the middle the second. What is left of butterfly 0, elements n/4 and 3n/4, is twin r/2.
func (s *seating) seatQuarters() {
	r, h, q := s.r, s.r/2, s.r/4
	s.quarters, s.alone = true, &seat{0, h}
	s.zero[h] = [2]seat{{0, 3 * q}, {0, q}}
	for e := 1; e < h; e++ {
		if e < q {
			s.zero[e], s.zero[e+h] = [2]seat{{0, e}, {0, r - e}}, [2]seat{{0, e + h}, {0, h - e}}
		} else {
			s.zero[e], s.zero[e+h] = [2]seat{{1, e}, {1, r - 1 - e}}, [2]seat{{1, e + h}, {1, h - 1 - e}}
		}
	}
}

func (s seating) of(v []number, at seat) number { return v[at.butterfly*s.r+at.element] }

// twins finds a thread's pairs of elements: at are the places of a pair of
// butterflies. isZero is the condition that the thread has butterfly 0; nothing if
// it never has.
func (c *core) twins(at []place) (list []twin, s seating, isZero build.Val) {
	r := len(at) / 2
	s = seatingOf(r, c.n/r%2 == 0, c.k.crowded())
	if at[0].lo() == 0 {
		isZero = c.k.Let("is_zero", at[0].at.Eq(0))
	}
	var base build.Val // of twins that butterfly 0 has in the other
	for e := range r {
		t := twin{k: at[e]}
		if !isZero.IsNil() {
			switch seat := s.zero[e][0]; {
			case seat.butterfly == -1:
				t.k.ok = both(t.k.ok, isZero.Not())
			case seat.butterfly == 1:
				if base.IsNil() {
					middle := c.n / r / 2
					base = c.k.LetIn("twin", isZero.Choose(at[r].at, at[0].at), min(at[0].lo(), middle), max(at[0].hi(), middle))
				}
				t.k.at = raised(base, e*c.n/r)
			case seat.element != e: // twin r/2 of quarters
				other := seat.element * c.n / r
				t.k.at = c.k.LetIn("twin", isZero.Choose(other, t.k.at), min(t.k.lo(), other), max(t.k.hi(), other))
				t.unless = isZero
			}
		}
		if s.quarters && 2*e >= r {
			t.before = list[e-r/2].k.at
		}
		list = append(list, t)
	}
	if isZero.IsNil() {
		return list, s, isZero
	}
	if s.alone != nil {
		list = append(list, twin{k: place{at: whole(c.n / 2), ok: both(at[0].ok, isZero)}, self: true})
	}
	return list, s, isZero
}

// seated fills in the elements of twins from the results of a pair.
func (c *core) seated(list []twin, s seating, isZero build.Val, v []number) {
	for e := range list {
		t := &list[e]
		if t.self {
			t.a = s.of(v, *s.alone)
			t.b = t.a
			continue
		}
		t.a, t.b = v[e], v[s.r+s.r-1-e]
		if !isZero.IsNil() && s.zero[e][0].butterfly >= 0 {
			t.a = c.Either(isZero, s.of(v, s.zero[e][0]), t.a)
			t.b = c.Either(isZero, s.of(v, s.zero[e][1]), t.b)
		}
	}
}

// unseated is the reverse: the inputs of a pair of butterflies from twins.
func (c *core) unseated(list []twin, s seating, isZero build.Val) []number {
	v := make([]number, 2*s.r)
	for e := range s.r {
		v[e], v[s.r+s.r-1-e] = list[e].a, list[e].b
	}
	if isZero.IsNil() {
		return v
	}
	out := append([]number(nil), v...)
	set := func(at seat, x number) {
		i := at.butterfly*s.r + at.element
		out[i] = c.Either(isZero, x, v[i])
	}
	for e, z := range s.zero {
		if z[0].butterfly < 0 {
			continue
		}
		set(z[0], list[e].a)
		if z[1] != z[0] {
			set(z[1], list[e].b)
		}
	}
	if s.alone != nil {
		set(*s.alone, list[s.r].a)
	}
	return out
}

// imageOf is the place n-k.
func (c *core) imageOf(k place) place {
	if _, ok := k.at.Known(); ok && 2*k.lo() == c.n {
		return k
	}
	return place{at: c.k.Let("image", whole(c.n).Sub(k.at)), ok: k.ok}
}

// untangled turns a twin of the packed transform into elements k and n-k of
// the spectrum of a real line of length 2n; roots has half of the 2n-th roots.
func (c *core) untangled(t twin, roots build.Val) (x, image number) {
	if t.self {
		return t.a.Conjugate(), c.Zero()
	}
	x, image = c.Untangle(t.a, t.b, c.halfRoot(t, roots))
	if c.alone && t.k.lo() == 0 {
		x.Im, image.Im = c.Zero().Im, c.Zero().Im
	} else if t.k.lo() == 0 {
		// Elements 0 and n are real: their angle is pi or 0, and not -pi.
		first, zero := t.k.at.Eq(0), c.Zero().Im
		x.Im, image.Im = c.Let(first.Choose(zero, x.Im)), c.Let(first.Choose(zero, image.Im))
	}
	return x, image
}

// tangled is the reverse, times 2n: elements k and n-k of a spectrum become
// those of the packed line. The imaginary parts of elements 0 and n do not
// count.
func (c *core) tangled(t twin, roots build.Val) (a, b number) {
	if t.self {
		z := c.Scaled(t.a, c.Const(2)).Conjugate()
		return z, z
	}
	x, y := t.a, t.b
	if t.k.lo() == 0 {
		zero := t.k.at.Eq(0)
		x.Im, y.Im = c.Let(zero.Choose(c.Const(0), x.Im)), c.Let(zero.Choose(c.Const(0), y.Im))
	}
	return c.Tangle(x, y, c.halfRoot(t, roots))
}

// halfRoot is half of the root that a twin is turned by.
func (c *core) halfRoot(t twin, table build.Val) number {
	if c.alone {
		re, im := roots.Of(2 * c.n).At(t.k.lo())
		return number{Re: c.Const(re / 2), Im: c.Const(im / 2)}
	}
	if t.before.IsNil() {
		return c.k.looked(table.At(t.k.at))
	}
	w := c.k.looked(table.At(t.before)).Turned(true)
	if t.unless.IsNil() {
		return w
	}
	re, im := roots.Of(8).At(3)
	return c.Either(t.unless, number{Re: c.Const(re / 2), Im: c.Const(im / 2)}, w)
}
