package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// MatMulAttr says how products are added up. A product without one is added
// pairwise.
type MatMulAttr struct {
	Mode accum.Mode
	Root bool // the square root of each sum is wanted, rounded with it; only for real numbers in mode Exact
}

func (a MatMulAttr) AppendKey(d []byte) []byte { return key(d, int(a.Mode), flag(a.Root)) }

func (a MatMulAttr) String() string {
	if a.Root {
		return a.Mode.String() + " root"
	}
	return a.Mode.String()
}

// NewMatMul multiplies matrices, the last two axes; the axes before them are
// broadcast.
func NewMatMul(a, b *Node) (*Node, error) { return NewMatMulAs(a, b, MatMulAttr{}) }

// NewMatMulAs is NewMatMul with a way to add up.
func NewMatMulAs(a, b *Node, as MatMulAttr) (*Node, error) {
	ra, rb := len(a.Shape)-2, len(b.Shape)-2
	if ra < 0 || rb < 0 {
		return nil, fmt.Errorf("shapes %v and %v: want at least two axes each", a.Shape, b.Shape)
	}
	batch, err := shape.Broadcast(a.Shape[:ra], b.Shape[:rb])
	if err != nil {
		return nil, fmt.Errorf("batch axes of shapes %v and %v do not broadcast", a.Shape, b.Shape)
	}
	if ra > 0 || rb > 0 {
		if a, err = NewBroadcast(a, slices.Concat(batch, a.Shape[ra:])); err != nil {
			return nil, err
		}
		if b, err = NewBroadcast(b, slices.Concat(batch, b.Shape[rb:])); err != nil {
			return nil, err
		}
	}
	d := Def{Op: MatMul}
	if as != (MatMulAttr{}) {
		d.Attr = as
	}
	return apply(d, a, b)
}

// Adding is how a MatMul adds up.
func (n *Node) Adding() MatMulAttr {
	as, _ := n.Attr.(MatMulAttr)
	return as
}

func inferMatMul(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 2); err != nil {
		return wrong(err)
	}
	a, b := in[0], in[1]
	r := len(a.Shape) - 2
	as, ok := d.Attr.(MatMulAttr)
	switch {
	case d.Attr != nil && !ok:
		return wrongf("attribute %T", d.Attr)
	case !as.Mode.Valid():
		return wrongf("there is no accumulation %d", as.Mode)
	case as.Root && (as.Mode != accum.Exact || !a.Type.IsFloat()):
		return wrongf("the root of a %s sum of %s", as.Mode, a.Type)
	case a.Type != b.Type:
		return wrongf("dtypes %s and %s: want one dtype; nothing is promoted, use Cast", a.Type, b.Type)
	case a.Type == elem.Bool:
		return wrong(typeFact(a.Type, "a number"))
	case r < 0 || len(b.Shape) != r+2 || !slices.Equal(a.Shape[:r], b.Shape[:r]):
		return wrongf("batches of shapes %v and %v differ", a.Shape, b.Shape)
	case a.Shape[r+1] != b.Shape[r]:
		return wrongf("inner lengths %d and %d differ in shapes %v and %v", a.Shape[r+1], b.Shape[r], a.Shape, b.Shape)
	}
	return sized(a.Type, with(a.Shape, r+1, b.Shape[r+1]))
}
