package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Place is where a node is computed: a device of the engine and one of its
// streams.
type Place struct{ Device, Stream int }

// Place is the node's own.
func (n *Node) Place() Place { return Place{n.Device, n.Stream} }

// ApartError says that operands are on different devices, which it numbers as the
// engine does.
type ApartError struct{ One, Other int }

func (e *ApartError) Error() string {
	return fmt.Sprintf("operands are on different devices, %d and %d", e.One, e.Other)
}

// apply makes the node of an operation on inputs that are on one device. The
// node is placed where its first input is. d has its type and shape where the
// operation leaves them free; otherwise the rule gives them.
func apply(d Def, in ...*Node) (*Node, error) {
	d.Device, d.Stream = in[0].Device, in[0].Stream
	for _, x := range in[1:] {
		if x.Device != d.Device {
			return nil, &ApartError{d.Device, x.Device}
		}
	}
	var err error
	if d.Type, d.Shape, err = infer(&d, in); err != nil {
		return nil, err
	}
	return newNode(&d, in, d.Args), nil
}

// infer is the rules: the element type and shape that a definition has, or
// the fact that breaks it. Constructors call it to make a node and Verify to
// check one. The inputs are given apart from d, as to newNode. An operation
// whose type or shape is free gives back d's own.
func infer(d *Def, in []*Node) (elem.Type, []int, error) {
	switch d.Op {
	case Data, Full, Iota, Random:
		return inferSource(d, in)
	case Map:
		return inferMap(d, in)
	case Transpose:
		return inferTranspose(d, in)
	case Broadcast:
		return inferBroadcast(d, in)
	case Slice:
		return inferSlice(d, in)
	case Reshape:
		return inferReshape(d, in)
	case Frames:
		return inferFrames(d, in)
	case BitCast:
		return inferBitCast(d, in)
	case Pad:
		return inferPad(d, in)
	case Concat:
		return inferConcat(d, in)
	case Take:
		return inferTake(d, in)
	case Gather:
		return inferGather(d, in)
	case ScatterAdd:
		return inferScatterAdd(d, in)
	case Reduce:
		return inferReduce(d, in)
	case Scan:
		return inferScan(d, in)
	case Sort:
		return inferSort(d, in)
	case MatMul:
		return inferMatMul(d, in)
	case FFT:
		return inferFFT(d, in)
	case Overlap:
		return inferOverlap(d, in)
	case Butterfly:
		return inferButterfly(d, in)
	case Custom:
		return inferCustom(d, in)
	case Transfer:
		return inferTransfer(d, in)
	}
	return elem.Invalid, nil, fmt.Errorf("%s is not an operation", d.Op)
}

// attr is d's attribute as the type its operation has.
func attr[A Attr](d *Def) (A, error) {
	a, ok := d.Attr.(A)
	if !ok {
		return a, fmt.Errorf("attribute is a %T, want %T", d.Attr, a)
	}
	return a, nil
}

// arity checks the number of inputs.
func arity(in []*Node, n int) error {
	if len(in) != n {
		return fmt.Errorf("%s, want %d", counted.Of(len(in), "operand"), n)
	}
	return nil
}

// unary is the attribute and the input of an operation on one array.
func unary[A Attr](d *Def, in []*Node) (A, *Node, error) {
	a, err := attr[A](d)
	if err == nil {
		err = arity(in, 1)
	}
	if err != nil {
		return a, nil, err
	}
	return a, in[0], nil
}

// sized passes on a rule's result once its elements are countable.
func sized(t elem.Type, dims []int) (elem.Type, []int, error) {
	if _, err := shape.Size(dims); err != nil {
		return elem.Invalid, nil, err
	}
	return t, dims, nil
}

func wrong(err error) (elem.Type, []int, error) { return elem.Invalid, nil, err }

func wrongf(format string, args ...any) (elem.Type, []int, error) {
	return elem.Invalid, nil, fmt.Errorf(format, args...)
}

// inAxes checks that an attribute's axis is resolved.
func inAxes(axis int, dims []int) error {
	if axis < 0 || axis >= len(dims) {
		return &shape.AxisError{Axis: axis, Shape: slices.Clone(dims)}
	}
	return nil
}

// with is dims with the given axis replaced by any number of lengths.
func with(dims []int, axis int, lengths ...int) []int {
	out := make([]int, 0, len(dims)-1+len(lengths))
	out = append(out, dims[:axis]...)
	out = append(out, lengths...)
	return append(out, dims[axis+1:]...)
}
