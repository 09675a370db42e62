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
		{"what may fail", []*graph.Node{sum(m.node(graph.NewTake(x, index, 0))), sum(x)}, 3, 3},
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
