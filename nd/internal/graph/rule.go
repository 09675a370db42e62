package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Place is where a node is computed: a device of the engine and one of its
// streams.
type Place struct{ Device, Stream int }

// Place is the node's own.
func (n *Node) Place() Place { return Place{n.Device, n.Stream} }

// apply makes the node of an operation on inputs that are on one device. The
// node is placed where its first input is. d has its type and shape where the
// operation leaves them free; otherwise the rule gives them.
func apply(d Def) (*Node, error) {
	d.Device, d.Stream = d.In[0].Device, d.In[0].Stream
	for _, in := range d.In[1:] {
		if in.Device != d.Device {
			return nil, fmt.Errorf("operands are on different devices, %d and %d", d.Device, in.Device)
		}
	}
	var err error
	if d.Type, d.Shape, err = infer(&d); err != nil {
		return nil, err
	}
	return New(d), nil
}

// infer is the rules: the element type and shape that a definition has, or
// the fact that breaks it. Constructors call it to make a node and Verify to
// check one. An operation whose type or shape is free gives back d's own.
func infer(d *Def) (elem.Type, []int, error) {
	switch d.Op {
	case Data, Full, Iota, Random:
		return inferSource(d)
	case Map:
		return inferMap(d)
	case Transpose:
		return inferTranspose(d)
	case Broadcast:
		return inferBroadcast(d)
	case Slice:
		return inferSlice(d)
	case Reshape:
		return inferReshape(d)
	case Frames:
		return inferFrames(d)
	case BitCast:
		return inferBitCast(d)
	case Pad:
		return inferPad(d)
	case Concat:
		return inferConcat(d)
	case Take:
		return inferTake(d)
	case Gather:
		return inferGather(d)
	case ScatterAdd:
		return inferScatterAdd(d)
	case Reduce:
		return inferReduce(d)
	case Scan:
		return inferScan(d)
	case Sort:
		return inferSort(d)
	case MatMul:
		return inferMatMul(d)
	case FFT:
		return inferFFT(d)
	case Transfer:
		return inferTransfer(d)
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
func arity(d *Def, n int) error {
	if len(d.In) != n {
		return fmt.Errorf("%d operands, want %d", len(d.In), n)
	}
	return nil
}

// unary is the attribute and the input of an operation on one array.
func unary[A Attr](d *Def) (A, *Node, error) {
	a, err := attr[A](d)
	if err == nil {
		err = arity(d, 1)
	}
	if err != nil {
		return a, nil, err
	}
	return a, d.In[0], nil
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
