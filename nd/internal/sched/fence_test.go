package sched

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// count is how often queues were asked to do something.
func (b *bench) count(kind null.EntryKind) int {
	n := 0
	for _, e := range b.null.Log() {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func TestFencesWhereStreamsMeet(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(b *bench, x *graph.Node) []*graph.Node
		waits int
	}{
		{"one stream", func(b *bench, x *graph.Node) []*graph.Node {
			return []*graph.Node{b.sort(b.sort(x))}
		}, 0},
		{"unrelated", func(b *bench, x *graph.Node) []*graph.Node {
			return []*graph.Node{b.sort(b.on(1, x)), b.sort(b.on(2, x))}
		}, 0},
		{"hand over", func(b *bench, x *graph.Node) []*graph.Node {
			return []*graph.Node{b.sort(b.on(2, b.sort(b.on(1, x))))}
		}, 1},
		{"join", func(b *bench, x *graph.Node) []*graph.Node {
			return []*graph.Node{b.op(scalar.Add, b.sort(x), b.op(scalar.Add, b.sort(b.on(1, x)), b.sort(b.on(2, x))))}
		}, 2},
		{"a later wait covers an earlier step", func(b *bench, x *graph.Node) []*graph.Node {
			first := b.sort(b.on(1, x))
			second := b.sort(first)
			return []*graph.Node{b.op(scalar.Add, b.on(0, first), second)}
		}, 1},
		{"through another stream", func(b *bench, x *graph.Node) []*graph.Node {
			first := b.sort(b.on(1, x))
			second := b.sort(b.on(2, first))
			// Stream 0 waits for 2, which waited for 1.
			return []*graph.Node{b.op(scalar.Add, b.on(0, second), first)}
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, null.Options{}, 3)
			x := b.data(16)
			b.mustEval(x)
			b.null.ResetLog()
			b.mustEval(c.build(b, x)...)
			if n := b.count(null.Waited); n != c.waits {
				t.Errorf("%d waits, want %d", n, c.waits)
			}
		})
	}
}

// Random plans over several streams pass the verifier, which does not share
// the bookkeeping that made them.
func TestRandomSchedulesVerify(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		b := newBench(t, null.Options{}, 4)
		nodes := []*graph.Node{b.data(32), b.data(32)}
		for range 10 + r.IntN(40) {
			nodes = append(nodes, b.random(r, nodes))
		}
		var outputs []*graph.Node
		for range 1 + r.IntN(4) {
			outputs = append(outputs, nodes[r.IntN(len(nodes))])
		}
		if err := b.eval(outputs...); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A verifier that accepts anything proves nothing.
func TestVerifierSeesBrokenSchedules(t *testing.T) {
	schedule := func() *schedule {
		b := newBench(t, null.Options{}, 3)
		x := b.data(32)
		first := b.sort(b.on(1, x))
		y := b.op(scalar.Add, b.on(2, b.sort(b.on(2, first))), b.on(2, b.sort(b.sort(b.on(1, first)))))
		b.mustEval(y)
		return b.engine.plans.order.Front().Value.(*cached).s
	}
	s := schedule()
	if err := s.verify(); err != nil {
		t.Fatal(err)
	}
	for i := range s.steps {
		if len(s.steps[i].waits) == 0 {
			continue
		}
		broken := schedule()
		broken.steps[i].waits = broken.steps[i].waits[1:]
		if broken.verify() == nil {
			t.Errorf("step %d without its fence passes", i)
		}
	}
	broken := schedule()
	for i := range broken.slotOf {
		if broken.slotOf[i] >= 0 {
			broken.slotOf[i] = 0
		}
	}
	if broken.verify() == nil {
		t.Error("everything in one slot passes")
	}
}

// random is a node over some of the given ones, on some stream.
func (b *bench) random(r *rand.Rand, nodes []*graph.Node) *graph.Node {
	pick := func() *graph.Node {
		// Recent nodes more often, so that chains get long.
		n := nodes[max(r.IntN(len(nodes)), r.IntN(len(nodes)))]
		if r.IntN(3) == 0 {
			n = b.on(r.IntN(4), n)
		}
		return n
	}
	x := pick()
	switch r.IntN(8) {
	case 0:
		return b.sort(x)
	case 1:
		return b.op(scalar.Exp, x)
	case 2:
		return b.reversed(x)
	case 3:
		sum := b.node(graph.NewReduce(graph.Sum, x, []int{0}))
		return b.op(scalar.Sub, x, b.node(graph.NewBroadcast(sum, x.Shape)))
	case 4:
		both := b.node(graph.NewConcat(0, x, pick()))
		return b.node(graph.NewSlice(both, []int{r.IntN(32)}, []int{1}, x.Shape))
	case 5:
		return b.take(x)
	default:
		return b.op(scalar.Add, x, pick())
	}
}
