package graph

// Topological lists every node that the outputs need, each once, inputs before
// their users. Where leaf reports true the walk does not go on to the inputs;
// nil stops nowhere.
func Topological(leaf func(*Node) bool, outputs ...*Node) []*Node {
	return Walk(func(n *Node) []*Node {
		if leaf != nil && leaf(n) {
			return nil
		}
		return n.In()
	}, outputs...)
}

// Walk is Topological for a caller that says what the inputs of a node are; it
// is asked once about each. Depth costs heap, not stack: graphs may be chains
// of any length.
func Walk(inputs func(*Node) []*Node, outputs ...*Node) []*Node {
	type visit struct {
		node *Node
		in   []*Node
		next int // input to go to next
	}
	var (
		order []*Node
		stack []visit
		seen  = make(map[*Node]bool)
	)
	enter := func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		stack = append(stack, visit{node: n, in: inputs(n)})
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
			order = append(order, top.node)
			stack = stack[:len(stack)-1]
		}
	}
	return order
}
