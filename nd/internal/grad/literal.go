package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// keptLiterals is how many literals a pass uses again: gradients of neighbouring
// operations are full of the same zeros and halves.
const keptLiterals = 16

// number is v everywhere, like x. The same number again is the same node.
func (p *pass) number(x *graph.Node, v complex128) *graph.Node {
	arg := scalar.ArgOf(x.Type, v)
	for _, n := range p.literals {
		if n.Args[0] == arg && n.Type == x.Type && n.Place() == x.Place() && slices.Equal(n.Shape, x.Shape) {
			return n
		}
	}
	n := number(x, v)
	if len(p.literals) < keptLiterals {
		p.literals = append(p.literals, n)
	} else {
		p.literals[p.oldest] = n
		p.oldest = (p.oldest + 1) % keptLiterals
	}
	return n
}

// times is x multiplied by a number.
func (p *pass) times(x *graph.Node, v complex128) *graph.Node { return mul(x, p.number(x, v)) }

// isZero is where x is 0.
func (p *pass) isZero(x *graph.Node) *graph.Node {
	return apply(scalar.Equal, x, p.number(x, 0))
}

// unlessZero is d, but 0 where x is.
func (p *pass) unlessZero(x, d *graph.Node) *graph.Node {
	return where(p.isZero(x), p.number(d, 0), d)
}
