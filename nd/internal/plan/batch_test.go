package plan

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Small steps that do not depend on each other are one launch, and every step
// still comes behind those that it needs.
func TestBatches(t *testing.T) {
	m := maker{t}
	sum := func(x *graph.Node) *graph.Node { return m.node(graph.NewReduce(graph.Sum, x, []int{0})) }
	x, y := m.data(elem.Float64, 50), m.data(elem.Float64, 50)
	index := m.data(elem.Int64, 3)
	for _, c := range []struct {
		name    string
		outputs []*graph.Node
		steps   int
		apart   int // without batches
	}{
		{"padding", []*graph.Node{m.op(scalar.Add, m.pad(x, 3, 4, 1), m.pad(y, 1, 6, 0))}, 2, 7},
		{"sums of one signal", []*graph.Node{m.op(scalar.Mul, sum(x), m.op(scalar.Div, sum(m.op(scalar.Exp, x)), sum(m.op(scalar.Abs, x))))}, 2, 3},
		{"a sum of a sum", []*graph.Node{sum(m.op(scalar.Sub, x, sum(x)))}, 2, 2},
		{"results of two signals", []*graph.Node{sum(x), sum(y)}, 2, 2}, // one may fail without the other
		{"results of one signal", []*graph.Node{sum(x), sum(m.op(scalar.Exp, x))}, 1, 2},
		{"what may fail", []*graph.Node{sum(m.node(graph.NewTake(x, index, 0, nil))), sum(x)}, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := graphOf(c.outputs...)
			var results [2][][]byte
			for i, want := range []int{c.apart, c.steps} {
				info := chip
				info.Batches = i == 1
				p, err := Make(g, info, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if len(p.Steps) != want {
					for _, s := range p.Steps {
						t.Logf("%s: %v -> %v", s.Label, s.Reads, s.Writes)
					}
					t.Errorf("%d steps, want %d with batches %v", len(p.Steps), want, info.Batches)
				}
				r := rand.New(rand.NewPCG(5, 6))
				var leaves [][]byte
				for _, l := range g.Leaves {
					if n := g.Nodes[l.Node]; n.Type == elem.Int64 {
						leaves = append(leaves, make([]byte, 8*n.Len()))
					} else {
						leaves = append(leaves, randomBytes(n, r))
					}
				}
				results[i] = run(t, g, p, leaves)
			}
			for k := range results[0] {
				if !bytes.Equal(results[0][k], results[1][k]) {
					t.Errorf("output %d differs", k)
				}
			}
		})
	}
}

