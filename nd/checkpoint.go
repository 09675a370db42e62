package nd

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/grad"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Checkpoint returns a function that is computed again in the backward pass. Only its
// inputs and results are kept, which saves memory and costs time. It pays for parts of a
// model with large intermediate results and small inputs and results.
//
//	block := nd.Checkpoint(func(in []*nd.Array) []*nd.Array {
//		return []*nd.Array{in[0].MatMul(w1).Tanh().MatMul(w2)}
//	})
//	y := block(x)[0]
//
// f must give the same results whenever it is called with the same inputs. Arrays that f
// captures, w1 and w2 here, have gradients too.
func Checkpoint(f func(in []*Array) []*Array) func(in ...*Array) []*Array {
	const op = "checkpoint"
	return func(in ...*Array) []*Array {
		in = checkedInputs(op, in)
		mark := graph.Mark()
		out := f(slices.Clone(in))
		nodes, bad := callNodes(op, in, out)
		if bad != nil {
			return fillArrays(make([]*Array, max(len(out), 1)), bad)
		}
		results := arrayNodes(out)
		// What f uses besides its inputs was there before it ran.
		nodes = append(nodes, graph.Before(mark, nodes, results)...)
		back := func(grads []*graph.Node) ([]*graph.Node, error) {
			again := slices.Clone(nodes)
			inputs := make([]*Array, len(in))
			for i := range in {
				again[i] = graph.NewAlias(nodes[i])
				inputs[i] = &Array{node: again[i]}
			}
			redone := f(inputs)
			if _, bad := callNodes(op, inputs, redone); bad != nil {
				return nil, bad.err
			}
			var outs, seeds []*graph.Node
			for i, g := range grads {
				if g != nil && i < len(redone) {
					outs, seeds = append(outs, redone[i].node), append(seeds, g)
				}
			}
			return grad.Within(outs, seeds, again)
		}
		shown := grad.NewCall(nodes, results, back)
		arrays := make([]*Array, len(shown))
		for i, n := range shown {
			arrays[i] = &Array{node: n}
		}
		return arrays
	}
}
