package lines

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// chirped is Bluestein's method for lines that do not fit on chip, by way of an
// array of the padded length: passes along all axes but the last, a pass over
// the last one that transforms, multiplies by the chirp's spectrum and
// transforms back, and passes along the other axes on the way back. Nothing is
// put in order in between: the spectrum is in the order that the passes leave.
func (g *long) chirped() (*emit.Module, error) {
	n := g.f.N
	m, axes, row := g.paddedShape()
	if m == 0 {
		return nil, g.unsupported()
	}
	g.n = m
	g.reserve(1)
	x := &transform{f: g.f, precision: g.precision}
	in, out := g.chirpIn(x), g.chirpOut(x)
	before, after := 1, m
	for i, f := range axes {
		after /= f
		from := g.fromScratch(0)
		if i == 0 {
			from = in
		}
		if err := g.pass(f, before, after, false, behind, from, g.intoScratch(0)); err != nil {
			return nil, err
		}
		before *= f
	}
	if err := g.rows(row, x.inverse(), func(k *kernel) string { return k.spectrumTable(n, append(slices.Clone(axes), row), g.precision) }); err != nil {
		return nil, err
	}
	for i, f := range slices.Backward(axes) {
		before /= f
		to := g.intoScratch(0)
		if i == 0 {
			to = out
		}
		if err := g.pass(f, before, after, true, ahead, g.fromScratch(0), to); err != nil {
			return nil, err
		}
		after *= f
	}
	return g.finish(), nil
}

// paddedShape chooses the padded length and its axes by what passes move and
// compute. 0 if there is none.
func (g *long) paddedShape() (m int, axes []int, row int) {
	c := shapes{g: g, axis: map[int]float64{}, row: map[int]float64{}}
	for most := 1; most <= 2 && c.best == nil; most++ {
		for _, length := range padded(2*g.f.N - 1) {
			c.split(length, length, most, nil)
		}
	}
	if c.best == nil {
		return 0, nil, 0
	}
	return c.length, c.best, c.last
}

// shapes is a search for the shape of a padded line.
type shapes struct {
	g            *long
	axis, row    map[int]float64 // prices of passes; 0 where there is none
	length, last int
	best         []int
	least        float64
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
	for f := 2; f <= min(rest, c.g.most); f++ {
		if rest%f == 0 && c.axisPrice(f) > 0 {
			c.split(length, rest/f, more-1, append(slices.Clone(begun), f))
		}
	}
}

func (c *shapes) try(length, row int, axes []int) {
	price := passPrice(2*perNumber, c.rowPrice(row))
	moved := 1 + float64(c.g.f.N)/float64(length)
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
	p, ok := c.axis[f]
	if !ok {
		g := c.g
		s, _, err := g.columns(f)
		if err == nil && len(s.radices) > 1 && 8*s.threads <= mostThreads && 8*s.room(g.precision)*g.bytes()+1024 <= g.card.SharedBytes {
			p = (s.cost(false, s.held(false)) + around) * (1 + float64(f)/longestFactor)
		}
		c.axis[f] = p
	}
	return p
}

// rowPrice is what a pass over rows of m computes. Few threads to a row do not
// read whole sectors of memory.
func (c *shapes) rowPrice(m int) float64 {
	p, ok := c.row[m]
	if !ok {
		g := c.g
		s, _, err := splitOf(m, g.precision, false)
		if err == nil && len(s.radices) > 1 && m <= min(8*g.most, onChip(g.precision)) && s.room(g.precision)*g.bytes() <= g.card.SharedBytes {
			p = 2*s.cost(false, s.held(false)) + around + 256/float64(s.threads)
		}
		c.row[m] = p
	}
	return p
}

// passPrice is about the time of a pass: what it moves and what it computes
// overlap, but not all of it.
func passPrice(moves, computes float64) float64 {
	return max(moves, computes) + min(moves, computes)/4
}

// chirpIn is the input times a chirp, and zeros behind it.
func (g *long) chirpIn(x *transform) end {
	e := g.input(x)
	input, n := e.read, g.f.N
	e.read = func(k *kernel) func(place) number {
		read := input(k)
		a := arithmetic{k.text, g.precision}
		return func(at place) number {
			if at.lo >= n {
				return number{}
			}
			q := place{base: k.let("int", "min(%s, %d)", at, n-1), lo: at.lo, hi: min(at.hi, n-1), ok: at.ok}
			return a.either(fmt.Sprintf("%s < %d", at, n), a.mul(read(q), k.chirpAt(x, q)), number{})
		}
	}
	return e
}

// chirpOut is the output, which gets what it is given times a chirp.
func (g *long) chirpOut(x *transform) end {
	e := g.output(x)
	output, n := e.write, g.f.N
	e.write = func(k *kernel) func(place, number) {
		write := output(k)
		a := arithmetic{k.text, g.precision}
		return func(at place, v number) {
			if at.lo >= g.f.OutLen() {
				return
			}
			q := place{base: k.let("int", "min(%s, %d)", at, n-1), lo: at.lo, hi: min(at.hi, n-1), ok: both(at.ok, fmt.Sprintf("%s < %d", at, n))}
			write(q, a.mul(v, k.chirpAt(x, q)))
		}
	}
	return e
}

// rows transforms the rows of m numbers that scratch consists of, multiplies by
// a table and transforms back, in place.
func (g *long) rows(m int, conjugated bool, table func(*kernel) string) error {
	s, _, err := splitOf(m, g.precision, false)
	if err != nil {
		return err
	}
	in, out := g.fromScratch(0), g.intoScratch(0)
	k := g.kernel(&ir.Line{Outer: g.batch.Outer, Segments: 1, Slots: []ir.Slot{in.slot, out.slot}})
	k.bound[0], k.bound[1] = in.param, out.param
	k.threads, k.lines = s.threads, 1
	k.exchange = (max(s.room(g.precision), s.reversed().room(g.precision))*g.bytes() + 15) / 16 * 16
	k.outer.add(g.n / m)
	k.outer.tile = len(k.outer.dims) - 1
	for 2*k.lines*k.threads <= 128 && 2*k.lines*k.exchange <= 56<<10 {
		k.lines *= 2
	}
	k.pitch = k.spread(k.exchange)
	k.guard = newGuard(k.barrier())
	k.function(func(*params) {
		a := arithmetic{k.text, g.precision}
		origin := k.let("int", "(int)x * %d", m)
		spectrum := table(k)
		read, write := in.read(k), out.write(k)
		full := func(p place) place {
			return place{base: k.let("int", "%s + %s", origin, p), lo: p.lo, hi: g.n - 1, ok: p.ok}
		}
		var between [][]number
		g.core(k, s, false).run(func(at []place) []number { return fetched(at, full, read) }, func(at []place, v []number) {
			list := make([]number, len(at))
			for j, p := range at {
				w := k.let(g.pair, "%s[%s]", spectrum, full(p))
				z := number{w + ".re", w + ".im"}
				if conjugated {
					z = conjugate(z)
				}
				list[j] = a.mul(v[j], z)
			}
			between = append(between, list)
		})
		g.core(k, s.reversed(), true).run(func([]place) []number {
			list := between[0]
			between = between[1:]
			return list
		}, func(at []place, v []number) {
			for j, p := range at {
				write(full(p), v[j])
			}
		})
	})
	return nil
}
