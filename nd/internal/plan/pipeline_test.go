package plan

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// After every pass but the first, which leaves steps that nobody needs, a plan is
// valid.
func TestPlansAreValidAfterEveryPass(t *testing.T) {
	m := maker{t}
	x := m.data(elem.Float32, 8, 256)
	y := m.rfft(m.op(scalar.Mul, x, x), 256)
	g := graphOf(m.op(scalar.AbsSquared, y), m.node(graph.NewReduce(graph.Sum, m.op(scalar.Exp, x), []int{1})))
	var seen []string
	_, err := Make(g, chip, Options{Watch: func(pass string, p *Plan) {
		if seen = append(seen, pass); pass == "emit" {
			return
		}
		if err := p.Verify(); err != nil {
			t.Errorf("after %s: %v", pass, err)
		}
	}})
	if err != nil || !slices.EqualFunc(seen, pipeline, func(name string, p pass) bool { return name == p.name }) {
		t.Errorf("passes %v, %v", seen, err)
	}
}

// A pass over a clone leaves the plan that it was made from as it is.
func TestClonesAreIndependent(t *testing.T) {
	m := maker{t}
	x := m.data(elem.Float32, 8, 1, 256)
	g := graphOf(m.op(scalar.AbsSquared, m.rfft(m.op(scalar.Mul, x, x), 256)))
	made := &making{graph: g, info: chip, opt: Options{MaxOps: defaultMaxOps}}
	for _, p := range pipeline[:3] {
		if p.run(made); made.err != nil {
			t.Fatal(made.err)
		}
	}
	keys := func(p *Plan) (list []string) {
		for _, s := range p.Steps {
			list = append(list, string(ir.AppendKey(nil, s.Program)))
		}
		return list
	}
	before := keys(made.plan)
	clone := made.plan.Clone()
	fuseLines(clone, chip, nil)
	simplify(clone)
	if len(clone.Steps) == len(before) {
		t.Error("nothing was fused")
	}
	if !slices.Equal(keys(made.plan), before) {
		t.Error("fusing a clone changed the plan")
	}
}
