package graph

import "math/bits"

// Places is a number for each of some nodes. Walks of graphs ask for it several
// times for each node; with a map that would be most of their time. The zero
// value has no nodes.
type Places struct {
	slots []place // open addressing: a power of two of them, at most half in use
	used  []int32 // the slots in use
	shift int     // takes a hash to a slot
}

type place struct {
	node *Node
	at   int32
}

// leastPlaces is how many slots there are at first.
const leastPlaces = 64

// Len is how many nodes have a number.
func (p *Places) Len() int { return len(p.used) }

// At is the number of a node, and false if it has none.
func (p *Places) At(n *Node) (int, bool) {
	if len(p.slots) == 0 {
		return 0, false
	}
	s := &p.slots[p.find(n)]
	return int(s.at), s.node != nil
}

// Add gives a node a number unless it has one, and gives the one that it has.
func (p *Places) Add(n *Node, at int) (int, bool) {
	if 2*len(p.used) >= len(p.slots) {
		p.grow()
	}
	i := p.find(n)
	if p.slots[i].node != nil {
		return int(p.slots[i].at), false
	}
	p.slots[i] = place{n, int32(at)}
	p.used = append(p.used, int32(i))
	return at, true
}

// Set gives a node another number than it has.
func (p *Places) Set(n *Node, at int) { p.slots[p.find(n)].at = int32(at) }

// Clear forgets all nodes and keeps room for as many.
func (p *Places) Clear() {
	for _, i := range p.used {
		p.slots[i] = place{}
	}
	p.used = p.used[:0]
}

// find is the slot of a node, or the one to put it in. Nodes of a graph are
// numbered one after the other: multiplied by the golden ratio they lie evenly.
func (p *Places) find(n *Node) int {
	last := len(p.slots) - 1
	i := int(n.serial * 0x9e3779b97f4a7c15 >> p.shift)
	for p.slots[i].node != nil && p.slots[i].node != n {
		i = (i + 1) & last
	}
	return i
}

func (p *Places) grow() {
	old := *p
	p.slots = make([]place, max(leastPlaces, 2*len(old.slots)))
	p.shift = 64 - bits.Len(uint(len(p.slots)-1))
	for k, i := range old.used {
		to := p.find(old.slots[i].node)
		p.slots[to] = old.slots[i]
		p.used[k] = int32(to)
	}
}
