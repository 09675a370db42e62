package transform

import (
	"math"
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// planes untangles the bins of a half line out of two planes in scratch: the passes in
// front need not interleave what they store, nor the kernel take it apart.
type planes[R Float] struct {
	kernel butterfly.Kernel
	pass   *butterfly.Pass
	woven  *butterfly.Pass // of planes that are woven and in order, or nil
	// some is the kernel for parts of a line and lines up to someTo, or nil. It has vectors of the
	// given lanes, and leaves out the bin in the middle, which is there in scratch.
	some          butterfly.Kernel
	lanes, middle int
	// tree is the passes behind a lead, all in place, which leave rows of bins where the
	// kernel looks for them: that saves a buffer. It is nil for other lines.
	tree    *tree
	batches bool // only in batches: a line alone is untangled in place
}

// Half lines, in bytes, whose bins are untangled out of planes. Lines of any length behind a
// lead are: on Cascade Lake they take 0.94 to 0.98 of the time alone and 0.75 to 0.95 in
// batches, whose bins do not begin with cache lines. leadPlanesTo is what the offsets of a
// pass can say.
//
// Other lines need one buffer more. With vectors of 256 bits they take 0.92 to 0.95 of the time
// up to planesTo, in the first cache. Vectors of 512 bits gain from planesFrom to widePlanesTo,
// and only in batches: 0.82 to 0.95 of the time. A line alone takes 1.05 to 1.2.
//
// The kernel for parts of a line has fewer shuffles and stores across cache lines. Lines up to
// someTo, in the first cache, take 0.94 to 0.98 of the time with it; from twice that on it is
// slower (1.04).
const (
	leadPlanesTo = math.MaxUint32
	someTo       = 8<<10 + 2*cacheLine
	planesTo     = 48 << 10
	planesFrom   = 16 << 10
	widePlanesTo = 160 << 10
	wovenTo      = 256 << 10 // in the destination; 65536 float64 take 1.03 of the time so
)

// newPlanes is nil where a half line is better untangled in place.
func newPlanes[R Float](c *chain) *planes[R] {
	from, to, wide := int64(0), int64(planesTo), c.level == simd.AVX512
	switch {
	case c.leads:
		to = leadPlanesTo
	case wide:
		from, to = planesFrom, widePlanesTo
	}
	if bytes := int64(c.pairBytes(c.n)); bytes < from || bytes > to {
		return nil
	}
	kernel, bins := butterfly.UntanglePlanes[R](c.level, c.n, c.leads)
	if kernel == nil {
		return nil
	}
	lanes := len(bins)
	p := &planes[R]{kernel: kernel, batches: wide && !c.leads, some: butterfly.UntangleSome[R](c.level), lanes: lanes}
	vectors := make([]int, c.n/lanes)
	for i := range vectors {
		vectors[i] = i * lanes
	}
	if c.leads {
		p.tree = c.tree.inPlace()
		row := c.n / product(c.tree.radices)
		places := p.tree.places()
		for i := range vectors {
			vectors[i] = places[i*lanes/row] + i*lanes%row
		}
	}
	p.middle = vectors[len(vectors)/2]
	p.pass = &butterfly.Pass{Rows: c.n / 2 / lanes, InLeg: c.n,
		Twiddle: binFactors[R](2*c.n, bins, 0.5, 0.5), Factors: butterfly.Places[R](vectors)}
	if c.within != nil && 2*c.n*c.size <= wovenTo {
		woven := *p.pass
		for i := range vectors {
			vectors[i] = 2 * i * lanes
		}
		woven.Factors = butterfly.Places[R](vectors)
		p.woven = &woven
	}
	return p
}

// halfLen is the number of scratch elements for a half line in either form.
func (p *Real[R, C]) halfLen() int {
	if p.planes == nil || p.planes.tree != nil {
		return p.half.n
	}
	return max(p.half.n, p.half.elements(p.half.shape.pairBytes(p.half.n)))
}

// forwardAlone is Forward by way of planes in dst, where that fits.
func (p *Real[R, C]) forwardAlone(dst []C, src []R, scratch []C) {
	h := p.half
	to, from := interleaved(dst[:p.Bins()], h.shape.size), h.source(pairs[R, C](src))
	c, ok := h.line.(*chain)
	if !ok || p.planes.woven == nil || !c.within.fits(to, from) {
		p.forwardPlanes(dst, src, scratch)
		return
	}
	bins := c.within.rows(to.lower())
	c.within.runFirst(bins, from)
	c.within.planes.run(bins, bins, h.scale)
	p.planes.kernel(p.planes.woven, to.re, to.im, bins.re, bins.im, 1)
	runtime.KeepAlive(p)
}

// inPlaceFrom is the half line, in bytes, from which bins that begin with a cache line are untangled
// where they lie if the line is alone. Rows of planes come from all over scratch, and from the third
// cache on waiting for them takes longer than the way through the result that they save: 2^20 float64
// take 0.80 to 0.84 of the time in place, half lines of 2 MiB as long. Batches, whose bins lie across
// cache lines, take 1.04 to 2.1.
const inPlaceFrom = 4 << 20

// untanglesInPlace says that a line alone has no use for planes.
func (p *Real[R, C]) untanglesInPlace(dst []C) bool {
	return 2*p.half.n*p.half.shape.size >= inPlaceFrom && uintptr(unsafe.Pointer(unsafe.SliceData(dst)))%cacheLine == 0
}

// forwardPlanes is Forward by way of planes.
func (p *Real[R, C]) forwardPlanes(dst []C, src []R, scratch []C) {
	h, rest := p.half, scratch[p.halfLen():]
	to, from := interleaved(dst[:p.Bins()], h.shape.size), h.source(pairs[R, C](src))
	var bins view
	if p.planes.tree != nil {
		c := h.line.(*chain)
		bins = c.splitAt(h.work(rest, c.workBytes()), c.room)
		c.runLead(bins, from)
		p.planes.tree.run(bins, bins, h.scale)
	} else {
		bins = h.shape.splitAt(h.work(scratch, h.shape.pairBytes(h.n)), h.n)
		h.line.run(bins, from, h.work(rest, h.line.workBytes()), h.scale)
	}
	if p.planes.some != nil && h.shape.pairBytes(h.n) <= someTo {
		p.planes.some(p.planes.pass, to.re, to.im, bins.re, bins.im, 1)
		p.planes.ends(to, bins)
	} else {
		p.planes.kernel(p.planes.pass, to.re, to.im, bins.re, bins.im, 1)
	}
	runtime.KeepAlive(p)
}

// part is vectors lo..hi-1 from either end of a line.
func (p *planes[R]) part(to, bins view, lo, hi int) {
	pass, first, size := *p.pass, lo*p.lanes, int(unsafe.Sizeof(R(0)))
	pass.Rows, pass.InLeg = hi-lo, pass.InLeg-2*first
	pass.Twiddle, pass.Factors = unsafe.Add(pass.Twiddle, 2*first*size), butterfly.PlacesFrom(pass.Factors, lo)
	d := to.add(first, size)
	p.some(&pass, d.re, d.im, bins.re, bins.im, 1)
}

// ends writes the bins that the parts of a line leave out.
func (p *planes[R]) ends(to, bins view) {
	m := p.pass.InLeg
	*at[R](to.im, 0), *at[R](to.im, 2*m) = 0, 0
	*at[R](to.re, m), *at[R](to.im, m) = *at[R](bins.re, p.middle), -*at[R](bins.im, p.middle)
}
