package graph

import (
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// remembered is a value with a past, as the scheduler's.
type remembered struct{ past Past }

func (r remembered) Past() Past             { return r.past }
func (r remembered) CopyPast() (Past, bool) { return r.past, true }

func zeros(t *testing.T) *Node {
	t.Helper()
	n, err := NewFull(Place{}, elem.Float32, scalar.Arg{}, []int{2})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func plus(t *testing.T, a, b *Node) *Node {
	t.Helper()
	n, err := NewMap(scalar.Add, a, b)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// evaluated gives outputs the values they would have.
func evaluated(outputs ...*Node) {
	nodes := Topological(func(n *Node) bool { return n.Held() != nil }, outputs...)
	var at Places
	for i, n := range nodes {
		at.Add(n, i)
	}
	for i, p := range new(Pasts).Of(nodes, &at, outputs) {
		outputs[i].Hold(remembered{p})
		outputs[i].Detach()
	}
}

func TestPasts(t *testing.T) {
	a, b, c := zeros(t), zeros(t), zeros(t)
	ab, bc := plus(t, a, b), plus(t, b, c)
	evaluated(ab, bc, c)
	abc := plus(t, ab, c)
	evaluated(abc)
	tests := []struct {
		name   string
		of, by *Node
		want   bool
	}{
		{"an input", ab, a, true},
		{"an input that is an output too", bc, c, true},
		{"an input of another output", ab, c, false},
		{"another output", ab, bc, false},
		{"what is made from nothing", c, a, false},
		{"an input's input", abc, a, true},
		{"an input that was evaluated", abc, ab, true},
		{"what was evaluated beside an input", abc, bc, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.of.Past().May(tt.by); got != tt.want {
				t.Errorf("may depend: %t", got)
			}
		})
	}
}

// TestLongPast updates a node more often than its past remembers.
func TestLongPast(t *testing.T) {
	w, first, recent := zeros(t), zeros(t), zeros(t)
	state := plus(t, w, first)
	evaluated(state)
	for i := range 4 * maxInherited {
		x := zeros(t)
		if i == 4*maxInherited-2 {
			recent = x
		}
		state = plus(t, state, x)
		evaluated(state)
	}
	young := zeros(t)
	if p := state.Past(); !p.May(recent) || !p.May(first) || p.May(young) {
		t.Errorf("may depend on the last: %t, the first: %t, what came later: %t", p.May(recent), p.May(first), p.May(young))
	}
	if n := len(state.Past()); n > 3+maxInherited {
		t.Errorf("a past of %d numbers", n)
	}
}

// TestManyPasts evaluates more than sets are made for.
func TestManyPasts(t *testing.T) {
	there := zeros(t)
	evaluated(there)
	var outputs []*Node
	for range 6000 {
		outputs = append(outputs, zeros(t), plus(t, zeros(t), there))
	}
	evaluated(outputs...)
	for i, n := range outputs[1:] {
		if p := n.Past(); p.May(outputs[i]) || !p.May(there) {
			t.Fatalf("output %d", i+1)
		}
	}
}
