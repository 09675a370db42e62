package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// runOverlap adds up, for each element of the result, those of its frames in
// their order.
func runOverlap(o *kern.Overlap, read, write []byte) {
	points(o.OutDims(), func(at []int) {
		s := at[len(at)-1]
		var values []Value
		for t, end := o.Frames(s); t < end; t++ {
			index := append(append([]int(nil), at[:len(at)-1]...), t/o.Phases, t%o.Phases, s+o.Skip-t*o.Hop)
			values = append(values, load(o.In, read, index))
		}
		store(fold(kern.Sum, o.Out.Type, values), o.Out, write, at)
	})
}

func overlapped(n *graph.Node, x Array) element {
	a := n.Attr.(graph.OverlapAttr)
	d := len(x.Shape)
	o := &kern.Overlap{Phases: x.Shape[d-2], Size: x.Shape[d-1], Count: a.Count, Hop: a.Hop, Skip: a.Skip}
	return func(at []int) (Value, error) {
		s := at[len(at)-1]
		var values []Value
		for t, end := o.Frames(s); t < end; t++ {
			values = append(values, x.at(append(append([]int(nil), at[:len(at)-1]...), t/o.Phases, t%o.Phases, s+o.Skip-t*o.Hop)))
		}
		return fold(kern.Sum, n.Type, values), nil
	}
}
