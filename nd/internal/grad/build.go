package grad

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// The functions of this file make nodes, and simplify what gradients are full
// of: constants, above all the 1 that they start from.

func apply(op scalar.Op, in ...*graph.Node) *graph.Node { return must(graph.NewMap(op, in...)) }

// number is v everywhere, like x.
func number(x *graph.Node, v complex128) *graph.Node {
	return full(x.Place(), x.Type, v, x.Shape)
}

func full(p graph.Place, t elem.Type, v complex128, dims []int) *graph.Node {
	return must(graph.NewLiteral(p, t, scalar.ArgOf(t, v), dims))
}

// constant is the value of a literal: a number that nobody can differentiate by.
func constant(x *graph.Node) (v complex128, ok bool) {
	if x.Op == graph.Broadcast && x.Held() == nil {
		if in := x.In(); len(in) == 1 {
			x = in[0]
		}
	}
	if !x.IsLiteral() {
		return 0, false
	}
	switch {
	case x.Type.IsComplex():
		return x.Args[0].Complex(), true
	case x.Type.IsFloat():
		return complex(x.Args[0].Float(), 0), true
	}
	return 0, false
}

func add(a, b *graph.Node) *graph.Node { return apply(scalar.Add, a, b) }
func sub(a, b *graph.Node) *graph.Node { return apply(scalar.Sub, a, b) }

func neg(a *graph.Node) *graph.Node { return apply(scalar.Neg, a) }

func div(a, b *graph.Node) *graph.Node {
	v, ok := real64(a)
	if w, alsoOK := real64(b); ok && alsoOK && slices.Equal(a.Shape, b.Shape) {
		return number(a, complex(rounded(a.Type, v/w), 0))
	}
	return apply(scalar.Div, a, b)
}

func mul(a, b *graph.Node) *graph.Node {
	if !slices.Equal(a.Shape, b.Shape) {
		return apply(scalar.Mul, a, b)
	}
	if v, ok := constant(a); ok && v == 1 {
		return b
	}
	if v, ok := constant(b); ok && v == 1 {
		return a
	}
	v, ok := real64(a)
	if w, alsoOK := real64(b); ok && alsoOK {
		return number(a, complex(rounded(a.Type, v*w), 0))
	}
	return apply(scalar.Mul, a, b)
}

// real64 is the value of a literal of a type that devices compute with as Go does,
// rounded to it.
func real64(x *graph.Node) (float64, bool) {
	v, ok := constant(x)
	return rounded(x.Type, real(v)), ok && (x.Type == elem.Float32 || x.Type == elem.Float64)
}

// rounded is v in float32, if that is the type. Products and quotients of such
// numbers in float64, which has more than twice their bits, are then rounded as if
// once.
func rounded(t elem.Type, v float64) float64 {
	if t == elem.Float32 {
		return float64(float32(v))
	}
	return v
}

// conj is x itself where it is real.
func conj(x *graph.Node) *graph.Node {
	if !x.Type.IsComplex() {
		return x
	}
	return apply(scalar.Conj, x)
}

func where(cond, x, y *graph.Node) *graph.Node { return apply(scalar.Where, cond, x, y) }

func cast(x *graph.Node, t elem.Type) *graph.Node { return must(graph.NewCast(x, t)) }

// sum adds over axes, in ascending order, which are dropped.
func sum(x *graph.Node, axes []int) *graph.Node {
	if v, ok := constant(x); ok {
		dims := []int{}
		for i, d := range x.Shape {
			if slices.Contains(axes, i) {
				v *= complex(float64(d), 0)
			} else {
				dims = append(dims, d)
			}
		}
		return full(x.Place(), x.Type, v, dims)
	}
	return must(graph.NewReduce(graph.Sum, x, axes))
}

func reshape(x *graph.Node, dims []int) *graph.Node {
	if v, ok := constant(x); ok {
		return full(x.Place(), x.Type, v, dims)
	}
	return must(graph.NewReshape(x, dims))
}

// repeat is x, of which some axes were dropped, repeated along them.
func repeat(x *graph.Node, dropped, dims []int) *graph.Node {
	if len(x.Shape) > 0 { // a number fills any shape as it is
		kept := slices.Clone(dims)
		for _, axis := range dropped {
			kept[axis] = 1
		}
		x = reshape(x, kept)
	}
	return broadcast(x, dims)
}

func broadcast(x *graph.Node, dims []int) *graph.Node {
	if v, ok := constant(x); ok {
		return full(x.Place(), x.Type, v, dims)
	}
	return must(graph.NewBroadcast(x, dims))
}

func transpose(x *graph.Node, perm []int) *graph.Node { return must(graph.NewTranspose(x, perm)) }

// at shows x from another stream of its device.
func at(p graph.Place, x *graph.Node) *graph.Node {
	if x.Place() == p || x.Device != p.Device {
		return x
	}
	if v, ok := constant(x); ok {
		return full(p, x.Type, v, x.Shape)
	}
	return graph.New(graph.Def{Op: graph.Reshape, In: []*graph.Node{x}, Type: x.Type, Shape: x.Shape, Device: p.Device, Stream: p.Stream})
}

// part keeps count elements of an axis from start.
func part(x *graph.Node, axis, start, count int) *graph.Node {
	first, step, dims := whole(x.Shape)
	first[axis], dims[axis] = start, count
	return must(graph.NewSlice(x, first, step, dims))
}

// flip reverses an axis.
func flip(x *graph.Node, axis int) *graph.Node {
	if x.Shape[axis] < 2 {
		return x
	}
	first, step, dims := whole(x.Shape)
	first[axis], step[axis] = dims[axis]-1, -1
	return must(graph.NewSlice(x, first, step, dims))
}

// whole is the slice that keeps everything, three lists in one allocation.
func whole(dims []int) (start, step, count []int) {
	n := len(dims)
	lists := make([]int, 3*n)
	start, step, count = lists[:n:n], lists[n:2*n:2*n], lists[2*n:]
	for i := range step {
		step[i] = 1
	}
	copy(count, dims)
	return start, step, count
}

// margin puts zeros around an axis.
func margin(x *graph.Node, axis, before, after int) *graph.Node {
	b, a := make([]int, len(x.Shape)), make([]int, len(x.Shape))
	b[axis], a[axis] = before, after
	return must(graph.NewPad(x, graph.PadConstant, b, a, scalar.Arg{}))
}

// fit cuts an axis to n elements, or follows it by zeros.
func fit(x *graph.Node, axis, n int) *graph.Node {
	if have := x.Shape[axis]; have < n {
		return margin(x, axis, 0, n-have)
	}
	return part(x, axis, 0, n)
}

// with is dims with an axis replaced by any number of lengths.
func with(dims []int, axis int, lengths ...int) []int {
	return slices.Concat(dims[:axis], lengths, dims[axis+1:])
}
