package view

import "context"

// blockColumns is the columns of a block and of a tile.
const blockColumns = 256

// block is all bins of columns next to each other, as half floats: one column
// after another. Bins of long segments are put together in groups, in wide levels.
type block struct {
	columns int // that the recording has, at most blockColumns
	group   int // bins in each element of a column
	levels  []uint16
}

func (b *block) bins() int {
	if b.columns == 0 {
		return 0
	}
	return len(b.levels) / b.columns
}

func (b *block) column(i int) []uint16 { return b.levels[i*b.bins() : (i+1)*b.bins()] }

// blockKey names a block. End is the frames of the recording if the block
// reaches to its end, so that one of a file that grows is computed anew.
type blockKey struct {
	item   string
	look   look
	level  int
	index  int64
	end    int64
	coarse bool
}

// columnsAt is how many columns a recording has at a level.
func (l look) columnsAt(level int, frames int64) int64 {
	span := l.span(level)
	return (frames + span - 1) / span
}

// keyOf names the block of a recording as it is now.
func (l look) keyOf(item string, info Info, level int, index int64, coarse bool) blockKey {
	k := blockKey{item: item, look: l, level: level, index: index, coarse: coarse}
	// Segments of its last column reach half a segment further.
	if reach := (index+1)*blockColumns*l.span(level) + int64(l.N); reach > info.Frames {
		k.end = info.Frames
	}
	return k
}

// compute makes a block from samples.
func (a *analyser) compute(ctx context.Context, level int, index int64, coarse bool) (*block, error) {
	columns := int(min(max(a.look.columnsAt(level, a.info.Frames)-index*blockColumns, 0), blockColumns))
	b := &block{columns: columns, group: 1, levels: make([]uint16, columns*a.look.bins())}
	if columns == 0 {
		return b, nil
	}
	keep := func(i int, levels []float32) {
		if i < columns {
			for k, v := range levels {
				b.levels[i*len(levels)+k] = toHalf(v)
			}
		}
	}
	if coarse {
		return b, a.sampled(ctx, level, index*blockColumns, columns, keep)
	}
	// Whole batches are of one shape, whose plan is made once.
	whole := columns
	if a.look.segments(level) == 1 {
		whole = blockColumns
	}
	return b, a.columns(ctx, level, index*blockColumns, whole, keep)
}

// tile is the rows of a part of the scale, of a block: rows from the bottom,
// columns beside one another in each.
func (b *block) tile(l look, s scale, rate float64, rowLevel, j int) []uint16 {
	out := make([]uint16, tileRows*blockColumns)
	if b.columns < blockColumns {
		silent := toHalf(decibelFloor)
		for i := range out {
			out[i] = silent
		}
	}
	if b.columns == 0 {
		return out
	}
	rows := l.rows(s, rate, rowLevel, j, b.group)
	for i := range b.columns {
		rows.fill(out[i:], blockColumns, b.column(i))
	}
	return out
}
