package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// step is one sweep of a chain, with a kernel per form of its input and
// output.
type step struct {
	pass   *butterfly.Pass
	kernel [2][2]butterfly.Kernel
}

func (s *step) run(dst, src view, scale float64) {
	s.kernel[src.form][dst.form](s.pass, dst.re, dst.im, src.re, src.im, scale)
}

// claiming is the step with a pass that asks for all of dst while it reads planes as long. It lies
// in raw memory; components have the given size.
func (s *step) claiming(dst, src view, raw unsafe.Pointer, size int) step {
	p := s.pass.CopyTo(raw)
	p.AheadIn = (int(uintptr(dst.lower())) - int(uintptr(src.lower()))) / size
	return step{p, s.kernel}
}

// passStep is a radix pass by the best kernel for its number of columns. Only the
// last pass of a line, which is not twiddled, stores interleaved elements.
func passStep[R butterfly.Float](s shape, radix int, p *butterfly.Pass) step {
	st := step{pass: p}
	for load := range st.kernel {
		for store := range st.kernel[load] {
			if p.Twiddle != nil && butterfly.Form(store) == butterfly.Interleaved {
				continue
			}
			st.kernel[load][store] = passKernel[R](s, radix, p, butterfly.Form(load), butterfly.Form(store))
		}
	}
	return st
}

// passKernel is the fastest kernel of a pass. Odd radices without one of their own share
// one that takes a table.
func passKernel[R butterfly.Float](s shape, radix int, p *butterfly.Pass, load, store butterfly.Form) butterfly.Kernel {
	if radix%2 == 1 && p.Twiddle == nil && !butterfly.Own[R](s.level, radix) {
		if k := butterfly.Odd[R](s.level, load, store, p.Cols); k != nil {
			if p.Factors == nil {
				p.Factors = butterfly.OddTable[R](radix)
			}
			return k
		}
	}
	return butterfly.Select[R](s.level, radix, load, store, p.Cols)
}

// chain runs sweeps over a whole line, from src through two scratch buffers to
// dst (Stockham: the output comes out in order). After a lead or a turn the
// passes run in place instead.
type chain struct {
	shape
	n      int
	room   int // elements of a buffer
	steps  []step
	tree   *tree   // or nil
	leads  bool    // the first step is a lead of all lanes
	real   bool    // the lead is over real columns
	narrow bool    // the first step is a lead of half the lanes
	turned *turned // how the sweeps up to a turn are cut, or nil
	spans  []step  // the lead between the gaps of its buffer, or nil if there are none
	within *within // how lines run in their destination, or nil
	ahead  *chain  // the same with prefetches for batches, or nil
	half   *chain  // the same for lines whose upper half is zero, or nil
	joint  *joint  // how interleaved lines behind a lead of half the lanes run, or nil
	// paired is two lines of a batch at once, or nil, for results that follow one another or
	// have an element in between, as half lines of real ones do.
	paired [2]*paired
}

// newChain lays out the passes of a mixed-radix recipe. The columns of a pass
// are the product of the radices before it, times those of the other side of
// a turn: a turn is there to give the first passes columns to vectorise over.
func newChain[R butterfly.Float](s shape, radices []int, turn int) *chain {
	c := &chain{shape: s, n: product(radices)}
	c.room = c.n
	head, tail := radices[:turn], radices[turn:]
	a, b := product(head), product(tail)
	lanes := butterfly.Lanes(s.level, 8*s.size)
	switch {
	case turn == 0:
		c.steps = stockham[R](s, radices, 1, 1)
	case turn == 1 && narrowLead(s, a, b):
		c.narrow = true
		c.steps = append([]step{leadStep[R](s, a, b, false)}, stockham[R](s, tail, a, a)...)
		if d := doubledStep[R](s, tail[0], a, b); d.pass != nil && len(tail) > 1 {
			c.steps[1] = d
		}
		c.joint = newJoint[R](s, a, tail)
		for gap := range c.paired {
			c.paired[gap] = newPaired[R](c, a, tail, gap)
		}
	case turn == 1 && a%lanes == 0 && b >= lanes && butterfly.Leads(s.level, 8*s.size, a):
		c.leads = true
		c.steps = []step{leadStep[R](s, a, b, false)}
		gap := s.gap(tail, a)
		c.room += (tail[0] - 1) * gap
		c.tree = newTree[R](s, tail, a, a, gap)
		c.tree.endMixed(butterfly.Mixed[R](s.level, tail[len(tail)-1]))
		c.spans = c.cutLead()
		half := *c
		half.steps = []step{leadStep[R](s, a, b, true)}
		half.spans = half.cutLead()
		c.half = &half
		c.within = newWithin[R](c, a, tail)
	case turn == 1 && a > lanes && b >= lanes && butterfly.Leads(s.level, 8*s.size, a):
		c.steps = []step{leadStep[R](s, a, b, false)}
		pitch := s.padded(a)
		c.room = pitch * b
		c.tree = newTree[R](s, tail, a, pitch, 0)
	default:
		before, after := s.padded(b), s.padded(a)
		c.room = max(s.side(a)*before, s.side(b)*after)
		c.steps = append(stockham[R](s, head, b, before), turnStep[R](s, c.n, inOrder(a), b, before, after, s.strips(a, b)))
		c.tree = newTree[R](s, tail, a, after, 0)
		c.turned = c.newTurned(a, b, before)
	}
	c.ahead = c.withAhead()
	return c
}

