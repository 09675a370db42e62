package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// batcher is a line with a better way to run many than one after the other.
// Line i starts i*dstDist and i*srcDist elements on.
type batcher interface {
	line
	runBatch(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int)
}

// BatchScratchLen is the number of scratch elements Batch needs for any count.
func (p *Plan[C]) BatchScratchLen(int) int {
	return p.elements(p.batchBytes())
}

// batchBytes is the scratch of a batch of lines.
func (p *Plan[C]) batchBytes() int {
	if p.whole != nil && p.whole.alone() {
		return passBytes + p.whole.workBytes()
	}
	bytes := p.lineBytes()
	if p.whole == nil {
		bytes = p.batch.workBytes()
	}
	if c := p.pairs(); c != nil {
		bytes = max(bytes, c.workBytes())
	}
	if p.lanes != nil {
		bytes = max(bytes, p.lanes.workBytes())
	}
	return passBytes + bytes
}

// passBytes is the room for a Pass in scratch, in whole cache lines.
const passBytes = (int(unsafe.Sizeof(butterfly.Pass{})) + cacheLine - 1) / cacheLine * cacheLine

// Batch transforms count lines. Line i starts at i*dstDist of dst and at
// i*srcDist of src; the lines of each do not overlap.
func (p *Plan[C]) Batch(dst, src, scratch []C, count, dstDist, srcDist int, inverse bool) {
	if count <= 0 {
		return
	}
	d, s := p.view(dst), p.source(src)
	_, _ = dst[(count-1)*dstDist+p.n-1], src[(count-1)*srcDist+p.given-1]
	if inverse {
		d, s = d.swapped(), s.swapped()
	}
	work := p.work(scratch, p.batchBytes())
	if p.lanes != nil && p.given == p.n {
		done := p.lanes.run(d, s, work, p.scale, count, dstDist, srcDist)
		if count -= done; count == 0 {
			return
		}
		d, s = d.add(done*dstDist, p.shape.size), s.add(done*srcDist, p.shape.size)
	}
	if b, ok := p.batch.(batcher); ok {
		b.runBatch(d, s, work, p.scale, count, dstDist, srcDist)
		return
	}
	runEach(p.batch, p.shape.size, d, s, work, p.scale, count, dstDist, srcDist)
}

// runEach runs the lines of a batch one after the other.
func runEach(l line, size int, dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) {
	for i := range count {
		l.run(dst.add(i*dstDist, size), src.add(i*srcDist, size), work, scale)
	}
}

// alone says that the kernel is for single lines, and batches run as passes: see
// [recipe.Alone]. However many lines a batch has, it has the same bits. Batches of float32 lines
// take 0.88 to 0.91 of the time by the kernel, in place, too, those of float64 lines 1.01.
func (d *direct) alone() bool { return d.n == recipe.DirectAlone && d.size == 8 }

// runBatch hands all lines to the kernel at once.
func (d *direct) runBatch(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) {
	if d.alone() {
		d.line.(*chain).runBatch(dst, src, work, scale, count, dstDist, srcDist)
		return
	}
	d.runMany(dst, src, scale, count, dstDist, srcDist)
}

// runMany is runBatch without scratch.
func (d *direct) runMany(dst, src view, scale float64, count, dstDist, srcDist int) {
	pass := butterfly.Pass{Twiddle: d.pass.Twiddle, InRow: srcDist, OutRow: dstDist}
	p := unseen(&pass)
	for _, m := range d.many {
		if count < m.Lines {
			continue
		}
		p.Rows = count / m.Lines * m.Lines
		m.Kernel(p, dst.re, dst.im, src.re, src.im, scale)
		if count -= p.Rows; count == 0 {
			return
		}
		dst, src = dst.add(p.Rows*dstDist, d.size), src.add(p.Rows*srcDist, d.size)
	}
	p.Rows = count
	d.kernel(p, dst.re, dst.im, src.re, src.im, scale)
}

// unseen hides a pass on the stack from escape analysis, which takes a kernel for a function that
// may keep it. Kernels are assembly and keep nothing.
func unseen(p *butterfly.Pass) *butterfly.Pass {
	address := uintptr(unsafe.Pointer(p))
	return *(**butterfly.Pass)(unsafe.Pointer(&address))
}

// WholeBatches says that [Plan.WholeBatch] can be used.
func (p *Plan[C]) WholeBatches() bool {
	return p.whole != nil && !p.whole.alone() && p.batch == line(p.whole) && p.lanes == nil
}

// WholeBatch is Batch of lines that follow one another, without scratch and without any check.
func (p *Plan[C]) WholeBatch(dst, src unsafe.Pointer, count int, inverse bool) {
	size := p.shape.size
	d := view{dst, unsafe.Add(dst, size), butterfly.Interleaved}
	s := view{src, unsafe.Add(src, size), butterfly.Interleaved}
	if inverse {
		d, s = d.swapped(), s.swapped()
	}
	p.whole.runMany(d, s, p.scale, count, p.n, p.n)
}

