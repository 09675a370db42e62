package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
)

// heldStore is lines that a copy stores across a buffer. They wait on chip until there
// are many of them: a tile of long lines is a few elements of every row of the buffer,
// and rows are far apart, so that no prefetching hides what bringing them takes.
type heldStore struct {
	stage    int // the copy
	from, to ir.SlotID
	n        int // elements of a line
	step     int // between them in the buffer
	offset   int // of the first
	pitch    int // between lines on chip
	size     int // bytes of an element
}

const (
	// heldBytes is how much the lines that wait may take: a part of a second-level cache.
	heldBytes = 512 << 10
	// heldRun is the bytes of a row from which on longer ones are no faster.
	heldRun = 4 << 10
)

// findHeld finds the copies whose lines can wait.
func (w *lineWork) findHeld() {
	if w.beside || len(w.overlaps) > 0 {
		return
	}
	for i := range w.p.Stages {
		if h, ok := w.heldBy(i); ok {
			w.held = append(w.held, h)
		}
	}
}

// countHeld chooses how many lines wait: whole tiles.
func (w *lineWork) countHeld() {
	if len(w.held) == 0 {
		return
	}
	perLine, run := 0, heldRun
	for _, h := range w.held {
		perLine += h.pitch * h.size
		run = min(run, heldRun/h.size)
	}
	lines := min(heldBytes/perLine, run, w.columns)
	w.heldLines = max(lines/w.tile, 1) * w.tile
}

// heldBy is stage i as a copy of lines that only it reads, to where no other stage
// reads or writes: that would not find what waits.
func (w *lineWork) heldBy(i int) (heldStore, bool) {
	s := &w.p.Stages[i]
	m, ok := s.Program.(*ir.Map)
	if !ok || s.Each || s.First != nil || !linepass.IsCopy(m) || !linepass.IsAcross(w.p, s.Writes[0]) || w.p.Slots[s.Reads[0]].Kind != ir.LocalSlot {
		return heldStore{}, false
	}
	in, out := m.In[0], m.Out[0]
	if in.Offset != 0 || in.Strides[0] != 1 || out.Strides[0] < 2 {
		return heldStore{}, false
	}
	touched := 0
	for k, other := range w.p.Stages {
		if k != i && (slices.Contains(other.Reads, s.Reads[0]) || slices.Contains(other.Reads, s.Writes[0]) || slices.Contains(other.Writes, s.Writes[0])) {
			return heldStore{}, false
		}
		for _, slot := range other.Writes {
			if slot == s.Reads[0] {
				touched++
				if other.Each || k > i {
					return heldStore{}, false
				}
			}
		}
	}
	slot := w.p.Slots[s.Reads[0]]
	return heldStore{stage: i, from: s.Reads[0], to: s.Writes[0], n: m.Dims[0], step: out.Strides[0], offset: out.Offset, pitch: w.pitch(slot), size: slot.Type.Size()}, touched == 1
}

// isHeld reports a slot whose lines wait.
func (w *lineWork) isHeld(slot ir.SlotID) bool {
	return slices.ContainsFunc(w.held, func(h heldStore) bool { return h.from == slot })
}

// storesHeld reports a slot in a buffer that lines wait for.
func (w *lineWork) storesHeld(slot ir.SlotID) bool {
	return slices.ContainsFunc(w.held, func(h heldStore) bool { return h.to == slot })
}

// waits reports a stage whose lines wait: flush does its work.
func (w *lineWork) waits(stage int) bool {
	return slices.ContainsFunc(w.held, func(h heldStore) bool { return h.stage == stage })
}

// placeHeld gives the lines that wait their places, behind all others.
func (w *lineWork) placeHeld() {
	for i := range w.held {
		h := &w.held[i]
		w.memory = (w.memory + alignment - 1) &^ (alignment - 1)
		w.base[h.from] = w.memory
		w.memory += w.heldLines * h.pitch * h.size
	}
}

// wait puts the lines of a tile behind those that wait.
func (r *lineRun) wait() {
	w := r.w
	if r.waiting == 0 {
		r.heldTo = resized(r.heldTo, len(w.held))
	}
	for i := range w.held {
		h := &w.held[i]
		if r.waiting == 0 {
			r.heldTo[i] = unsafe.Add(r.start[h.to], h.offset*h.size)
		}
		r.start[h.from] = unsafe.Add(r.chip, w.base[h.from]+r.waiting*h.pitch*h.size)
	}
}

// flush stores the lines that wait.
func (r *lineRun) flush() {
	w := r.w
	if r.waiting == 0 {
		return
	}
	for i := range w.held {
		h := &w.held[i]
		from := unsafe.Add(r.chip, w.base[h.from])
		w.move.Transpose(h.size, r.heldTo[i], from, h.step, h.pitch, r.waiting, h.n, false)
	}
	r.waiting = 0
}
