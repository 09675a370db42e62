package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// productFrom is the line, in bytes, whose lead multiplies its twiddles out of
// a short table: from here on that costs less than fetching a long one, which is as long
// as the line. Vectors of 512 bits compute so fast that float64 gains as soon as source,
// table and scratch outgrow the first cache.
func (s shape) productFrom() int {
	if s.level == simd.AVX512 && s.size == 8 {
		return 12 << 10
	}
	return 256 << 10
}

// leadStep is a first pass of a radix over cols columns. With half, the upper
// half of its input is zero and not read.
func leadStep[R butterfly.Float](s shape, radix, cols int, half bool) step {
	kind := butterfly.LeadKind{Radix: radix, Product: !narrowLead(s, radix, cols) && 2*radix*cols*s.size >= s.productFrom(), Half: half}
	_, lanes := butterfly.Lead[R](s.level, kind)
	st := step{pass: leadPass[R](radix, cols, radix-1, lanes, kind.Product)}
	for load := range st.kernel {
		kind.Load = butterfly.Form(load)
		st.kernel[load][butterfly.Split], _ = butterfly.Lead[R](s.level, kind)
	}
	return st
}

// leadPass is the pass of a lead, whose results from the first behind result 0 on have twiddles:
// tables of them all, or of those of the first tile and of a factor for every tile.
func leadPass[R butterfly.Float](legs, cols, twiddles int, lanes []int, product bool) *butterfly.Pass {
	table := roots.Of(legs * cols)
	var w, f []R
	for _, start := range butterfly.Tiles(cols, len(lanes)) {
		for j := 1; j <= twiddles; j++ {
			if !product || start == 0 {
				w = appendMixed(w, table, j*start, j, lanes)
			}
			if product {
				re, im := table.At(j * start)
				f = append(f, R(re), R(im))
			}
		}
	}
	return &butterfly.Pass{
		Cols: cols, InLeg: cols,
		Twiddle: unsafe.Pointer(unsafe.SliceData(w)), Factors: unsafe.Pointer(unsafe.SliceData(f)),
	}
}

// leadTables moves a lead on to a column that begins a vector: its tables.
func (c *chain) leadTables(p *butterfly.Pass, col int) {
	twiddles, lanes := c.n/c.steps[0].pass.Cols-1, butterfly.Lanes(c.level, 8*c.size)
	if c.real {
		twiddles++
	}
	if p.Factors != nil {
		p.Factors = unsafe.Add(p.Factors, col/lanes*2*twiddles*c.size)
	} else {
		p.Twiddle = unsafe.Add(p.Twiddle, col/lanes*2*twiddles*lanes*c.size)
	}
}

// gap is the elements between the problems below the first pass behind a lead. Where its legs
// are a power of two apart, they fall on few sets of the first cache, and of 16 legs in two
// planes each cache line would be fetched once for every vector in it. One line between two legs
// spreads them. Fewer legs, or nearer ones, have room.
func (s shape) gap(radices []int, cols int) int {
	rest := product(radices[1:])
	if len(radices) < 2 || radices[0] <= 4 || rest*cols*s.size%gapFrom != 0 || rest%butterfly.Lanes(s.level, 8*s.size) != 0 {
		return 0
	}
	return cacheLine / s.size
}

// gapFrom is the distance of legs, in bytes, whose multiples want gaps.
const gapFrom = 2 << 10

// cutLead is a step for the columns of each leg of the first pass behind the lead, if there
// are gaps between them.
func (c *chain) cutLead() []step {
	if c.tree.gap == 0 {
		return nil
	}
	cols := c.tree.steps[0].pass.Rows
	spans := make([]step, c.tree.radices[0])
	for i := range spans {
		p := *c.steps[0].pass
		p.Cols = cols
		c.leadTables(&p, i*cols)
		spans[i] = step{&p, c.steps[0].kernel}
	}
	return spans
}

// runLead is the lead of a whole line.
func (c *chain) runLead(buffer, src view) {
	if c.spans == nil {
		c.steps[0].run(buffer, src, 1)
		return
	}
	cols := c.tree.steps[0].pass.Rows
	for i := range c.spans {
		c.spans[i].run(buffer.add(i*c.tree.block[0], c.size), src.add(i*cols, c.size), 1)
	}
}

// leadColumns is columns lo..hi-1 of a lead, of which src begins with the first. p is the pass
// of all columns; part is room for that of some.
func (c *chain) leadColumns(p butterfly.Pass, part *butterfly.Pass, buffer, src view, lo, hi int) {
	for at := lo; at < hi; {
		end := min(hi, c.tree.nextGap(at))
		*part = p
		part.Cols = end - at
		c.leadTables(part, at)
		st := step{part, c.steps[0].kernel}
		st.run(buffer.add(c.tree.place(at), c.size), src.add(at-lo, c.size), 1)
		at = end
	}
}