// narrowTo bounds the lines, in bytes, that begin with a lead of half the lanes, which has
// no kernel that multiplies its twiddles.
const narrowTo = 256 << 10

// narrowLead reports a lead of half the lanes over cols columns. The rows behind it are
// half a vector long, and every pass makes them longer: they go from buffer to buffer, not
// in place.
func narrowLead(s shape, radix, cols int) bool {
	bits := 8 * s.size
	lanes := butterfly.Lanes(s.level, bits)
	return 2*radix == lanes && cols >= lanes && 2*radix*cols*s.size < narrowTo && butterfly.Leads(s.level, bits, radix)
}

// doubledStep is the pass of a radix over rows of half a vector, all rows of the line;
// its pass is nil if there is no kernel.
func doubledStep[R butterfly.Float](s shape, radix, row, rows int) step {
	kernel, lanes := butterfly.Doubled[R](s.level, radix), 2*row
	cols := row * rows / radix
	if kernel == nil || cols < lanes {
		return step{}
	}
	table := roots.Of(rows)
	var w []R
	for _, start := range butterfly.Tiles(cols, lanes) {
		for j := 1; j < radix; j++ {
			at := len(w)
			w = append(w, make([]R, 2*lanes)...)
			for l := range lanes {
				re, im := table.At((start + l) / row * j)
				w[at+l], w[at+lanes+l] = R(re), R(im)
			}
		}
	}
	st := step{pass: &butterfly.Pass{Cols: cols, InLeg: cols, Twiddle: unsafe.Pointer(unsafe.SliceData(w))}}
	st.kernel[butterfly.Split][butterfly.Split] = kernel
	return st
}

// padded is the distance of rows of the given columns inside scratch: a whole
// number of vectors, so that no vector crosses a cache line and a pass in
// place does no element twice. What lies between rows is never read back.
func (s shape) padded(cols int) int {
	if side := s.side(cols); side > cols {
		return side
	}
	for l := s.level; l > simd.Portable; l-- {
		if n := butterfly.Lanes(l, 8*s.size); n > 1 && 2*cols > n {
			return (cols + n - 1) / n * n
		}
	}
	return cols
}

// side is the rows or columns a turn works on: no fewer than its lanes where
// the passes around it can leave out what does not belong to the line.
func (s shape) side(n int) int {
	if bits := 8 * s.size; n > 1 && butterfly.Partial(s.level, bits) {
		return max(n, butterfly.Lanes(s.level, bits))
	}
	return n
}

