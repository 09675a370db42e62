package lines

// A mirrored pass gives a thread butterflies b and n/r-b, so that it has the
// elements k and n-k of a line. twin is such a pair of elements. The thread
// with butterfly 0 has that one's own images and those of the butterfly in the
// middle, so where its twins are is decided at run time.
type twin struct {
	k    place // of the first; the second is at n-k
	a, b number
	self bool // one element only, n/2
}

// seat is an element of a pair of butterflies.
type seat struct{ butterfly, element int }

// seating is where a thread finds its twins: in every pair of butterflies but
// the first, twin s is element s of the one and r-1-s of the other.
type seating struct {
	r     int
	zero  [][2]seat // of butterfly 0; nil where it has none
	alone *seat     // of butterfly 0: element n/2
}

// seatingOf is for passes of radix r with an even or odd number of butterflies.
func seatingOf(r int, even bool) seating {
	s := seating{r: r, zero: make([][2]seat, r)}
	s.zero[0] = [2]seat{{0, 0}, {0, 0}}
	for e := 1; e < (r+1)/2; e++ {
		s.zero[e] = [2]seat{{0, e}, {0, r - e}}
	}
	if r%2 == 0 {
		s.alone = &seat{0, r / 2}
	}
	if even {
		for e := range r / 2 {
			s.zero[(r+1)/2+e] = [2]seat{{1, e}, {1, r - 1 - e}}
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

func (s seating) of(v []number, at seat) number { return v[at.butterfly*s.r+at.element] }

// twins finds a thread's pairs of elements: at are the places of a pair of
// butterflies. What it writes depends on the thread alone.
func (c *core) twins(at []place) (list []twin, s seating, isZero string) {
	r := len(at) / 2
	s = seatingOf(r, c.n/r%2 == 0)
	if at[0].lo > 0 {
		for e := range r {
			list = append(list, twin{k: at[e]})
		}
		return list, s, ""
	}
	isZero = c.let("bool", "%s == 0", at[0])
	for e := range r {
		k, zero := at[e], s.zero[e][0]
		switch zero.butterfly {
		case -1:
			k.ok = both(k.ok, "!"+isZero)
		case 1:
			other := at[r+zero.element]
			k = place{base: c.let("int", "%s ? %s : %s", isZero, other, k),
				lo: min(k.lo, c.n/r/2+zero.element*c.n/r), hi: max(k.hi, c.n/r/2+zero.element*c.n/r), ok: k.ok}
		}
		list = append(list, twin{k: k})
	}
	if s.alone != nil {
		list = append(list, twin{k: place{add: c.n / 2, lo: c.n / 2, hi: c.n / 2, ok: both(at[0].ok, isZero)}, self: true})
	}
	return list, s, isZero
}

// seated fills in the elements of twins from the results of a pair.
func (c *core) seated(list []twin, s seating, isZero string, v []number) {
	for e := range list {
		t := &list[e]
		if t.self {
			t.a = s.of(v, *s.alone)
			t.b = t.a
			continue
		}
		t.a, t.b = v[e], v[s.r+s.r-1-e]
		if isZero != "" && s.zero[e][0].butterfly >= 0 {
			t.a = c.either(isZero, s.of(v, s.zero[e][0]), t.a)
			t.b = c.either(isZero, s.of(v, s.zero[e][1]), t.b)
		}
	}
}

// unseated is the reverse: the inputs of a pair of butterflies from twins.
func (c *core) unseated(list []twin, s seating, isZero string) []number {
	v := make([]number, 2*s.r)
	for e := range s.r {
		v[e], v[s.r+s.r-1-e] = list[e].a, list[e].b
	}
	if isZero == "" {
		return v
	}
	out := append([]number(nil), v...)
	set := func(at seat, x number) {
		i := at.butterfly*s.r + at.element
		out[i] = c.either(isZero, x, v[i])
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

// either chooses by a condition of the text.
func (a arithmetic) either(cond string, x, y number) number {
	return a.Either(condition(cond), x, y)
}

// imageOf is the place n-k.
func (c *core) imageOf(k place) place {
	if k.base == "" {
		return k
	}
	return place{base: c.let("int", "%d - %s", c.n, k), lo: c.n - k.hi, hi: c.n - k.lo, ok: k.ok}
}

// untangled turns a twin of the packed transform into elements k and n-k of
// the spectrum of a real line of length 2n; roots has the 2n-th roots.
func (c *core) untangled(t twin, roots string) (x, image number) {
	if t.self {
		return t.a.Conjugate(), c.nothing()
	}
	w := c.let(c.pair, "%s[%s]", roots, t.k)
	x, image = c.Untangle(t.a, t.b, c.parts(w))
	if t.k.lo == 0 {
		// Elements 0 and n are real: their angle is pi or 0, and not -pi.
		x.Im, image.Im = c.Let(x.Im.Add(0.0)), c.Let(image.Im.Add(0.0))
	}
	return x, image
}

// tangled is the reverse, times 2n: elements k and n-k of a spectrum become
// those of the packed line. The imaginary parts of elements 0 and n do not
// count.
func (c *core) tangled(t twin, roots string) (a, b number) {
	if t.self {
		z := c.Scaled(t.a, c.Const(2)).Conjugate()
		return z, z
	}
	x, y := t.a, t.b
	if t.k.lo == 0 {
		zero := condition(t.k.String() + " == 0")
		x.Im, y.Im = c.Let(zero.Choose(c.Const(0), x.Im)), c.Let(zero.Choose(c.Const(0), y.Im))
	}
	w := c.let(c.pair, "%s[%s]", roots, t.k)
	return c.Tangle(x, y, c.parts(w))
}
