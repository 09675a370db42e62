package nd

import (
	"cmp"
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Overlap is how OverlapAdd adds frames. Frame t begins at t*Hop.
type Overlap struct {
	Hop int // elements from frame to frame; 0 is 1
	// Skip is how many elements are left out before the result begins.
	Skip int
	// Length is that of the result, with zeros where no frame is; 0 is up to the
	// end of the last frame.
	Length int
	// Turns says that frames are numbered along two axes before the last: frame
	// t is number t%n of turn t/n, where n is the length of the second. Frames
	// then may lie in memory by phase, so that all that is added to neighbours
	// are neighbours.
	Turns bool
	// Count is how many frames there are; 0 is all.
	Count int
}

// OverlapAdd adds overlapping frames. It is the reverse of Frames, and its gradient. The
// last two axes, frame and position in the frame, become one.
func (a *Array) OverlapAdd(o Overlap) *Array {
	const op = "overlap_add"
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	n, axes := a.NDim(), 2
	if o.Turns {
		axes = 3
	}
	if n < axes {
		return failed(op, fmt.Errorf("shape %v has no frames of elements: want %d axes or more", a.Shape(), axes), a)
	}
	o.Hop = cmp.Or(o.Hop, 1)
	dims := a.Shape()
	x := a
	if !o.Turns {
		x = a.Reshape(append(dims[:n-1:n-1], 1, dims[n-1])...)
		dims = x.Shape()
		n++
	}
	all := dims[n-3] * dims[n-2]
	o.Count = cmp.Or(o.Count, all)
	if o.Length == 0 && o.Count > 0 {
		o.Length = max(0, (o.Count-1)*o.Hop+dims[n-1]-o.Skip)
	}
	node, err := graph.NewOverlap(x.node, graph.OverlapAttr{Hop: o.Hop, Count: o.Count, Skip: o.Skip, Length: o.Length})
	return built(op, node, err, a)
}
