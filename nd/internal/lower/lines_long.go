package lower

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// findLong is findGroup for an FFT whose lines do not stay on chip: it takes
// in one map before the FFT, which then runs in its first load, and one behind
// a real forward FFT, which runs in the pass that joins pairs of bins. Other
// transforms end in a sweep that scatters, with nothing to fuse into. It gives
// nil if there is nothing to gain.
func findLong(p *Plan, seed int, info device.Info) (*group, Step) {
	f, ok := p.Steps[seed].Program.(*kern.FFT)
	// The workers share a single complex line, but not one with maps around it.
	if !ok || !info.LongLines || f.Kind == kern.FFTComplex && kern.Count(f.Outer) < info.Workers {
		return nil, Step{}
	}
	before, behind := mapAt(p, p.Steps[seed].Reads[0], true), -1
	if f.Kind == kern.FFTRealForward {
		behind = mapAt(p, p.Steps[seed].Writes[0], false)
	}
	for _, take := range [][]int{{before, behind}, {before}, {behind}} {
		if slices.Contains(take, -1) {
			continue
		}
		g := newGroup(p, seed, device.Info{Workers: info.Workers})
		if g == nil {
			return nil, Step{}
		}
		var out []int
		for i := range p.Steps {
			if !slices.Contains(take, i) {
				out = append(out, i)
			}
		}
		if g.grow(out); len(g.members) < 1+len(take) {
			continue
		}
		step, _, err := g.build()
		if err == nil && step.Program.(*line.Program).Long() != nil {
			return g, step
		}
	}
	return nil, Step{}
}

// mapAt is the one step that writes a buffer, or reads it, if that is a map that
// does not ask where it is and there is no other; -1 otherwise.
func mapAt(p *Plan, buf int, write bool) int {
	found := -1
	for i, s := range p.Steps {
		list := s.Reads
		if write {
			list = s.Writes
		}
		if !slices.Contains(list, buf) {
			continue
		}
		if m, ok := s.Program.(*kern.Map); !ok || len(m.Positions) > 0 || found >= 0 {
			return -1
		}
		found = i
	}
	return found
}
