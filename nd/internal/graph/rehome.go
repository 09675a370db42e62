package graph

import "github.com/twiddle-go/twiddle/nd/internal/lists"

// Rehome is the part of a graph that has no value yet, to be computed at another
// place: values stay where they are, and come over in Transfers.
func Rehome(p Place, outputs ...*Node) ([]*Node, error) {
	isLeaf := func(n *Node) bool { return n.Held() != nil || n.Op.IsSource() }
	moved := map[*Node]*Node{}
	for _, n := range Topological(isLeaf, outputs...) {
		var err error
		switch in := n.In(); {
		case n.Op.IsSource() && n.Op != Data && n.Held() == nil:
			moved[n] = NewAt(p, n)
		case isLeaf(n):
			moved[n] = n
			if n.Device != p.Device {
				moved[n], err = NewTransfer(p, n)
			}
		case n.Op == Transfer:
			moved[n] = moved[in[0]]
		default:
			there := lists.Map(in, func(x *Node) *Node { return moved[x] })
			moved[n] = New(Def{Op: n.Op, Attr: n.Attr, In: there, Type: n.Type, Shape: n.Shape, Args: n.Args, Device: p.Device, Stream: p.Stream})
		}
		if err != nil {
			return nil, err
		}
	}
	out := lists.Map(outputs, func(n *Node) *Node { return moved[n] })
	return out, nil
}
