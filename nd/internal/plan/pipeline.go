package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
)

// pass is a named change of a plan.
type pass struct {
	name string
	run  func(*making)
}

// pipeline is the passes, in the order in which they run.
var pipeline = []pass{
	{"emit", emitPass},         // one program, or a few, for every node that is stored
	{"dead", deadPass},         // drop steps that no result needs
	{"merge", mergePass},       // join maps that walk the same elements
	{"lines", linesPass},       // join steps along lines into line programs
	{"remake", remakePass},     // compute again what would cross between launches
	{"pairs", pairsPass},       // take segments whose powers are added up two at a time
	{"filters", filtersPass},   // let fast convolutions transform their filters themselves
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
	err   error // the graph has no plan
}

// Make plans a graph: with line programs where they are predicted to be
// cheaper, without otherwise. The graph has no Transfer nodes but as leaves.
func Make(g *Graph, info device.Info, opt Options) (*Plan, error) {
	if opt.MaxOps <= 0 {
		opt.MaxOps = defaultMaxOps
	}
	if opt.InOrder {
		info.Rows = nil // a step that joins others runs where the last of them did, and holds what the first need until then
	}
	m := &making{graph: g, info: info, opt: opt}
	for _, p := range pipeline {
		if p.run(m); m.err != nil {
			return nil, m.err
		}
		if opt.Watch != nil {
			opt.Watch(p.name, m.plan)
		}
	}
	return m.plan, nil
}

func emitPass(m *making) {
	across := make([]bool, len(m.graph.Nodes))
	for {
		r, err := findRegions(m.graph, m.info, m.opt.MaxOps, across)
		if err != nil {
			m.err = err
			return
		}
		if e := emitRegions(m.graph, r); !e.again {
			m.plan = e.plan
			return
		}
	}
}

func deadPass(m *making) { dropDead(m.plan) }

func mergePass(m *making) {
	if m.opt.MaxOps > 1 {
		mergeMaps(m.plan, m.opt.MaxOps)
	}
	m.plan.number()
}

// number says of every step that it is itself before fusion.
func (p *Plan) number() {
	for i := range p.Steps {
		p.Steps[i].parts = []StepID{StepID(i)}
	}
}

func linesPass(m *making) {
	if m.opt.NoLines || m.opt.MaxOps == 1 || m.info.LineBytes == 0 {
		return
	}
	if hasTransform(m.plan) {
		m.apart = m.plan.Clone()
	} else if !hasRows(m.plan, m.info) { // rows have been compared with their steps
		return
	}
	m.fused = fuseLines(m.plan, m.info, m.opt.Refuses)
}

// remakePass starts from the plan before fusion and keeps the result if that is
// cheaper.
func remakePass(m *making) {
	if m.apart == nil {
		return
	}
	fused, apart := m.plan, m.apart
	cheaper := func(p *Plan) bool { return p.Ns(m.info.Figures) < m.plan.Ns(m.info.Figures) }
	try := func(p *Plan, better func(*Plan) bool) {
		var before *Plan
		if m.info.QuarterBins != nil {
			p.number()
			before = p.Clone()
		}
		if fuseLines(p, m.info, m.opt.Refuses); better(p) {
			m.plan, apart = p, before
		}
	}
	if p := m.apart.Clone(); remake(p, fused, m.info.Figures, m.opt.MaxOps) {
		try(p, cheaper)
	}
	if m.info.RepeatBytes > 0 {
		if p := repeat(m.apart, fused); p != nil {
			try(p, func(p *Plan) bool { return fewerStores(p, m.plan, m.info) })
		}
		if p := ownSpectra(m.apart, fused, m.info.Figures); p != nil {
			try(p, cheaper)
		}
	}
	if m.info.QuarterBins != nil {
		if p := quarterBins(apart, m.plan, m.info.QuarterBins); p != nil {
			p.quarterRows(m.info.QuarterRows)
			try(p, cheaper)
		}
	}
}

// pairsPass takes segments two at a time where the device says that this is faster. Bits
// depend on whether it is done.
func pairsPass(m *making) {
	if m.info.PairSegments == nil {
		return
	}
	for i := range m.plan.Steps {
		s := &m.plan.Steps[i]
		line, ok := s.Program.(*ir.Line)
		if !ok {
			continue
		}
		pairs := linepass.PairSegments(line, func(f *ir.FFT) bool { return m.info.PairSegments(f.N, line.Segments, line.Lines()) })
		if pairs != line && pairs.LocalBytes() <= m.info.LineBytes && (m.opt.Refuses == nil || m.opt.Refuses(pairs) == nil) {
			s.Program = pairs
		}
	}
}

func simplifyPass(m *making) {
	simplify(m.plan)
	if m.apart != nil {
		simplify(m.apart)
	}
}

func choosePass(m *making) {
	if m.apart == nil {
		return
	}
	with, without := m.plan.Ns(m.info.Figures), m.apart.Ns(m.info.Figures)
	if m.fused > 0 && with <= without {
		return
	}
	notes := m.plan.Notes
	if m.fused > 0 {
		notes = append(notes, fmt.Sprintf("line programs would cost %.1f us more", (with-without)/1000))
	}
	m.plan, m.apart.Notes = m.apart, notes
}

func batchPass(m *making) {
	if m.info.Batches && m.opt.MaxOps > 1 && !m.opt.InOrder {
		batch(m.plan, m.info.Figures, m.opt.MaxOps)
	}
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
