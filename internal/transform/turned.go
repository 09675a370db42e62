package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// turnStep twiddles, by roots of order n, and transposes rows by b columns; the rows lie
// before and after elements apart. rows are their frequencies. With product, the table is that
// of one vector of columns, and there are factors for the others.
func turnStep[R butterfly.Float](s shape, n int, rows []int, b, before, after int, product bool) step {
	table := roots.Of(n)
	a, b := s.side(len(rows)), s.side(b)
	lanes, kernel := turnKernel[R](s, min(a, b), product)
	var w, f []R
	for _, col := range butterfly.Tiles(b, lanes) {
		for _, row := range butterfly.Tiles(a, lanes) {
			for i := row; i < row+lanes; i++ {
				k := rows[min(i, len(rows)-1)] // a row that is only there to fill a vector has any
				if !product || col == 0 {
					w = appendLanes(w, table, k*col, k, lanes)
				}
				if product {
					re, im := table.At(k * col)
					f = append(f, R(re), R(im))
				}
			}
		}
	}
	st := step{pass: &butterfly.Pass{
		Rows: a, Cols: b, InLeg: before, OutLeg: after,
		Twiddle: unsafe.Pointer(unsafe.SliceData(w)), Factors: unsafe.Pointer(unsafe.SliceData(f)),
	}}
	st.kernel[butterfly.Split][butterfly.Split] = kernel
	return st
}

// turnKernel is the widest turn for a rectangle of at least side on each
// side, and its lanes.
func turnKernel[R butterfly.Float](s shape, side int, product bool) (int, butterfly.Kernel) {
	for l := s.level; l > simd.Portable; l-- {
		if n := butterfly.Lanes(l, 8*s.size); n > 1 && n <= side {
			return n, butterfly.Turn[R](l, product)
		}
	}
	return 1, butterfly.PortableTurn[R](1, product)
}

// turned is how the sweeps up to a turn are cut: they all run down the same columns.
type turned struct {
	cols, pitch int // columns, and their room in a row
	lanes       int // of the turn
	block       int // bytes of the turn's table, or of its factors, for a vector of columns
	width       int // columns of a strip, or 0 if a line by itself is not cut
}

// cutTurn says that a line of rows by cols is cut at its turn: it has enough columns.
func (s shape) cutTurn(rows, cols int) bool {
	lanes := butterfly.Lanes(s.level, 8*s.size)
	return lanes > 1 && s.side(rows) >= lanes && cols >= workers*lanes
}

// strips says that the sweeps of a line by itself go through strips of columns up to the turn,
// which multiplies its twiddles. Both save memory: what is between two sweeps stays in the first
// caches, and the table is not as long as the line.
func (s shape) strips(rows, cols int) bool {
	from := stripsFrom
	if s.level == simd.AVX512 {
		from = wideStripsFrom
	}
	return s.cutTurn(rows, cols) && 2*rows*cols*s.size >= from
}

// stripsFrom and wideStripsFrom are the lines, in bytes, from which strips pay, the latter with
// vectors of 512 bits: of source, result, table and two buffers as long the second cache has no
// room. 44100 complex64, 345 KiB, take 1.05 of the time at AVX2. stripVectors is how many vectors of
// columns a strip has: 2 to 8 take as long.
const (
	stripsFrom     = 512 << 10
	wideStripsFrom = 256 << 10
	stripVectors   = 4
)

// newTurned is nil where there are too few columns to cut.
func (c *chain) newTurned(rows, cols, pitch int) *turned {
	if !c.cutTurn(rows, cols) {
		return nil
	}
	lanes := butterfly.Lanes(c.level, 8*c.size)
	t := &turned{cols: cols, pitch: pitch, lanes: lanes}
	t.block = len(butterfly.Tiles(c.side(rows), lanes)) * lanes * 2 * c.size
	if c.strips(rows, cols) {
		t.width = stripVectors * lanes
	} else {
		t.block *= lanes
	}
	return t
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

// buffer is one of the buffers of a line.
func (c *chain) buffer(work unsafe.Pointer, i int) view {
	return c.splitAt(unsafe.Add(work, i*c.pairBytes(c.room)), c.room)
}

// turnParallel is the sweeps up to the turn, by columns, and the pass behind it by rows. It
// returns where they leave the line: in a third buffer, because one part may turn while another
// is at its first pass.
func (c *chain) turnParallel(src view, work unsafe.Pointer, parallel Parallel) view {
	buffer := c.buffer(work, 2)
	parallel.Run(workers, func(i int) {
		lo, hi := c.turned.part(i)
		near := [2]view{c.buffer(work, 0).add(lo, c.size), c.buffer(work, 1).add(lo, c.size)}
		c.runColumns(buffer, src, near, unsafe.Pointer(new(butterfly.Pass)), lo, hi)
	})
	c.tree.firstParallel(buffer, parallel)
	return buffer
}

// runStrips is the sweeps up to the turn strip by strip. What is between two sweeps has the
// same place for every strip.
func (c *chain) runStrips(src view, work unsafe.Pointer) view {
	t, room := c.turned, unsafe.Add(work, 2*c.pairBytes(c.room))
	near, buffer := c.buffer(work, 0), c.buffer(work, 1)
	beside := near.add(t.pitch/2/t.lanes*t.lanes, c.size)
	for lo, hi := 0, 0; hi < t.cols; lo = hi {
		if hi = lo + t.width; t.cols-hi < t.lanes {
			hi = t.cols
		}
		c.runColumns(buffer, src, [2]view{near, beside}, room, lo, hi)
	}
	return buffer
}

// runColumns is columns lo..hi-1 of the sweeps up to the turn, which go from src to one of near
// and the other in turns, where these columns are the first, and to dst. There is room for a pass.
func (c *chain) runColumns(dst, src view, near [2]view, room unsafe.Pointer, lo, hi int) {
	t, last := c.turned, len(c.steps)-1
	src = src.add(lo, c.size)
	for i := range c.steps {
		s := &c.steps[i]
		part := s.pass.CopyTo(room)
		part.Cols = hi - lo
		st := step{part, s.kernel}
		if i == last {
			if t.width > 0 {
				part.Factors = unsafe.Add(part.Factors, lo/t.lanes*t.block)
			} else {
				part.Twiddle = unsafe.Add(part.Twiddle, lo/t.lanes*t.block)
			}
			st.run(dst.add(lo*part.OutLeg, c.size), src, 1)
			return
		}
		to := near[i&1]
		// The columns come again for every result of the passes before.
		for at := 0; at < s.pass.Cols; at += t.pitch {
			st.run(to.add(at, c.size), src.add(at, c.size), 1)
		}
		src = to
	}
}
