package reference

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Array is an evaluated node: its elements in row-major order.
type Array struct {
	Type   elem.Type
	Shape  []int
	Values []Value
}

// Host views the elements of a host slice as an Array.
func Host[T elem.Value](data []T, shape ...int) Array {
	a := Array{Type: elem.Of[T](), Shape: shape, Values: make([]Value, len(data))}
	bytes := elem.Bytes(data)
	for i := range a.Values {
		a.Values[i] = Load(a.Type, bytes, i)
	}
	return a
}

// at is the element at an index.
func (a Array) at(index []int) Value {
	p := 0
	for i, x := range index {
		p = p*a.Shape[i] + x
	}
	return a.Values[p]
}

// Eval evaluates a graph node by node: no fusion, no views, one operation at
// a time. leaf gives the elements of Data nodes. Out-of-range indices are a
// *ir.IndexError.
func Eval(n *graph.Node, leaf func(*graph.Node) (Array, error)) (Array, error) {
	return NewEvaluator(leaf).Eval(n)
}

// Evaluator evaluates several graphs that share nodes. It remembers every node
// it has evaluated, also once the engine has detached the node from its inputs.
type Evaluator struct {
	leaf func(*graph.Node) (Array, error)
	done map[*graph.Node]Array
}

// NewEvaluator is an Evaluator that gets the elements of Data nodes from leaf.
func NewEvaluator(leaf func(*graph.Node) (Array, error)) *Evaluator {
	return &Evaluator{leaf: leaf, done: map[*graph.Node]Array{}}
}

// Eval evaluates a node and what it needs.
func (e *Evaluator) Eval(n *graph.Node) (Array, error) {
	if a, ok := e.done[n]; ok {
		return a, nil
	}
	var a Array
	if n.Op == graph.Data {
		var err error
		if a, err = e.leaf(n); err != nil {
			return Array{}, err
		}
	} else {
		in := make([]Array, len(n.In()))
		for i, m := range n.In() {
			var err error
			if in[i], err = e.Eval(m); err != nil {
				return Array{}, err
			}
		}
		at, err := rule(n, in)
		if err != nil {
			return Array{}, err
		}
		a = Array{Type: n.Type, Shape: n.Shape, Values: make([]Value, 0, ir.Count(n.Shape))}
		var failed error
		points(n.Shape, func(index []int) {
			v, err := at(index)
			if err != nil && failed == nil {
				failed = err
			}
			a.Values = append(a.Values, v)
		})
		if failed != nil {
			return Array{}, failed
		}
	}
	if len(a.Values) != ir.Count(n.Shape) {
		return Array{}, fmt.Errorf("reference: %s has %d elements for shape %v", n.Op, len(a.Values), n.Shape)
	}
	e.done[n] = a
	return a, nil
}

// element gives one element of a node's result.
type element func(index []int) (Value, error)

// rule says what a node's elements are, given its evaluated inputs.
func rule(n *graph.Node, in []Array) (element, error) {
	switch n.Op {
	case graph.Full, graph.Iota, graph.Random, graph.Map:
		return pointwise(n, in), nil
	case graph.Transpose, graph.Broadcast, graph.Slice, graph.Reshape, graph.Frames, graph.BitCast, graph.Transfer:
		return view(n, in[0]), nil
	case graph.Pad, graph.Concat, graph.Take, graph.Gather:
		return move(n, in), nil
	case graph.ScatterAdd:
		return scattered(n, in)
	case graph.Reduce:
		return reduced(n, in[0]), nil
	case graph.Scan, graph.Sort, graph.FFT:
		return alongAxis(n, in[0]), nil
	case graph.MatMul:
		return multiplied(n, in), nil
	case graph.Overlap:
		return overlapped(n, in[0]), nil
	case graph.Butterfly:
		return mixed(n, in), nil
	}
	return nil, fmt.Errorf("reference: unknown operation %s", n.Op)
}

