package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Parallel runs parts of a transform at the same time.
type Parallel struct {
	Threads int // how many parts run at once
	// Run runs tasks 0..tasks-1, in any order and on any goroutines, and returns when
	// all are done.
	Run func(tasks int, run func(task int))
}

// workers is how many parts most sweeps of a long line are cut into. No part computes
// anything that depends on the cut, so the bits do not depend on the number of threads.
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
	parallel.Run(1, func(int) { p.line.run(dst, src, p.work(scratch, p.line.workBytes()), p.scale) })
}

// cut is the start of part i of n things, in whole multiples of unit.
func cut(n, unit, i int) int {
	return min(n, (n+unit-1)/unit*i/workers*unit)
}

func (c *chain) parallelBytes() int { return c.workBytes() }

// runParallel runs the problems below the first pass behind the lead on their own.
func (c *chain) runParallel(dst, src view, work unsafe.Pointer, scale float64, parallel Parallel) {
	if !c.cuts() {
		parallel.Run(1, func(int) { c.run(dst, src, work, scale) })
		return
	}
	var buffer view
	if c.turned == nil {
		buffer = c.splitAt(work, c.room)
		c.startParallel(buffer, src, stripTo, parallel)
	} else {
		buffer = c.turnParallel(src, work, parallel)
	}
	c.tree.problems(dst, buffer, scale, parallel)
}

// cuts says that there is a lead, or a turn, and a pass to cut, and passes below them. Behind a
// turn the last pass is cut, too.
func (c *chain) cuts() bool {
	leads := c.tree != nil && len(c.steps) == 1 // and no turn
	return leads && len(c.tree.steps) >= 3 || c.turned != nil && len(c.tree.steps) >= 2
}

// stripFrom is the fewest columns of a strip: a processor fetches ahead along them. 65536
// complex64 take 0.89 of the time on two threads in two strips of 128, and 1.0 in four of 64.
// stripTo bounds the lines, in bytes. Of longer ones each thread has too much to do for others
// to even it out: on a busy machine 131072 complex64 take 1.1 of the time, 262144 1.2. Half lines
// whose bins are untangled out of planes gain up to halfStripTo: 0.93 to 0.99 of the time.
const (
	stripFrom   = 128
	stripTo     = 512 << 10
	halfStripTo = 2 << 20
)

// startParallel is the lead and the pass behind it. Of lines up to longest bytes with enough columns, each thread
// runs both down a strip: the columns of the lead that become some rows of every leg of the
// pass. So the pass reads nothing that another thread wrote. Otherwise the lead is cut by
// columns and the pass by rows.
func (c *chain) startParallel(buffer, src view, longest int, parallel Parallel) {
	lead, lanes, t := c.steps[0].pass, butterfly.Lanes(c.level, 8*c.size), c.tree
	rows, strips := t.steps[0].pass.Rows, parallel.Threads
	if rows%lanes == 0 && rows >= stripFrom*strips && 2*c.n*c.size <= longest {
		parallel.Run(strips, func(i int) {
			lo, hi := rows/lanes*i/strips*lanes, rows/lanes*(i+1)/strips*lanes
			part := new(butterfly.Pass)
			for at := 0; at < lead.Cols; at += rows {
				c.leadColumns(*lead, part, buffer, src.add(at+lo, c.size), at+lo, at+hi)
			}
			t.first(buffer, lo, hi)
		})
		return
	}
	parallel.Run(workers, func(i int) {
		lo, hi := cut(lead.Cols, lanes, i), cut(lead.Cols, lanes, i+1)
		if hi < lead.Cols && lead.Cols-hi < lanes {
			hi = lead.Cols // the last tile reaches back into the one before
		}
		if lo >= hi || lo > 0 && lead.Cols-lo < lanes {
			return
		}
		c.leadColumns(*lead, new(butterfly.Pass), buffer, src.add(lo, c.size), lo, hi)
	})
	t.firstParallel(buffer, parallel)
}

// first is rows lo..hi-1 of the first pass.
func (t *tree) first(buffer view, lo, hi int) {
	part, at := t.part(lo, hi), buffer.add(lo*t.steps[0].pass.Cols, t.size)
	part.run(at, at, 1)
}

func (t *tree) firstParallel(buffer view, parallel Parallel) {
	rows := t.steps[0].pass.Rows
	parallel.Run(workers, func(i int) {
		if lo, hi := cut(rows, 1, i), cut(rows, 1, i+1); lo < hi {
			t.first(buffer, lo, hi)
		}
	})
}

// problems runs the problems below the first pass. Half of the rows of each were written by
// other threads; the first pass over one asks for those of the next, if they are few.
func (t *tree) problems(dst, buffer view, scale float64, parallel Parallel) {
	count := t.radices[0]
	if len(t.steps) == 2 { // a problem is a row of the last pass
		parallel.Run(count, func(k int) {
			row := *t.steps[1].pass
			row.Rows = 1
			last := step{&row, t.steps[1].kernel}
			last.run(dst.add(k*t.out[0], t.size), buffer.add(k*t.block[0], t.size), scale)
		})
		return
	}
	t.share(parallel, func(k int, u *tree) {
		u.level(1, dst.add(k*t.out[0], t.size), buffer.add(k*t.block[0], t.size), scale)
	})
}

// share hands out the problems below the first pass, each with the tree that runs it.
func (t *tree) share(parallel Parallel, run func(k int, u *tree)) {
	count := t.radices[0]
	parts := count
	if t.ahead != nil {
		parts = min(count, 2*parallel.Threads)
	}
	parallel.Run(parts, func(i int) {
		end := count * (i + 1) / parts
		for k := count * i / parts; k < end; k++ {
			u := t
			if k < end-1 {
				u = t.ahead
			}
			run(k, u)
		}
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
	parallel.Run(workers, func(i int) {
		lo, hi := bundles(f.columns, i)
		f.first(big, src, lane(i), lo, hi)
	})
	parallel.Run(workers, func(i int) {
		lo, hi := bundles(f.rows, i)
		f.second(dst, big, lane(i), lo, hi, scale)
	})
}

var _, _ divisible = (*chain)(nil), (*fourStep)(nil)
