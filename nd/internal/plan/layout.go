package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// acrossFrom is the bytes from which it takes longer to read an operand across
// the way it lies in memory than to store first what is computed from it.
const acrossFrom = 256 << 10

// lay says how the elements of node in, which r reduces, would lie had they
// been stored; order is that of r's dimensions. Where a large operand lies
// otherwise, what is computed from it is stored after all.
func (e *emitter) lay(r *ir.Reduce, in NodeID, order []int) {
	base, v := e.asStored(in)
	if e.bufferOf[base] >= 0 {
		return // nothing is computed on the way
	}
	main := r.Layout()
	lies := pick(v.Strides, order)
	if slices.Equal(lies, main) {
		return
	}
	r.Lies = lies
	if main != nil && nearest(r.Dims, main) != nearest(r.Dims, lies) && ir.Count(r.Dims)*e.g.Nodes[base].Type.Size() >= acrossFrom && !e.across[base] {
		e.across[base], e.again = true, true
	}
}

// asStored is the node that a chain of views shows, and the chain's view of it
// if the node is stored, or were.
func (e *emitter) asStored(pos NodeID) (NodeID, shape.View) {
	var l *link
	for e.bufferOf[pos] < 0 && e.g.Nodes[pos].Op.IsView() {
		l = e.links.push(e.g, pos, l)
		pos = e.g.In[pos][0]
	}
	v, stuck := fold(e.g, e.base(pos), l)
	for stuck != nil { // the reshape would be stored, too
		v, stuck = fold(e.g, shape.Contiguous(e.g.Nodes[stuck.view].Shape), stuck.up)
	}
	return pos, v
}

// nearest is the dimension along which neighbours are closest, -1 if all are
// the same element.
func nearest(dims, strides []int) int {
	at := -1
	for i, n := range dims {
		if s := abs(strides[i]); n > 1 && s > 0 && (at < 0 || s < abs(strides[at])) {
			at = i
		}
	}
	return at
}
