package lines

import (
	"fmt"
	"math/bits"
)

// store puts a butterfly's results where the next pass reads them.
func (c *core) store(v []number, b butterfly, pass, ns int) {
	r := len(v)
	gap := c.recipe.Gap(pass, c.bits)
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
	gap := c.recipe.Gap(pass-1, c.bits)
	var out []number
	for _, b := range group {
		start := b.at
		if gap > 0 && b.at.hi >= ns {
			start = place{base: c.let("int", "%s + %s / %d * %d", b.at, b.at, ns, gap)}
		}
		for j := range r {
			v := c.let(c.pair, "%s[%s]", c.shared, c.spaced(start.base, start.add+j*c.n/r/ns*(ns+gap)))
			out = append(out, c.parts(v))
		}
	}
	return out
}

// spaced is the place of element start+add, where gaps of other lengths than
// powers of two have been counted already.
func (c *core) spaced(start string, add int) string {
	d := c.recipe.Spacing(c.bits)
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
