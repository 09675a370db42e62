package graph

import (
	"cmp"
	"slices"
)

// Past is what an evaluated node remembers of the operations that made it:
// which nodes they started from, by number. It keeps none of them alive, and
// tells a gradient that leads nowhere from one whose way is gone.
//
// All nodes of one evaluation share a Past, so it may name a node that only the
// others depend on.
type Past struct {
	origins []uint64
	horizon uint64 // origins up to this number may be forgotten
	few     [8]uint64
}

// maxInherited bounds how many origins of an origin are remembered. An array
// that is updated in a loop has a past as long as the loop.
const maxInherited = 32

// remembering is a held value that knows how it came about.
type remembering interface{ Past() *Past }

// Past is nil for a node that was not computed.
func (n *Node) Past() *Past {
	if v, ok := n.Held().(remembering); ok {
		return v.Past()
	}
	return nil
}

// PastOf is the past of what is computed from nodes: of those among them that
// are origins, what is made from nothing or is there already.
func PastOf(nodes []*Node) *Past {
	p := new(Past)
	p.origins = p.few[:0]
	var last *Past
	for _, n := range nodes {
		if n.Held() == nil {
			continue
		}
		p.origins = append(p.origins, n.serial)
		// The origins of an evaluation usually come from one other.
		if from := n.Past(); from != nil && from != last {
			last = from
			kept := from.origins[:min(len(from.origins), maxInherited)]
			p.origins = append(p.origins, kept...)
			p.horizon = max(p.horizon, from.horizon)
			for _, s := range from.origins[len(kept):] {
				p.horizon = max(p.horizon, s)
			}
		}
	}
	for _, n := range nodes {
		if n.Op.IsSource() && n.Held() == nil {
			p.origins = append(p.origins, n.serial)
		}
	}
	return p
}

// May reports whether something with this past may depend on n.
func (p *Past) May(n *Node) bool {
	if n.Held() != nil || n.Op.IsSource() {
		return n.serial <= p.horizon || slices.Contains(p.origins, n.serial)
	}
	// A node that is not computed is nobody's origin: it may be on the way from
	// one of its own.
	for _, x := range Topological(func(x *Node) bool { return x.Held() != nil }, n) {
		if (x.Held() != nil || x.Op.IsSource()) && p.May(x) {
			return true
		}
	}
	return false
}

// Compare is negative if n was made before m, and so cannot depend on it.
func (n *Node) Compare(m *Node) int { return cmp.Compare(n.serial, m.serial) }

// Mark is a moment: nodes made from now on are younger.
func Mark() uint64 { return serials.Load() }

// Before lists the nodes made up to a mark that outputs use, not through any of
// inputs nor through each other.
func Before(mark uint64, inputs, outputs []*Node) []*Node {
	old := func(n *Node) bool { return n.serial <= mark || slices.Contains(inputs, n) }
	var found []*Node
	for _, n := range Topological(old, outputs...) {
		if n.serial <= mark && !slices.Contains(inputs, n) {
			found = append(found, n)
		}
	}
	return found
}
