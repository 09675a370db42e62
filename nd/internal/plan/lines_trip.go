package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// findTrip is findGroup for a transform and its inverse whose lines do not stay
// on chip, on devices that take those through in a few passes. It leaves out maps
// before or behind the transforms where the device cannot have them. It gives nil
// if there is no such group.
func findTrip(p *Plan, u *uses, seed StepID, info device.Info) (*group, Step) {
	f, ok := p.Steps[seed].Program.(*ir.FFT)
	if !ok || info.RoundTrips == nil {
		return nil, Step{}
	}
	var ends [2]StepID // the first transform and the last
	may := func(i StepID) bool {
		_, isMap := p.Steps[i].Program.(*ir.Map)
		other, isFFT := p.Steps[i].Program.(*ir.FFT)
		return isMap || isFFT && other.N == f.N
	}
	for _, keep := range []struct{ before, behind bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
		g := newGroup(p, u, seed, device.Info{Workers: info.Workers})
		if g == nil {
			return nil, Step{}
		}
		if g.grow(func(i StepID) bool {
			return may(i) && (keep.before || i >= ends[0]) && (keep.behind || i <= ends[1])
		}); keep.before && keep.behind {
			if ends = g.transforms(); ends[0] == ends[1] {
				return nil, Step{}
			}
		}
		step, _, err := g.build()
		if err == nil && info.RoundTrips(step.Program.(*ir.Line)) {
			return g, step
		}
	}
	return nil, Step{}
}

// transforms are the first step of a group that is a transform, and the last.
func (g *group) transforms() [2]StepID {
	var all []StepID
	for _, m := range g.members {
		if isTransform(g.plan.Steps[m.step].Program) {
			all = append(all, m.step)
		}
	}
	return [2]StepID{slices.Min(all), slices.Max(all)}
}