// runBatch transforms lines in pairs, or prefetches the result of a line, and the next line, while
// it works on one.
func (c *chain) runBatch(dst, src view, work unsafe.Pointer, scale float64, count, dstDist, srcDist int) {
	if c.joint.fits(dst, src) {
		for i := range count {
			c.joint.runAsking(dst.add(i*dstDist, c.size), src.add(i*srcDist, c.size), work, scale)
		}
		return
	}
	done := 0
	for _, p := range c.paired {
		if p.fits(dst, src, dstDist, srcDist) {
			for ; done < count-1; done += 2 {
				p.run(dst.add(done*dstDist, c.size), src.add(done*srcDist, c.size), work, scale)
			}
		}
	}
	if c.narrow && 2*c.n*c.size >= askFrom && dst.form == butterfly.Interleaved && src.form == butterfly.Interleaved {
		for i := done; i < count; i++ {
			c.runAsking(dst.add(i*dstDist, c.size), src.add(i*srcDist, c.size), work, scale)
		}
		return
	}
	l := c
	if c.ahead != nil && dstDist == c.n && srcDist == c.n {
		l = c.ahead
	}
	claims := c.claimsBatch(count) && dst.form == butterfly.Interleaved && dst.lower() != src.lower()
	for i := done; i < count; i++ {
		to, from := dst.add(i*dstDist, c.size), src.add(i*srcDist, c.size)
		switch {
		case c.meets() && c.within.fits(to, from):
			c.within.run(to, from, to.lower(), scale)
		case !claims:
			l.runScratch(to, from, work, scale)
		default:
			l.runClaiming(to, from, work, scale)
		}
	}
}

// meets says that lines of a batch run in their destination, too: those that with scratch and the
// table of the lead fill two first caches. On Emerald Rapids 64 lines of 2048 complex128 take 0.94 to 0.96
// of the time, 8 and 16 lines 0.90 to 0.97; shorter lines 0.97 to 1.07.
func (c *chain) meets() bool { return c.level == simd.AVX512 && 2*c.n*c.size == withinTo }

// claimsBatch says that a pass in the middle asks for the result of the line, unless the last one
// does: the sources and results of all lines outgrow the second cache.
func (c *chain) claimsBatch(count int) bool {
	bytes := 2 * c.n * c.size
	if c.tree == nil || bytes > aheadTo || 2*count*bytes < claimBatchFrom {
		return false
	}
	last := len(c.tree.steps) - 1
	return c.tree.steps[last].pass.AheadOut == 0 && (last > 0 || len(c.steps) > 2)
}

// runClaiming is runScratch for such a line: the first pass behind a lead or a turn asks, or the
// second one before a turn if only one is behind it.
func (c *chain) runClaiming(dst, src view, work unsafe.Pointer, scale float64) {
	rest := unsafe.Add(work, passBytes)
	if len(c.tree.steps) > 1 {
		c.tree.runClaiming(dst, c.runSteps(dst, src, rest, scale), work, scale)
		return
	}
	from := c.between(0, dst, src, rest)
	c.steps[0].run(from, src, 1)
	to := c.between(1, dst, from, rest)
	second := c.steps[1].claiming(dst, from, work, c.size)
	second.run(to, from, 1)
	c.tree.run(dst, c.runFrom(2, dst, to, rest, scale), scale)
	runtime.KeepAlive(c)
}

// claimBatchFrom is the bytes of a batch whose results are asked for. The first pass behind a lead
// works on lines in the first caches, so the way to the outer ones is free meanwhile. On Sapphire
// Rapids 64 lines of 2048 complex64 take 0.92 of the time, of 1024 to 2048 complex128 0.87 to 0.94,
// of 10000 0.90, of 16384 0.67, of 4096 1.0; 1024 complex64, which the second cache holds, 1.02.
const claimBatchFrom = 3 << 19

// askFrom is the line, in bytes, whose result a lead of half the lanes asks for: of shorter ones a
// batch is in the second cache more often.
const askFrom = 32 << 10

// runAsking is run with a lead that asks for the line's result, which the last sweep finds in the
// second cache then.
func (c *chain) runAsking(dst, src view, work unsafe.Pointer, scale float64) {
	lead := step{c.steps[0].pass.CopyTo(work), c.steps[0].kernel}
	lead.pass.AheadIn = (int(uintptr(dst.lower())) - int(uintptr(src.lower()))) / (2 * c.size)
	work = unsafe.Add(work, passBytes)
	to := c.between(0, dst, src, work)
	lead.run(to, src, 1)
	c.runFrom(1, dst, to, work, scale)
	runtime.KeepAlive(c)
}

// aheadFrom and aheadTo bound the lines, in bytes, whose batches prefetch: a
// shorter one is there before it is needed, a longer one does not fit the near
// caches together with the next.
const (
	aheadFrom = 64 << 10
	aheadTo   = 256 << 10
)

// withAhead is the chain with prefetches of the line that follows, or nil.
func (c *chain) withAhead() *chain {
	bytes := 2 * c.n * c.size
	if !c.leads || bytes < aheadFrom || bytes > aheadTo {
		return nil
	}
	a := *c
	first := *c.steps[0].pass
	first.AheadIn = c.n
	a.steps = []step{{&first, c.steps[0].kernel}}
	a.spans = a.cutLead()
	return &a
}
