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
	cols, pitch int  // columns, and their room in a row
	lanes       int  // of the turn
	block       int  // bytes of the turn's table, or of its factors, for a vector of columns
	product     bool // the turn multiplies its twiddles, and a line by itself runs in strips
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
// columns a strip has where one thread has the line, and sharedVectors where several have: with 2
// instead of 4, 88200 complex64 take 1.03 to 1.15 of the time on one, and 0.97 on two.
const (
	stripsFrom     = 512 << 10
	wideStripsFrom = 256 << 10
	stripVectors   = 4
	sharedVectors  = 2
)

// newTurned is nil where there are too few columns to cut.
func (c *chain) newTurned(rows, cols, pitch int) *turned {
	if !c.cutTurn(rows, cols) {
		return nil
	}
	lanes := butterfly.Lanes(c.level, 8*c.size)
	t := &turned{cols: cols, pitch: pitch, lanes: lanes, product: c.strips(rows, cols)}
	t.block = len(butterfly.Tiles(c.side(rows), lanes)) * lanes * 2 * c.size
	if !t.product {
		t.block *= lanes
	}
	return t
}

// buffer is one of the buffers of a line.
func (c *chain) buffer(work unsafe.Pointer, i int) view {
	return c.splitAt(unsafe.Add(work, i*c.pairBytes(c.room)), c.room)
}

// turnParallel is the sweeps up to the turn, by columns, and the pass behind it by rows. It
// returns where they leave the line. What is between two sweeps has a place for every part.
func (c *chain) turnParallel(src view, work unsafe.Pointer, parallel Parallel) view {
	t, near, buffer := c.turned, c.buffer(work, 0), c.buffer(work, 1)
	vectors, parts := t.cols/t.lanes, min(2*parallel.Threads, t.pitch/(2*sharedVectors*t.lanes))
	parallel.Run(parts, func(i int) {
		lo, hi := vectors*i/parts*t.lanes, vectors*(i+1)/parts*t.lanes
		if i == parts-1 {
			hi = t.cols
		}
		at := near.add(2*sharedVectors*t.lanes*i, c.size)
		c.runStrips(buffer, src, at, unsafe.Pointer(new(butterfly.Pass)), lo, hi, sharedVectors)
	})
	c.tree.firstParallel(buffer, parallel)
	return buffer
}

// runStrips is columns lo..hi-1 of the sweeps up to the turn, strip by strip, each of so many
// vectors. What is between two sweeps has the same two places near for every strip.
func (c *chain) runStrips(dst, src, near view, room unsafe.Pointer, lo, hi, vectors int) {
	t := c.turned
	width := vectors * t.lanes
	places := [2]view{near, near.add(width, c.size)}
	for lo < hi {
		end := min(lo+width, hi)
		if left := hi - end; 0 < left && left < t.lanes {
			end -= t.lanes
		}
		c.runColumns(dst, src, places, room, lo, end)
		lo = end
	}
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
			if t.product {
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
