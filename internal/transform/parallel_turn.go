package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// turned is how the sweeps up to a turn are cut: they all run down the same columns.
type turned struct {
	cols, pitch int // columns, and their room in a row
	lanes       int // of the turn
	block       int // bytes of the turn's table for a vector of columns
}

// newTurned is nil where there are too few columns to cut.
func (c *chain) newTurned(cols, pitch int) *turned {
	rows, lanes := c.steps[len(c.steps)-1].pass.Rows, butterfly.Lanes(c.level, 8*c.size)
	if lanes == 1 || rows < lanes || cols < workers*lanes {
		return nil
	}
	return &turned{cols, pitch, lanes, len(butterfly.Tiles(rows, lanes)) * lanes * 2 * lanes * c.size}
}

// part is the columns of part i: whole vectors, because tables are, but for the last one.
func (t *turned) part(i int) (lo, hi int) {
	vectors := t.cols / t.lanes
	lo, hi = cut(vectors, 1, i)*t.lanes, cut(vectors, 1, i+1)*t.lanes
	if i == workers-1 {
		hi = t.cols
	}
	return lo, hi
}

// buffer is where sweep i of a line that is cut writes. Each has its own, because one part
// may turn while another is at its first pass.
func (c *chain) buffer(work unsafe.Pointer, i int) view {
	return c.splitAt(unsafe.Add(work, i*c.pairBytes(c.room)), c.room)
}

// turnParallel is the sweeps up to the turn, by columns, and the pass behind it by rows. It
// returns where they leave the line.
func (c *chain) turnParallel(src view, work unsafe.Pointer, parallel Parallel) view {
	parallel.Run(workers, func(i int) {
		lo, hi := c.turned.part(i)
		c.runColumns(src, work, lo, hi)
	})
	buffer := c.buffer(work, len(c.steps)-1)
	c.tree.firstParallel(buffer, parallel)
	return buffer
}

// runColumns is columns lo..hi-1 of the sweeps up to the turn.
func (c *chain) runColumns(src view, work unsafe.Pointer, lo, hi int) {
	t, last, part := c.turned, len(c.steps)-1, new(butterfly.Pass)
	for i := range c.steps {
		s, to := &c.steps[i], c.buffer(work, i)
		*part = *s.pass
		part.Cols = hi - lo
		st := step{part, s.kernel}
		if i == last {
			part.Twiddle = unsafe.Add(s.pass.Twiddle, lo/t.lanes*t.block)
			st.run(to.add(lo*part.OutLeg, c.size), src.add(lo, c.size), 1)
			return
		}
		// The columns come again for every result of the passes before.
		for at := lo; at < s.pass.Cols; at += t.pitch {
			st.run(to.add(at, c.size), src.add(at, c.size), 1)
		}
		src = to
	}
}