func pointwise(n *graph.Node, in []Array) element {
	switch n.Op {
	case graph.Full:
		v := Argument(n.Type, n.Args[0])
		return func([]int) (Value, error) { return v, nil }
	case graph.Iota:
		axis := n.Attr.(graph.IotaAttr).Axis
		return func(at []int) (Value, error) {
			return Cast(n.Type, Integer(elem.Int64, int64(at[axis]))), nil
		}
	case graph.Random:
		draw := n.Attr.(graph.RandomAttr).Draw
		counter := int64(-1)
		return func([]int) (Value, error) {
			counter++ // elements are asked for in row-major order
			return Draw(draw, n.Type, counter, n.Args), nil
		}
	}
	op := n.Attr.(graph.MapAttr).Op
	return func(at []int) (Value, error) {
		operands := lists.Make(len(in), func(i int) Value { return in[i].at(at) })
		return Apply(op, n.Type, operands...), nil
	}
}

// reduced folds over the reduced axes in row-major order.
func reduced(n *graph.Node, in Array) element {
	attr := n.Attr.(graph.ReduceAttr)
	reducing := make([]bool, len(in.Shape))
	inner := make([]int, len(attr.Axes))
	for i, axis := range attr.Axes {
		reducing[axis] = true
		inner[i] = in.Shape[axis]
	}
	return func(outer []int) (Value, error) {
		var values []Value
		points(inner, func(reduced []int) {
			index := make([]int, 0, len(in.Shape))
			o, r := 0, 0
			for axis := range in.Shape {
				if reducing[axis] {
					index = append(index, reduced[r])
					r++
				} else {
					index = append(index, outer[o])
					o++
				}
			}
			values = append(values, in.at(index))
		})
		return fold(ir.ReduceOp(attr.Op), in.Type, values), nil
	}
}

// alongAxis is a Scan, Sort or FFT: whole lines, of which one element is
// asked for at a time.
func alongAxis(n *graph.Node, in Array) element {
	var axis int
	var run func([]Value) []Value
	switch attr := n.Attr.(type) {
	case graph.ScanAttr:
		axis = attr.Axis
		run = func(values []Value) []Value { return scan(ir.ReduceOp(attr.Op), values) }
	case graph.SortAttr:
		axis = attr.Axis
		run = func(values []Value) []Value {
			out := make([]Value, len(values))
			for i, from := range sorted(values, attr.Descending) {
				if out[i] = values[from]; attr.Arg {
					out[i] = Integer(elem.Int64, int64(from))
				}
			}
			return out
		}
	case graph.FFTAttr:
		axis = attr.Axis
		f := &ir.FFT{Kind: ir.FFTKind(attr.Kind), Inverse: attr.Inverse, N: attr.N, Scale: attr.Scale,
			Out: ir.Operand{Type: n.Type}}
		run = func(values []Value) []Value { return transform(f, values) }
	}
	lines := map[string][]Value{}
	return func(at []int) (Value, error) {
		index := append([]int(nil), at...)
		index[axis] = 0
		key := fmt.Sprint(index)
		out, ok := lines[key]
		if !ok {
			values := make([]Value, in.Shape[axis])
			for i := range values {
				index[axis] = i
				values[i] = in.at(index)
			}
			out = run(values)
			lines[key] = out
		}
		return out[at[axis]], nil
	}
}

func multiplied(n *graph.Node, in []Array) element {
	a, b := in[0], in[1]
	depth := a.Shape[len(a.Shape)-1]
	as := n.Adding()
	return func(at []int) (Value, error) {
		batch, i, j := at[:len(at)-2], at[len(at)-2], at[len(at)-1]
		x, y := make([]Value, depth), make([]Value, depth)
		for k := range depth {
			x[k], y[k] = a.at(along(along(batch, i), k)), b.at(along(along(batch, k), j))
		}
		return dotAs(n.Type, x, y, as.Mode, as.Root), nil
	}
}

// scattered adds every update in row-major order, then reads the result.
func scattered(n *graph.Node, in []Array) (element, error) {
	axis := n.Attr.(graph.IndexAttr).Axis
	base, index, updates := in[0], in[1], in[2]
	out := Array{Type: n.Type, Shape: n.Shape, Values: append([]Value(nil), base.Values...)}
	var failed error
	points(updates.Shape, func(at []int) {
		i, err := resolve("scatter_add", index.at(at).Int, n.Shape[axis])
		if err != nil {
			failed = err
			return
		}
		to := append([]int(nil), at...)
		to[axis] = i
		p := 0
		for d, x := range to {
			p = p*n.Shape[d] + x
		}
		out.Values[p] = Apply(scalar.Add, n.Type, out.Values[p], updates.at(at))
	})
	return func(at []int) (Value, error) { return out.at(at), nil }, failed
}
