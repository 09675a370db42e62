package transform

// halvable is a line with a way to do without the upper half of its input.
type halvable interface {
	line
	halved() line // nil if there is none
}

func (c *chain) halved() line {
	if c.half == nil {
		return nil
	}
	return c.half
}

// halved is nil: a whole-line kernel takes less than the chain would save.
func (d *direct) halved() line { return nil }

// halved is l for input whose upper half is zero and is not read, or nil.
func halved(l line) line {
	if h, ok := l.(halvable); ok {
		return h.halved()
	}
	return nil
}

// Halved is the plan for lines whose upper half is zero, which is what padding
// for a convolution makes: only Given elements of an input line are read, and
// nothing is computed with the rest. It is nil if the recipe has no such way.
func (p *Plan[C]) Halved() *Plan[C] {
	l := halved(p.line)
	if l == nil {
		return nil
	}
	q := *p
	q.line, q.batch, q.given = l, l, p.n/2
	return &q
}

// Given is how many elements of an input line are read.
func (p *Plan[C]) Given() int { return p.given }

// Halved is the plan whose Forward reads the first half of a line only and
// takes the rest to be zero, or nil.
func (p *Real[R, C]) Halved() *Real[R, C] {
	if p.n%4 != 0 {
		return nil
	}
	half := p.half.Halved()
	if half == nil {
		return nil
	}
	q := *p
	q.half, q.lanes, q.single = half, nil, nil // lanes take whole lines
	if p.folded != nil {
		q.folded = p.folded.halved()
	}
	return &q
}

// Given is how many samples of a line Forward reads.
func (p *Real[R, C]) Given() int {
	if p.n%2 == 1 {
		return p.n
	}
	return 2 * p.half.given
}
