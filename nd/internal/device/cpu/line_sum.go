package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// segmentSum is a stage of a line program that reduces over segments. It adds
// them in the order of a reduction by columns, so that a sum has the same bits
// whether it was fused or not: leafRows segments one after the other, those
// combined pairwise up to a chunk, and chunks pairwise.
type segmentSum struct {
	stage int
	slot  ir.SlotID // the accumulator
	fold  fold
	chunk int // segments
}

// segmentSums lists the stages that need more than one run of leafRows.
func (d *Device) segmentSums(p *ir.Line) ([]segmentSum, error) {
	if p.Segments <= leafRows {
		return nil, nil
	}
	var sums []segmentSum
	for i, s := range p.Stages {
		if s.First == nil || p.Slots[s.Writes[0]].Kind != ir.LocalSlot {
			continue // one after the other will do for what no compiler makes
		}
		m := s.First.(*ir.Map)
		f, ok := foldOf(d.vec, s.Combine, p.Slots[s.Writes[0]].Type)
		if !ok {
			return nil, unsupported(p, s.Combine.String()+" over segments")
		}
		sums = append(sums, segmentSum{i, s.Writes[0], f, chunkRows(min(m.Dims[0], blockBytes/widest(&m.Code)))})
	}
	return sums, nil
}

// segmentTally is a segmentSum at work on a tile.
type segmentTally struct {
	within, chunks tally
	acc            unsafe.Pointer
	bytes          int
}

// beginSums makes a tally for each sum. Lines of a tile are apart by the pitch;
// what lies between them is added up too and means nothing.
func (r *lineRun) beginSums(s *scratch) {
	w := r.w
	r.tallies = resized(r.tallies, len(w.sums))
	for i := range w.sums {
		sum := &w.sums[i]
		n := w.tile * w.pitch(w.p.Slots[sum.slot])
		r.tallies[i] = segmentTally{
			within: tally{fold: &sum.fold, n: n, room: n, s: s},
			chunks: tally{fold: &sum.fold, n: n, room: n, s: s},
			acc:    r.start[sum.slot],
			bytes:  n * sum.fold.size,
		}
	}
}

// endSegment puts away what was accumulated where a run ends, and after the
// last segment leaves the whole sum in the accumulator.
func (r *lineRun) endSegment(segment int) {
	last := segment == r.w.p.Segments-1
	for i := range r.w.sums {
		t := &r.tallies[i]
		chunkEnds := last || (segment+1)%r.w.sums[i].chunk == 0
		if chunkEnds || (segment+1)%r.w.sums[i].chunk%leafRows == 0 {
			t.within.put(t.acc)
		}
		if chunkEnds {
			t.chunks.put(t.within.sum())
		}
		if last {
			copy(slice[byte](t.acc, t.bytes), slice[byte](t.chunks.sum(), t.bytes))
		}
	}
}

// startsRun reports whether a stage accumulates anew at a segment.
func (w *lineWork) startsRun(stage, segment int) bool {
	for i := range w.sums {
		if w.sums[i].stage == stage {
			return segment%w.sums[i].chunk%leafRows == 0
		}
	}
	return segment == 0
}
