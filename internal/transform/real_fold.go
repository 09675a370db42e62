package transform

import (
	"runtime"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// folded is a real line whose lead is over real columns. The bins of the problems behind it
// that lie above n/2 are the conjugates of those that are missing below, so no bins have to be
// untangled. The first result of the lead is real itself: it is a line of its own, and has every
// bin whose number is a multiple of twice the lanes.
type folded[R Float, C Complex] struct {
	chain *chain // the lead and the passes behind it
	half  *chain // the same for lines whose upper half is zero
	last  butterfly.Kernel
	pass  *butterfly.Pass
	first *Real[R, C]
	lanes int
}

// Half lines, in bytes, that are folded. With vectors of 512 bits shorter ones of float64 take 1.0 to
// 1.03 of the time so, 1536 float32 0.94. With vectors of 256 bits the lead's first result is an eighth of a
// float64 line and longer ones are better off in their destination: 1024 float64 take 0.91 of the
// time (64 lines 0.88), 1536 and more 1.14 to 1.2; 2048 float32 0.90 (0.85), 1536 to 4096 0.97 to
// 1.0 (0.9 to 0.95), 8192 1.01 (1.05).
//
// Half lines of foldedLong elements and more are folded only where a line is alone. Its bins begin
// with a cache line, those of batches seldom, and its source is near: there 8 lines took 1.0 to 1.2
// of the time, with results between cache lines or not. Alone they gain on two threads, too, as bins
// that are untangled move from one to the other: with vectors of 512 bits one thread takes 0.8 to 1.0
// of the time and two 0.8 to 0.98, with 256 bits float32 0.73 to 1.0 and 0.68 to 1.03 (Cascade Lake).
// On an Emerald Rapids, with twice the second-level cache, two threads gain with 512 bits only from
// foldedAgain bytes on: 262144 float32 take 1.21 of the time, 393216 0.95. Up to foldedOnce bytes one
// thread that folds is as fast as two that do not; lines in between are untangled. Below foldedMoreFrom,
// float32 whose half lines have a lead of twice the lanes would need one pass more: one thread took 1.05
// to 1.1 of the time. Float64 with 256 bits take 0.94 to 1.09 on one thread and 0.82 to 1.02 on two.
const (
	foldedFrom      = 8 << 10 // float64
	foldedShortFrom = 6 << 10 // float32
	foldedHalfFrom  = 6 << 10
	foldedHalfTo    = 16 << 10
	foldedLong      = 1 << 14
	foldedOnce      = 448 << 10
	foldedAgain     = 3 << 19
	foldedMoreFrom  = 512 << 10
)

// folds says that lines whose half lines have n elements are folded, in batches as well.
func (s shape) folds(n int) bool {
	bytes := 2 * n * s.size
	if n >= foldedLong {
		return false
	}
	if s.level == simd.AVX2 {
		return bytes >= foldedHalfFrom && bytes*s.size <= foldedHalfTo*4
	}
	if s.size == 4 {
		return bytes >= foldedShortFrom
	}
	return bytes >= foldedFrom
}

// foldTree is the passes behind a lead of real columns: those of the half line c, whose lead has
// as many rows, or others.
func foldTree[R Float](c *chain, lanes int) *tree {
	tail := c.tree.radices
	if c.n/lanes == product(tail) {
		if more := joined(tail); c.n >= foldedLong && len(more) < len(tail) {
			return newTree[R](c.shape, more, lanes, lanes, c.gap(more, lanes))
		}
		return c.tree
	}
	if c.n >= foldedLong {
		tail = doubled(tail)
		if c.n/lanes != product(tail) || 2*c.n*c.size < foldedMoreFrom {
			return nil
		}
		return newTree[R](c.shape, tail, lanes, lanes, c.gap(tail, lanes))
	}
	for _, first := range []int{8, 16} {
		if last := c.n / lanes / first; c.n%(lanes*first) == 0 && last <= butterfly.MaxRadix && butterfly.Fold[R](c.level, last) != nil {
			return newTree[R](c.shape, []int{first, last}, lanes, lanes, 0)
		}
	}
	return nil
}

// doubled is radices for twice the rows: the last pass of radix 8, or else of 4, has twice the legs.
func doubled(radices []int) []int {
	more := slices.Clone(radices)
	for _, r := range []int{8, 4} {
		for i := len(more) - 1; i >= 0; i-- {
			if more[i] == r {
				more[i] = 2 * r
				return more
			}
		}
	}
	return more
}

// joined is radices with 8 and 16 in place of 4, 4 and 8, the latter for the last pass.
func joined(radices []int) []int {
	more := slices.Clone(radices)
	for _, r := range []int{4, 4, 8} {
		i := slices.Index(more, r)
		if i < 0 {
			return radices
		}
		more = slices.Delete(more, i, i+1)
	}
	return append(append([]int{8}, more...), 16)
}

// newFolded is how a line with the half line c is folded, or nil: it begins with whole vectors
// of columns, and its last pass has a kernel.
func newFolded[R Float, C Complex](c *chain) (*folded[R, C], error) {
	lanes := butterfly.Lanes(c.level, 8*c.size)
	if !c.leads || c.n%(lanes*lanes) != 0 {
		return nil, nil
	}
	t, cols := foldTree[R](c, lanes), c.n/lanes
	if t == nil {
		return nil, nil
	}
	end := len(t.radices) - 1
	last, radix := t.steps[end].pass, t.radices[end]
	kernel := butterfly.Fold[R](c.level, radix)
	if kernel == nil {
		return nil, nil
	}
	f := &folded[R, C]{last: kernel, lanes: lanes}
	product := butterfly.RealLead[R](c.level, false, false) == nil || 2*c.n*c.size >= c.productFrom()
	pass := leadPass[R](2*lanes, cols, lanes, inOrder(lanes), product)
	for i, to := range []**chain{&f.chain, &f.half} {
		q := *c
		q.real, q.tree, q.room = true, t, c.n+(t.radices[0]-1)*t.gap
		lead := step{pass: pass}
		lead.kernel[butterfly.Split][butterfly.Split] = butterfly.RealLead[R](c.level, i == 1, product)
		q.steps = []step{lead}
		q.spans = q.cutLead()
		*to = &q
	}
	leg, row := cols/radix, 0 // bins of first from leg to leg and from row to row
	if end > 0 {
		row = leg / t.radices[end-1]
	}
	f.pass = &butterfly.Pass{Rows: last.Rows, InRow: last.InRow, Cols: 2 * row, InLeg: 2 * leg, OutRow: 4 * lanes * row, OutLeg: 4 * lanes * leg}
	if 2*c.n*c.size >= farBytes {
		f.pass.AheadOut = f.pass.OutRow
	}
	var err error
	f.first, err = NewReal[R, C](recipe.ForReal(cols, Target[C](c.level)), c.level)
	return f, err
}

// Alone is the plan whose Forward and ForwardParallel have the form that is fastest for a line by
// itself, where that is another one than in batches and from tiles. Results differ by rounding.
func (p *Real[R, C]) Alone() (*Real[R, C], error) {
	c, ok := p.half.line.(*chain)
	if !ok || p.alone() || c.n < foldedLong || c.level == simd.AVX2 && c.size == 8 {
		return p, nil
	}
	if bytes := 2 * c.n * c.size; c.level == simd.AVX512 && bytes > foldedOnce && bytes < foldedAgain {
		return p, nil
	}
	f, err := newFolded[R, C](c)
	if f == nil {
		return p, err
	}
	q, single := *p, *p
	single.folded, single.planes = f, nil
	q.single = &single
	return &q, nil
}

func (f *folded[R, C]) scaled(factor float64) *folded[R, C] {
	q := *f
	q.first = f.first.Scaled(factor)
	return &q
}

func (f *folded[R, C]) halved() *folded[R, C] {
	q := *f
	q.chain = f.half
	return &q
}

// workBytes is the room for the buffer of the passes, the samples of first and a pass.
func (f *folded[R, C]) workBytes() int {
	return f.chain.pairBytes(f.chain.room) + f.chain.planeBytes(f.first.n) + passBytes
}

// foldedLen is the number of scratch elements of a folded line, 0 if lines are not.
func (p *Real[R, C]) foldedLen() int {
	if p.folded == nil {
		return 0
	}
	return p.half.elements(p.folded.workBytes()) + p.folded.first.Bins() + p.folded.first.ScratchLen()
}

// foldedScratch is the buffer of the passes, the samples of first and the room for a pass.
func (p *Real[R, C]) foldedScratch(scratch []C) (buffer view, samples, pass unsafe.Pointer) {
	f := p.folded
	c, work := f.chain, p.half.work(scratch, f.workBytes())
	samples = unsafe.Add(work, c.pairBytes(c.room))
	return c.splitAt(work, c.room), samples, unsafe.Add(samples, c.planeBytes(f.first.n))
}

// forwardFolded is Forward of a folded line, whose first pass behind the lead may ask for the result.
func (p *Real[R, C]) forwardFolded(dst []C, src []R, scratch []C, claims bool) {
	buffer, samples, _ := p.foldedScratch(scratch)
	p.folded.chain.runLead(buffer, view{unsafe.Pointer(unsafe.SliceData(src)), samples, butterfly.Split})
	p.fold(dst, scratch, claims)
}

// foldedBatch is ForwardBatch of folded lines.
func (p *Real[R, C]) foldedBatch(dst []C, src []R, scratch []C, count, dstDist, srcDist int) {
	claims := p.folded.chain.claimsBatch(count)
	for i := range count {
		p.forwardFolded(dst[i*dstDist:][:p.Bins()], src[i*srcDist:][:p.Given()], scratch, claims)
	}
}

// fold is what follows the lead.
func (p *Real[R, C]) fold(dst, scratch []C, claims bool) {
	f := p.folded
	buffer, _, raw := p.foldedScratch(scratch)
	to := p.foldFirst(dst, scratch)
	first := f.chain.tree.steps[0]
	if claims {
		size := p.half.shape.size
		first = first.claiming(view{re: to.dst, im: unsafe.Add(to.dst, size)}, buffer, raw, size)
	}
	if len(f.chain.tree.steps) > 1 {
		first.run(buffer, buffer, 1)
	}
	f.below(f.pass.CopyTo(raw), 0, 0, to, buffer, p.half.scale)
	p.foldLast(dst, to)
}

// foldFirst is the lead's first result, as a line of its own.
func (p *Real[R, C]) foldFirst(dst, scratch []C) foldTo {
	f := p.folded
	_, samples, _ := p.foldedScratch(scratch)
	rest := scratch[p.half.elements(f.workBytes()):]
	bins, rest := rest[:f.first.Bins()], rest[f.first.Bins():]
	f.first.Forward(bins, unsafe.Slice((*R)(samples), f.first.n), rest)
	return foldTo{unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(bins)), 2 * p.half.shape.size * f.lanes}
}

