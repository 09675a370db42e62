package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/caller"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewPad adds before and after elements on every axis. v is what PadConstant
// fills with; the other modes do not use it.
func NewPad(x *Node, mode PadMode, before, after []int, v scalar.Arg) (*Node, error) {
	if len(before) == len(x.Shape) && len(after) == len(x.Shape) && zero(before) && zero(after) {
		return x, nil
	}
	d := Def{Op: Pad, Attr: PadAttr{mode, before, after}}
	if mode == PadConstant {
		d.Args = []scalar.Arg{v}
	}
	return apply(d, x)
}

// NewConcat joins arrays along an axis; at least one is given.
func NewConcat(axis int, in ...*Node) (*Node, error) {
	axis, err := shape.Axis(axis, in[0].Shape)
	if err != nil {
		return nil, err
	}
	if len(in) == 1 {
		return in[0], nil
	}
	return apply(Def{Op: Concat, Attr: AxisAttr{axis}}, in...)
}

// NewTake picks positions of data along an axis; the shape of the indices
// replaces the axis. Errors while it runs are from's.
func NewTake(data, index *Node, axis int, from *caller.Call) (*Node, error) {
	axis, err := shape.Axis(axis, data.Shape)
	if err != nil {
		return nil, err
	}
	return apply(Def{Op: Take, Attr: IndexAttr{axis, from}}, data, index)
}

// NewGather picks, at each index of the result, the position of data along an
// axis that the index array has there. The other axes are broadcast. Errors while it
// runs are from's.
func NewGather(data, index *Node, axis int, from *caller.Call) (*Node, error) {
	axis, err := shape.Axis(axis, data.Shape)
	if err != nil {
		return nil, err
	}
	rest, err := besides(axis, data, index)
	if err != nil {
		return nil, err
	}
	if data, err = NewBroadcast(data, with(rest, axis, data.Shape[axis])); err != nil {
		return nil, err
	}
	if index, err = NewBroadcast(index, with(rest, axis, index.Shape[axis])); err != nil {
		return nil, err
	}
	return apply(Def{Op: Gather, Attr: IndexAttr{axis, from}}, data, index)
}

// NewScatterAdd adds updates to base at the positions along an axis that the
// index array has. Indices and updates are broadcast to one shape, which
// agrees with base on the other axes. Errors while it runs are from's.
func NewScatterAdd(base, index, updates *Node, axis int, from *caller.Call) (*Node, error) {
	axis, err := shape.Axis(axis, base.Shape)
	if err != nil {
		return nil, err
	}
	dims, err := shape.Broadcast(index.Shape, updates.Shape)
	if err != nil {
		return nil, err
	}
	if len(dims) != len(base.Shape) {
		return nil, fmt.Errorf("indices and updates have %s, base of shape %v has %d", counted.Of(len(dims), "axis", "axes"), base.Shape, len(base.Shape))
	}
	dims = with(base.Shape, axis, dims[axis])
	if index, err = NewBroadcast(index, dims); err != nil {
		return nil, err
	}
	if updates, err = NewBroadcast(updates, dims); err != nil {
		return nil, err
	}
	return apply(Def{Op: ScatterAdd, Attr: IndexAttr{axis, from}}, base, index, updates)
}

// besides broadcasts two shapes of one rank, disregarding an axis, which is
// given length 1.
func besides(axis int, a, b *Node) ([]int, error) {
	if len(a.Shape) != len(b.Shape) {
		return nil, fmt.Errorf("indices of shape %v for data of shape %v: want as many axes", b.Shape, a.Shape)
	}
	rest, err := shape.Broadcast(with(a.Shape, axis, 1), with(b.Shape, axis, 1))
	if err != nil {
		return nil, fmt.Errorf("shapes %v and %v do not broadcast beside axis %d", a.Shape, b.Shape, axis)
	}
	return rest, nil
}

