package graph

// Invariants lists what outputs, a function of params, need and no param
// reaches, as far as it is worth keeping: nodes without a value that something
// that depends on a param uses, below views, which cost nothing. Constants and
// counters are left out: they are cheaper made than read.
func Invariants(outputs, params []*Node) []*Node {
	w := invariantWalk{varies: map[*Node]bool{}, full: map[*Node]bool{}, seen: map[*Node]bool{}}
	for _, p := range params {
		w.varies[p] = true
	}
	for _, n := range outputs {
		w.seen[n] = true // a result is its caller's, to release or give away
	}
	for _, n := range outputs {
		w.visit(n)
	}
	return w.found
}

// invariantWalk visits what depends on params once, inputs first.
type invariantWalk struct {
	varies map[*Node]bool // known nodes: whether a param reaches them
	full   map[*Node]bool // maps and views of constants: one number everywhere
	seen   map[*Node]bool // invariant nodes that were looked at as operands
	found  []*Node
}

// visit looks at n and all that it needs. Graphs are deep: it keeps a stack of its
// own.
func (w *invariantWalk) visit(n *Node) {
	type frame struct {
		n    *Node
		next int
	}
	stack := []frame{{n: n}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		in := top.n.In()
		if _, known := w.varies[top.n]; known {
			stack = stack[:len(stack)-1]
			continue
		}
		if top.next < len(in) {
			top.next++
			stack = append(stack, frame{n: in[top.next-1]})
			continue
		}
		varies, full := false, top.n.Op == Full || len(in) > 0 && (top.n.Op == Map || top.n.Op.IsView())
		for _, x := range in {
			varies, full = varies || w.varies[x], full && w.full[x]
		}
		w.varies[top.n], w.full[top.n] = varies, full
		if varies {
			for _, x := range in {
				if !w.varies[x] {
					w.keep(x)
				}
			}
		}
		stack = stack[:len(stack)-1]
	}
}

// keep notes an invariant operand, or those behind it if it is a view.
func (w *invariantWalk) keep(n *Node) {
	if w.seen[n] || n.Held() != nil {
		return
	}
	w.seen[n] = true
	switch {
	case n.Op.IsView():
		for _, x := range n.In() {
			w.keep(x)
		}
	case n.Op != Data && n.Op != Iota && !w.full[n]:
		w.found = append(w.found, n)
	}
}
