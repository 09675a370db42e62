package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// paired transforms two lines of a batch at once whose lead has half the lanes: each is half
// of every vector. So the passes behind the lead run in place on whole vectors, as those behind
// a lead of all lanes do, where a line by itself has rows of half a vector. The bits are those
// of a line by itself.
type paired struct {
	shape
	n    int // elements of a line
	gap  int // elements between two lines of the result
	lead step
	tree *tree
}

// pairedTo bounds lines, in bytes, that go in pairs: source, scratch and result of two longer
// ones outgrow the first cache by so much that they take up to 1.2 times as long.
const pairedTo = 12 << 10

// newPaired is the pairs of the lines of c, whose results lie gap elements apart, or nil if
// there is no kernel.
func newPaired[R butterfly.Float](c *chain, lead int, radices []int, gap int) *paired {
	first := butterfly.PairedLead[R](c.level)
	last := butterfly.Paired[R](c.level, radices[len(radices)-1])
	if first == nil || last == nil || 2*c.n*c.size > pairedTo {
		return nil
	}
	p := &paired{shape: c.shape, n: c.n, gap: gap, tree: newTree[R](c.shape, radices, lead, 2*lead, 0)}
	end := &p.tree.steps[len(radices)-1]
	end.pass.Cols, end.pass.Beside = 2*lead, c.n+gap
	end.kernel[butterfly.Split][butterfly.Interleaved] = last
	cols := c.n / lead
	var w []R
	for _, start := range butterfly.Tiles(cols, lead) {
		for j := 1; j < lead; j++ {
			w = appendLanes(w, roots.Of(c.n), j*start, j, lead)
		}
	}
	p.lead.pass = &butterfly.Pass{Cols: cols, InLeg: cols, Twiddle: unsafe.Pointer(unsafe.SliceData(w)), Beside: c.n}
	p.lead.kernel[butterfly.Interleaved][butterfly.Split] = first
	return p
}

// pairs is how two lines of a batch go at once, or nil.
func (p *Plan[C]) pairs() *paired {
	if c, ok := p.line.(*chain); ok {
		return c.paired[0]
	}
	return nil
}

// workBytes is the scratch of two lines.
func (p *paired) workBytes() int { return p.pairBytes(2 * p.n) }

// fits says that lines that far apart can be transformed in pairs.
func (p *paired) fits(dst, src view, dstDist, srcDist int) bool {
	return p != nil && dstDist == p.n+p.gap && srcDist == p.n && dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved
}

// run transforms a line and the next.
func (p *paired) run(dst, src view, work unsafe.Pointer, scale float64) {
	buffer := p.splitAt(work, 2*p.n)
	p.lead.run(buffer, src, 1)
	p.tree.run(dst, buffer, scale)
	runtime.KeepAlive(p)
}
