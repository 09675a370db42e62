package nd

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/grad"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Custom returns a function whose gradient is given instead of derived: for a Kernel,
// which has none, or where a better gradient is known. forward computes results from
// inputs. backward gets both, and the gradients with respect to the results; it returns
// one gradient for each input, with its shape and element type, or nil for none.
//
//	relu := nd.Custom(
//		func(in []*nd.Array) []*nd.Array { return kernel.Call(nd.Launch{Inputs: in, ...}) },
//		func(in, out, grads []*nd.Array) []*nd.Array {
//			return []*nd.Array{grads[0].Mul(in[0].GreaterScalar(0).Cast(nd.Float32))}
//		})
//	y := relu(x)[0]
//
// Arrays that forward captures get no gradient. backward builds a graph; if its operations
// have gradients, so has the gradient.
func Custom(forward func(in []*Array) []*Array, backward func(in, out, grads []*Array) []*Array) func(in ...*Array) []*Array {
	return func(in ...*Array) []*Array {
		in = checkedInputs("custom", in)
		out := forward(slices.Clone(in))
		nodes, bad := callNodes("custom", in, out)
		if bad != nil {
			return fillArrays(make([]*Array, max(len(out), 1)), bad)
		}
		shown := make([]*Array, len(out))
		back := func(grads []*graph.Node) ([]*graph.Node, error) {
			given := backward(slices.Clone(in), slices.Clone(shown), gradArrays(grads, shown))
			result := make([]*graph.Node, len(given))
			for i, g := range given {
				if g == nil {
					continue
				}
				if err := g.Err(); err != nil {
					return nil, fmt.Errorf("custom: gradient %d: %w", i, err)
				}
				result[i] = g.node
			}
			return result, nil
		}
		for i, n := range grad.NewCall(nodes, arrayNodes(out), back) {
			shown[i] = &Array{node: n}
		}
		return slices.Clone(shown)
	}
}

// checkedInputs is the inputs with an error in the place of nil.
func checkedInputs(op string, in []*Array) []*Array {
	in = slices.Clone(in)
	for i, a := range in {
		if a.isNil() {
			in[i] = failed(op, fmt.Errorf("input %d is a nil Array", i))
		}
	}
	return in
}

// callNodes is the nodes of inputs, or the array that carries why a call has no
// results: the error of one, if there is one.
func callNodes(op string, in, out []*Array) ([]*graph.Node, *Array) {
	for i, a := range slices.Concat(in, out) {
		if a.isNil() {
			return nil, failed(op, fmt.Errorf("result %d is a nil Array", i-len(in)))
		}
		if a.err != nil {
			return nil, a
		}
	}
	if len(out) == 0 {
		return nil, failed(op, fmt.Errorf("no results"))
	}
	return arrayNodes(in), nil
}

func arrayNodes(arrays []*Array) []*graph.Node {
	nodes := make([]*graph.Node, len(arrays))
	for i, a := range arrays {
		nodes[i] = a.node
	}
	return nodes
}

// gradArrays is the gradients of results, zeros where there is none.
func gradArrays(grads []*graph.Node, out []*Array) []*Array {
	arrays := make([]*Array, len(grads))
	for i, g := range grads {
		if g == nil {
			arrays[i] = FullLike(out[i], 0)
		} else {
			arrays[i] = &Array{node: graph.Shown(g)}
		}
	}
	return arrays
}
