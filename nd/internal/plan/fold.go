package plan

import (
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// link is a chain of view nodes between a node and the index space that code
// is written for; up is nearer to the space. Equal chains are one pointer.
type link struct {
	view    NodeID
	up      *link
	retyped bool // a BitCast is in the chain
}

type linkKey struct {
	view NodeID
	up   *link
}

// links makes chains unique.
type links map[linkKey]*link

func (ls links) push(g *Graph, view NodeID, up *link) *link {
	k := linkKey{view, up}
	l := ls[k]
	if l == nil {
		l = &link{view: view, up: up, retyped: up != nil && up.retyped || g.Nodes[view].Op == graph.BitCast}
		ls[k] = l
	}
	return l
}

// fold applies the chain to the view of a stored node or leaf. Where strides
// cannot express a Reshape it gives that link.
func fold(g *Graph, v shape.View, l *link) (shape.View, *link) {
	for ; l != nil; l = l.up {
		n := g.Nodes[l.view]
		switch a := n.Attr.(type) {
		case graph.TransposeAttr:
			v = v.Transpose(a.Perm)
		case graph.SliceAttr:
			v = v.Slice(a.Start, a.Step, n.Shape)
		case graph.FramesAttr:
			v = v.Frames(a.Axis, a.Size, a.Hop)
		default:
			switch n.Op {
			case graph.Broadcast:
				v = v.BroadcastTo(n.Shape)
			case graph.Reshape:
				var ok bool
				if v, ok = v.Reshape(n.Shape); !ok {
					return v, l
				}
			}
		}
	}
	return v, nil
}
