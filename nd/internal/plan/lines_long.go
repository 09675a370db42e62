package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
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
		if err == nil && step.Program.(*ir.Line).Long() != nil {
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
