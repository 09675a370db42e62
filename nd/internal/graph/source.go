package graph

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewData is the node of elements that exist already; the caller puts their
// value on it with Hold.
func NewData(p Place, t elem.Type, dims []int) (*Node, error) {
	return source(Def{Op: Data, Type: t, Shape: dims}, p)
}

// NewFull is v everywhere.
func NewFull(p Place, t elem.Type, v scalar.Arg, dims []int) (*Node, error) {
	return newFull(p, nil, t, v, dims)
}

// newFull checks what source checks, with its argument apart.
func newFull(p Place, a Attr, t elem.Type, v scalar.Arg, dims []int) (*Node, error) {
	d := Def{Op: Full, Attr: a, Type: t, Shape: dims, Device: p.Device, Stream: p.Stream}
	if _, _, err := sourceSize(&d); err != nil {
		return nil, err
	}
	return newNode(&d, nil, []scalar.Arg{v}), nil
}

// NewLiteral is NewFull for a number that belongs to an operation, as in
// x.AddScalar(1). No array shows the node, so nobody can ask for a gradient by it,
// or whether something depends on it. To a plan it is as any other.
func NewLiteral(p Place, t elem.Type, v scalar.Arg, dims []int) (*Node, error) {
	return newFull(p, literal, t, v, dims)
}

// IsLiteral reports a node of NewLiteral.
func (n *Node) IsLiteral() bool { return n.Attr == literal }

// Shown is the node for an array that shows it: a literal is then one no longer.
func Shown(n *Node) *Node {
	if !n.IsLiteral() {
		return n
	}
	d := Def{Op: Full, Type: n.Type, Shape: n.Shape, Device: n.Device, Stream: n.Stream}
	return newNode(&d, nil, n.Args)
}

// NewIota is the int64 index along an axis.
func NewIota(p Place, axis int, dims []int) (*Node, error) {
	axis, err := shape.Axis(axis, dims)
	if err != nil {
		return nil, err
	}
	return source(Def{Op: Iota, Type: elem.Int64, Shape: dims, Attr: IotaAttr{axis}}, p)
}

// NewRandom draws every element from the stream of numbers that key names.
// RandInt takes its bounds, low and high, as a further argument.
func NewRandom(p Place, draw scalar.Op, t elem.Type, key uint64, dims []int, bounds ...int64) (*Node, error) {
	args := []scalar.Arg{{key}}
	if len(bounds) == 2 {
		args = append(args, scalar.Arg{uint64(bounds[0]), uint64(bounds[1])})
	}
	return source(Def{Op: Random, Type: t, Shape: dims, Attr: RandomAttr{draw}, Args: args}, p)
}

// NewTransfer copies x to another device.
func NewTransfer(p Place, x *Node) (*Node, error) {
	d := Def{Op: Transfer, In: []*Node{x}, Device: p.Device, Stream: p.Stream}
	var err error
	if d.Type, d.Shape, err = infer(&d, d.In); err != nil {
		return nil, err
	}
	return New(d), nil
}

// NewAt is a source like n at another place. To a Past it is the same one.
func NewAt(p Place, n *Node) *Node {
	moved := New(Def{Op: n.Op, Attr: n.Attr, Type: n.Type, Shape: n.Shape, Args: n.Args, Device: p.Device, Stream: p.Stream})
	moved.serial = n.serial
	return moved
}

func source(d Def, p Place) (*Node, error) {
	d.Device, d.Stream = p.Device, p.Stream
	if _, _, err := infer(&d, nil); err != nil {
		return nil, err
	}
	return New(d), nil
}

func inferSource(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 0); err != nil {
		return wrong(err)
	}
	args := 0
	switch d.Op {
	case Full:
		args = 1
	case Iota:
		a, err := attr[IotaAttr](d)
		if err == nil {
			err = inAxes(a.Axis, d.Shape)
		}
		if err == nil && d.Type != elem.Int64 {
			err = fmt.Errorf("dtype %s: want int64", d.Type)
		}
		if err != nil {
			return wrong(err)
		}
	case Random:
		a, err := attr[RandomAttr](d)
		if err == nil {
			err = drawable(a.Draw, d.Type)
		}
		if err != nil {
			return wrong(err)
		}
		args = 1
		if a.Draw == scalar.RandInt {
			args = 2
			if len(d.Args) == 2 && int64(d.Args[1][0]) >= int64(d.Args[1][1]) {
				return wrongf("bounds [%d, %d) are empty", int64(d.Args[1][0]), int64(d.Args[1][1]))
			}
		}
	}
	if len(d.Args) != args {
		return wrongf("%s, want %d", counted.Of(len(d.Args), "argument"), args)
	}
	return sourceSize(d)
}

// sourceSize is the rule of every source.
func sourceSize(d *Def) (elem.Type, []int, error) {
	if !d.Type.Valid() {
		return wrongf("%s is not a dtype: want one before the shape", d.Type)
	}
	return sized(d.Type, d.Shape)
}

// drawable says which types a random draw can have.
func drawable(draw scalar.Op, t elem.Type) error {
	switch {
	case draw == scalar.RandBits && t == elem.Uint32,
		(draw == scalar.RandUniform || draw == scalar.RandNormal) && t.IsFloat(),
		draw == scalar.RandInt && t.IsInteger():
		return nil
	}
	want := "uint32"
	switch draw {
	case scalar.RandUniform, scalar.RandNormal:
		want = "a float dtype"
	case scalar.RandInt:
		want = "an integer dtype"
	case scalar.RandBits:
	default:
		want = "a random draw"
	}
	return &scalar.TypeError{Op: draw, In: []elem.Type{t}, Want: want}
}

func inferTransfer(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 1); err != nil {
		return wrong(err)
	}
	if in[0].Device == d.Device {
		return wrongf("operand is on device %d already", d.Device)
	}
	return in[0].Type, in[0].Shape, nil
}
