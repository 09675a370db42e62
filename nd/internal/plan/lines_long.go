package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// findLong is findGroup for an FFT whose lines do not stay on chip: it takes
// in one map before the FFT, which then runs in its first load, and one behind
// a real forward FFT, which runs in the pass that joins pairs of bins. Other
// transforms end in a sweep that scatters, with nothing to fuse into. It gives
// nil if there is nothing to gain.
func findLong(p *Plan, u *uses, seed StepID, info device.Info) (*group, Step) {
	f, ok := p.Steps[seed].Program.(*ir.FFT)
	// The workers share a map, and a single complex line, but not a line with maps around it.
	if !ok || !info.LongLines || ir.Count(f.Outer) < info.Workers {
		return nil, Step{}
	}
	before, behind := mapAt(p, u.writers[p.Steps[seed].Reads[0]]), StepID(-1)
	if f.Kind == ir.FFTRealForward {
		behind = mapAt(p, u.readers[p.Steps[seed].Writes[0]])
	}
	for _, take := range [][]StepID{{before, behind}, {before}, {behind}} {
		if slices.Contains(take, -1) {
			continue
		}
		g := newGroup(p, u, seed, device.Info{Workers: info.Workers})
		if g == nil {
			return nil, Step{}
		}
		if g.grow(func(i StepID) bool { return slices.Contains(take, i) }); len(g.members) < 1+len(take) {
			continue
		}
		step, _, err := g.build()
		if line, ok := step.Program.(*ir.Line); err == nil && ok && line.Long() != nil && broughtAgain(line) <= sparedBytes(line) {
			return g, step
		}
	}
	return nil, Step{}
}

// mapAt is the one step of a list, if that is a map that does not ask where it is
// and there is no other; -1 otherwise.
func mapAt(p *Plan, steps []StepID) StepID {
	if len(steps) != 1 {
		return -1
	}
	if m, ok := p.Steps[steps[0]].Program.(*ir.Map); !ok || len(m.Positions) > 0 {
		return -1
	}
	return steps[0]
}

// broughtAgain is how many bytes of a line are brought once more because lines that are
// neighbours in a buffer share its cache lines, and long lines come one at a time. Those
// that are written also come back. 16 columns of 65536 float64, transformed and multiplied,
// took 2.8 times as long as one after the other.
func broughtAgain(p *ir.Line) int {
	const cacheLine = 64 // bytes
	bytes := 0
	for _, s := range p.Stages {
		reads, writes := ir.Reads(s.Program), ir.Writes(s.Program)
		for i, at := range slices.Concat(s.Reads, s.Writes) {
			slot, o, times := &p.Slots[at], ir.Operand{}, 1
			if i < len(reads) {
				o = reads[i]
			} else {
				o, times = writes[i-len(reads)], 2
			}
			step, size := abs(o.Strides[0]), slot.Type.Size()
			if slot.OnChip() || step <= 1 {
				continue
			}
			n := (slot.Len-1)/step + 1
			for k, apart := range slot.Strides {
				if apart = abs(apart); apart > 0 && apart < step && apart*size < cacheLine {
					bytes += times * n * size * (min(p.Outer[k], cacheLine/(apart*size)) - 1)
				}
			}
		}
	}
	return bytes
}

// sparedBytes is how many bytes of a line no longer go to memory and back.
func sparedBytes(p *ir.Line) int {
	return lists.Sum(p.Slots, func(s ir.Slot) int {
		if !s.OnChip() {
			return 0
		}
		return 2 * s.Len * s.Type.Size()
	})
}
