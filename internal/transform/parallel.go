package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Parallel runs tasks 0..tasks-1, in any order and on any goroutines, and
// returns when all are done.
type Parallel func(tasks int, run func(task int))

// workers is how many parts the sweeps of a long line are cut into. It does
// not depend on the number of threads, and no part computes anything that
// depends on the cut, so the bits do not either.
const workers = 16

// parallelFrom is the shortest line worth cutting: below it a sweep takes
// less than the handing out.
const parallelFrom = 1 << 14

// divisible is a line whose parts can run at the same time.
type divisible interface {
	line
	parallelBytes() int
	runParallel(dst, src view, work unsafe.Pointer, scale float64, parallel Parallel)
}

// divided is the line as something to run in parallel, or nil.
func (p *Plan[C]) divided() divisible {
	if d, ok := p.line.(divisible); ok && p.n >= parallelFrom {
		return d
	}
	return nil
}

// ParallelScratchLen is the number of scratch elements ForwardParallel and
// InverseParallel need. The scratch of concurrent tasks does not overlap.
func (p *Plan[C]) ParallelScratchLen() int {
	if d := p.divided(); d != nil {
		return p.elements(d.parallelBytes())
	}
	return p.elements(p.line.workBytes())
}

// ForwardParallel is Forward with its parts handed to parallel. The result has
// the same bits as Forward's.
func (p *Plan[C]) ForwardParallel(dst, src, scratch []C, parallel Parallel) {
	p.runParallel(p.view(dst), p.source(src), scratch, parallel)
}

// InverseParallel is Inverse with its parts handed to parallel.
func (p *Plan[C]) InverseParallel(dst, src, scratch []C, parallel Parallel) {
	p.runParallel(p.view(dst).swapped(), p.source(src).swapped(), scratch, parallel)
}

func (p *Plan[C]) runParallel(dst, src view, scratch []C, parallel Parallel) {
	if d := p.divided(); d != nil {
		d.runParallel(dst, src, p.work(scratch, d.parallelBytes()), p.scale, parallel)
		return
	}
	parallel(1, func(int) { p.line.run(dst, src, p.work(scratch, p.line.workBytes()), p.scale) })
}

// cut is the start of part i of n things, in whole multiples of unit.
func cut(n, unit, i int) int {
	return min(n, (n+unit-1)/unit*i/workers*unit)
}

func (c *chain) parallelBytes() int { return c.workBytes() }

// runParallel cuts the lead by columns, the first pass after it by rows, and
// runs the problems below that pass on their own.
func (c *chain) runParallel(dst, src view, work unsafe.Pointer, scale float64, parallel Parallel) {
	if !c.leads || len(c.tree.steps) < 3 {
		parallel(1, func(int) { c.run(dst, src, work, scale) })
		return
	}
	buffer := c.splitAt(work, c.room)
	t := c.tree
	lead := c.steps[0].pass
	radix, lanes := t.steps[0].pass.Cols, butterfly.Lanes(c.level, 8*c.size)
	parallel(workers, func(i int) {
		lo, hi := cut(lead.Cols, lanes, i), cut(lead.Cols, lanes, i+1)
		if hi < lead.Cols && lead.Cols-hi < lanes {
			hi = lead.Cols // the last tile reaches back into the one before
		}
		if lo >= hi || lo > 0 && lead.Cols-lo < lanes {
			return
		}
		c.leadColumns(*lead, new(butterfly.Pass), buffer, src.add(lo, c.size), lo, hi)
	})
	rows := t.steps[0].pass.Rows
	parallel(workers, func(i int) {
		if lo, hi := cut(rows, 1, i), cut(rows, 1, i+1); lo < hi {
			part := t.part(lo, hi)
			at := buffer.add(lo*radix, c.size)
			part.run(at, at, 1)
		}
	})
	parallel(t.radices[0], func(k int) {
		t.level(1, dst.add(k*t.out[0], c.size), buffer.add(k*t.block[0], c.size), scale)
	})
}

func (f *fourStep) parallelBytes() int { return f.bigBytes() + workers*f.laneBytes() }

func (f *fourStep) runParallel(dst, src view, work unsafe.Pointer, scale float64, parallel Parallel) {
	big := f.splitAt(work, f.b*f.pitch)
	lane := func(i int) unsafe.Pointer { return unsafe.Add(work, f.bigBytes()+i*f.laneBytes()) }
	// The last bundle reaches back into the one before: one worker does both.
	bundles := func(b *bundle, i int) (lo, hi int) {
		n := max(1, len(b.tiles)-1)
		lo, hi = cut(n, 1, i), cut(n, 1, i+1)
		if hi == n && lo < hi {
			hi = len(b.tiles)
		}
		return lo, hi
	}
	parallel(workers, func(i int) {
		lo, hi := bundles(f.columns, i)
		f.first(big, src, lane(i), lo, hi)
	})
	parallel(workers, func(i int) {
		lo, hi := bundles(f.rows, i)
		f.second(dst, big, lane(i), lo, hi, scale)
	})
}

var _, _ divisible = (*chain)(nil), (*fourStep)(nil)
