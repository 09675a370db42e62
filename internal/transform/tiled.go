package transform

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// A line that outgrows the near caches need not lie in memory before its
// transform starts, nor be complete before its spectrum is used: the first
// sweep can ask for it tile by tile, and the last can hand it on. That saves a
// pass over memory for every map around the transform.

// Tile is the part of a line that one Load brings or one Store takes: Rows
// rows of Count elements, Step elements apart.
type Tile struct{ Rows, Step, Count int }

// Load writes the tile whose first row starts at element first of a line to
// dst, row behind row. It may be asked for an element more than once.
type Load func(dst unsafe.Pointer, first int)

// Store takes the tile that starts at element first of a line, which is final
// in the line itself. It may be given an element more than once.
type Store func(first int)

// tileBytes is about how much one Load brings: it stays in the first cache.
const tileBytes = 32 << 10

// LoadTile is what a Load of the plan's lines brings.
func (p *Plan[C]) LoadTile() Tile {
	c := p.leading()
	if c == nil {
		return Tile{1, 0, p.given}
	}
	cols := c.steps[0].pass.Cols
	radix := p.n / cols
	count := max(tileBytes/(2*c.size*radix)/radix, 1) * radix
	return Tile{radix * p.given / p.n, cols, min(count, cols)}
}

// leading is the chain of the plan if its first sweep can be done in tiles:
// they have to begin with whole vectors of columns, because its tables do.
func (p *Plan[C]) leading() *chain {
	if c, ok := p.line.(*chain); ok && c.leads && c.steps[0].pass.Cols%butterfly.Lanes(c.level, 8*c.size) == 0 {
		return c
	}
	return nil
}

func (t Tile) bytes(size int) int {
	return (t.Rows*t.Count*2*size + cacheLine - 1) &^ (cacheLine - 1)
}

// TiledScratchLen is the number of scratch elements Tiled needs.
func (p *Plan[C]) TiledScratchLen() int {
	return p.elements(p.LoadTile().bytes(p.shape.size) + p.line.workBytes())
}

// Tiled transforms the line that load brings.
func (p *Plan[C]) Tiled(dst, scratch []C, load Load, inverse bool) {
	t := p.LoadTile()
	tile := p.work(scratch, t.bytes(p.shape.size)+p.line.workBytes())
	work := unsafe.Add(tile, t.bytes(p.shape.size))
	to, from := p.view(dst), view{tile, unsafe.Add(tile, p.shape.size), butterfly.Interleaved}
	if inverse {
		to, from = to.swapped(), from.swapped()
	}
	if c := p.leading(); c != nil {
		buffer := c.splitAt(work, c.room)
		c.leadTiles(buffer, from, t, func(col int) { load(tile, col) })
		c.tree.run(to, buffer, p.scale)
		return
	}
	load(tile, 0)
	p.line.run(to, from, work, p.scale)
}

// leadTiles runs the lead tile by tile. bring leaves a tile where from sees it.
func (c *chain) leadTiles(buffer, from view, t Tile, bring func(col int)) {
	p, part := *c.steps[0].pass, new(butterfly.Pass)
	p.InLeg, p.AheadIn = t.Count, 0
	for _, col := range butterfly.Tiles(p.Cols, t.Count) {
		bring(col)
		src := from
		if c.real {
			src.im = unsafe.Add(from.im, col*c.size)
		}
		c.leadColumns(p, part, buffer, src, col, col+t.Count)
	}
}

// LoadTile is what a Load of real lines brings, in samples.
func (p *Real[R, C]) LoadTile() Tile {
	if p.n%2 == 1 {
		return Tile{1, 0, p.n}
	}
	if p.folded != nil {
		return p.folded.loadTile()
	}
	t := p.half.LoadTile()
	return Tile{t.Rows, 2 * t.Step, 2 * t.Count}
}

// binsTile bounds the bytes of bins that one Store takes or one Load brings:
// twice as much is at work at a time, because bins are joined in pairs.
const binsTile = 16 << 10

// leastBins is the shortest tile of bins that is worth a call.
const leastBins = 128

