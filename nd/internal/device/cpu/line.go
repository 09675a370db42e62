package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
)

// mostLines bounds a tile; beyond it a stage's start-up cost is nothing.
const mostLines = 64

// acrossBytes is how much of each row of a buffer that lines cross a tile has: a cache
// line. Twice and four times that are no faster (twiddle bench frames).
const acrossBytes = alignment

// lineWork runs the stages of a line program tile by tile. A tile is a few
// lines that are neighbours along the last outer dimension; a worker takes it
// through all stages before it takes the next.
type lineWork struct {
	p         *ir.Line
	solo      *team // of one: stages inside a part are not split again
	move      *vec.Move
	rows      []int // outer dimensions but the last
	columns   int   // the last
	tile      int   // lines of a whole tile
	perRow    int   // tiles per row
	buffers   []int // slots in buffers
	operand   []int // by those: place in the launch
	base      []int // by slot on chip: offset in a tile's memory
	memory    int   // bytes of a tile on chip
	whole     *tileStages
	rest      *tileStages // for the last tile of a row; nil if whole
	sums      []segmentSum
	before    int // stages up to here run before the segments
	behind    int // stages from here on run behind them
	perLaunch int // tiles per part

	// beside says that the lines of a tile lie side by side on chip; p is then
	// the program restated for that, and spreads fill what all tiles share.
	beside  bool
	spreads []spread

	overlaps []overlapSum // what lines are added to
	gaps     []int        // by slot: zeros between rows of lines that lie side by side
	feeds    []bool       // by stage: computes what is added
	binds    [][]int      // by stage: slots
	moving   []moving

	held      []heldStore // stores that wait for more lines
	heldLines int         // how many
}

// moving is an operand of a stage that is in a buffer, and so somewhere else for
// every tile.
type moving struct{ stage, operand, slot int }

// tileStages is the stages compiled for a number of lines.
type tileStages struct {
	lines  int
	stages []tileStage
}

type tileStage struct {
	also        []int // slots that the work writes besides those of its stage
	first, work work
	firstReads  int // how many reads first binds
}