// foldLast is the last bin of a folded line.
func (p *Real[R, C]) foldLast(dst []C, to foldTo) {
	dst[p.n/2] = *(*C)(unsafe.Add(to.bins, (p.folded.first.Bins()-1)*2*p.half.shape.size))
	runtime.KeepAlive(p)
}

// foldTo is the result of a folded line, a vector of whose bins is unit bytes, and the bins of
// the lead's first result.
type foldTo struct {
	dst, bins unsafe.Pointer
	unit      int
}

// below is what follows pass i, if there is one, for the problem whose first row has the given number.
func (f *folded[R, C]) below(pass *butterfly.Pass, i, row int, to foldTo, buffer view, scale float64) {
	t := f.chain.tree
	last := len(t.steps) - 1
	if i >= last-1 {
		down := 2*(pass.InLeg/2-1-row) + 1
		pass.PointTo(unsafe.Add(to.bins, row*2*t.size))
		f.last(pass, unsafe.Add(to.dst, 2*row*to.unit), unsafe.Add(to.dst, down*to.unit), buffer.re, buffer.im, scale)
		return
	}
	for k := range t.radices[i] {
		part := buffer.add(k*t.block[i], t.size)
		t.steps[i+1].run(part, part, 1)
		f.below(pass, i+1, row+k*t.out[i]/f.lanes, to, part, scale)
	}
}

// loadTile is what a Load of a folded line brings.
func (f *folded[R, C]) loadTile() Tile {
	legs := 2 * f.lanes
	count := min(f.first.n, max(1, tileBytes/(f.chain.size*legs)/f.lanes)*f.lanes)
	if f.chain == f.half {
		legs /= 2
	}
	return Tile{legs, f.first.n, count}
}

// foldedTiledLen is the number of scratch elements of foldedTiled.
func (p *Real[R, C]) foldedTiledLen() int {
	if p.folded == nil {
		return 0
	}
	return p.half.elements(p.folded.loadTile().bytes(p.half.shape.size)) + p.foldedLen()
}

// foldedTiled is forwardFolded of a line that load brings.
func (p *Real[R, C]) foldedTiled(dst, scratch []C, load Load) {
	t := p.folded.loadTile()
	bytes := t.bytes(p.half.shape.size)
	tile, rest := p.half.work(scratch, bytes), scratch[p.half.elements(bytes):]
	buffer, samples, _ := p.foldedScratch(rest)
	p.folded.chain.leadTiles(buffer, view{tile, samples, butterfly.Split}, t, func(col int) { load(tile, col) })
	p.fold(dst, rest, false)
}