// BinsTile is what a Store of bins takes, and a Load of them brings. Tiles do
// not overlap, because joining a pair twice would be wrong.
func (p *Real[R, C]) BinsTile() Tile {
	m, lanes := p.n/2, p.joinLanes
	if !p.alone() && m > 1 && m/2%lanes == 0 {
		count := m / 2 / lanes
		for most := binsTile / (2 * p.half.shape.size) / lanes; count > most || m/2/lanes%count != 0; {
			count = min(count-1, most)
		}
		if count *= lanes; count >= leastBins {
			return Tile{1, 0, count}
		}
	}
	return Tile{1, 0, p.Bins()}
}

// TiledScratchLen is the number of scratch elements ForwardTiled and
// InverseTiled need.
func (p *Real[R, C]) TiledScratchLen() int {
	if p.alone() {
		return p.n + p.Bins() + p.lineLen()
	}
	return max(p.half.TiledScratchLen(), p.foldedTiledLen(), p.BinsTile().Count+p.lineLen())
}

// ForwardTiled transforms the samples that load brings to the bins in dst,
// handing them to store, if it is not nil, as they become final.
func (p *Real[R, C]) ForwardTiled(dst []C, scratch []C, load Load, store Store) {
	dst = dst[:p.Bins()]
	if p.alone() {
		line := unsafe.Slice((*R)(unsafe.Pointer(unsafe.SliceData(scratch[:p.n]))), p.n)
		load(unsafe.Pointer(unsafe.SliceData(line)), 0)
		p.Forward(dst, line, scratch[p.n:])
		if store != nil {
			store(0)
		}
		return
	}
	t := p.BinsTile()
	if p.folded != nil {
		p.foldedTiled(dst, scratch, load)
	} else {
		p.half.Tiled(dst, scratch, func(tile unsafe.Pointer, first int) { load(tile, 2*first) }, false)
	}
	if store == nil || t.Count == p.Bins() {
		if p.folded == nil {
			p.untangle(dst, dst)
		}
		if store != nil {
			store(0)
		}
		return
	}
	m := p.n / 2
	if p.folded == nil {
		p.realBins(dst, dst)
	}
	for at := 0; at < m/2; at += t.Count {
		if p.folded == nil {
			p.joinTile(p.apart, dst, at, t.Count, 0.5)
		}
		store(at + 1)
		store(m - at - t.Count)
	}
	store(0)
	store(m + 1 - t.Count)
}

// joinTile joins bins at+1..at+count of z with those they mirror, in place.
func (p *Real[R, C]) joinTile(all *butterfly.Pass, z []C, at, count int, scale float64) {
	lanes := p.joinLanes
	tile := butterfly.Pass{
		Rows: count/lanes - 1, Cols: count - lanes + 1, InLeg: all.InLeg - 2*at,
		Twiddle: unsafe.Add(all.Twiddle, at*2*p.half.shape.size),
	}
	v := p.half.view(z).add(at, p.half.shape.size)
	p.join(&tile, v.re, v.im, v.re, v.im, scale)
}

// InverseTiled transforms the bins that load brings to the samples in dst,
// times n.
func (p *Real[R, C]) InverseTiled(dst []R, scratch []C, load Load) {
	t := p.BinsTile()
	bins, rest := scratch[:t.Count], scratch[t.Count:]
	memory := unsafe.Pointer(unsafe.SliceData(bins))
	if t.Count == p.Bins() {
		load(memory, 0)
		p.Inverse(dst, bins, rest)
		return
	}
	m := p.n / 2
	line := rest[:m]
	load(memory, 0)
	first := bins[0]
	load(memory, m+1-t.Count)
	r0, _ := unpack[R](first)
	rm, _ := unpack[R](bins[t.Count-1])
	line[0] = pack[R, C](r0+rm, r0-rm)
	for at := 0; at < m/2; at += t.Count {
		load(unsafe.Pointer(&line[at+1]), at+1)
		load(unsafe.Pointer(&line[m-at-t.Count]), m-at-t.Count)
		p.joinTile(p.back, line, at, t.Count, 1)
	}
	p.half.Inverse(unsafe.Slice((*C)(unsafe.Pointer(unsafe.SliceData(dst))), m), line, rest[m:])
}
