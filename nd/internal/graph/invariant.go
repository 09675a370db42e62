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
	for _, n := range Topological(func(n *Node) bool { return w.varies[n] }, outputs...) {
		w.visit(n)
	}
	return w.found
}

// invariantWalk visits what depends on params once, inputs first.
type invariantWalk struct {
	varies map[*Node]bool // whether a param reaches a node
	full   map[*Node]bool // maps and views of constants: one number everywhere
	seen   map[*Node]bool // invariant nodes that were looked at as operands
	found  []*Node
}

// visit looks at n, whose inputs are known.
func (w *invariantWalk) visit(n *Node) {
	if w.varies[n] {
		return // a param
	}
	in := n.In()
	full := n.Op == Full || len(in) > 0 && (n.Op == Map || n.Op.IsView())
	for _, x := range in {
		w.varies[n], full = w.varies[n] || w.varies[x], full && w.full[x]
	}
	w.full[n] = full
	for _, x := range in {
		if w.varies[n] && !w.varies[x] {
			w.keep(x)
		}
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
