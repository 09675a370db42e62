package plan

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/cost"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// space is an index space that code is written for.
type space struct {
	root   NodeID // the stored node the code belongs to
	dims   []int
	stream int
	memory bool // not code at all: root needs the elements in memory
	whole  bool // the elements of root itself, so a reduction may end in it
	ops    int  // operations of the code, and root's own
	again  int  // elements that further code of root computes once more
}

// context is one way a node is used: by code over a space, seen through views.
type context struct {
	space *space
	link  *link
}

type nodeUse struct {
	pos NodeID
	context
}

// maxContexts bounds in how many places a node is computed again.
const maxContexts = 8

// regions is the outcome of deciding, for every node, whether it is stored.
type regions struct {
	g       *Graph
	figures device.Figures
	maxOps  int
	whole   func(n int) bool // device.Info.WholeBins
	links   links

	output []bool // by node
	stored []bool
	why    []string
	acc    map[NodeID]NodeID // stored map -> the reduction that it ends
	force  []bool            // reshapes that no operand can express
	across []bool            // nodes that a reduction would read across memory
	retry  bool

	uses  [][]context // by node, each once
	seen  map[nodeUse]bool
	loads []float64 // bytes of operands below a node for each of its elements, were all of it inlined
	ops   []float64 // operations likewise, in simple ones
}

// findRegions goes through the nodes from the outputs upward, users before
// their inputs, so that when a node's turn comes every use of it is known.
// Where an operand then turns out not to be expressible through a reshape,
// the reshape is stored and the search starts again. Nodes in across are
// stored.
func findRegions(g *Graph, info device.Info, maxOps int, across []bool) (*regions, error) {
	r := &regions{g: g, figures: info.Figures, maxOps: maxOps, whole: info.WholeBins, links: links{}, output: make([]bool, len(g.Nodes)), force: make([]bool, len(g.Nodes)), across: across}
	for _, pos := range g.Outputs {
		r.output[pos] = true
	}
	r.estimate()
	for {
		r.stored = make([]bool, len(g.Nodes))
		r.why = make([]string, len(g.Nodes))
		r.acc = map[NodeID]NodeID{}
		r.uses = make([][]context, len(g.Nodes))
		r.seen = map[nodeUse]bool{}
		r.retry = false
		for _, pos := range g.Outputs {
			r.use(pos, context{space: &space{root: pos, memory: true}})
		}
		for pos := len(g.Nodes) - 1; pos >= 0; pos-- {
			if len(r.uses[pos]) > 0 {
				if err := r.decide(NodeID(pos)); err != nil {
					return nil, err
				}
			}
		}
		if !r.retry {
			return r, nil
		}
	}
}

// estimate fills loads and ops from the leaves up.
func (r *regions) estimate() {
	const most = 1e6 // shared nodes count once per path; more than this is all the same
	r.loads = make([]float64, len(r.g.Nodes))
	r.ops = make([]float64, len(r.g.Nodes))
	for pos, n := range r.g.Nodes {
		switch {
		case r.g.Leaf[pos] >= 0:
			r.loads[pos] = float64(n.Type.Size())
		case n.Op == graph.Full:
		case n.Op == graph.Iota:
			r.ops[pos] = 1
		case n.Op == graph.Random:
			r.ops[pos] = cost.Again(n.Attr.(graph.RandomAttr).Draw, n.Type, n.Type, r.figures)
		case n.Op == graph.Map:
			r.ops[pos] = cost.Again(n.Attr.(graph.MapAttr).Op, n.Type, r.g.Nodes[r.g.In[pos][0]].Type, r.figures)
			for _, in := range r.g.In[pos] {
				r.loads[pos] += r.loads[in]
				r.ops[pos] += r.ops[in]
			}
		case n.Op.IsView():
			in := r.g.In[pos][0]
			r.loads[pos], r.ops[pos] = r.loads[in], r.ops[in]
			if have, show := r.g.Nodes[in].Len(), n.Len(); have < show {
				r.loads[pos] *= float64(have) / float64(show)
			}
		default:
			r.loads[pos] = float64(n.Type.Size())
		}
		r.loads[pos], r.ops[pos] = min(r.loads[pos], most), min(r.ops[pos], most)
	}
}

// use notes a use of a node.
func (r *regions) use(pos NodeID, c context) {
	if k := (nodeUse{pos, c}); !r.seen[k] {
		r.seen[k] = true
		r.uses[pos] = append(r.uses[pos], c)
	}
}

