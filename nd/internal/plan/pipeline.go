package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// pass is a named change of a plan.
type pass struct {
	name string
	run  func(*making) error
}

// pipeline is the passes, in the order in which they run.
var pipeline = []pass{
	{"emit", emitPass},         // one program, or a few, for every node that is stored
	{"dead", deadPass},         // drop steps that no result needs
	{"merge", mergePass},       // join maps that walk the same elements
	{"lines", linesPass},       // join steps along lines into line programs
	{"remake", remakePass},     // compute again what would cross between launches
	{"simplify", simplifyPass}, // drop and join dimensions, drop unused buffers
	{"choose", choosePass},     // keep line programs only where they are cheaper
	{"batch", batchPass},       // join small steps into one launch
}

// making is a plan on its way through the passes.
type making struct {
	graph *Graph
	info  device.Info
	opt   Options
	plan  *Plan
	apart *Plan // the plan without line programs, where there are any
	fused int   // line programs
}

// Make plans a graph: with line programs where they are predicted to be
// cheaper, without otherwise. The graph has no Transfer nodes but as leaves.
func Make(g *Graph, info device.Info, opt Options) (*Plan, error) {
	if opt.MaxOps <= 0 {
		opt.MaxOps = defaultMaxOps
	}
	m := &making{graph: g, info: info, opt: opt}
	for _, p := range pipeline {
		if err := p.run(m); err != nil {
			return nil, err
		}
		if opt.Watch != nil {
			opt.Watch(p.name, m.plan)
		}
	}
	return m.plan, nil
}

// Passes lists the names of the passes, in their order.
func Passes() []string {
	names := make([]string, len(pipeline))
	for i, p := range pipeline {
		names[i] = p.name
	}
	return names
}

func emitPass(m *making) error {
	across := make([]bool, len(m.graph.Nodes))
	for {
		r, err := findRegions(m.graph, m.info.Figures, m.opt.MaxOps, across)
		if err != nil {
			return err
		}
		if e := emitRegions(m.graph, r); !e.again {
			m.plan = e.plan
			return nil
		}
	}
}

func deadPass(m *making) error {
	dropDead(m.plan)
	return nil
}

func mergePass(m *making) error {
	if m.opt.MaxOps > 1 {
		mergeMaps(m.plan, m.opt.MaxOps)
	}
	for i := range m.plan.Steps {
		m.plan.Steps[i].parts = []StepID{StepID(i)}
	}
	return nil
}

func linesPass(m *making) error {
	if m.opt.NoLines || m.opt.MaxOps == 1 || m.info.LineBytes == 0 || !hasTransform(m.plan) {
		return nil
	}
	m.apart = m.plan.Clone()
	m.fused = fuseLines(m.plan, m.info)
	return nil
}

// remakePass starts from the plan before fusion and keeps the result if that is
// cheaper.
func remakePass(m *making) error {
	if m.apart == nil {
		return nil
	}
	p := m.apart.Clone()
	if !remake(p, m.plan, m.info.Figures, m.opt.MaxOps) {
		return nil
	}
	fuseLines(p, m.info)
	if p.Ns(m.info.Figures) < m.plan.Ns(m.info.Figures) {
		m.plan = p
	}
	return nil
}

func simplifyPass(m *making) error {
	simplify(m.plan)
	if m.apart != nil {
		simplify(m.apart)
	}
	return nil
}

func choosePass(m *making) error {
	if m.apart == nil {
		return nil
	}
	with, without := m.plan.Ns(m.info.Figures), m.apart.Ns(m.info.Figures)
	if m.fused > 0 && with <= without {
		return nil
	}
	notes := m.plan.Notes
	if m.fused > 0 {
		notes = append(notes, fmt.Sprintf("line programs would cost %.1f us more", (with-without)/1000))
	}
	m.plan, m.apart.Notes = m.apart, notes
	return nil
}

func batchPass(m *making) error {
	if m.info.Batches && m.opt.MaxOps > 1 && !m.opt.InOrder {
		batch(m.plan, m.info.Figures)
	}
	return nil
}

// simplify simplifies the programs and drops the buffers that fusing left
// without a use.
func simplify(p *Plan) {
	used := make([]bool, len(p.Buffers))
	for i := range p.Steps {
		ir.Simplify(p.Steps[i].Program)
		for _, b := range slices.Concat(p.Steps[i].Reads, p.Steps[i].Writes) {
			used[b] = true
		}
	}
	number := make([]BufferID, len(p.Buffers))
	var keep []Buffer
	for i, b := range p.Buffers {
		number[i] = BufferID(len(keep))
		if b.Leaf || used[i] {
			b.pad = nil // it names buffers by their old numbers
			keep = append(keep, b)
		}
	}
	p.Buffers = keep
	for i := range p.Steps {
		for _, list := range [][]BufferID{p.Steps[i].Reads, p.Steps[i].Writes} {
			for k, b := range list {
				list[k] = number[b]
			}
		}
	}
	for i := range p.Results {
		p.Results[i].Buffer = number[p.Results[i].Buffer]
	}
}
