package grad

import (
	"fmt"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Of gives the cotangent of every node of wrt, given those of the outputs; nil
// where no output depends on the node in a way that has a gradient. Seeds have
// the types and shapes of their outputs.
//
// What users add to the cotangent of a node is added in a fixed order, so that
// equal graphs have equal gradients to the last bit.
func Of(outputs, seeds, wrt []*graph.Node) (grads []*graph.Node, err error) {
	return of(outputs, seeds, wrt, false)
}

// Within is Of for a part of a graph that begins at wrt: it goes no further back,
// also where nodes of wrt depend on each other.
func Within(outputs, seeds, wrt []*graph.Node) ([]*graph.Node, error) {
	return of(outputs, seeds, wrt, true)
}

func of(outputs, seeds, wrt []*graph.Node, within bool) (grads []*graph.Node, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			grads, err = nil, r.err
		default:
			panic(r)
		}
	}()
	p := passes.Get().(*pass)
	defer p.free()
	p.begin(outputs, wrt, within)
	if err := p.checkHistory(wrt); err != nil {
		return nil, err
	}
	for i, out := range outputs {
		p.add(out, seeds[i])
	}
	for _, n := range slices.Backward(p.order) {
		p.join(n)
		if g := p.entry(n).sum; g != nil {
			p.pull(n, g)
		}
	}
	grads = lists.Map(wrt, func(n *graph.Node) *graph.Node { return p.entry(n).sum })
	return grads, nil
}

// pass is one differentiation. What it is made of is used again by the next.
type pass struct {
	order   []*graph.Node // inputs before their users
	places  graph.Places  // of entries
	entries []entry       // of all nodes that the walk came by, and of wrt
	within  bool          // nothing behind wrt counts
	cut     []*graph.Node // evaluated nodes whose inputs are gone
	step    step          // the one under way

	weights  map[weights]*graph.Node // of the bins of real transforms
	literals []*graph.Node           // made last
	oldest   int                     // of them
}

var passes = sync.Pool{New: func() any { return &pass{weights: map[weights]*graph.Node{}} }}

// free lets another differentiation have the pass, which keeps no node alive.
func (p *pass) free() {
	clear(p.order)
	clear(p.entries)
	clear(p.cut)
	clear(p.weights)
	clear(p.literals)
	p.places.Clear()
	p.order, p.entries, p.cut, p.literals = p.order[:0], p.entries[:0], p.cut[:0], p.literals[:0]
	p.step, p.oldest = step{}, 0
	passes.Put(p)
}

// entry is what a pass knows of a node. What an evaluation may change is read
// once, when the walk comes by.
type entry struct {
	in          []*graph.Node
	out         *output // the call that the node is a result of
	wrt, active bool    // active: depends on wrt
	seen        bool    // by the walk
	sum         *graph.Node
	pieces      []piece       // cotangents of parts of the node
	grads       []*graph.Node // of the results, if the node stands for a call
}

// begin walks the graph. There are no new entries after it.
func (p *pass) begin(outputs, wrt []*graph.Node, within bool) {
	p.within = within
	for _, n := range wrt {
		p.newEntry(n).wrt = true
	}
	p.order = graph.Walk(p.order, p.inputs, outputs...)
	for _, n := range p.order {
		e := p.entry(n)
		e.active = e.wrt || differentiable(n) && slices.ContainsFunc(e.in, func(x *graph.Node) bool { return p.entry(x).active })
	}
}

// entry is that of a node which has one.
func (p *pass) entry(n *graph.Node) *entry {
	i, _ := p.places.At(n)
	return &p.entries[i]
}

// newEntry is that of any node, until the next one is made.
func (p *pass) newEntry(n *graph.Node) *entry {
	i, isNew := p.places.Add(n, len(p.entries))
	if isNew {
		p.entries = append(p.entries, entry{})
	}
	return &p.entries[i]
}

// differentiable reports a node whose elements can change by little.
func differentiable(n *graph.Node) bool {
	return n.Type.IsFloat() || n.Type.IsComplex() || n.Op == graph.Invalid // a call
}

// inputs is what a cotangent of n goes on to, and false if the walk came by
// before.
func (p *pass) inputs(n *graph.Node) ([]*graph.Node, bool) {
	e := p.newEntry(n)
	if e.seen {
		return nil, false
	}
	e.seen = true
	in, way := n.In(), n.Detour()
	switch {
	case n.EndsGradients() || !differentiable(n) || p.within && e.wrt:
		return nil, true
	case n.Held() != nil:
		if !n.Op.IsSource() { // which never had inputs
			p.cut = append(p.cut, n)
		}
		return nil, true
	}
	if out, ok := way.(*output); ok {
		e.out, in = out, []*graph.Node{out.call.node}
	} else if c, ok := n.Attr.(*Call); ok {
		in = c.in
	}
	e.in = in
	return in, true
}