func (r *regions) decide(pos NodeID) error {
	n := r.g.Nodes[pos]
	in := r.g.In[pos]
	switch {
	case r.g.Leaf[pos] >= 0:
		r.checkFolds(pos, r.base(pos))
	case r.isCrop(pos):
		r.store(pos, "output, a part of what is computed")
		s := &space{root: pos, dims: n.Shape, stream: n.Stream}
		r.use(in[0], context{s, r.links.push(r.g, pos, nil)})
	case n.Op.IsView() && !r.force[pos]:
		for _, c := range r.uses[pos] {
			r.use(in[0], context{c.space, r.links.push(r.g, pos, c.link)})
		}
	case n.Op == graph.Map || n.Op == graph.Full || n.Op == graph.Iota || n.Op == graph.Random:
		if why := r.mustStore(pos); why != "" {
			r.store(pos, why)
			s := &space{root: pos, dims: n.Shape, stream: n.Stream, whole: true, ops: 1}
			for _, i := range in {
				r.use(i, context{space: s})
			}
			return nil
		}
		if n.Op == graph.Iota || n.Op == graph.Random {
			r.checkFolds(pos, positions(n))
		}
		for _, c := range r.uses[pos] {
			c.space.ops++
			for _, i := range in {
				r.use(i, c)
			}
		}
	case n.Op.IsView():
		// A reshape keeps row-major order, so it is stored by storing what it
		// shows in that order.
		r.store(pos, "no strides express this reshape")
		r.use(in[0], context{space: &space{root: pos, dims: r.g.Nodes[in[0]].Shape, stream: n.Stream, ops: 1}})
	default:
		return r.decideAnchor(pos)
	}
	return nil
}

// isCrop reports an output that shows only a part of a transform's result: it
// is stored by itself, so that the rest need not be kept, or even written.
func (r *regions) isCrop(pos NodeID) bool {
	if !r.output[pos] || r.force[pos] || r.g.Leaf[pos] >= 0 {
		return false
	}
	base := pos
	for r.g.Leaf[base] < 0 && r.g.Nodes[base].Op.IsView() && r.g.Nodes[base].Op != graph.BitCast {
		base = r.g.In[base][0]
	}
	n, b := r.g.Nodes[pos], r.g.Nodes[base]
	return base != pos && r.g.Leaf[base] < 0 && b.Op == graph.FFT && 4*n.Len() <= 3*b.Len()
}

// decideAnchor places an operation that ends one pass over elements and
// begins another.
func (r *regions) decideAnchor(pos NodeID) error {
	n, in := r.g.Nodes[pos], r.g.In[pos]
	part := func(i int) {
		r.use(in[i], context{space: &space{root: pos, dims: r.g.Nodes[in[i]].Shape, stream: n.Stream, ops: 1}})
	}
	memory := func(i int) {
		r.use(in[i], context{space: &space{root: pos, memory: true}})
	}
	switch n.Op {
	case graph.Reduce:
		if root := r.endsIn(pos); root >= 0 {
			r.acc[root] = pos
		} else {
			r.store(pos, r.usedBy(pos))
		}
		part(0)
		return nil
	case graph.Concat:
		for i := range in {
			src := r.joinedFrom(pos, i)
			r.use(src, context{space: &space{root: pos, dims: r.g.Nodes[src].Shape, stream: r.joinedOn(pos, src)}})
		}
	case graph.Pad:
		s := &space{root: pos, dims: r.g.Nodes[in[0]].Shape, stream: n.Stream, ops: 1}
		if n.Attr.(graph.PadAttr).Mode != graph.PadConstant {
			s.again = n.Len() - r.g.Nodes[in[0]].Len() // the margins show elements of the middle
		}
		r.use(in[0], context{space: s})
	case graph.ScatterAdd:
		part(0)
		memory(1)
		memory(2)
	case graph.FFT:
		samples, _ := r.samples(pos)
		r.use(samples, context{space: &space{root: pos, memory: true}})
	case graph.Take, graph.Gather, graph.Scan, graph.Sort, graph.MatMul, graph.Overlap, graph.Butterfly, graph.Custom:
		for i := range in {
			memory(i)
		}
	default:
		return fmt.Errorf("plan: %s has no program", n.Op)
	}
	r.store(pos, r.usedBy(pos))
	return nil
}

// endsIn is the stored map that can take a reduction in as its first value:
// its only user, over the same elements in the same order.
func (r *regions) endsIn(pos NodeID) NodeID {
	if len(r.uses[pos]) != 1 || r.maxOps == 1 {
		return -1
	}
	c := r.uses[pos][0]
	s := c.space
	n := r.g.Nodes[pos]
	if _, taken := r.acc[s.root]; taken || !s.whole || s.stream != n.Stream || !slices.Equal(withoutUnits(s.dims), withoutUnits(n.Shape)) {
		return -1
	}
	v, stuck := fold(r.g, shape.Contiguous(n.Shape), c.link)
	if stuck != nil || v.Offset != 0 || !v.IsContiguous() || c.link != nil && c.link.retyped {
		return -1
	}
	return s.root
}

