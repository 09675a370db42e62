package graph

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// mapAttrs holds every MapAttr as an interface, so that a map costs no
// allocation for it.
var mapAttrs = func() []Attr {
	ops := scalar.Ops()
	attrs := make([]Attr, len(ops)+1)
	for _, o := range ops {
		attrs[o] = MapAttr{o}
	}
	return attrs
}()

// NewMap applies op element by element to inputs broadcast to one shape.
func NewMap(op scalar.Op, in ...*Node) (*Node, error) {
	dims := in[0].Shape
	for _, x := range in[1:] {
		var err error
		if dims, err = shape.Broadcast(dims, x.Shape); err != nil {
			return nil, err
		}
	}
	var spread [3]*Node
	list := append(spread[:0], in...)
	for i, x := range list {
		var err error
		if list[i], err = NewBroadcast(x, dims); err != nil {
			return nil, err
		}
	}
	return apply(Def{Op: Map, Attr: mapAttrs[op]}, list...)
}

// NewCast converts elements to type t; x itself if they have it.
func NewCast(x *Node, t elem.Type) (*Node, error) {
	if x.Type == t {
		return x, nil
	}
	return apply(Def{Op: Map, Attr: mapAttrs[scalar.Cast], Type: t}, x)
}

func inferMap(d *Def, in []*Node) (elem.Type, []int, error) {
	a, err := attr[MapAttr](d)
	if err == nil {
		err = arity(in, a.Op.Arity())
	}
	if err != nil {
		return wrong(err)
	}
	dims := in[0].Shape
	for _, x := range in[1:] {
		if !slices.Equal(x.Shape, dims) {
			return wrongf("operands of shapes %v and %v", dims, x.Shape)
		}
	}
	if a.Op == scalar.Cast {
		if !d.Type.Valid() || !in[0].Type.Valid() {
			return wrongf("no cast from %s to %s", in[0].Type, d.Type)
		}
		return d.Type, dims, nil
	}
	var types [3]elem.Type
	for i, x := range in {
		types[i] = x.Type
	}
	t, err := a.Op.Result(types[:len(in)]...)
	return t, dims, err
}
