package grad

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Stop shows a node so that no gradient gets through.
func Stop(x *graph.Node) *graph.Node { return graph.NewDetour(x, nil) }

// Call is a computation with a gradient of its own.
type Call struct {
	in   []*graph.Node
	node *graph.Node // stands for the call in the order of a pass
	back func(grads []*graph.Node) ([]*graph.Node, error)
	outs int
}

// output is the way from one result of a call.
type output struct {
	call  *Call
	index int
}

// NewCall gives results, which were computed from inputs, a gradient of its own:
// back is given the cotangents of the results, nil for those that have none, and
// gives one for each input, nil for none.
func NewCall(in, results []*graph.Node, back func(grads []*graph.Node) ([]*graph.Node, error)) []*graph.Node {
	c := &Call{in: slices.Clone(in), back: back, outs: len(results)}
	c.node = graph.New(graph.Def{Op: graph.Invalid, Attr: c, Type: elem.Invalid})
	return lists.Make(len(results), func(i int) *graph.Node { return graph.NewDetour(results[i], &output{c, i}) })
}

// At is the source n made at another place, from where gradients find their way
// back to n.
func At(p graph.Place, n *graph.Node) *graph.Node { return InPlaceOf(n, graph.NewAt(p, n)) }

// InPlaceOf is moved, which has the elements of n at another place, from where gradients find their way back to n.
func InPlaceOf(n, moved *graph.Node) *graph.Node {
	if !differentiable(n) {
		return moved
	}
	return NewCall([]*graph.Node{n}, []*graph.Node{moved}, func(grads []*graph.Node) ([]*graph.Node, error) {
		if grads[0].Device == n.Device {
			return grads, nil
		}
		g, err := graph.NewTransfer(n.Place(), grads[0])
		return []*graph.Node{g}, err
	})[0]
}

// AppendKey adds nothing: the node of a call is in no plan.
func (c *Call) AppendKey(d []byte) []byte { return d }

func (c *Call) String() string { return "call" }

// collect keeps the cotangent of a result until all of them are there.
func (p *pass) collect(o *output, g *graph.Node) {
	e := p.entry(o.call.node)
	if e.grads == nil {
		e.grads = make([]*graph.Node, o.call.outs)
	}
	e.grads[o.index] = g
	e.sum = g // anything: the call is due
}

func (p *pass) pullCall(e *entry, c *Call) {
	grads, err := c.back(e.grads)
	if err == nil && len(grads) != len(c.in) {
		err = fmt.Errorf("%s for %s", counted.Of(len(grads), "gradient"), counted.Of(len(c.in), "input"))
	}
	if err != nil {
		panic(failure{err})
	}
	for i, g := range grads {
		x := c.in[i]
		switch {
		case g == nil || !p.entry(x).active:
			continue
		case g.Type != x.Type || !slices.Equal(g.Shape, x.Shape):
			panic(failure{fmt.Errorf("gradient %d is %s %v, its input %s %v", i, g.Type, g.Shape, x.Type, x.Shape)})
		case g.Device != x.Device:
			panic(failure{fmt.Errorf("gradient %d is not on the device of its input", i)})
		}
		p.add(x, g)
	}
}
