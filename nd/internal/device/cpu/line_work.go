package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// mostLines bounds a tile. A stage starts in 100 to 200 ns, as long as 1000 elements take, so
// lines of 8 and 16 elements want hundreds. Of lines side by side, rows stay shorter than
// those that a map takes one at a time.
const mostLines = rowsFrom - 16

// lineWork runs the stages of a line program tile by tile. A tile is a few
// lines that are neighbours along the last outer dimension; a worker takes it
// through all stages before it takes the next.
type lineWork struct {
	p         *ir.Line
	solo      *team // of one: stages inside a part are not split again
	move      *vec.Move
	rows      []int       // outer dimensions but the last
	columns   int         // the last
	tile      int         // lines of a whole tile
	perRow    int         // tiles per row
	buffers   []ir.SlotID // slots in buffers
	operand   []int       // by those: place in the launch
	base      []int       // by slot on chip: offset in a tile's memory
	memory    int         // bytes of a tile on chip
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

	overlaps []overlapSum  // what lines are added to
	gaps     []int         // by slot: zeros between rows of lines that lie side by side
	feeds    []bool        // by stage: computes what is added
	binds    [][]ir.SlotID // by stage
	moving   []moving

	held      []heldStore // stores that wait for more lines
	heldLines int         // how many
}

// moving is an operand of a stage that is in a buffer, and so somewhere else for
// every tile.
type moving struct {
	stage, operand int
	slot           ir.SlotID
}

// tileStages is the stages compiled for a number of lines.
type tileStages struct {
	lines  int
	stages []tileStage
}

type tileStage struct {
	first, work work
	firstReads  int // how many reads first binds
}

// isBlocks reports a slot with the blocks of a butterfly, which are no line:
// the more lines go together, the less often they are read.
func isBlocks(p *ir.Line, slot ir.SlotID) bool {
	return slices.ContainsFunc(p.Stages, func(s ir.Stage) bool {
		_, ok := s.Program.(*ir.Butterfly)
		return ok && s.Reads[1] == slot
	})
}

// isSum reports a slot that lines are added to: it has room for all of them.
func isSum(p *ir.Line, slot ir.SlotID) bool {
	return slices.ContainsFunc(p.Sums(), func(s ir.Stage) bool { return s.Writes[0] == slot })
}

// number gives slots of a kind their places in the launch, in the order of
// Reads and Writes.
func (w *lineWork) number(kind ir.SlotKind) {
	next := 0
	for i, s := range w.p.EachSlot() {
		if s.Kind == kind {
			w.operand[i] = next
			w.buffers = append(w.buffers, i)
			if kind == ir.OutSlot {
				w.operand[i] += len(ir.Reads(w.p))
			}
			next++
		}
	}
}

// touched is how many elements of a line in a buffer the stages use: Len without
// the gaps.
func touched(p *ir.Line, slot ir.SlotID) int {
	n, gap := p.Slots[slot].Len, p.Slots[slot].Len
	for _, s := range p.Stages {
		operands := append(ir.Reads(s.Program), ir.Writes(s.Program)...)
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
func (w *lineWork) tileStride(slot ir.SlotID) int {
	s := w.p.Slots[slot]
	switch n := len(w.p.Outer); {
	case s.Kind == ir.LocalSlot:
		return w.pitch(s)
	case n > 0:
		return s.Strides[n-1]
	}
	return 0
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
	for i := range w.p.EachSlot() {
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
		at := s.Offset + lists.Dot(r.index, s.Strides)
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
			for _, list := range [...][]ir.SlotID{reads, s.Writes} {
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

func (r *lineRun) at(slot ir.SlotID, segment int) unsafe.Pointer {
	s := &r.w.p.Slots[slot]
	return unsafe.Add(r.start[slot], segment*s.Segment*s.Type.Size())
}

func (w *lineWork) onChip(slot ir.SlotID) bool { return w.p.Slots[slot].OnChip() }

// spread fills shared slots from an input.
type spread struct {
	work work
	*ir.Stage
}

// spread fills the shared slots of a worker.
func (r *lineRun) spread() error {
	w := r.w
	r.clearGaps()
	for _, s := range w.spreads {
		in := &w.p.Slots[s.Reads[0]]
		r.mem = append(r.mem[:0], unsafe.Add(r.given[w.operand[s.Reads[0]]], in.Offset*in.Type.Size()))
		for _, slot := range s.Writes {
			r.mem = append(r.mem, unsafe.Add(r.chip, w.base[slot]))
		}
		r.stage.mem = r.mem
		r.stage.s.reset()
		if err := s.work.run(&r.stage); err != nil {
			return err
		}
	}
	return nil
}