// What takes longer than its launch is not put off.
func TestLargeStepsStayApart(t *testing.T) {
	m := maker{t}
	info := chip
	info.Batches = true
	x := m.data(elem.Float64, 1<<20)
	p, err := Make(graphOf(m.pad(x, 3, 4, 1)), info, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 2 {
		t.Errorf("%d steps, want the copy and both ends of it", len(p.Steps))
	}
	if _, ok := p.Steps[0].Program.(*ir.Map); !ok {
		t.Errorf("the first is a %s", p.Steps[0].Program.Name())
	}
}

// A map that waits for another and for a sum meets both once they are put off: it becomes
// one with the map, in the launch behind the sums.
func TestSmallMapsMeet(t *testing.T) {
	p := smallPlan(7)
	p.Steps = []Step{
		{Program: smallSum(50), Reads: []BufferID{0}, Writes: []BufferID{1}, Label: "sum"},
		{Program: smallMap(scalar.Sqrt, 1), Reads: []BufferID{1}, Writes: []BufferID{2}, Label: "root"},
		{Program: smallSum(50), Reads: []BufferID{0}, Writes: []BufferID{3}, Label: "other sum"},
		{Program: smallMap(scalar.Mul, 1), Reads: []BufferID{2, 3}, Writes: []BufferID{4}, Label: "product"},
	}
	p.Results = []Result{{Buffer: 2}, {Buffer: 4}}
	batch(p, chip.Figures, defaultMaxOps)
	if len(p.Steps) != 2 {
		t.Fatalf("%d steps, want the sums and one map", len(p.Steps))
	}
	if _, one := p.Steps[1].Program.(*ir.Map); !one || len(p.Steps[1].Writes) != 2 {
		t.Errorf("%s is not one map of both results", p.Steps[1].Label)
	}
}

// A result that no step waits for is computed beside the longest of the small launches.
func TestResultsAreHidden(t *testing.T) {
	p := smallPlan(7)
	p.Steps = []Step{
		{Program: smallMap(scalar.Neg, 8), Reads: []BufferID{0}, Writes: []BufferID{1}, Label: "short"},
		{Program: smallMap(scalar.Neg, 1<<20), Reads: []BufferID{1}, Writes: []BufferID{2}, Label: "large"},
		{Program: smallMap(scalar.Neg, 400), Reads: []BufferID{2}, Writes: []BufferID{3}, Label: "long"},
		{Program: smallSum(50), Reads: []BufferID{0}, Writes: []BufferID{4}, Label: "sum"},
	}
	p.Results = []Result{{Buffer: 3}, {Buffer: 4}}
	batch(p, chip.Figures, defaultMaxOps)
	if len(p.Steps) != 3 || p.Steps[2].Label != "long | sum" {
		t.Errorf("%d steps, the last is %s", len(p.Steps), p.Steps[len(p.Steps)-1].Label)
	}
}

// A sum whose result much is computed of joins other sums, and what is computed of it is
// done beside something else.
func TestSumsArePartedFromLongEnds(t *testing.T) {
	build := func() *Plan {
		p := smallPlan(7)
		long := smallSum(50)
		for i := range longEnd {
			long.Post.Instrs = append(long.Post.Instrs, ir.Instr{Kind: ir.Apply, Op: scalar.Neg, Type: elem.Float32, A: ir.ValueID(i)})
		}
		p.Steps = []Step{
			{Program: smallSum(50), Reads: []BufferID{0}, Writes: []BufferID{1}, Label: "sum"},
			{Program: smallMap(scalar.Sqrt, 1), Reads: []BufferID{1}, Writes: []BufferID{2}, Label: "root"},
			{Program: long, Reads: []BufferID{0}, Writes: []BufferID{3}, Label: "long"},
		}
		return p
	}
	p := build()
	p.Results = []Result{{Buffer: 2}, {Buffer: 3}}
	batch(p, chip.Figures, defaultMaxOps)
	if len(p.Steps) != 2 || len(members(&p.Steps[0])) != 2 || len(members(&p.Steps[1])) != 2 {
		t.Errorf("%d steps, want both sums and both ends", len(p.Steps))
	}
	p = build()
	p.Steps = p.Steps[2:]
	p.Results = []Result{{Buffer: 3}}
	if batch(p, chip.Figures, defaultMaxOps); len(p.Steps) != 1 {
		t.Errorf("%d steps for one sum", len(p.Steps))
	}
}

// A leaf that was waited for lets nothing fail, so that what needs it may be computed with
// what does not.
func TestLeavesThatAreThereFailNothing(t *testing.T) {
	for _, there := range []bool{false, true} {
		p := smallPlan(7)
		p.Buffers[1] = Buffer{Leaf: true, There: there}
		p.Steps = []Step{
			{Program: smallSum(50), Reads: []BufferID{0}, Writes: []BufferID{2}, Label: "sum"},
			{Program: smallMap(scalar.Mul, 50), Reads: []BufferID{0, 1}, Writes: []BufferID{3}, Label: "product"},
		}
		p.Results = []Result{{Buffer: 2}, {Buffer: 3}}
		want := 2
		if there {
			want = 1
		}
		if batch(p, chip.Figures, defaultMaxOps); len(p.Steps) != want {
			t.Errorf("%d steps, want %d with a leaf that is there: %v", len(p.Steps), want, there)
		}
	}
}

// smallPlan has a leaf and other buffers, and no steps.
func smallPlan(buffers int) *Plan {
	p := &Plan{Buffers: make([]Buffer, buffers)}
	p.Buffers[0].Leaf = true
	return p
}

// smallMap applies an operation to n elements of one buffer, or of two.
func smallMap(op scalar.Op, n int) *ir.Map {
	o := ir.Contiguous(elem.Float32, []int{n})
	m := &ir.Map{Dims: []int{n}, Out: []ir.Operand{o}}
	for i := range op.Arity() {
		m.In = append(m.In, o)
		m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Load, Type: elem.Float32, Slot: i})
	}
	m.Instrs = append(m.Instrs, ir.Instr{Kind: ir.Apply, Op: op, Type: elem.Float32, B: ir.ValueID(len(m.In) - 1)})
	m.Value = []ir.ValueID{m.Last()}
	return m
}

func smallSum(n int) *ir.Reduce {
	r := &ir.Reduce{Dims: []int{n}, Inner: 1, Op: ir.Sum, Out: ir.Operand{Type: elem.Float32}}
	r.In = []ir.Operand{ir.Contiguous(elem.Float32, []int{n})}
	r.Instrs = []ir.Instr{{Kind: ir.Load, Type: elem.Float32}}
	r.Post.Instrs = []ir.Instr{{Kind: ir.Acc, Type: elem.Float32}}
	return r
}
