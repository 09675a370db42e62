package lower

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
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
	Program kern.Program
	Reads   []int // buffers, in the order of Program.Reads
	Writes  []int
	Args    []Arg
	Stream  int
	Adds    bool // goes on writing what an earlier step began
	Label   string
	Nodes   []int // the graph nodes computed here, in order of computing
	Why     string
}

// Arg names a constant of a node.
type Arg struct{ Node, Index int }

// Options bound what lowering may do.
type Options struct {
	// MaxOps is the most operations fused into one program. 0 chooses.
	MaxOps int
}

// defaultMaxOps keeps the values of a program that are live at one time within
// what a core holds in its first cache when they are processed by the block.
const defaultMaxOps = 48

// Lower makes the plan for a graph. The graph has no Transfer nodes but as
// leaves.
func Lower(g *Graph, info device.Info, opt Options) (*Plan, error) {
	if opt.MaxOps <= 0 {
		opt.MaxOps = defaultMaxOps
	}
	r, err := findRegions(g, info.Figures, opt.MaxOps)
	if err != nil {
		return nil, err
	}
	e := newEmitter(r)
	for pos := range g.Nodes {
		if r.stored[pos] {
			e.emit(pos)
		}
	}
	for _, pos := range g.Outputs {
		buf, view := e.place(pos, nil)
		e.plan.Results = append(e.plan.Results, Result{buf, g.Nodes[pos].Type, view})
	}
	if opt.MaxOps > 1 {
		mergeMaps(e.plan, opt.MaxOps)
	}
	for i := range e.plan.Steps {
		collapse(e.plan.Steps[i].Program)
	}
	return e.plan, nil
}
