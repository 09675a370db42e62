package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// A reduction along lines whose result goes back into the same lines, as in a softmax or a
// variance, reads memory once for itself and once more for what follows. As stages of one line
// program they read it once.

// hasRows reports a reduction that a line program may grow from.
func hasRows(p *Plan, info device.Info) bool {
	return info.Rows != nil && slices.ContainsFunc(p.Steps, func(s Step) bool { return isRow(s.Program) })
}

// isRow reports a reduction along lines whose elements are neighbours in memory: it has the same
// bits in a line program.
func isRow(p ir.Program) bool {
	r, ok := p.(*ir.Reduce)
	if !ok || r.Inner != 1 || len(r.Positions)+len(r.Post.Positions) > 0 || r.Op == ir.ArgMax || r.Op == ir.ArgMin {
		return false
	}
	lies, last := r.Layout(), len(r.Dims)-1
	return r.Dims[last] > 1 && lies != nil && abs(lies[last]) == 1
}

// fuseRows replaces the group of maps and reductions around the reduction at seed, if that is
// cheaper.
func fuseRows(p *Plan, u *uses, seed StepID, info device.Info, refuses func(*ir.Line) error) bool {
	if info.Rows == nil || !isRow(p.Steps[seed].Program) {
		return false
	}
	g, step := findGroup(p, u, seed, isRowStage, info, refuses)
	if g == nil {
		return false
	}
	line := step.Program.(*ir.Line)
	if !info.Rows(line) {
		return false
	}
	apart := lists.Sum(g.members, func(m member) float64 { return cost.Rank(p.Steps[m.step].Program, info.Figures) })
	if cost.Rank(line, info.Figures) >= apart {
		return false
	}
	g.replace(step)
	return true
}

// isRowStage reports the programs that such a line program is made of.
func isRowStage(p ir.Program) bool {
	_, maps := p.(*ir.Map)
	r, reduces := p.(*ir.Reduce)
	return maps || reduces && r.Op != ir.ArgMax && r.Op != ir.ArgMin
}
