package plan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// TestMargins pads signals by every rule, at one end and at both, by an element
// and by as many as there are, and cuts them into frames: that is one step, which
// gives the bits of the steps that it was.
func TestMargins(t *testing.T) {
	m := maker{t}
	for mode, rule := range map[graph.PadMode]ir.Rule{
		graph.PadConstant: ir.Constant, graph.PadReflect: ir.Reflect, graph.PadEdge: ir.Edge, graph.PadWrap: ir.Wrap,
	} {
		for _, dims := range [][]int{{10}, {3, 10}, {2, 1, 10}} {
			for _, around := range [][2]int{{4, 4}, {1, 0}, {0, 1}, {1, 1}, {9, 9}, {0, 5}} {
				t.Run(fmt.Sprint(mode, dims, around), func(t *testing.T) {
					last := len(dims) - 1
					before, after := make([]int, len(dims)), make([]int, len(dims))
					before[last], after[last] = around[0], around[1]
					x := m.node(graph.NewPad(m.data(elem.Float64, dims...), mode, before, after, scalar.ArgOf(elem.Float64, 0.5)))
					f := m.op(scalar.Mul, m.node(graph.NewFrames(x, last, 8, 1)), m.data(elem.Float64, 8))
					g := graphOf(m.rfft(f, 8))
					fused, err := Make(g, chip, Options{})
					if err != nil {
						t.Fatal(err)
					}
					if len(fused.Steps) != 1 {
						t.Fatalf("%d steps", len(fused.Steps))
					}
					p := fused.Steps[0].Program.(*ir.Line)
					if s := p.Slots[1]; s.Margin == nil || s.Margin.Rule != rule {
						t.Fatalf("margin %+v", s.Margin)
					}
					apart, err := Make(g, chip, Options{NoLines: true})
					if err != nil {
						t.Fatal(err)
					}
					r := rand.New(rand.NewPCG(1, 2))
					var leaves [][]byte
					for _, l := range g.Leaves {
						leaves = append(leaves, randomBytes(g.Nodes[l.Node], r))
					}
					if !bytes.Equal(run(t, g, apart, leaves)[0], run(t, g, fused, leaves)[0]) {
						t.Error("other bits than apart")
					}
				})
			}
		}
	}
}

// TestPadsAreShared has two launches that read the same padded signal, on devices
// that pad it once and that do not pad it.
func TestPadsAreShared(t *testing.T) {
	m := maker{t}
	x := m.node(graph.NewPad(m.data(elem.Float64, 3, 40), graph.PadReflect, []int{0, 8}, []int{0, 8}, scalar.Arg{}))
	var out []*graph.Node
	for _, n := range []int{8, 16} {
		out = append(out, m.op(scalar.AbsSquared, m.rfft(m.node(graph.NewFrames(x, 1, n, 2)), n)))
	}
	for _, share := range []bool{false, true} {
		info := chip
		info.SharesPads = share
		p, err := Make(graphOf(out...), info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := 2
		if share {
			want += 3
		}
		if len(p.Steps) != want {
			t.Errorf("shared %v: %d steps, want %d", share, len(p.Steps), want)
		}
	}
}

// TestNoMargins has paddings that no line can do without.
func TestNoMargins(t *testing.T) {
	m := maker{t}
	spectra := func(x *graph.Node) *graph.Node {
		return m.op(scalar.AbsSquared, m.rfft(m.node(graph.NewFrames(x, len(x.Shape)-1, 8, 2)), 8))
	}
	pad := func(x *graph.Node, mode graph.PadMode, before, after []int) *graph.Node {
		return m.node(graph.NewPad(x, mode, before, after, scalar.Arg{}))
	}
	x := m.data(elem.Float64, 6, 20)
	for name, c := range map[string]struct {
		out   *graph.Node
		steps int
	}{
		"two axes":       {spectra(pad(x, graph.PadReflect, []int{2, 2}, []int{0, 0})), 5},
		"computed":       {spectra(pad(m.op(scalar.Exp, x), graph.PadReflect, []int{0, 2}, []int{0, 0})), 3},
		"twice":          {spectra(pad(pad(x, graph.PadReflect, []int{0, 4}, []int{0, 0}), graph.PadEdge, []int{0, 0}, []int{0, 3})), 3},
		"by two rules":   {spectra(m.node(graph.NewConcat(1, m.crop(x, 0, 4), x, m.crop(x, 0, 4)))), 4},
		"something else": {spectra(m.node(graph.NewConcat(1, x, m.data(elem.Float64, 6, 5)))), 3},
	} {
		p, err := Make(graphOf(c.out), chip, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Steps) != c.steps {
			for _, s := range p.Steps {
				t.Logf("%s: %v", s.Label, s.Program)
			}
			t.Errorf("%s: %d steps, want %d", name, len(p.Steps), c.steps)
		}
	}
}
