package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// windowed is a transform of lines that lie side by side with the product by a
// window in front of it, or behind an inverse one: samples are multiplied on
// their way into the registers or out of them, by numbers that are the same in
// all lanes, and so need no row for each line. It binds the samples and the
// window, and the planes of the bins.
type windowed struct {
	*ir.FFT
	samples, window ir.Operand
}

// fuseWindows replaces products by a window and the transforms next to them,
// where can says that a transform has room for one.
func (s *planes) fuseWindows(can func(*ir.FFT) bool) {
	stages := s.to.Stages
	for i := range stages {
		f, ok := stages[i].Program.(*ir.FFT)
		if !ok || !can(f) {
			continue
		}
		inverse := f.Kind == ir.FFTRealInverse
		between, o := stages[i].Reads[0], f.In
		if inverse {
			between, o = stages[i].Writes[0], f.Out
		}
		at := s.product(i, between, inverse)
		if at < 0 {
			continue
		}
		w := s.windowedBy(&stages[at], f, between, o.Offset, inverse)
		if w == nil {
			continue
		}
		w.Each, w.Writes = stages[i].Each, stages[i].Writes
		if inverse {
			w.Reads, w.Writes, between = slices.Concat(stages[i].Reads, w.Reads), stages[at].Writes, stages[at].Writes[0]
		}
		stages[i], stages[at] = *w, without(stages[at], between)
	}
	s.to.Stages = slices.DeleteFunc(stages, func(st ir.Stage) bool { return len(st.Writes) == 0 })
	s.spreads = slices.DeleteFunc(s.spreads, func(st *ir.Stage) bool {
		return !slices.ContainsFunc(st.Writes, func(slot int) bool {
			return slices.ContainsFunc(s.to.Stages, func(user ir.Stage) bool { return slices.Contains(user.Reads, slot) })
		})
	})
}

// product is the only other stage that touches the slot between it and transform
// i, if it can run together with that; else -1.
func (s *planes) product(i, between int, inverse bool) int {
	stages := s.to.Stages
	touches := func(st ir.Stage) bool {
		return slices.Contains(st.Reads, between) || slices.Contains(st.Writes, between)
	}
	at := slices.IndexFunc(stages, touches)
	if at == i {
		at = i + 1 + slices.IndexFunc(stages[i+1:], touches)
	}
	if at == i || inverse != (at > i) || slices.ContainsFunc(stages[max(i, at)+1:], touches) || !s.passes(&stages[at], min(i, at)+1, max(i, at)) ||
		stages[at].Each != stages[i].Each || stages[at].First != nil || s.to.Slots[between].Kind != ir.LocalSlot {
		return -1
	}
	return at
}

// windowedBy is the transform with the product of a stage, nil if that is
// something else than a line times a window. The slot between them holds the line
// from offset on.
func (s *planes) windowedBy(st *ir.Stage, f *ir.FFT, between, offset int, inverse bool) *ir.Stage {
	m, ok := st.Program.(*ir.Map)
	if !ok || m.Dims[0] != f.N {
		return nil
	}
	o := 0
	if !inverse {
		o = slices.Index(st.Writes, between)
	} else if len(m.Out) > 1 || s.to.Slots[st.Writes[0]].Kind != ir.LocalSlot {
		return nil
	}
	mul := m.Instrs[m.Value[o]]
	if mul.Kind != ir.Apply || mul.Op != scalar.Mul || m.Instrs[mul.A].Kind != ir.Load || m.Instrs[mul.B].Kind != ir.Load {
		return nil
	}
	out, factors := m.Out[o], [2]int{m.Instrs[mul.A].Slot, m.Instrs[mul.B].Slot}
	for i, k := range factors {
		x, w := m.In[k], m.In[factors[1-i]]
		window := s.spreadFrom(st.Reads[factors[1-i]])
		if window < 0 || w.Strides[0] != 1 || x.Strides[0] != 1 || out.Strides[0] != 1 {
			continue
		}
		switch {
		case inverse && st.Reads[k] == between && x.Offset == offset:
			return &ir.Stage{Program: &windowed{f, out, w}, Reads: []int{window}}
		case !inverse && out.Offset == offset:
			return &ir.Stage{Program: &windowed{f, x, w}, Reads: []int{st.Reads[k], window}}
		}
	}
	return nil
}

// without is a map that does not write to a slot.
func without(st ir.Stage, slot int) ir.Stage {
	m := *st.Program.(*ir.Map)
	o := slices.Index(st.Writes, slot)
	m.Out, m.Value = slices.Delete(slices.Clone(m.Out), o, o+1), slices.Delete(slices.Clone(m.Value), o, o+1)
	st.Program, st.Writes = &m, slices.Delete(slices.Clone(st.Writes), o, o+1)
	return st
}

// spreadFrom is the input that fills a shared slot with all of its elements, -1 if
// there is none.
func (s *planes) spreadFrom(slot int) int {
	for _, st := range s.spreads {
		if len(st.Writes) == 1 && st.Writes[0] == slot && s.grid[st.Reads[0]].step == 1 {
			return st.Reads[0]
		}
	}
	return -1
}

// windowedFFT runs a windowed transform on the lines of a tile.
type windowedFFT struct {
	plan            besidePlan
	inverse         bool
	samples, window int // offsets in bytes
	bins            int
	step            int // from row to row of samples, in elements
	// copied is set for a tile that is not whole and whose samples are in a
	// buffer, where there may be nothing behind them: rows of them come on chip
	// first.
	copied *copiedRows
}

type copiedRows struct{ rows, bytes, step, tile int }

func (d *Device) compileWindowed(w *lineWork, p *windowed, reads, writes []int, lines int) work {
	size := p.window.Type.Size()
	f := &windowedFFT{plan: d.newBeside(p.FFT, w.tile), inverse: p.Kind == ir.FFTRealInverse,
		window: p.window.Offset * size, step: 1}
	slot, bins := reads[0], p.Out
	if f.inverse {
		slot, bins = writes[0], p.In
	}
	f.bins = bins.Offset * w.tile * size
	if w.onChip(slot) {
		f.step = w.row(slot)
	} else if lines < w.tile {
		f.copied = &copiedRows{p.N, lines * size, size, w.tile * size}
	}
	f.samples = p.samples.Offset * f.step * size
	if f.copied != nil {
		f.step = w.tile
	}
	return f
}

func (f *windowedFFT) run(l *launch) error {
	if f.inverse {
		f.plan.RunWindowed(unsafe.Add(l.mem[3], f.samples), unsafe.Add(l.mem[0], f.bins), unsafe.Add(l.mem[1], f.bins), unsafe.Add(l.mem[2], f.window), f.step)
		return nil
	}
	samples := unsafe.Add(l.mem[0], f.samples)
	if c := f.copied; c != nil {
		chip := l.s.pointer(c.rows * c.tile)
		clear(slice[byte](chip, c.rows*c.tile))
		for j := range c.rows {
			copy(slice[byte](unsafe.Add(chip, j*c.tile), c.bytes), slice[byte](unsafe.Add(samples, j*c.step), c.bytes))
		}
		samples = chip
	}
	f.plan.RunWindowed(samples, unsafe.Add(l.mem[2], f.bins), unsafe.Add(l.mem[3], f.bins), unsafe.Add(l.mem[1], f.window), f.step)
	return nil
}