// mustStore is why a node that could be computed inside its users is stored
// instead, or "".
func (r *regions) mustStore(pos NodeID) string {
	n := r.g.Nodes[pos]
	if r.across[pos] {
		return "a reduction would read its operands across the way they lie"
	}
	elems := make([]int, 0, len(r.uses[pos]))
	for _, c := range r.uses[pos] {
		switch {
		case c.space.memory:
			return r.usedBy(pos)
		case c.link != nil && c.link.retyped:
			return "its bits are used as another type"
		case n.Op == graph.Full:
			continue
		case n.Op == graph.Map && c.space.stream != n.Stream:
			return "used on another stream"
		case c.space.ops >= r.maxOps:
			return "its user is full"
		}
		elems = append(elems, ir.Count(c.space.dims)+c.space.again)
	}
	switch {
	case n.Op == graph.Full, len(elems) == 1 && elems[0] <= n.Len():
		return ""
	case len(elems) > maxContexts:
		return fmt.Sprintf("used in %d ways", len(elems))
	}
	m := cost.Intermediate{Elems: n.Len(), Bytes: n.Type.Size(), Loads: r.loads[pos] / float64(n.Type.Size()), Ops: r.ops[pos], Uses: elems}
	if ok, gain := m.Inline(r.figures); !ok {
		how := fmt.Sprintf("used in %d ways", len(elems))
		if len(elems) == 1 {
			how = "its user repeats it"
		}
		return fmt.Sprintf("%s, computing it again would cost %.1f us more", how, -gain/1000)
	}
	return ""
}

// usedBy says what needs a node in memory.
func (r *regions) usedBy(pos NodeID) string {
	if r.output[pos] {
		return "output"
	}
	for _, c := range r.uses[pos] {
		if root := r.g.Nodes[c.space.root]; c.space.memory && root.Op != graph.Invalid {
			if root.Op.IsView() || r.output[c.space.root] {
				return "output"
			}
			return "operand of " + root.Op.String()
		}
	}
	return "used by another pass"
}

func (r *regions) store(pos NodeID, why string) {
	r.stored[pos], r.why[pos] = true, why
	r.checkFolds(pos, r.base(pos))
}

// checkFolds makes sure that every use of a node can express the view of it.
func (r *regions) checkFolds(pos NodeID, v shape.View) {
	for _, c := range r.uses[pos] {
		if _, stuck := fold(r.g, v, c.link); stuck != nil {
			if _, ok := r.matrixAxes(v, c.space.root, c.link); ok {
				continue
			}
			r.force[stuck.view] = true
			r.retry = true
		}
	}
}

// base is where the elements of a leaf or stored node lie in its buffer. One
// element is enough for a constant.
func (r *regions) base(pos NodeID) shape.View {
	n := r.g.Nodes[pos]
	if l := r.g.Leaf[pos]; l >= 0 {
		return r.g.Leaves[l].View
	}
	if n.Op == graph.Full {
		return shape.View{Shape: n.Shape, Strides: make([]int, len(n.Shape))}
	}
	return shape.Contiguous(n.Shape)
}

// positions is the view whose positions are what an Iota counts, or the
// counters of a Random: its strides count instead of lying in a buffer.
func positions(n *graph.Node) shape.View {
	a, ok := n.Attr.(graph.IotaAttr)
	if !ok {
		return shape.Contiguous(n.Shape)
	}
	v := shape.View{Shape: n.Shape, Strides: make([]int, len(n.Shape))}
	v.Strides[a.Axis] = 1
	return v
}

// withoutUnits is dims without those of one element.
func withoutUnits(dims []int) []int {
	return slices.DeleteFunc(slices.Clone(dims), func(d int) bool { return d == 1 })
}

// joinedFrom is what to copy for input i of a Concat. A reshape that divides
// axes is undone, because its place in the result can be divided just as well,
// where what it shows might not be possible to join.
func (r *regions) joinedFrom(pos NodeID, i int) NodeID {
	in := r.g.In[pos][i]
	part := r.g.Nodes[in]
	place := shape.View{Shape: part.Shape, Strides: shape.Contiguous(r.g.Nodes[pos].Shape).Strides}
	for part.Op == graph.Reshape && r.g.Leaf[in] < 0 {
		below := r.g.In[in][0]
		if _, ok := place.Reshape(r.g.Nodes[below].Shape); !ok {
			break
		}
		in, part = below, r.g.Nodes[below]
	}
	return in
}

// joinedOn is the stream that copies src into a Concat: the one that computes
// it, or the Concat's own if it is there already. Nothing new is put on the
// stream of a value, which may be closed by now.
func (r *regions) joinedOn(pos, src NodeID) int {
	if r.g.Leaf[src] >= 0 {
		return r.g.Nodes[pos].Stream
	}
	return r.g.Nodes[src].Stream
}
