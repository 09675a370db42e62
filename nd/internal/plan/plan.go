package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Nodes, buffers and steps are named by their positions. The compiler keeps the
// three apart.
type (
	NodeID   int // position in Graph.Nodes
	BufferID int // position in Plan.Buffers
	StepID   int // position in Plan.Steps
)

// Graph is the part of the lazy graph that an evaluation needs: nodes in
// topological order, inputs first.
type Graph struct {
	Nodes   []*graph.Node
	In      [][]NodeID // nil for leaves
	Leaf    []int      // index into Leaves, or -1
	Leaves  []Leaf
	Outputs []NodeID
}

// Leaf is a node that has a value already.
type Leaf struct {
	Node NodeID
	View shape.View // where its elements lie in its buffer
	// There says that it was computed and waited for: what made it cannot fail any more.
	There bool
}

// Plan is what to run. The first buffers are the leaves'.
type Plan struct {
	Steps   []Step
	Buffers []Buffer
	Results []Result // one per output of the graph
	Notes   []string // decisions that concern no single step
}

// addBuffer gives the plan another buffer.
func (p *Plan) addBuffer(b Buffer) BufferID {
	p.Buffers = append(p.Buffers, b)
	return BufferID(len(p.Buffers) - 1)
}

// Buffer is memory that steps share.
type Buffer struct {
	Node  NodeID // whose elements it holds
	Bytes int    // to be allocated; leaves are there already
	Leaf  bool
	There bool    // a leaf that cannot fail any more
	pad   *padded // what it is with more around it, if it is a Pad
}

// Result says where the elements of an output are.
type Result struct {
	Buffer BufferID
	Type   elem.Type
	View   shape.View
}

// Step launches a program.
type Step struct {
	Program ir.Program
	Reads   []BufferID // in the order of Program.Reads
	Writes  []BufferID
	Args    []Arg
	Stream  int
	Adds    bool // goes on writing what an earlier step began
	Label   string
	Nodes   []NodeID // the graph nodes computed here, in order of computing
	Why     string
	parts   []StepID // the steps that it was before fusion
}

// Blamed is the node that errors of a running step are about, of all nodes of its graph: the
// one operation of it that can fail by itself. It is -1 if there is none.
func (s *Step) Blamed(nodes []*graph.Node) NodeID {
	if canFail(s.Program) {
		for _, n := range s.Nodes {
			switch nodes[n].Op {
			case graph.Take, graph.Gather, graph.ScatterAdd, graph.Custom:
				return n
			}
		}
	}
	return -1
}

// Arg names a constant of a node.
type Arg struct {
	Node  NodeID
	Index int
}

// Options bound what lowering may do.
type Options struct {
	// MaxOps is the most operations fused into one program. 0 chooses.
	MaxOps int
	// NoLines keeps FFTs and what surrounds them apart.
	NoLines bool
	// Refuses, if not nil, says why the device does not run a line program: then it is
	// made of fewer steps.
	Refuses func(*ir.Line) error
	// InOrder runs every step where the graph has it: what one part of a
	// computation needs is let go of before the next begins.
	InOrder bool
	// Watch, if not nil, is called with the plan after each pass.
	Watch func(pass string, p *Plan)
}

// defaultMaxOps keeps the values of a program that are live at one time within
// what a core holds in its first cache when they are processed by the block.
const defaultMaxOps = 48

// Clone is a copy that passes may change. Operands and code are shared until a
// pass replaces them.
func (p *Plan) Clone() *Plan {
	q := &Plan{Steps: slices.Clone(p.Steps), Buffers: slices.Clone(p.Buffers), Results: slices.Clone(p.Results), Notes: slices.Clone(p.Notes)}
	for i := range q.Steps {
		s := &q.Steps[i]
		s.Program = ir.Clone(s.Program)
		s.Reads, s.Writes, s.Args, s.Nodes, s.parts = slices.Clone(s.Reads), slices.Clone(s.Writes), slices.Clone(s.Args), slices.Clone(s.Nodes), slices.Clone(s.parts)
	}
	return q
}

// Ns ranks plans by how long their steps take.
func (p *Plan) Ns(f device.Figures) float64 {
	return lists.Sum(p.Steps, func(s Step) float64 { return cost.Rank(s.Program, f) })
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

// padded is what a buffer holds that a Pad along the last axis wrote: another
// buffer with more around it.
type padded struct {
	from     BufferID // the buffer inside
	dims     []int
	in, out  ir.Operand // what is inside, in both buffers, over dims
	length   int        // of the last axis, with what is around
	before   int        // elements in front
	rule     ir.Rule
	constant Arg
}
