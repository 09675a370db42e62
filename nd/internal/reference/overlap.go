package reference

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// runOverlap adds up, for each element of the result, those of its frames in
// their order.
func runOverlap(o *ir.Overlap, read, write []byte) {
	points(o.OutDims(), func(at []int) {
		s := at[len(at)-1]
		var values []Value
		for t, end := o.Frames(s); t < end; t++ {
			index := append(append([]int(nil), at[:len(at)-1]...), t/o.Phases, t%o.Phases, s+o.Skip-t*o.Hop)
			values = append(values, load(o.In, read, index))
		}
		store(fold(ir.Sum, o.Out.Type, values), o.Out, write, at)
	})
}

func overlapped(n *graph.Node, x Array) element {
	a := n.Attr.(graph.OverlapAttr)
	d := len(x.Shape)
	o := &ir.Overlap{Phases: x.Shape[d-2], Size: x.Shape[d-1], Count: a.Count, Hop: a.Hop, Skip: a.Skip}
	return func(at []int) (Value, error) {
		s := at[len(at)-1]
		var values []Value
		for t, end := o.Frames(s); t < end; t++ {
			values = append(values, x.at(append(append([]int(nil), at[:len(at)-1]...), t/o.Phases, t%o.Phases, s+o.Skip-t*o.Hop)))
		}
		return fold(ir.Sum, n.Type, values), nil
	}
}

// clearSums sets what frames are added to to zero.
func clearSums(p *ir.Line, writes [][]byte) {
	for _, s := range p.Sums() {
		slot := p.Slots[s.Writes[0]]
		o := s.Program.(*ir.Overlap)
		buf := writes[0]
		for i, n := ir.SlotID(0), 0; i < s.Writes[0]; i++ {
			if p.Slots[i].Kind == ir.OutSlot {
				n++
				buf = writes[n]
			}
		}
		points(p.Outer, func(at []int) {
			start := position(slot.Operand(), append(append([]int(nil), at...), 0, 0))
			for k := range o.Length {
				Store(Cast(slot.Type, Integer(elem.Int64, 0)), buf, start+position(o.Out, []int{k}))
			}
		})
	}
}

// addFrame adds frame t, a line, to what overlaps with it.
func addFrame(o *ir.Overlap, t int, read, write []byte) {
	for e := 0; e < o.Size && t < o.Count; e++ {
		s := t*o.Hop - o.Skip + e
		if s < 0 || s >= o.Length {
			continue
		}
		have := load(o.Out, write, []int{s})
		store(fold(ir.Sum, o.Out.Type, []Value{have, load(o.In, read, []int{0, 0, e})}), o.Out, write, []int{s})
	}
}
