package graph

// Topological lists every node that the outputs need, each once, inputs before
// their users. Where leaf reports true the walk does not go on to the inputs;
// nil stops nowhere. Depth costs heap, not stack: graphs may be chains of any
// length.
func Topological(leaf func(*Node) bool, outputs ...*Node) []*Node {
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
		v := visit{node: n}
		if leaf == nil || !leaf(n) {
			v.in = n.In()
		}
		stack = append(stack, v)
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