// add adds to the cotangent of a node. It is computed where the node is, unless
// the node is there already: its stream may be closed by now.
func (p *pass) add(n, g *graph.Node) {
	e := p.entry(n)
	if !e.active {
		return
	}
	if g.Type != n.Type || !slices.Equal(g.Shape, n.Shape) {
		panic(failure{fmt.Errorf("%s of %s %v got a gradient of %s %v", n.Op, n.Type, n.Shape, g.Type, g.Shape)})
	}
	if len(e.in) > 0 {
		g = at(n.Place(), g)
	}
	if e.sum != nil {
		g = added(e.sum, g)
	}
	e.sum = g
}

// added is a sum of cotangents. What a Gather, a Take or a Sort sends back, elements at
// their indices and zeros elsewhere, is added to the other cotangent at those indices.
func added(a, b *graph.Node) *graph.Node {
	for _, p := range [][2]*graph.Node{{a, b}, {b, a}} {
		sent, other := p[0], p[1]
		if in := sent.In(); sent.Op == graph.ScatterAdd && sent.Held() == nil && len(in) == 3 {
			if v, ok := constant(in[0]); ok && v == 0 {
				at := sent.Attr.(graph.IndexAttr)
				return must(graph.NewScatterAdd(other, in[1], in[2], at.Axis, at.From))
			}
		}
	}
	return add(a, b)
}

// pull goes on from a node to its inputs.
func (p *pass) pull(n, g *graph.Node) {
	e := p.entry(n)
	if e.out != nil {
		p.collect(e.out, g)
		return
	}
	if c, ok := n.Attr.(*Call); ok {
		p.pullCall(e, c)
		return
	}
	r := rules[n.Op]
	if r == nil {
		return
	}
	s := &p.step
	*s = step{pass: p, n: n, g: g, in: e.in}
	for i, x := range e.in {
		if !p.entry(x).active {
			continue
		}
		s.to = x
		if d := r(s, i); d != nil {
			p.add(s.to, d)
		}
	}
}

// step is a node under differentiation.
type step struct {
	*pass
	n, g *graph.Node
	in   []*graph.Node
	to   *graph.Node // whose cotangent the rule gives: the input, unless the rule says otherwise
}

// rule gives the cotangent that a step sends to its input i; nil for none.
type rule func(s *step, i int) *graph.Node

// rules has every operation but the sources. Those without a rule, BitCast and
// what only has integers or bools, pass nothing on.
var rules = [...]rule{
	graph.Map:        pullMap,
	graph.Transpose:  pullTranspose,
	graph.Broadcast:  pullBroadcast,
	graph.Slice:      pullSlice,
	graph.Reshape:    pullReshape,
	graph.Frames:     pullFrames,
	graph.BitCast:    nil,
	graph.Pad:        pullPad,
	graph.Concat:     pullConcat,
	graph.Take:       pullTake,
	graph.Gather:     pullGather,
	graph.ScatterAdd: pullScatterAdd,
	graph.Reduce:     pullReduce,
	graph.Scan:       pullScan,
	graph.Sort:       pullSort,
	graph.MatMul:     pullMatMul,
	graph.FFT:        pullFFT,
	graph.Overlap:    pullOverlap,
	graph.Butterfly:  pullButterfly,
	graph.Custom:     pullCustom,
	graph.Transfer:   pullTransfer,
}

// failure carries an error out of the rules. They build on nodes that passed
// the same checks, so it is rare: an intermediate too large to count, or an
// operation without a gradient.
type failure struct{ err error }

func must(n *graph.Node, err error) *graph.Node {
	if err != nil {
		panic(failure{err})
	}
	return n
}

// NoGradientError names a custom kernel that was to be differentiated.
type NoGradientError struct{ Kernel string }

func (e *NoGradientError) Error() string {
	return fmt.Sprintf("kernel %s has no gradient of its own; call it within Custom, which gives it one", e.Kernel)
}

func pullCustom(s *step, _ int) *graph.Node {
	panic(failure{&NoGradientError{s.n.Attr.(graph.CustomAttr).Launch.Unit.Name}})
}

// pullTransfer sends the cotangent back to the device the elements came from.
func pullTransfer(s *step, i int) *graph.Node {
	return must(graph.NewTransfer(s.in[i].Place(), s.g))
}
