package graph

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Past is what an evaluated node remembers of the operations that made it:
// which nodes they started from, by number. It keeps none of them alive, and
// tells a gradient that leads nowhere from one whose way is gone.
//
// The first number is the horizon: origins up to it may be forgotten. The others
// are origins. It is one slice, because every evaluation makes one.
type Past []uint64

// maxInherited bounds how many origins of an origin are remembered. An array
// that is updated in a loop has a past as long as the loop.
const maxInherited = 32

// maxSets bounds the words of the sets that tell the pasts of several outputs
// apart: 2 MiB. Larger evaluations remember together what was there before, and
// forget what they made from nothing.
const maxSets = 1 << 18

// remembering is a held value that knows how it came about. A value may be used
// again for another node when its own has let go of it.
type remembering interface {
	// Past is for those who know that nobody lets go of the value.
	Past() Past
	// CopyPast is for anyone. It fails when the value was let go of.
	CopyPast() (Past, bool)
}

// Past is nil for a node that was not computed.
func (n *Node) Past() Past {
	for {
		p := n.held.Load()
		if p == nil {
			return nil
		}
		v, ok := (*p).(remembering)
		if !ok {
			return nil
		}
		if past, ok := v.CopyPast(); ok && n.held.Load() == p {
			return past
		}
	}
}

// past is Past while nobody lets go of the node's value.
func (n *Node) past() Past {
	if v, ok := n.Held().(remembering); ok {
		return v.Past()
	}
	return nil
}

// Anything is the past of what may depend on anything that was there before.
var Anything = Past{^uint64(0)}

// AppendPast appends the past of what is computed from nodes, all of which it
// needs, to an empty p. Nodes that are there already, or made from nothing, are
// its origins.
func AppendPast(p Past, nodes []*Node) Past {
	p = append(p, 0)
	var last Past
	for _, n := range nodes {
		if n.Held() != nil {
			p, last = p.from(n, n.past(), last)
		}
	}
	for _, n := range nodes {
		if n.Held() == nil && n.isOrigin() {
			p = append(p, n.serial)
		}
	}
	return p
}

// PastOfCopy is the past of a node that was given the elements of n, which is there.
func PastOfCopy(n *Node) Past {
	p, _ := Past{0}.from(n, n.Past(), nil)
	return p
}

// isOrigin reports a node that is there, or made from nothing for an array.
func (n *Node) isOrigin() bool {
	return n.Held() != nil || n.Op.IsSource() && !n.IsLiteral()
}

// from adds an origin, and a part of its own past, unless that was the last to be
// added: the origins of an evaluation usually come from one other.
func (p Past) from(n *Node, past, last Past) (Past, Past) {
	p = append(p, n.serial)
	if len(past) == 0 || len(last) > 0 && &past[0] == &last[0] {
		return p, last
	}
	kept := min(len(past), 1+maxInherited)
	p = append(p, past[1:kept]...)
	p[0] = max(p[0], past[0])
	for _, s := range past[kept:] {
		p[0] = max(p[0], s)
	}
	return p, past
}

// Pasts finds the pasts of several outputs of one evaluation. It is the scratch
// of doing so, and can be used again.
type Pasts struct {
	origins []*Node
	bit     []int32  // by node: which origin it is, or -1
	sets    []uint64 // for each node: which origins it depends on
}

// Of is the past of each output, nil for those that were there already. The nodes
// are in topological order, and at is their places.
func (p *Pasts) Of(nodes []*Node, at *Places, outputs []*Node) []Past {
	defer func() { clear(p.origins) }()
	pasts := make([]Past, len(outputs))
	held := p.findOrigins(nodes, at, outputs)
	words := (len(p.origins) + 63) / 64
	if len(nodes)*words > maxSets {
		past := AppendPast(nil, p.origins[:held])
		for i, n := range outputs {
			if n.Held() == nil {
				pasts[i] = past
			}
		}
		return pasts
	}
	p.findSets(nodes, at, words)
	var before []uint64
	for i, n := range outputs {
		if n.Held() != nil {
			continue
		}
		k, _ := at.At(n)
		set, b := p.sets[k*words:(k+1)*words], p.bit[k]
		set[b/64] &^= 1 << (b % 64) // nothing is its own past
		if i > 0 && pasts[i-1] != nil && slices.Equal(set, before) {
			pasts[i] = pasts[i-1] // results of one computation mostly share theirs
			continue
		}
		past, last := make(Past, 1), Past(nil)
		for k, w := range set {
			for ; w != 0; w &= w - 1 {
				n := p.origins[64*k+bits.TrailingZeros64(w)]
				past, last = past.from(n, n.past(), last)
			}
		}
		pasts[i], before = past, set
	}
	return pasts
}

// findOrigins lists the nodes that are there, which it counts, then the outputs,
// each of which is an origin of the others, too, then those made from nothing.
func (p *Pasts) findOrigins(nodes []*Node, at *Places, outputs []*Node) (held int) {
	p.origins, p.bit = p.origins[:0], p.bit[:0]
	for range nodes {
		p.bit = append(p.bit, -1)
	}
	add := func(i int, n *Node) {
		if p.bit[i] < 0 {
			p.bit[i] = int32(len(p.origins))
			p.origins = append(p.origins, n)
		}
	}
	for i, n := range nodes {
		if n.Held() != nil {
			add(i, n)
		}
	}
	held = len(p.origins)
	for _, n := range outputs {
		i, _ := at.At(n)
		add(i, n)
	}
	for i, n := range nodes {
		if n.isOrigin() {
			add(i, n)
		}
	}
	return held
}

func (p *Pasts) findSets(nodes []*Node, at *Places, words int) {
	p.sets = append(p.sets[:0], make([]uint64, len(nodes)*words)...)
	for i, n := range nodes {
		set := p.sets[i*words : (i+1)*words]
		if n.Held() == nil {
			for _, x := range n.In() {
				k, _ := at.At(x)
				for j, w := range p.sets[k*words : (k+1)*words] {
					set[j] |= w
				}
			}
		}
		if b := p.bit[i]; b >= 0 {
			set[b/64] |= 1 << (b % 64)
		}
	}
}

// May reports whether something with this past may depend on n.
func (p Past) May(n *Node) bool {
	if n.isOrigin() {
		return n.serial <= p[0] || slices.Contains(p[1:], n.serial)
	}
	// A node that is not computed is nobody's origin: it may be on the way from
	// one of its own.
	return slices.ContainsFunc(Topological(func(x *Node) bool { return x.Held() != nil }, n), func(x *Node) bool { return x.isOrigin() && p.May(x) })
}

// Compare is negative if n was made before m, and so cannot depend on it.
func (n *Node) Compare(m *Node) int { return cmp.Compare(n.serial, m.serial) }

// Mark is a moment: nodes made from now on are younger.
func Mark() uint64 { return serials.Load() }

// Before lists the nodes made up to a mark that outputs use, not through any of
// inputs nor through each other.
func Before(mark uint64, inputs, outputs []*Node) []*Node {
	old := func(n *Node) bool { return n.serial <= mark || slices.Contains(inputs, n) }
	return lists.Filter(Topological(old, outputs...), func(n *Node) bool { return n.serial <= mark && !slices.Contains(inputs, n) })
}
