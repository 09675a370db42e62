package graph

// Topological lists every node that the outputs need, each once, inputs before
// their users. Where leaf reports true the walk does not go on to the inputs;
// nil stops nowhere.
func Topological(leaf func(*Node) bool, outputs ...*Node) []*Node {
	var seen Places
	return Walk(nil, func(n *Node) ([]*Node, bool) {
		if _, isNew := seen.Add(n, 0); !isNew {
			return nil, false
		}
		if leaf != nil && leaf(n) {
			return nil, true
		}
		return n.In(), true
	}, outputs...)
}

// Walk is Topological for a caller that says what the inputs of a node are, and
// false if it was asked about the node before; it appends to dst. Depth costs
// heap, not stack: graphs may be chains of any length.
func Walk(dst []*Node, enters func(*Node) ([]*Node, bool), outputs ...*Node) []*Node {
	type visit struct {
		node *Node
		in   []*Node
		next int // input to go to next
	}
	stack := make([]visit, 0, 64) // enough for most graphs, and not on the heap
	enter := func(n *Node) {
		if in, ok := enters(n); ok {
			stack = append(stack, visit{node: n, in: in})
		}
	}
	for _, out := range outputs {
		enter(out)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next < len(top.in) {
				top.next++
				enter(top.in[top.next-1])
				continue
			}
			dst = append(dst, top.node)
			stack = stack[:len(stack)-1]
		}
	}
	return dst
}
