package reference

import (
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

func runButterfly(b *ir.Butterfly, read, weights, write []byte) {
	w := func(f, row, col, pair int) complex128 {
		return load(b.W, weights, []int{f, row, col, pair}).Num
	}
	points(b.Outer, func(at []int) {
		for i, v := range mix(b, loadLine(b.In, read, at, b.N), w) {
			store(v, b.Out, write, along(at, i))
		}
	})
}

// mix is one line, in float64 from end to end.
func mix(b *ir.Butterfly, in []Value, w func(f, row, col, pair int) complex128) []Value {
	at := func(order []int, i int) int {
		if order == nil {
			return i
		}
		return order[i]
	}
	v := lists.Make(b.N, func(i int) complex128 { return in[at(b.From, i)].Num })
	for f, h := range b.Spans {
		for p := range b.N / 2 {
			i := p/h*2*h + p%h
			x, y := v[i], v[i+h]
			v[i] = w(f, 0, 0, p)*x + w(f, 0, 1, p)*y
			v[i+h] = w(f, 1, 0, p)*x + w(f, 1, 1, p)*y
		}
	}
	out := make([]Value, b.N)
	for i, z := range v {
		if b.Out.Type.IsComplex() {
			out[at(b.To, i)] = Complex(b.Out.Type, z)
		} else {
			out[at(b.To, i)] = Float(b.Out.Type, real(z))
		}
	}
	return out
}

// mixed is a butterfly node: whole lines, of which one element is asked for
// at a time.
func mixed(n *graph.Node, in []Array) element {
	attr := n.Attr.(graph.ButterflyAttr)
	last := len(n.Shape) - 1
	b := &ir.Butterfly{N: n.Shape[last], Spans: attr.Spans, From: attr.From, To: attr.To, Out: ir.Operand{Type: n.Type}}
	w := func(f, row, col, pair int) complex128 { return in[1].at([]int{f, row, col, pair}).Num }
	var line []Value
	return func(at []int) (Value, error) {
		if at[last] == 0 { // elements are asked for in row-major order
			values := lists.Make(b.N, func(i int) Value { return in[0].at(along(at[:last], i)) })
			line = mix(b, values, w)
		}
		return line[at[last]], nil
	}
}
