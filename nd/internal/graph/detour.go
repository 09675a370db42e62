package graph

import "sync/atomic"

// DetourAttr makes of a Reshape to its own shape a node at which gradients go
// another way than through the operation, or end. Which way is the business of
// package grad. Plans do not see it. A node that lets go of its inputs lets go
// of the way too, but an end stays one.
type DetourAttr struct {
	Ends bool
	way  *atomic.Pointer[any]
}

// NewDetour shows x unchanged, with a way of its own for gradients; with none
// they end.
func NewDetour(x *Node, way any) *Node {
	a := DetourAttr{Ends: way == nil, way: new(atomic.Pointer[any])}
	a.way.Store(&way)
	d := Def{Op: Reshape, Attr: a, Type: x.Type, Shape: x.Shape, Device: x.Device, Stream: x.Stream}
	return newNode(&d, []*Node{x}, nil)
}

// Detour is the node's own way for gradients, or nil.
func (n *Node) Detour() any {
	if a, ok := n.Attr.(DetourAttr); ok {
		if w := a.way.Load(); w != nil {
			return *w
		}
	}
	return nil
}

// EndsGradients reports a node that no gradient gets through.
func (n *Node) EndsGradients() bool {
	a, ok := n.Attr.(DetourAttr)
	return ok && a.Ends
}

// AppendKey adds nothing: to a plan the node is a view like any other.
func (a DetourAttr) AppendKey(d []byte) []byte { return d }

func (a DetourAttr) String() string { return "detour" }