func (d *Device) compileLine(p *ir.Line) (work, error) {
	if p.Lines() == 0 {
		return nothing{}, nil
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
		for i, s := range p.Slots {
			if (s.Kind == ir.InSlot || s.Kind == ir.OutSlot) && !isBlocks(p, i) && !isSum(p, i) {
				lineBytes += touched(p, i) * s.Type.Size()
			}
		}
		tile = min(max(int(bundleBytes.Load())/max(lineBytes, 1), 1), mostLines, w.columns)
		if group := d.besideButterflies(p); group > 0 && group <= w.columns && group*lineBytes <= besideMost {
			tile = max(tile/group, 1) * group
		}
		if lines := w.acrossLines(); lines > tile {
			tile = min(max(tile, besideMost/max(lineBytes, 1)), lines, w.columns)
		}
	}
	w.tile = tile
	w.perRow = (w.columns + w.tile - 1) / w.tile
	tiles := w.perRow * ir.Count(w.rows)
	w.countHeld()
	w.perLaunch = max(1, tiles/(8*d.team.size), min(w.heldLines/w.tile, tiles/(2*d.team.size)))

	d.gap(w)
	w.base, w.memory = p.Places(func(slot int) int {
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
	for i, c := range w.whole.stages {
		s := &p.Stages[i]
		w.binds = append(w.binds, slices.Concat(s.Reads, s.Writes, c.also))
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

// acrossLines is how many lines fill the cache lines of buffers that lines cross and
// do not wait for; 0 if there is no such buffer.
func (w *lineWork) acrossLines() int {
	lines := 0
	for i, s := range w.p.Slots {
		if linepass.IsAcross(w.p, i) && touched(w.p, i) > 1 && !w.storesHeld(i) {
			lines = max(lines, acrossBytes/s.Type.Size())
		}
	}
	return min(lines, mostLines)
}

// isBlocks reports a slot with the blocks of a butterfly, which are no line:
// the more lines go together, the less often they are read.
func isBlocks(p *ir.Line, slot int) bool {
	return slices.ContainsFunc(p.Stages, func(s ir.Stage) bool {
		_, ok := s.Program.(*ir.Butterfly)
		return ok && s.Reads[1] == slot
	})
}

// isSum reports a slot that lines are added to: it has room for all of them.
func isSum(p *ir.Line, slot int) bool {
	return slices.ContainsFunc(p.Sums(), func(s ir.Stage) bool { return s.Writes[0] == slot })
}

// number gives slots of a kind their places in the launch, in the order of
// Reads and Writes.
func (w *lineWork) number(kind ir.SlotKind) {
	next := 0
	for i, s := range w.p.Slots {
		if s.Kind == kind {
			w.operand[i] = next
			w.buffers = append(w.buffers, i)
			if kind == ir.OutSlot {
				w.operand[i] += len(w.p.Reads())
			}
			next++
		}
	}
}

// touched is how many elements of a line in a buffer the stages use: Len without
// the gaps.
func touched(p *ir.Line, slot int) int {
	n, gap := p.Slots[slot].Len, p.Slots[slot].Len
	for _, s := range p.Stages {
		operands := append(s.Program.Reads(), s.Program.Writes()...)
		for k, at := range append(slices.Clone(s.Reads), s.Writes...) {
			if at == slot && len(operands[k].Strides) > 0 && operands[k].Strides[0] != 0 {
				gap = min(gap, max(operands[k].Strides[0], -operands[k].Strides[0]))
			}
		}
	}
	return (n-1)/gap + 1
}

// shortLine is the bytes of a line below which lines on chip lie side by side
// without a gap: a map over the whole tile is then one run of elements, which
// is worth more than lines that begin with a cache line. Measured with lines of
// 33 bins.
const shortLine = 2048

// pitch is how far lines on chip are apart: whole cache lines, if they are long.
func (w *lineWork) pitch(s ir.Slot) int {
	const per = alignment
	size := s.Type.Size()
	if w.beside || s.Len*size < shortLine {
		return s.Len
	}
	return (s.Len*size + per - 1) / per * per / size
}

// tileStride is how far the lines of a tile are apart in a slot.
func (w *lineWork) tileStride(slot int) int {
	s := w.p.Slots[slot]
	switch n := len(w.p.Outer); {
	case s.Kind == ir.LocalSlot:
		return w.pitch(s)
	case n > 0:
		return s.Strides[n-1]
	}
	return 0
}

func (d *Device) compileTile(w *lineWork, lines int) (*tileStages, error) {
	if w.beside {
		return d.compileBeside(w, lines)
	}
	t := &tileStages{lines: lines}
	for i, s := range w.p.Stages[:len(w.p.Stages)-len(w.overlaps)] {
		var c tileStage
		var err error
		if i > 0 && t.stages[i-1].also != nil {
			t.stages = append(t.stages, tileStage{work: nothing{}})
			continue
		}
		if i+1 < len(w.p.Stages) && ir.SortsAlike(&s, &w.p.Stages[i+1]) {
			next := &w.p.Stages[i+1]
			values := ir.Tiled(next.Program, lines, []int{w.tileStride(next.Reads[0]), w.tileStride(next.Writes[0])}).(*ir.Sort)
			places := ir.Tiled(s.Program, lines, []int{w.tileStride(s.Reads[0]), w.tileStride(s.Writes[0])}).(*ir.Sort)
			c.also = next.Writes
			if c.work, err = d.compileSort(places, values.Out); err != nil {
				return nil, err
			}
			t.stages = append(t.stages, c)
			continue
		}
		if w.waits(i) {
			t.stages = append(t.stages, tileStage{work: nothing{}})
			continue
		}
		if s.First != nil {
			c.firstReads = len(s.First.Reads())
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

func (d *Device) compileStage(w *lineWork, p ir.Program, reads, writes []int, lines int) (work, error) {
	var strides []int
	for _, slot := range reads {
		strides = append(strides, w.tileStride(slot))
	}
	for _, slot := range writes {
		strides = append(strides, w.tileStride(slot))
	}
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

// lineRun is a worker's state, kept in its scratch.
type lineRun struct {
	w     *lineWork
	given []unsafe.Pointer // of the launch
	chip  unsafe.Pointer
	index []int            // of the tile's row
	start []unsafe.Pointer // by slot: the tile's first line, in the first segment
	own   *scratch         // that holds the tile
	stage launch
	// bound is where the operands of each stage are, in the first segment; most
	// are on chip, and stay where they are. mem is for those that are elsewhere.
	bound [][]unsafe.Pointer
	mem   []unsafe.Pointer

	tallies []segmentTally

	shadow bool // only what is added is computed

	waiting int              // lines that wait to be stored
	heldTo  []unsafe.Pointer // where, by store
}

func (w *lineWork) begin(l *launch, s *scratch) (*lineRun, error) {
	r := &s.line
	r.w, r.given, r.shadow, r.waiting = w, l.mem, false, 0
	r.index, r.start = resized(r.index, len(w.rows)), resized(r.start, len(w.p.Slots))
	r.chip, r.own = s.pointer(w.memory), s
	for i := range w.p.Slots {
		r.start[i] = unsafe.Add(r.chip, w.base[i])
	}
	// Stages empty their scratch as they please, so it is not the one that
	// holds the tile.
	r.stage.team, r.stage.s, r.stage.args = w.solo, l.team.take(), l.args
	r.bound = resized(r.bound, len(w.binds))
	for i, slots := range w.binds {
		r.bound[i] = r.bound[i][:0]
		for _, slot := range slots {
			r.bound[i] = append(r.bound[i], r.start[slot])
		}
	}
	return r, r.spread()
}

func (r *lineRun) tile(t int) error {
	w := r.w
	column := t % w.perRow * w.tile
	stages := w.whole
	if column+w.tile > w.columns {
		stages = w.rest
	}
	locate(r.index, w.rows, t/w.perRow)
	whole := r.own.level()
	for _, i := range w.buffers {
		s := &w.p.Slots[i]
		at := s.Offset
		for k, x := range r.index {
			at += x * s.Strides[k]
		}
		if n := len(s.Strides); n > 0 {
			at += column * s.Strides[n-1]
		}
		if s.Margin != nil {
			r.start[i] = r.withMargin(s, r.given[w.operand[i]], at, column, stages.lines)
			continue
		}
		r.start[i] = unsafe.Add(r.given[w.operand[i]], at*s.Type.Size())
	}
	r.wait()
	for _, m := range w.moving {
		r.bound[m.stage][m.operand] = r.start[m.slot]
	}
	if err := r.stages(stages, 0, w.before, 0); err != nil {
		return err
	}
	mark := r.own.level()
	r.beginSums(r.own)
	for seg := range w.p.Segments {
		if err := r.stages(stages, w.before, w.behind, seg); err != nil {
			return err
		}
		r.endSegment(seg)
	}
	r.own.back(mark)
	err := r.stages(stages, w.behind, len(stages.stages), 0)
	r.own.back(whole)
	if len(w.held) > 0 && err == nil {
		if r.waiting += stages.lines; r.waiting+w.tile > w.heldLines || column+w.tile >= w.columns {
			r.flush()
		}
	}
	return err
}

// stages runs the stages from one to another on a segment.
func (r *lineRun) stages(t *tileStages, from, to, segment int) error {
	for i := from; i < to; i++ {
		if r.shadow && !r.w.feeds[i] {
			continue
		}
		work := t.stages[i].work
		r.stage.mem = r.bound[i]
		if segment > 0 || t.stages[i].first != nil {
			s := &r.w.p.Stages[i]
			reads := s.Reads
			if t.stages[i].first != nil && r.w.startsRun(i, segment) {
				reads, work = reads[:t.stages[i].firstReads], t.stages[i].first
			}
			r.mem = r.mem[:0]
			for _, list := range [...][]int{reads, s.Writes, t.stages[i].also} {
				for _, slot := range list {
					r.mem = append(r.mem, r.at(slot, segment))
				}
			}
			r.stage.mem = r.mem
		}
		r.stage.s.reset()
		if err := work.run(&r.stage); err != nil {
			return err
		}
	}
	return nil
}

func (r *lineRun) at(slot, segment int) unsafe.Pointer {
	s := &r.w.p.Slots[slot]
	return unsafe.Add(r.start[slot], segment*s.Segment*s.Type.Size())
}
