package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// tileMap is a map whose operands do not agree on which dimension is
// innermost: a matrix plus a transposed one. Its blocks are tiles of the last
// two dimensions, so that every operand is read a cache line or more at a
// time. All operands go through registers.
type tileMap struct {
	code       *code
	rows, cols int // of a whole tile
	down, side int // tiles over the last two dimensions
	count      int // tiles in all
}

// tileCols is the width of a tile; the rest of a block is its height.
const tileCols = 32

// acrossOf finds the dimension that an operand walks with stride 1 while the
// output walks the last one so; -1 if there is none.
func acrossOf(dims []int, operands []layout) int {
	last := len(dims) - 1
	if last < 1 || operands[0].strides[last] != 1 || dims[last] < 2 {
		return -1
	}
	for _, o := range operands[1:] {
		if s := o.strides[last]; s == 0 || s == 1 || s == -1 {
			continue
		}
		for i := range last {
			if o.strides[i] == 1 && dims[i] >= alignment/o.size {
				return i
			}
		}
	}
	return -1
}

// compileTileMap compiles m for tiles of the last dimension and the one
// across. operands are its outputs, inputs and positions, in this order.
func (d *Device) compileTileMap(m *kern.Map, dims []int, operands []layout, across int) (work, error) {
	perm := make([]int, 0, len(dims))
	for i := range dims {
		if i != across {
			perm = append(perm, i)
		}
	}
	perm = slices.Insert(perm, len(perm)-1, across)
	permute(dims, perm)
	for _, o := range operands {
		permute(o.strides, perm)
	}
	nOut, nIn := len(m.Out), len(m.In)
	outs := make([]output, nOut)
	for i := range outs {
		outs[i] = output{layout: operands[i], value: m.Value[i], mem: nIn + i}
	}
	c, _, err := d.compileCode(&m.Code, codeShape{dims: dims, tiles: true}, operands[nOut:nOut+nIn], operands[nOut+nIn:], 0, outs)
	if err != nil {
		return nil, err
	}
	last := len(dims) - 1
	w := &tileMap{code: c, cols: min(tileCols, dims[last])}
	w.rows = min(c.block/w.cols, dims[last-1])
	w.down, w.side = (dims[last-1]+w.rows-1)/w.rows, (dims[last]+w.cols-1)/w.cols
	w.count = kern.Count(dims[:last-1]) * w.down * w.side
	return w, nil
}

func (w *tileMap) run(l *launch) error {
	per := max(1, inlineUpTo/(w.rows*w.cols))
	parts := (w.count + per - 1) / per
	if parts == 1 {
		w.part(l, l.s, 0, w.count)
		return nil
	}
	return l.team.do(parts, l.s, func(part int, s *scratch) error {
		w.part(l, s, part*per, min((part+1)*per, w.count))
		return nil
	})
}

// part computes the tiles from..end. They follow each other down, so that
// what is read across stays in the same rows.
func (w *tileMap) part(l *launch, s *scratch, from, end int) {
	c := w.code
	f := c.begin(l, s)
	last := len(c.dims) - 1
	for t := from; t < end; t++ {
		locate(f.index[:last-1], c.dims[:last-1], t/(w.down*w.side))
		r, k := t%w.down*w.rows, t/w.down%w.side*w.cols
		f.index[last-1], f.index[last] = r, k
		c.computeTile(f, min(w.rows, c.dims[last-1]-r), min(w.cols, c.dims[last]-k))
	}
}

// computeTile runs the steps on rows x cols points from f.index.
func (c *code) computeTile(f *frame, rows, cols int) {
	move := &c.vec.Move
	for i := range c.loads {
		switch o := &c.loads[i]; o.kind {
		case loadGather:
			o.gatherTile(move, f.ptr[o.ptr], o.address(f.mem[o.mem], f.index), rows, cols)
		case positionEach:
			o.tilePositions(slice[int64](f.ptr[o.ptr], rows*cols), f.index, cols)
		}
	}
	f.run(c.steps, rows*cols)
	for i := range c.stores {
		o := &c.stores[i]
		o.scatterTile(move, o.address(f.mem[o.mem], f.index), f.ptr[o.ptr], rows, cols)
	}
}

// gatherTile brings a tile to dst, row by row.
func (o *layout) gatherTile(move *vec.Move, dst, src unsafe.Pointer, rows, cols int) {
	last := len(o.strides) - 1
	down, along := o.strides[last-1], o.strides[last]
	if down == 1 && along > 1 {
		move.Transpose(o.size, dst, src, cols, along, cols, rows, false)
		return
	}
	for r := range rows {
		move.Gather(o.size, unsafe.Add(dst, r*cols*o.size), unsafe.Add(src, r*down*o.size), along, cols)
	}
}

// scatterTile is the reverse of gatherTile.
func (o *layout) scatterTile(move *vec.Move, dst, src unsafe.Pointer, rows, cols int) {
	last := len(o.strides) - 1
	down, along := o.strides[last-1], o.strides[last]
	if down == 1 && along > 1 {
		move.Transpose(o.size, dst, src, along, cols, rows, cols, false)
		return
	}
	for r := range rows {
		move.Scatter(o.size, unsafe.Add(dst, r*down*o.size), unsafe.Add(src, r*cols*o.size), along, cols)
	}
}

// tilePositions writes the positions of a tile with rows of cols points.
func (o *layout) tilePositions(dst []int64, index []int, cols int) {
	last := len(o.strides) - 1
	at := int64(o.at(index))
	for ; len(dst) > 0; dst = dst[cols:] {
		p := at
		for i := range dst[:cols] {
			dst[i] = p
			p += int64(o.strides[last])
		}
		at += int64(o.strides[last-1])
	}
}
