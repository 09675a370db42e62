package sched

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/plan"
)

// Pass is a plan on its way: what it is after a pass of the compiler.
type Pass struct {
	Name    string
	Profile cost.Profile
	Steps   []string
}

// Passes plans the nodes, all on one device, and reports the plan after every
// pass. Nothing is launched.
func (e *Engine) Passes(nodes []*graph.Node) ([]Pass, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w, err := e.walkToPlan(nodes)
	defer w.done()
	if err != nil {
		return nil, err
	}
	d := w.dev
	var list []Pass
	_, err = plan.Make(w.lowerGraph(nodes), d.info, plan.Options{InOrder: w.inParts, Watch: func(name string, p *plan.Plan) {
		pass := Pass{Name: name}
		for i := range p.Steps {
			s := &p.Steps[i]
			pass.Profile.Launch(s.Program, d.info.Figures)
			pass.Steps = append(pass.Steps, fmt.Sprintf("%-7s %v  %s -> %s  %s", s.Program.Name(), s.Program.Extent(), bufferList(p, s.Reads), bufferList(p, s.Writes), s.Label))
		}
		list = append(list, pass)
	}})
	return list, err
}

func bufferList(p *plan.Plan, buffers []plan.BufferID) string {
	return strings.Join(lists.Map(buffers, func(b plan.BufferID) string { return bufferName(p, b) }), " ")
}
