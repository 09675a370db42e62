package cpu

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// acrossBytes is how much of each row of a buffer that lines cross a tile has: a cache
// line. Twice and four times that are no faster (twiddle bench frames).
const acrossBytes = alignment

// acrossMost is how many bytes such tiles may take: enough for the longest lines that stay
// on chip. Fewer lines would bring every cache line of the buffer several times, from as far
// as a larger tile reaches: 16 columns of 65536 complex64, one at a time, took four times as
// long as eight at a time.
const acrossMost = 16 << 20

func (d *Device) compileLine(p *ir.Line) (work, error) {
	for _, s := range p.Stages {
		if f, ok := s.Program.(*ir.FFT); ok && f.Quarter() {
			return nil, unsupported(p, "bins a quarter lower")
		}
	}
	p = linepass.JoinOuter(p)
	if long := p.Long(); long != nil && p.LocalBytes() > lineBytes {
		return d.compileLong(p, long)
	}
	w := &lineWork{p: p, solo: d.solo, move: &d.vec.Move, columns: 1}
	planes, tile := d.besidePlanes(p)
	if planes != nil {
		p = planes
		w.p, w.beside = p, true
	}
	if planes == nil {
		p = linepass.Across(p)
		w.p = p
	}
	w.overlaps = d.overlapsOf(p)
	w.feeds = p.Feeding()
	w.findHeld()
	w.gaps = make([]int, len(p.Slots))
	w.before = len(p.Stages) - len(p.Sums())
	w.behind = w.before
	if n := len(p.Outer); n > 0 {
		w.rows, w.columns = p.Outer[:n-1], p.Outer[n-1]
	}
	if !w.beside {
		lineBytes := p.LocalBytes()
		for i, s := range p.EachSlot() {
			if (s.Kind == ir.InSlot || s.Kind == ir.OutSlot) && !isBlocks(p, i) && !isSum(p, i) {
				lineBytes += touched(p, i) * s.Type.Size()
			}
		}
		tile = min(max(int(bundleBytes.Load())/max(lineBytes, 1), 1), mostLines, w.columns)
		if group := d.besideButterflies(p); group > 0 && group <= w.columns && group*lineBytes <= besideMost {
			tile = max(tile/group, 1) * group
		}
		if lines := w.acrossLines(); lines > tile {
			tile = min(max(tile, acrossMost/max(lineBytes, 1)), lines, w.columns)
		} else if lines > 0 {
			// Whole cache lines, and long runs of them: rows are often a power of two apart.
			tile = max(tile, min(besideMost/2/max(lineBytes, 1), mostLines, w.columns))
			tile -= tile % lines
		}
	}
	w.tile = w.shared(tile, d)
	w.perRow = (w.columns + w.tile - 1) / w.tile
	tiles := w.perRow * ir.Count(w.rows)
	w.countHeld()
	w.perLaunch = max(1, tiles/(8*d.team.size), min(w.heldLines/w.tile, tiles/(2*d.team.size)))

	d.gap(w)
	w.base, w.memory = p.Places(func(slot ir.SlotID) int {
		if w.gaps[slot] > 0 || w.isHeld(slot) {
			return 0 // it has a place of its own
		}
		return w.tile * w.pitch(p.Slots[slot]) * p.Slots[slot].Type.Size()
	})
	w.placeGaps()
	w.placeHeld()
	w.operand = make([]int, len(p.Slots))
	for _, kind := range []ir.SlotKind{ir.InSlot, ir.OutSlot} {
		w.number(kind)
	}
	for i, s := range p.Stages {
		if s.Each {
			w.before = min(w.before, i)
			w.behind = i + 1
		}
	}
	w.before = min(w.before, w.behind)
	var err error
	if w.sums, err = d.segmentSums(p); err != nil {
		return nil, err
	}
	if planes != nil {
		if err = d.compileSpreads(w); err != nil {
			return nil, err
		}
	}
	if w.whole, err = d.compileTile(w, w.tile); err != nil {
		return nil, err
	}
	for i := range w.whole.stages {
		s := &p.Stages[i]
		w.binds = append(w.binds, slices.Concat(s.Reads, s.Writes))
		for k, slot := range w.binds[i] {
			if kind := p.Slots[slot].Kind; kind == ir.InSlot || kind == ir.OutSlot || w.isHeld(slot) {
				w.moving = append(w.moving, moving{i, k, slot})
			}
		}
	}
	if n := w.columns % w.tile; n > 0 {
		w.rest, err = d.compileTile(w, n)
	}
	return w, err
}

// shared is the size of tiles that leave no worker without one, if there is enough to
// do: few lines would all fit into the first tile.
func (w *lineWork) shared(tile int, d *Device) int {
	step := 1
	switch {
	case len(w.overlaps) > 0: // runOverlaps shares frames out
		return tile
	case w.beside:
		step = transform.Target[complex64](d.level).Lanes
	case d.besideButterflies(w.p) > 0:
		return tile
	}
	rows := max(ir.Count(w.rows), 1)
	parts := min(d.team.size, int(w.p.Ops()/inlineUpTo))
	perRow := max((parts+rows-1)/rows, 1)
	each := (w.columns + perRow - 1) / perRow
	return min(tile, (each+step-1)/step*step)
}

// acrossLines is how many lines fill the cache lines of buffers that lines cross, leaving
// gaps for their neighbours, and do not wait for; 0 if there is no such buffer.
func (w *lineWork) acrossLines() int {
	lines := 0
	for i, s := range w.p.EachSlot() {
		if n := touched(w.p, i); linepass.IsAcross(w.p, i) && n > 1 && n < s.Len && !w.storesHeld(i) {
			lines = max(lines, acrossBytes/s.Type.Size())
		}
	}
	return min(lines, mostLines)
}

func (d *Device) compileTile(w *lineWork, lines int) (*tileStages, error) {
	t := &tileStages{lines: lines}
	for i, s := range w.p.Stages[:len(w.p.Stages)-len(w.overlaps)] {
		var c tileStage
		var err error
		if w.waits(i) {
			t.stages = append(t.stages, tileStage{work: nothing{}})
			continue
		}
		if s.First != nil {
			c.firstReads = len(ir.Reads(s.First))
			if c.first, err = d.compileStage(w, s.First, s.Reads[:c.firstReads], s.Writes, lines); err != nil {
				return nil, err
			}
		}
		if c.work, err = d.compileStage(w, s.Program, s.Reads, s.Writes, lines); err != nil {
			return nil, err
		}
		t.stages = append(t.stages, c)
	}
	return t, nil
}

func (d *Device) compileStage(w *lineWork, p ir.Program, reads, writes []ir.SlotID, lines int) (work, error) {
	if w.beside {
		return d.compileBesideStage(w, p, reads, writes, lines)
	}
	strides := lists.Map(slices.Concat(reads, writes), func(slot ir.SlotID) int { return w.tileStride(slot) })
	return d.compileWork(ir.Tiled(p, lines, strides))
}

func (w *lineWork) run(l *launch) error {
	if len(w.overlaps) > 0 {
		return w.runOverlaps(l)
	}
	tiles := w.perRow * ir.Count(w.rows)
	parts := (tiles + w.perLaunch - 1) / w.perLaunch
	return l.team.do(parts, l.s, func(part int, s *scratch) error {
		r, err := w.begin(l, s)
		defer l.team.put(r.stage.s)
		if err != nil {
			return err
		}
		for t := part * w.perLaunch; t < min((part+1)*w.perLaunch, tiles); t++ {
			if err := r.tile(t); err != nil {
				return err
			}
		}
		r.flush()
		return nil
	})
}
