package lines

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// core writes the transform of one complex line by the threads of the line.
// Every pass reads element b + j*n/r for its butterfly b and j < r, and leaves
// the result where the next pass finds it so (Stockham's order). So the first
// pass reads memory and the last writes it in the natural order, by threads
// that follow each other, and nothing is ever reversed.
type core struct {
	arithmetic
	recipe                  *recipe.Recipe
	n, threads              int   // of the recipe
	radices                 []int // its passes
	inverse                 bool
	mirrorFirst, mirrorLast bool
	thread                  string // the thread's number in its line
	among                   int    // how many there are; those past threads idle
	table                   string // pointer to the twiddles
	shared                  string // pointer to room numbers that the line's threads share
	guard                   *guard
	// If set, what thread and shared are from the last exchange on: threads
	// change places, so that those which follow each other store to places
	// that do.
	turnedThread, turnedShared string

	lane   string // thread, but less than threads
	active string // the condition that it is
	pads   map[string]string
}

// butterfly is one of a thread's butterflies in a pass.
type butterfly struct{ at place } // its number

// fetch gives the numbers at places; deliver takes the results.
type (
	fetch   func(at []place) []number
	deliver func(at []place, v []number)
)

func (c *core) begin() {
	c.n, c.threads, c.radices = c.recipe.N, c.recipe.Threads, c.recipe.Passes()
	c.lane, c.pads = c.thread, map[string]string{}
	if c.among > c.threads {
		c.lane = c.let("int", "min(%s, %d)", c.thread, c.threads-1)
		c.active = fmt.Sprintf("%s < %d", c.thread, c.threads)
	}
}

// run writes all passes. read is asked for the first pass's inputs, write is
// given the last pass's results; in mirrored passes they are asked for the
// butterflies of a pair together.
func (c *core) run(read fetch, write deliver) {
	ns, tables := 1, 0
	for i, r := range c.radices {
		last := i == len(c.radices)-1
		if last && i > 0 && c.turnedThread != "" {
			c.thread, c.shared = c.turnedThread, c.turnedShared
			c.begin()
		}
		groups := c.groups(i)
		values := make([][]number, len(groups))
		for g, group := range groups {
			if i == 0 {
				values[g] = read(c.inputs(group, r))
			} else {
				c.guard.beforeRead(c.text, swapped)
				values[g] = c.load(group, i, ns)
			}
		}
		for g, group := range groups {
			var out []number
			for k, b := range group {
				x := values[g][k*r : (k+1)*r]
				if ns > 1 {
					out = append(out, c.twiddled(x, b, ns, tables)...)
				} else {
					out = append(out, c.DFT(x, c.inverse)...)
				}
			}
			if last {
				write(c.inputs(group, r), out)
				continue
			}
			c.guard.beforeWrite(c.text, swapped)
			for k, b := range group {
				c.store(out[k*r:(k+1)*r], b, i, ns)
			}
		}
		if ns > 1 {
			tables += ns * dft.Powers(r)
		}
		ns *= r
	}
}

// groups are the butterflies of a pass, those that belong together together.
func (c *core) groups(pass int) [][]butterfly {
	r := c.radices[pass]
	count := c.n / r
	mirrored := c.mirrorFirst && pass == 0 || c.mirrorLast && pass == len(c.radices)-1
	var list [][]butterfly
	total := count
	if mirrored {
		total = recipe.Pairs(count)
	}
	for first := 0; first < total; first += c.threads {
		at := place{base: c.lane, add: first, lo: first, hi: min(first+c.threads, total) - 1, ok: c.active}
		if first+c.threads > total {
			name := c.let("int", "min(%s, %d)", at, total-1)
			at.ok = both(c.active, fmt.Sprintf("%s < %d", at, total))
			at.base, at.add = name, 0
		}
		if !mirrored {
			list = append(list, []butterfly{{at: at}})
			continue
		}
		list = append(list, []butterfly{{at: at}, {at: c.image(at, count)}})
	}
	return list
}

// image is the mirror image of butterfly at, or for butterfly 0 the other one
// that is its own image.
func (c *core) image(at place, count int) place {
	m := place{lo: count - at.hi, hi: count - at.lo, ok: at.ok}
	if at.lo > 0 {
		m.base = c.let("int", "%d - %s", count, at)
		return m
	}
	m.hi = max(count-1, 0)
	other := count / 2
	if count%2 == 1 {
		other = 0
		m.ok = both(m.ok, at.String()+" != 0")
	}
	m.lo = min(m.lo, other)
	m.base = c.let("int", "%s == 0 ? %d : %d - %s", at, other, count, at)
	return m
}

// inputs are the places a group's butterflies read, and in the last pass write.
func (c *core) inputs(group []butterfly, r int) []place {
	var list []place
	for _, b := range group {
		for j := range r {
			list = append(list, b.at.plus(j*c.n/r))
		}
	}
	return list
}

// delivered are the places of the last pass's results, in order.
func (c *core) delivered() []place {
	var list []place
	pass := len(c.radices) - 1
	for _, g := range c.groups(pass) {
		list = append(list, c.inputs(g, c.radices[pass])...)
	}
	return list
}

// twiddled is the transform of a butterfly's inputs times the powers of its
// root.
func (c *core) twiddled(x []number, b butterfly, ns, table int) []number {
	r := len(x)
	k := b.at.String()
	if b.at.hi >= ns {
		k = c.let("int", "%s %% %d", k, ns)
	}
	var w []number
	for row := range dft.Powers(r) {
		v := c.let(c.pair, "%s[%s + %d]", c.table, k, table+row*ns)
		z := c.parts(v)
		if c.inverse {
			z = z.Conjugate()
		}
		w = append(w, z)
	}
	return c.Spun(x, w, c.inverse)
}
