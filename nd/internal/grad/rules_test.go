package grad

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// flat are the pointwise operations that pass no gradient on.
var flat = []scalar.Op{scalar.Floor, scalar.Ceil, scalar.Round, scalar.Not, scalar.IsNaN, scalar.IsInf,
	scalar.And, scalar.Or, scalar.Xor, scalar.RandBits, scalar.RandUniform, scalar.RandNormal, scalar.RandInt}

// TestEveryOperation makes whoever adds an operation decide about its gradient.
func TestEveryOperation(t *testing.T) {
	for _, op := range scalar.Ops() {
		list := partialsOf(op)
		ok := list != nil
		switch {
		case ok == (op.IsCompare() || slices.Contains(flat, op)):
			t.Errorf("%s: want a rule, or that it is known to be flat", op)
		case ok && len(list) != op.Arity():
			t.Errorf("%s: %d rules for %d operands", op, len(list), op.Arity())
		}
	}
	for op := graph.Map; int(op) < len(rules); op++ {
		if rules[op] == nil && op != graph.BitCast {
			t.Errorf("%s: no rule", op)
		}
	}
	if last := graph.Op(len(rules)); last.String() != fmt.Sprintf("graph.Op(%d)", len(rules)) {
		t.Errorf("%s: no rule", last)
	}
}

// TestVerified checks the graphs of gradients against the rules of graphs.
func TestVerified(t *testing.T) {
	must := func(n *graph.Node, err error) *graph.Node {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	x := must(graph.NewData(graph.Place{}, elem.Float32, []int{3, 20}))
	frames := must(graph.NewFrames(x, 1, 8, 3))
	bins := must(graph.NewFFT(frames, graph.FFTAttr{Kind: graph.FFTRealForward, Axis: 2, N: 9, Scale: 1}))
	loss := must(graph.NewReduce(graph.Sum, must(graph.NewMap(scalar.Abs, bins)), []int{0, 1, 2}))
	grads, err := Of([]*graph.Node{loss}, []*graph.Node{number(loss, 1)}, []*graph.Node{x})
	if err != nil {
		t.Fatal(err)
	}
	if err := graph.Verify(grads...); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(grads[0].Shape, x.Shape) || grads[0].Type != x.Type {
		t.Fatalf("gradient is %s %v", grads[0].Type, grads[0].Shape)
	}
}
