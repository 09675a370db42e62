package transform

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// ParallelScratchLen is the number of scratch elements ForwardParallel and
// InverseParallel need.
func (p *Real[R, C]) ParallelScratchLen() int {
	if p.alone() {
		return p.lineLen()
	}
	least := max(p.foldedLen(), max(p.half.n, p.halfLen())+p.half.ParallelScratchLen())
	if p.single != nil {
		least = max(least, p.single.foldedLen())
	}
	return least
}

// ForwardParallel is Forward with the parts of the complex line handed to
// parallel. The result has the same bits.
func (p *Real[R, C]) ForwardParallel(dst []C, src []R, scratch []C, parallel Parallel) {
	if p.alone() || p.folded != nil {
		parallel.Run(1, func(int) { p.Forward(dst, src, scratch) })
		return
	}
	if s := p.single; s != nil {
		if s.folded.cuts() {
			s.foldedParallel(dst[:p.Bins()], src[:p.n], scratch, parallel)
		} else {
			parallel.Run(1, func(int) { s.Forward(dst, src, scratch) })
		}
		return
	}
	src, dst = src[:p.Given()], dst[:p.Bins()]
	if p.planes != nil && p.planes.tree != nil && p.planes.some != nil && p.half.n >= parallelFrom && p.half.line.(*chain).cuts() {
		p.planesParallel(dst, src, scratch, parallel)
		return
	}
	p.half.ForwardParallel(dst, pairs[R, C](src), scratch[p.half.n:], parallel)
	v, _ := p.realBins(dst, dst)
	p.joinParallel(p.apart, v, v, 0.5, parallel)
}

// planesParallel is forwardPlanes in parts.
func (p *Real[R, C]) planesParallel(dst []C, src []R, scratch []C, parallel Parallel) {
	h, c, q := p.half, p.half.line.(*chain), p.planes
	to, bins := interleaved(dst, h.shape.size), c.splitAt(h.work(scratch[p.halfLen():], c.workBytes()), c.room)
	c.startParallel(bins, h.source(pairs[R, C](src)), halfStripTo, parallel)
	q.tree.problems(bins, bins, h.scale, parallel)
	parallel.Run(workers, func(i int) {
		if lo, hi := cut(q.pass.Rows, 1, i), cut(q.pass.Rows, 1, i+1); lo < hi {
			q.part(to, bins, lo, hi)
		}
	})
	q.ends(to, bins)
	runtime.KeepAlive(p)
}

// foldedParallel is forwardFolded in parts.
func (p *Real[R, C]) foldedParallel(dst []C, src []R, scratch []C, parallel Parallel) {
	f := p.folded
	buffer, samples, _ := p.foldedScratch(scratch)
	f.chain.startParallel(buffer, view{unsafe.Pointer(unsafe.SliceData(src)), samples, butterfly.Split}, halfStripTo, parallel)
	to := p.foldFirst(dst, scratch)
	f.problems(to, buffer, p.half.scale, parallel)
	p.foldLast(dst, to)
}

// foldedPartsFrom is the folded line, in bytes, from which two threads gain at AVX2: on two cores of an
// Emerald Rapids 114688 float32 take 0.9 of the time of one thread, 98304 as long.
const foldedPartsFrom = 448 << 10

// cuts says that a folded line is worth cutting.
func (f *folded[R, C]) cuts() bool {
	from := foldedPartsFrom
	if f.chain.level == simd.AVX512 {
		from = foldedAgain
	}
	return 2*f.chain.n*f.chain.size >= from && f.chain.cuts()
}

// FoldsInParts says that ForwardParallel gains although the line is short, as there is little that
// goes from one thread to another.
func (p *Real[R, C]) FoldsInParts() bool { return p.single != nil && p.single.folded.cuts() }

// problems is tree.problems of a folded line.
func (f *folded[R, C]) problems(to foldTo, buffer view, scale float64, parallel Parallel) {
	t := f.chain.tree
	t.share(parallel, func(k int, u *tree) {
		pass := *f.pass
		part := buffer.add(k*t.block[0], t.size)
		u.steps[1].run(part, part, 1)
		f.below(&pass, 1, k*t.out[0]/f.lanes, to, part, scale)
	})
}

// InverseParallel is Inverse with the parts of the complex line handed to
// parallel.
func (p *Real[R, C]) InverseParallel(dst []R, src []C, scratch []C, parallel Parallel) {
	if p.alone() {
		parallel.Run(1, func(int) { p.Inverse(dst, src, scratch) })
		return
	}
	dst, src = dst[:p.n], src[:p.Bins()]
	line := scratch[:p.half.n]
	to, from := p.firstBin(line, src)
	p.joinParallel(p.back, to, from, 1, parallel)
	p.half.InverseParallel(pairs[R, C](dst), line, scratch[p.half.n:], parallel)
}

// joinParallel joins the bins of both ends in parts. A part that leaves out the first
// tiles works on what is left between the ends as on a line of its own.
func (p *Real[R, C]) joinParallel(pass *butterfly.Pass, to, from view, scale float64, parallel Parallel) {
	if p.n <= 2 {
		return
	}
	if p.half.n < parallelFrom {
		parallel.Run(1, func(int) { p.join(pass, to.re, to.im, from.re, from.im, scale) })
		return
	}
	// The last tile reaches back into the one before: one worker does both.
	tiles := max(1, pass.Rows)
	parallel.Run(workers, func(i int) {
		lo, hi := cut(tiles, 1, i), cut(tiles, 1, i+1)
		if lo >= hi {
			return
		}
		q, size, first := *pass, p.half.shape.size, lo*p.joinLanes
		q.InLeg -= 2 * first
		q.Twiddle = unsafe.Add(pass.Twiddle, 2*first*size)
		if hi < tiles {
			q.Rows, q.Cols = hi-lo-1, (hi-lo-1)*p.joinLanes+1
		} else {
			q.Rows, q.Cols = pass.Rows-lo, pass.Cols-first
		}
		d, s := to.add(first, size), from.add(first, size)
		p.join(&q, d.re, d.im, s.re, s.im, scale)
	})
}
