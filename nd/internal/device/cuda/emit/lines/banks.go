package lines

import (
	"fmt"
	"math/bits"
)

// Between passes the numbers of a line lie in shared memory in their order, with
// gaps, so that threads which write a round number of places apart do not meet
// in a bank. Lengths that are powers of two leave out one number in so many;
// there start and distance of a butterfly's numbers have no bits in common and
// gaps can be counted apart. Other lengths leave some out behind each run of
// numbers that the passes so far have joined: runs are whole butterflies of the
// pass before and whole distances of the next.

// banksOf is how many numbers a warp stores or loads at once.
func banksOf(p *precision) int { return 128 / p.bytes() }

func (s split) powerOfTwo() bool { return s.n&(s.n-1) == 0 }

// spacing is after how many numbers one is left out where the length is a power
// of two; 0 for never.
func (s split) spacing(p *precision) int {
	if s.n%16 != 0 || len(s.radices) < 2 {
		return 0
	}
	return max(banksOf(p), s.radices[0])
}

// gap is how many numbers are left out behind each run of those that a pass has
// joined, where the length is no power of two: as many as make threads wait the
// least for each other when they store and when the next pass loads.
func (s split) gap(pass int, p *precision) int {
	ns := 1
	for _, r := range s.radices[:pass] {
		ns *= r
	}
	r, next := s.radices[pass], s.radices[pass+1]
	run, banks := ns*r, banksOf(p)
	best, least := 0, 0
	for gap := range banks {
		waits := waiting(s.n/r, banks, func(b int) int { return b/ns*(run+gap) + b%ns }) * r
		waits += waiting(s.n/next, banks, func(b int) int { return b + b/run*gap }) * next
		if gap == 0 || waits < least {
			best, least = gap, waits
		}
	}
	return best
}

// waiting is how many turns it takes threads that follow each other to access
// places, a warp's share at a time.
func waiting(threads, banks int, place func(int) int) int {
	turns := 0
	for first := 0; first < threads; first += banks {
		var busy [32]int
		most := 0
		for t := first; t < min(first+banks, threads); t++ {
			b := place(t) % banks
			busy[b]++
			most = max(most, busy[b])
		}
		turns += most
	}
	return turns
}

// room is how many numbers an exchange takes in shared memory.
func (s split) room(p *precision) int {
	most := s.n
	if len(s.radices) < 2 {
		return 0
	}
	if s.powerOfTwo() {
		if d := s.spacing(p); d > 0 {
			most += s.n / d
		}
		return most
	}
	run := 1
	for i, r := range s.radices[:len(s.radices)-1] {
		run *= r
		most = max(most, s.n+s.n/run*s.gap(i, p))
	}
	return most
}

// store puts a butterfly's results where the next pass reads them.
func (c *core) store(v []number, b butterfly, pass, ns int) {
	r := len(v)
	gap := 0
	if !c.powerOfTwo() {
		gap = c.gap(pass, c.precision)
	}
	var start string
	switch {
	case b.at.hi < ns:
		start = b.at.String()
	case ns == 1:
		start = c.let("int", "%s * %d", b.at, r+gap)
	default:
		start = c.let("int", "%s + %s / %d * %d", b.at, b.at, ns, ns*r+gap-ns)
	}
	for j, x := range v {
		c.when(b.at.ok, "%s[%s] = %s;", c.shared, c.spaced(start, j*ns), c.paired(x))
	}
}

// load reads what the pass before left of the inputs of a group's butterflies.
func (c *core) load(group []butterfly, pass, ns int) []number {
	r := c.radices[pass]
	gap := 0
	if !c.powerOfTwo() {
		gap = c.gap(pass-1, c.precision)
	}
	var out []number
	for _, b := range group {
		start := b.at
		if gap > 0 && b.at.hi >= ns {
			start = place{base: c.let("int", "%s + %s / %d * %d", b.at, b.at, ns, gap)}
		}
		for j := range r {
			v := c.let(c.pair, "%s[%s]", c.shared, c.spaced(start.base, start.add+j*c.n/r/ns*(ns+gap)))
			out = append(out, number{v + ".re", v + ".im"})
		}
	}
	return out
}

// spaced is the place of element start+add, where gaps of other lengths than
// powers of two have been counted already.
func (c *core) spaced(start string, add int) string {
	d := 0
	if c.powerOfTwo() {
		d = c.spacing(c.precision)
	}
	if d == 0 {
		return fmt.Sprintf("%s + %d", start, add)
	}
	p, ok := c.pads[start]
	if !ok {
		p = c.let("int", "%s + (%s >> %d)", start, start, bits.Len(uint(d-1)))
		c.pads[start] = p
	}
	return fmt.Sprintf("%s + %d", p, add+add/d)
}
