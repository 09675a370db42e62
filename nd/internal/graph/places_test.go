package graph

import (
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// TestPlaces compares with a map, over graphs of several sizes.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var p Places
	for _, n := range []int{0, 1, 31, 33, 1000, 5} {
		want := map[*Node]int{}
		var nodes []*Node
		for range n {
			x := zeros(t)
			nodes = append(nodes, x, NewAt(Place{Device: 1}, x)) // of one number
		}
		for range 3 * n {
			x, at := nodes[rng.IntN(len(nodes))], rng.IntN(1<<20)
			old, has := want[x]
			switch got, isNew := p.Add(x, at); {
			case isNew == has || has && got != old:
				t.Fatalf("%d, new %t; want %d, new %t", got, isNew, old, !has)
			case has && at%2 == 0:
				p.Set(x, at)
				want[x] = at
			case !has:
				want[x] = at
			}
		}
		for i, x := range nodes {
			got, ok := p.At(x)
			at, has := want[x]
			if ok != has || ok && got != at {
				t.Fatalf("node %d of %d: %d, %t; want %d, %t", i, n, got, ok, at, has)
			}
		}
		if p.Len() != len(want) {
			t.Errorf("%d nodes, want %d", p.Len(), len(want))
		}
		p.Clear()
		if p.Len() != 0 {
			t.Errorf("%d nodes after Clear", p.Len())
		}
		for _, s := range p.slots {
			if s != (place{}) {
				t.Fatal("a node is kept alive after Clear")
			}
		}
	}
	if _, ok := new(Places).At(New(Def{Op: Data, Type: elem.Float32})); ok {
		t.Error("the zero value has a node")
	}
}
