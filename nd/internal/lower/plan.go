package lower

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Graph is the part of the lazy graph that an evaluation needs: nodes in
// topological order, inputs first. Nodes are named by their position.
type Graph struct {
	Nodes   []*graph.Node
	In      [][]int // inputs by position; nil for leaves
	Leaf    []int   // index into Leaves, or -1
	Leaves  []Leaf
	Outputs []int
}

// Leaf is a node that has a value already.
type Leaf struct {
	Node int
	View shape.View // where its elements lie in its buffer
}

// Plan is what to run. Buffers are named by position; the first ones are the
// leaves'.
type Plan struct {
	Steps   []Step
	Buffers []Buffer
	Results []Result // one per output of the graph
	Notes   []string // decisions that concern no single step
}

// Buffer is memory that steps share.
type Buffer struct {
	Node  int // whose elements it holds
	Bytes int // to be allocated; leaves are there already
	Leaf  bool
}

// Result says where the elements of an output are.
type Result struct {
	Buffer int
	Type   elem.Type
	View   shape.View
}

// Step launches a program.
type Step struct {
	Program ir.Program
	Reads   []int // buffers, in the order of Program.Reads
	Writes  []int
	Args    []Arg
	Stream  int
	Adds    bool // goes on writing what an earlier step began
	Label   string
	Nodes   []int // the graph nodes computed here, in order of computing
	Why     string
	parts   []int // the steps that it was before fusion
}

// Arg names a constant of a node.
type Arg struct{ Node, Index int }

// Options bound what lowering may do.
type Options struct {
	// MaxOps is the most operations fused into one program. 0 chooses.
	MaxOps int
	// NoLines keeps FFTs and what surrounds them apart.
	NoLines bool
	// InOrder runs every step where the graph has it: what one part of a
	// computation needs is let go of before the next begins.
	InOrder bool
}

// defaultMaxOps keeps the values of a program that are live at one time within
// what a core holds in its first cache when they are processed by the block.
const defaultMaxOps = 48

// Lower makes the plan for a graph: with line programs where they are
// predicted to be cheaper, without otherwise. The graph has no Transfer nodes
// but as leaves.
func Lower(g *Graph, info device.Info, opt Options) (*Plan, error) {
	if opt.MaxOps <= 0 {
		opt.MaxOps = defaultMaxOps
	}
	p, err := chosen(g, info, opt)
	if err == nil && info.Batches && opt.MaxOps > 1 && !opt.InOrder {
		batch(p, info.Figures)
	}
	return p, err
}

// chosen is the plan without or with line programs, whichever is cheaper.
func chosen(g *Graph, info device.Info, opt Options) (*Plan, error) {
	apart, err := emitPlan(g, info, opt)
	if err != nil {
		return nil, err
	}
	if opt.NoLines || opt.MaxOps == 1 || info.LineBytes == 0 || !hasTransform(apart) {
		finish(apart)
		return apart, nil
	}
	fused, err := emitPlan(g, info, opt)
	if err != nil {
		return nil, err
	}
	lines := fuseLines(fused, info)
	if fused, err = remade(g, fused, info, opt); err != nil {
		return nil, err
	}
	finish(apart)
	finish(fused)
	if lines == 0 {
		apart.Notes = fused.Notes
		return apart, nil
	}
	with, without := fused.Ns(info.Figures), apart.Ns(info.Figures)
	if with > without {
		apart.Notes = append(fused.Notes, fmt.Sprintf("line programs would cost %.1f us more", (with-without)/1000))
		return apart, nil
	}
	return fused, nil
}

// remade is the plan with maps that make values again instead of having them
// stored by another launch, if it is cheaper than the fused one without.
func remade(g *Graph, fused *Plan, info device.Info, opt Options) (*Plan, error) {
	p, err := emitPlan(g, info, opt)
	if err != nil || !remake(p, fused, info.Figures, opt.MaxOps) {
		return fused, err
	}
	fuseLines(p, info)
	if p.Ns(info.Figures) < fused.Ns(info.Figures) {
		return p, nil
	}
	return fused, nil
}

// Ns predicts how long the steps take.
func (p *Plan) Ns(f device.Figures) float64 {
	ns := 0.0
	for _, s := range p.Steps {
		ns += cost.Ns(s.Program, f)
	}
	return ns
}

// isTransform reports the programs that line programs grow from.
func isTransform(p ir.Program) bool {
	switch p := p.(type) {
	case *ir.FFT:
		return p.Plain()
	case *ir.Butterfly:
		return true
	}
	return false
}

func hasTransform(p *Plan) bool {
	return slices.ContainsFunc(p.Steps, func(s Step) bool {
		return isTransform(s.Program)
	})
}

// emitPlan finds regions and writes their programs, uncollapsed.
func emitPlan(g *Graph, info device.Info, opt Options) (*Plan, error) {
	across := make([]bool, len(g.Nodes))
	for {
		r, err := findRegions(g, info.Figures, opt.MaxOps, across)
		if err != nil {
			return nil, err
		}
		if e := emitRegions(g, r); !e.again {
			dropDead(e.plan)
			if opt.MaxOps > 1 {
				mergeMaps(e.plan, opt.MaxOps)
			}
			for i := range e.plan.Steps {
				e.plan.Steps[i].parts = []int{i}
			}
			return e.plan, nil
		}
	}
}

func emitRegions(g *Graph, r *regions) *emitter {
	e := newEmitter(r)
	// In the order that they were made, inputs still come first, and every value
	// is computed when it was asked for and no sooner: few are alive at a time.
	var stored []int
	for pos := range g.Nodes {
		if r.stored[pos] {
			stored = append(stored, pos)
		}
	}
	slices.SortFunc(stored, func(a, b int) int { return g.Nodes[a].Compare(g.Nodes[b]) })
	for _, pos := range stored {
		e.emit(pos)
	}
	for _, pos := range g.Outputs {
		buf, view := e.place(pos, nil)
		e.plan.Results = append(e.plan.Results, Result{buf, g.Nodes[pos].Type, view})
	}
	return e
}

// finish simplifies the programs and drops the buffers that fusing left
// without a use.
func finish(p *Plan) {
	used := make([]bool, len(p.Buffers))
	for i := range p.Steps {
		ir.Simplify(p.Steps[i].Program)
		for _, b := range slices.Concat(p.Steps[i].Reads, p.Steps[i].Writes) {
			used[b] = true
		}
	}
	number := make([]int, len(p.Buffers))
	var keep []Buffer
	for i, b := range p.Buffers {
		number[i] = len(keep)
		if b.Leaf || used[i] {
			keep = append(keep, b)
		}
	}
	p.Buffers = keep
	for i := range p.Steps {
		for _, list := range [][]int{p.Steps[i].Reads, p.Steps[i].Writes} {
			for k, b := range list {
				list[k] = number[b]
			}
		}
	}
	for i := range p.Results {
		p.Results[i].Buffer = number[p.Results[i].Buffer]
	}
}
