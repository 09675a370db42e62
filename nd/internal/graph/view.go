package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewTranspose shows axis perm[i] as axis i; an empty perm reverses the axes.
func NewTranspose(x *Node, perm []int) (*Node, error) {
	p, err := shape.Perm(perm, x.Shape)
	if err != nil {
		return nil, err
	}
	if slices.IsSorted(p) {
		return x, nil
	}
	return apply(Def{Op: Transpose, Attr: TransposeAttr{p}}, x)
}

// NewBroadcast repeats x to fill dims.
func NewBroadcast(x *Node, dims []int) (*Node, error) {
	if slices.Equal(x.Shape, dims) {
		return x, nil
	}
	return apply(Def{Op: Broadcast, Type: x.Type, Shape: dims}, x)
}

// NewSlice keeps elements start, start+step, ... of every axis, dims of them.
func NewSlice(x *Node, start, step, dims []int) (*Node, error) {
	if slices.Equal(dims, x.Shape) && zero(start) && positive(step) {
		return x, nil
	}
	return apply(Def{Op: Slice, Attr: SliceAttr{start, step}, Type: x.Type, Shape: dims}, x)
}

// NewReshape shows the elements in row-major order as dims, of which one may
// be -1.
func NewReshape(x *Node, dims []int) (*Node, error) {
	dims, err := shape.Infer(x.Len(), dims)
	if err != nil {
		return nil, err
	}
	if slices.Equal(x.Shape, dims) {
		return x, nil
	}
	return apply(Def{Op: Reshape, Type: x.Type, Shape: dims}, x)
}

// NewAlias shows x as another node: a reshape to its own shape.
func NewAlias(x *Node) *Node {
	d := Def{Op: Reshape, Type: x.Type, Shape: x.Shape, Device: x.Device, Stream: x.Stream}
	return newNode(&d, []*Node{x}, nil)
}

// NewFrames replaces an axis by (frame, sample): overlapping windows of size
// elements, hop apart. What is left over at the end is in no frame.
func NewFrames(x *Node, axis, size, hop int) (*Node, error) {
	axis, err := shape.Axis(axis, x.Shape)
	if err != nil {
		return nil, err
	}
	return apply(Def{Op: Frames, Attr: FramesAttr{axis, size, hop}}, x)
}

// NewBitCast shows the same bits as another type of the same size.
func NewBitCast(x *Node, t elem.Type) (*Node, error) {
	if x.Type == t {
		return x, nil
	}
	return apply(Def{Op: BitCast, Type: t}, x)
}

func inferTranspose(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[TransposeAttr](d, in)
	if err != nil {
		return wrong(err)
	}
	if len(a.Perm) != len(x.Shape) {
		return wrongf("permutation %v of shape %v", a.Perm, x.Shape)
	}
	dims := make([]int, len(a.Perm))
	for i, p := range a.Perm {
		if p < 0 || p >= len(dims) || slices.Contains(a.Perm[:i], p) {
			return wrongf("%v is not a permutation", a.Perm)
		}
		dims[i] = x.Shape[p]
	}
	return x.Type, dims, nil
}

func inferBroadcast(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 1); err != nil {
		return wrong(err)
	}
	x := in[0]
	if !shape.CanBroadcast(x.Shape, d.Shape) {
		return wrongf("shape %v does not broadcast to %v", x.Shape, slices.Clone(d.Shape))
	}
	return sized(x.Type, d.Shape)
}

func inferSlice(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[SliceAttr](d, in)
	if err != nil {
		return wrong(err)
	}
	rank := len(x.Shape)
	if len(a.Start) != rank || len(a.Step) != rank || len(d.Shape) != rank {
		return wrongf("start %v, step %v, count %v for shape %v", a.Start, a.Step, d.Shape, x.Shape)
	}
	for i, n := range d.Shape {
		if err := within(a.Start[i], a.Step[i], n, x.Shape[i]); err != nil {
			return wrongf("%w, on axis %d of shape %v", err, i, x.Shape)
		}
	}
	return sized(x.Type, d.Shape)
}

// within checks that n elements from start, step apart, lie on an axis of
// length have.
func within(start, step, n, have int) error {
	bad := func() error {
		return fmt.Errorf("%d elements from %d with step %d", n, start, step)
	}
	if n < 0 || step == 0 {
		return bad()
	}
	if n == 0 {
		return nil
	}
	if start < 0 || start >= have {
		return bad()
	}
	room := have - 1 - start
	if step < 0 {
		room = start
	}
	// In unsigned numbers the most negative step has a magnitude too.
	size := uint(step)
	if step < 0 {
		size = -size
	}
	if n > 1 && size > uint(room)/uint(n-1) {
		return bad()
	}
	return nil
}

func inferReshape(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 1); err != nil {
		return wrong(err)
	}
	x := in[0]
	n, err := shape.Size(d.Shape)
	if err != nil {
		return wrong(err)
	}
	if n != x.Len() {
		return wrongf("%s not fill shape %v", counted.Of(x.Len(), "element does", "elements do"), d.Shape)
	}
	return x.Type, d.Shape, nil
}

func inferFrames(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[FramesAttr](d, in)
	if err == nil {
		err = inAxes(a.Axis, x.Shape)
	}
	if err != nil {
		return wrong(err)
	}
	count, err := shape.FrameCount(x.Shape[a.Axis], a.Size, a.Hop)
	if err != nil {
		return wrong(err)
	}
	return sized(x.Type, with(x.Shape, a.Axis, count, a.Size))
}

func inferBitCast(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 1); err != nil {
		return wrong(err)
	}
	x := in[0]
	if !d.Type.Valid() || d.Type.Size() != x.Type.Size() {
		return wrongf("%s and %s differ in size", x.Type, d.Type)
	}
	// A bool is a byte that is 0 or 1, and other bytes must not become one.
	if d.Type == elem.Bool {
		return wrongf("%s bits may not be a bool; use Cast", x.Type)
	}
	return d.Type, x.Shape, nil
}

func zero(list []int) bool {
	return !slices.ContainsFunc(list, func(v int) bool { return v != 0 })
}

func positive(list []int) bool {
	return !slices.ContainsFunc(list, func(v int) bool { return v <= 0 })
}