func inferPad(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[PadAttr](d, in)
	if err != nil {
		return wrong(err)
	}
	if a.Mode > PadWrap {
		return wrongf("pad mode %d is not known", a.Mode)
	}
	if len(a.Before) != len(x.Shape) || len(a.After) != len(x.Shape) {
		return wrongf("%d and %d widths for shape %v", len(a.Before), len(a.After), x.Shape)
	}
	if (a.Mode == PadConstant) != (len(d.Args) == 1) {
		return wrongf("%d fill values in mode %s", len(d.Args), a.Mode)
	}
	dims := make([]int, len(x.Shape))
	for i, n := range x.Shape {
		before, after := a.Before[i], a.After[i]
		most := max(before, after)
		switch {
		case min(before, after) < 0:
			return wrongf("negative width %d on axis %d", min(before, after), i)
		case most > shape.MaxElems:
			return wrongf("width %d on axis %d is too large", most, i)
		case most > 0 && n == 0 && a.Mode != PadConstant:
			return wrongf("axis %d of shape %v is empty, nothing to %s", i, x.Shape, a.Mode)
		case a.Mode == PadReflect && most > max(n-1, 0):
			return wrongf("width %d on axis %d of shape %v: reflect needs a longer axis", most, i, x.Shape)
		case a.Mode == PadWrap && most > n:
			return wrongf("width %d on axis %d of shape %v: wrap needs as long an axis", most, i, x.Shape)
		}
		dims[i] = before + n + after
	}
	return sized(x.Type, dims)
}

func inferConcat(d *Def, in []*Node) (elem.Type, []int, error) {
	a, err := attr[AxisAttr](d)
	if err != nil {
		return wrong(err)
	}
	if len(in) == 0 {
		return wrongf("no operands")
	}
	first := in[0]
	if err := inAxes(a.Axis, first.Shape); err != nil {
		return wrong(err)
	}
	total := 0
	for _, x := range in {
		if x.Type != first.Type {
			return wrongf("dtypes %s and %s: want one dtype; nothing is promoted, use Cast", first.Type, x.Type)
		}
		if len(x.Shape) != len(first.Shape) {
			return wrongf("shapes %v and %v have different numbers of axes", first.Shape, x.Shape)
		}
		for i, n := range x.Shape {
			if i != a.Axis && n != first.Shape[i] {
				return wrongf("shapes %v and %v differ beside axis %d", first.Shape, x.Shape, a.Axis)
			}
		}
		if total += x.Shape[a.Axis]; total > shape.MaxElems {
			break
		}
	}
	return sized(first.Type, with(first.Shape, a.Axis, total))
}

// indexed is the axis of an operation with an index array as second input.
func indexed(d *Def, in []*Node, operands int) (int, error) {
	a, err := attr[IndexAttr](d)
	if err == nil {
		err = arity(in, operands)
	}
	if err == nil {
		err = inAxes(a.Axis, in[0].Shape)
	}
	if err == nil && in[1].Type != elem.Int32 && in[1].Type != elem.Int64 {
		err = fmt.Errorf("indices of dtype %s: want int32 or int64", in[1].Type)
		if in[1].Type == elem.Bool {
			err = fmt.Errorf("%w; Nonzero gives those of a mask", err)
		}
	}
	return a.Axis, err
}

func inferTake(d *Def, in []*Node) (elem.Type, []int, error) {
	axis, err := indexed(d, in, 2)
	if err != nil {
		return wrong(err)
	}
	return sized(in[0].Type, with(in[0].Shape, axis, in[1].Shape...))
}

func inferGather(d *Def, in []*Node) (elem.Type, []int, error) {
	axis, err := indexed(d, in, 2)
	if err != nil {
		return wrong(err)
	}
	data, index := in[0].Shape, in[1].Shape
	if len(data) != len(index) || !slices.Equal(with(data, axis, index[axis]), index) {
		return wrongf("shapes %v and %v differ beside axis %d", data, index, axis)
	}
	return sized(in[0].Type, index)
}

func inferScatterAdd(d *Def, in []*Node) (elem.Type, []int, error) {
	axis, err := indexed(d, in, 3)
	if err != nil {
		return wrong(err)
	}
	base, index, updates := in[0], in[1].Shape, in[2]
	switch {
	case base.Type != updates.Type:
		return wrongf("dtypes %s and %s: want one dtype; nothing is promoted, use Cast", base.Type, updates.Type)
	case base.Type == elem.Bool:
		return wrongf("dtype bool: want a number")
	case !slices.Equal(index, updates.Shape):
		return wrongf("indices of shape %v, updates of shape %v", index, updates.Shape)
	case len(base.Shape) != len(index) || !slices.Equal(with(base.Shape, axis, index[axis]), index):
		return wrongf("shapes %v and %v differ beside axis %d", base.Shape, index, axis)
	}
	return base.Type, base.Shape, nil
}