// inOrder is 0 to n-1.
func inOrder(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func product(radices []int) int {
	n := 1
	for _, r := range radices {
		n *= r
	}
	return n
}

// stockham is the passes over lines of product(radices) elements, cols of them
// side by side. Rows of columns lie pitch apart in all but the first input.
func stockham[R butterfly.Float](s shape, radices []int, cols, pitch int) []step {
	var steps []step
	rest, done := product(radices), 1
	for i, r := range radices {
		rest /= r
		wide := pitch * done
		p := &butterfly.Pass{
			Rows: rest, Cols: wide,
			InRow: wide, InLeg: wide * rest,
			OutRow: wide * r, OutLeg: wide,
		}
		if i == 0 {
			p.Cols, p.InRow, p.InLeg = cols, cols, cols*rest
		}
		if rest > 1 {
			p.Twiddle = rowTwiddles[R](r, rest, r)
		}
		steps = append(steps, passStep[R](s, r, p))
		done *= r
	}
	return steps
}

// rowTwiddles is exp(-2*pi*i*p*j/(r*rows)) for row p and leg j >= 1 of the given number.
func rowTwiddles[R butterfly.Float](r, rows, legs int) unsafe.Pointer {
	table := roots.Of(r * rows)
	w := make([]R, 0, 2*(legs-1)*rows)
	for p := range rows {
		walk := table.Walk(p, p)
		for j := 1; j < legs; j++ {
			re, im := walk.Next()
			w = append(w, R(re), R(im))
		}
	}
	return unsafe.Pointer(unsafe.SliceData(w))
}

// appendMixed is appendLanes for lanes in any order.
func appendMixed[R butterfly.Float](w []R, table *roots.Table, first, step int, lanes []int) []R {
	at, n := len(w), len(lanes)
	w = appendLanes(w, table, first, step, n)
	mixed := make([]R, 2*n)
	for i, l := range lanes {
		mixed[i], mixed[n+i] = w[at+l], w[at+n+l]
	}
	copy(w[at:], mixed)
	return w
}

// appendLanes adds the roots first, first+step ... as a vector of real parts
// and one of imaginary parts.
func appendLanes[R butterfly.Float](w []R, table *roots.Table, first, step, n int) []R {
	at := len(w)
	w = append(w, make([]R, 2*n)...)
	walk := table.Walk(first, step)
	for l := range n {
		re, im := walk.Next()
		w[at+l], w[at+n+l] = R(re), R(im)
	}
	return w
}

// workBytes is two buffers, or the one that a lead and a tree share. Strips need room for a pass.
func (c *chain) workBytes() int {
	if c.turned != nil && c.turned.product {
		return 2*c.pairBytes(c.room) + passBytes
	}
	if c.tree != nil && len(c.steps) == 1 {
		return c.pairBytes(c.room)
	}
	return 2 * c.pairBytes(c.room)
}

func (c *chain) run(dst, src view, work unsafe.Pointer, scale float64) {
	switch {
	case c.joint.fits(dst, src):
		c.joint.run(dst, src, work, scale)
	case c.within.fits(dst, src):
		c.within.run(dst, src, dst.lower(), scale)
	case c.within.fitsScratch(dst, src):
		c.within.run(dst, src, work, scale)
	default:
		c.runScratch(dst, src, work, scale)
	}
}

// runScratch is run for a line of a batch, whose destination is in an outer cache.
func (c *chain) runScratch(dst, src view, work unsafe.Pointer, scale float64) {
	from := c.runSteps(dst, src, work, scale)
	if c.tree != nil {
		c.tree.run(dst, from, scale)
	}
}

// runSteps is the sweeps in front of the tree, to scratch, or all there are, to dst.
func (c *chain) runSteps(dst, src view, work unsafe.Pointer, scale float64) view {
	if c.leads {
		buffer := c.splitAt(work, c.room)
		c.runLead(buffer, src)
		return buffer
	}
	if t := c.turned; t != nil && t.product {
		near, buffer := c.buffer(work, 0), c.buffer(work, 1)
		c.runStrips(buffer, src, near, unsafe.Add(work, 2*c.pairBytes(c.room)), 0, t.cols, stripVectors)
		return buffer
	}
	return c.runFrom(0, dst, src, work, scale)
}

// runFrom is sweep first and those behind it.
func (c *chain) runFrom(first int, dst, src view, work unsafe.Pointer, scale float64) view {
	last := len(c.steps) - 1
	for i := first; i <= last; i++ {
		to, factor := dst, scale
		if i < last || c.tree != nil {
			to, factor = c.between(i, dst, src, work), 1
		}
		c.steps[i].run(to, src, factor)
		src = to
	}
	return src
}

// borrowFrom is the line, in bytes, whose sweeps borrow dst.
const borrowFrom = 6 << 10

// between is where sweep i, which is not the last, writes. Of lines that fill much of the
// first cache every other one goes to dst, if that begins with a cache line and is not
// being read: it is needed anyway, and a second buffer is not. 1000 complex64 and 500
// complex128 take 0.87 to 0.92 of the time that they take with two.
func (c *chain) between(i int, dst, src view, work unsafe.Pointer) view {
	base := dst.lower()
	if c.tree == nil && 2*c.n*c.size >= borrowFrom && (len(c.steps)-i)%2 == 1 && dst.form == butterfly.Interleaved && uintptr(base)%cacheLine == 0 && (i > 0 || src.lower() != base) {
		return view{base, unsafe.Add(base, c.n*c.size), butterfly.Split}
	}
	// Only now: a pointer past the scratch must not even exist.
	return c.splitAt(unsafe.Add(work, i&1*c.pairBytes(c.room)), c.room)
}

// empty is the transform of length 1.
type empty struct{ shape }

func (empty) workBytes() int { return 0 }

func (e empty) run(dst, src view, _ unsafe.Pointer, scale float64) {
	if e.size == 4 {
		re, im := *(*float32)(src.re), *(*float32)(src.im)
		*(*float32)(dst.re), *(*float32)(dst.im) = re*float32(scale), im*float32(scale)
		return
	}
	re, im := *(*float64)(src.re), *(*float64)(src.im)
	*(*float64)(dst.re), *(*float64)(dst.im) = re*scale, im*scale
}
