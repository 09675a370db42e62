package sched

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/plan"
)

// Report describes a schedule.
type Report struct {
	Device  string
	Profile cost.Profile
	Unfused cost.Profile // with a program per operation
	Memory  int          // bytes of all slots
	Steps   []StepReport
	Notes   []string
	Copies  []Copy   // from other devices, before the steps
	Again   []string // what was computed before, and was not kept
}

// Copy is elements that come from another device.
type Copy struct {
	From  string
	Bytes int
}

// StepReport describes a step.
type StepReport struct {
	Program string
	Label   string
	Stream  int
	Dims    []int
	Stages  []string // of a line program
	Reads   []string // buffers: in0, t0, out0
	Writes  []string
	Adds    bool
	InPlace bool
	Waits   []int // steps of other streams that must be done
	Bytes   int
	Ops     float64
	Ns      float64
	Fused   []string // the operations computed, in order
	Why     string   // why the result is stored
}

// Explain plans the nodes, all on one device, as an evaluation would, and
// reports what it would do. Nothing is launched; what is to come from another
// device counts as there.
func (e *Engine) Explain(nodes []*graph.Node) (*Report, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	w, err := e.walkToPlan(nodes)
	defer w.done()
	if err != nil {
		return nil, err
	}
	d := w.dev
	s, err := e.scheduleFor(w, nodes)
	if err != nil {
		return nil, err
	}
	g := w.lowerGraph(nodes)
	r := &Report{Device: d.info.Name, Profile: s.profile(), Notes: s.plan.Notes, Again: w.again()}
	unfused, err := plan.Make(g, d.info, plan.Options{MaxOps: 1})
	if err != nil {
		return nil, err
	}
	for i := range unfused.Steps {
		r.Unfused.Launch(unfused.Steps[i].Program, d.info.Figures)
	}
	if r.Copies, err = e.copies(w.transfers); err != nil {
		return nil, err
	}
	r.Profile.Sync(len(r.Copies), d.info.Figures)
	r.Unfused.Sync(r.Profile.SyncPoints, d.info.Figures)
	r.Unfused.HostOutputBytes = r.Profile.HostOutputBytes
	for i := range s.slots {
		if s.slots[i].leaf < 0 {
			r.Memory += s.slots[i].bytes
		}
	}
	recorder := make([]int, s.events)
	for i := range s.steps {
		if ev := s.steps[i].record; ev >= 0 {
			recorder[ev] = i
		}
		r.Steps = append(r.Steps, s.report(i, g, recorder))
	}
	return r, nil
}

// walkToPlan walks nodes, all on one device, for a plan that is not run. The caller
// ends the walk.
func (e *Engine) walkToPlan(nodes []*graph.Node) (*walker, error) {
	w := &e.walk
	d, err := e.device(nodes[0].Device)
	if err != nil {
		return w, err
	}
	w.begin(d)
	w.planning = true
	return w, w.addAll(context.Background(), nodes)
}

// copies is what Transfer nodes wait for. The host waits for each of them.
func (e *Engine) copies(nodes []*graph.Node) ([]Copy, error) {
	var list []Copy
	for _, n := range nodes {
		from, err := e.device(n.In()[0].Device)
		if err != nil {
			return nil, err
		}
		list = append(list, Copy{From: from.info.Name, Bytes: n.Len() * n.Type.Size()})
	}
	return list, nil
}

func (s *schedule) report(i int, g *plan.Graph, recorder []int) StepReport {
	p, st := &s.plan.Steps[i], &s.steps[i]
	f := s.dev.info.Figures
	r := StepReport{
		Program: p.Program.Name(), Label: p.Label, Stream: p.Stream, Dims: p.Program.Extent(), Adds: p.Adds,
		Bytes: cost.Traffic(p.Program), Ops: p.Program.Ops(), Ns: cost.Ns(p.Program, f), Why: p.Why,
	}
	switch q := p.Program.(type) {
	case *ir.Line:
		r.Stages = q.StageTexts()
	case *ir.Batch:
		r.Stages = append(r.Stages, lists.Map(q.Programs, func(one ir.Program) string { return fmt.Sprintf("%s %v", one.Name(), one.Extent()) })...)
	}
	for _, b := range p.Reads {
		r.Reads = append(r.Reads, bufferName(s.plan, b))
		r.InPlace = r.InPlace || s.slotOf[b] >= 0 && s.slotOf[b] == s.slotOf[p.Writes[0]]
	}
	for _, b := range p.Writes {
		r.Writes = append(r.Writes, bufferName(s.plan, b))
		r.InPlace = r.InPlace || s.slots[s.slotOf[b]].leaf >= 0
	}
	r.Waits = append(r.Waits, lists.Map(st.waits, func(ev int32) int { return recorder[ev] })...)
	for _, n := range p.Nodes {
		node := g.Nodes[n]
		what := node.Op.String()
		if node.Attr != nil {
			what += " " + node.Attr.String()
		}
		r.Fused = append(r.Fused, fmt.Sprintf("%s -> %s %v", what, node.Type, node.Shape))
	}
	return r
}

// bufferName calls leaves in0, in1, ..., results out and others t.
func bufferName(p *plan.Plan, b plan.BufferID) string {
	if p.Buffers[b].Leaf {
		return fmt.Sprintf("in%d", b)
	}
	for i, r := range p.Results {
		if r.Buffer == b {
			return fmt.Sprintf("out%d", i)
		}
	}
	return fmt.Sprintf("t%d", b)
}
