package cpu

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// tileMap is a map whose operands do not agree on which dimension is
// innermost: a matrix plus a transposed one. The operands that lie across are
// brought to scratch a tile at a time, so that all of every cache line is used;
// then the rows of the tile are computed as those of any map.
type tileMap struct {
	code *code
	down int // tiles along the dimension across
	side int // tiles along the last dimension
	all  int // tiles
}

// acrossOf finds the dimension that an operand walks with stride 1 while the
// output walks the last one so; -1 if there is none.
func acrossOf(dims []int, operands []layout) int {
	last := len(dims) - 1
	if last < 1 || operands[0].strides[last] != 1 || dims[last] < 2 {
		return -1
	}
	for _, o := range operands[1:] {
		if o.strides[last] < 2 {
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
// across, which becomes the last but one. operands are the outputs, inputs and
// positions, in this order.
func (d *Device) compileTileMap(m *ir.Map, dims []int, operands []layout, outs []output, across int) (work, error) {
	moveTo(dims, operands, across, len(dims)-2)
	in := operands[len(m.Out) : len(m.Out)+len(m.In)]
	c, _, err := d.compileCode(&m.Code, codeShape{dims: dims, rows: true, tiles: true}, in, operands[len(m.Out)+len(m.In):], 0, outs)
	if err != nil {
		return nil, err
	}
	last := len(dims) - 1
	w := &tileMap{code: c}
	w.down, w.side = (dims[last-1]+tileRows-1)/tileRows, (dims[last]+c.block-1)/c.block
	w.all = ir.Count(dims[:last-1]) * w.down * w.side
	return w, nil
}

func (w *tileMap) run(l *launch) error {
	dims := w.code.dims
	last := len(dims) - 1
	return l.share(w, w.all, max(1, inlineUpTo/(min(tileRows, dims[last-1])*min(w.code.block, dims[last]))))
}

// part computes the tiles from..end. They follow each other down, so that
// what lies across is read on from where the last tile ended.
func (w *tileMap) part(l *launch, s *scratch, from, end int) error {
	c := w.code
	f := c.begin(l, s)
	last := len(c.dims) - 1
	for t := from; t < end; t++ {
		locate(f.index[:last-1], c.dims[:last-1], t/(w.down*w.side))
		first, column := t%w.down*tileRows, t/w.down%w.side*c.block
		f.index[last-1], f.index[last] = first, column
		rows, cols := min(tileRows, c.dims[last-1]-first), min(c.block, c.dims[last]-column)
		for i := range c.loads {
			if o := &c.loads[i]; o.kind == loadTile {
				c.vec.Move.Transpose(o.size, f.ptr[o.tile], o.address(f.mem[o.mem], f.index), c.block, o.strides[last], cols, rows, false)
			}
		}
		for f.tileRow = range rows {
			f.index[last-1] = first + f.tileRow
			c.computeAt(f, cols)
		}
	}
	return nil
}
