package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

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

func (d *Device) compileWindowed(w *lineWork, p *ir.FFT, reads, writes []ir.SlotID, lines int) work {
	size := p.Window.Type.Size()
	f := &windowedFFT{plan: d.newBeside(p, w.tile), inverse: p.Kind == ir.FFTRealInverse,
		window: p.Window.Offset * size, step: 1}
	slot, samples, bins := reads[0], p.In, p.Out
	if f.inverse {
		slot, samples, bins = writes[0], p.Out, p.In
	}
	f.bins = bins.Offset * w.tile * size
	if w.onChip(slot) {
		f.step = w.row(slot)
	} else if lines < w.tile {
		f.copied = &copiedRows{p.N, lines * size, size, w.tile * size}
	}
	f.samples = samples.Offset * f.step * size
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
