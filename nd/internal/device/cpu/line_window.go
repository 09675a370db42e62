package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// windowed is a transform of lines that lie side by side with the product by a
// window in front of it, or behind an inverse one: samples are multiplied on
// their way into the registers or out of them, by numbers that are the same in
// all lanes, and so need no row for each line. It binds the samples and the
// window, and the planes of the bins.
type windowed struct {
	*kern.FFT
	samples, window kern.Operand
}

// fuseWindows replaces products by a window and the transforms next to them,
// where can says that a transform has room for one.
func (s *planes) fuseWindows(can func(*kern.FFT) bool) {
	stages := s.to.Stages
	for i := range stages {
		f, ok := stages[i].Program.(*kern.FFT)
		if !ok || !can(f) {
			continue
		}
		inverse := f.Kind == kern.FFTRealInverse
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
		w.Each = stages[i].Each
		if inverse {
			w.Reads, w.Writes = append(slices.Clone(stages[i].Reads), w.Reads...), stages[at].Writes
		} else {
			w.Writes = stages[i].Writes
		}
		stages[i], stages[at].Program = *w, nil
	}
	s.to.Stages = slices.DeleteFunc(stages, func(st line.Stage) bool { return st.Program == nil })
	s.spreads = slices.DeleteFunc(s.spreads, func(st *line.Stage) bool {
		return !slices.ContainsFunc(st.Writes, func(slot int) bool {
			return slices.ContainsFunc(s.to.Stages, func(user line.Stage) bool { return slices.Contains(user.Reads, slot) })
		})
	})
}

// product is the stage next to transform i, the only other one that touches the
// slot between them, or -1.
func (s *planes) product(i, between int, inverse bool) int {
	stages := s.to.Stages
	at := i - 1
	if inverse {
		at = i + 1
	}
	if at < 0 || at >= len(stages) || stages[at].Each != stages[i].Each || stages[at].First != nil || s.to.Slots[between].Kind != line.Local {
		return -1
	}
	for k, st := range stages {
		if k != i && k != at && (slices.Contains(st.Reads, between) || slices.Contains(st.Writes, between)) {
			return -1
		}
	}
	return at
}

// windowedBy is the transform with the product of a stage, nil if that is
// something else than a line times a window: the line begins at offset of its
// slot.
func (s *planes) windowedBy(st *line.Stage, f *kern.FFT, slot, offset int, inverse bool) *line.Stage {
	m, ok := st.Program.(*kern.Map)
	if !ok || len(m.Instrs) != 3 || len(m.Out) != 1 || m.Value[0] != 2 || m.Dims[0] != f.N {
		return nil
	}
	a, b, mul := m.Instrs[0], m.Instrs[1], m.Instrs[2]
	if a.Kind != kern.Load || b.Kind != kern.Load || mul.Kind != kern.Apply || mul.Op != scalar.Mul || mul.A == mul.B {
		return nil
	}
	out := &m.Out[0]
	for _, k := range [2]int{a.Slot, b.Slot} {
		x, w := &m.In[k], &m.In[a.Slot+b.Slot-k]
		from := s.spreadFrom(st.Reads[a.Slot+b.Slot-k])
		if a.Slot == b.Slot || from < 0 || w.Strides[0] != 1 || x.Strides[0] != 1 || out.Strides[0] != 1 {
			continue
		}
		p := &windowed{FFT: f, samples: *x, window: *w}
		between := out
		if inverse {
			p.samples, between = *out, x
			if st.Reads[k] != slot || s.to.Slots[st.Writes[0]].Kind != line.Local {
				continue
			}
		} else if st.Writes[0] != slot || st.Reads[k] == slot {
			continue
		}
		if between.Offset != offset {
			continue
		}
		next := &line.Stage{Program: p, Reads: []int{from}}
		if !inverse {
			next.Reads = []int{st.Reads[k], from}
		}
		return next
	}
	return nil
}

// spreadFrom is the input that fills a shared slot, -1 if it is none.
func (s *planes) spreadFrom(slot int) int {
	for _, st := range s.spreads {
		if len(st.Writes) == 1 && st.Writes[0] == slot {
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
	f := &windowedFFT{plan: d.newBeside(p.FFT, w.tile), inverse: p.Kind == kern.FFTRealInverse,
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
