package nd

import "github.com/twiddle-go/twiddle/nd/internal/graph"

// Repeats finds lazy arrays that would be computed again and again. It is for packages that
// call a user's function in a loop, as a trainer calls a loss: lazy arrays that the function
// captures are computed again with every result.
type Repeats struct {
	last map[*graph.Node]bool
	none bool
}

// Of lists what out needs and none of params reaches, if it has no elements and the last
// call found it, too. Evaluate these arrays before out, and they are computed no more;
// their history is then gone. After a call that finds nothing to be computed, there is no
// further search.
func (r *Repeats) Of(out *Array, params ...*Array) []*Array {
	if r.none || out.Err() != nil {
		return nil
	}
	nodes, err := toEvaluate(nil, params)
	if err != nil {
		return nil
	}
	found, last := graph.Invariants([]*graph.Node{out.node}, nodes), r.last
	r.last, r.none = make(map[*graph.Node]bool, len(found)), len(found) == 0
	var again []*graph.Node
	for _, n := range found {
		if r.last[n] = true; last[n] {
			again = append(again, n)
		}
	}
	return arraysOf(again)
}
