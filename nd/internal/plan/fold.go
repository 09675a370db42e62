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

// foldGrouped is fold for a view whose axes may be several. It reports false where that expresses the chain
// no better.
func foldGrouped(g *Graph, v shape.View, l *link) (shape.Grouped, bool) {
	below := l
	for below != nil { // as long as strides express it
		n := g.Nodes[below.view]
		if n.Op == graph.Reshape {
			if _, ok := v.Reshape(n.Shape); !ok {
				break
			}
		}
		v, _ = fold(g, v, &link{view: below.view})
		below = below.up
	}
	if v.Len() == 0 {
		return shape.Grouped{}, false
	}
	w := v.Grouped()
	for ; below != nil; below = below.up {
		n := g.Nodes[below.view]
		switch n.Op {
		case graph.Transpose:
			w = w.Transpose(n.Attr.(graph.TransposeAttr).Perm)
		case graph.Broadcast:
			w = w.BroadcastTo(n.Shape)
		case graph.Reshape:
			var ok bool
			if w, ok = w.Reshape(n.Shape); !ok {
				return w, false
			}
		default:
			return w, false
		}
	}
	return w, true
}
