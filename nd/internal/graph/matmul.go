package graph

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewMatMul multiplies matrices, the last two axes; the axes before them are
// broadcast.
func NewMatMul(a, b *Node) (*Node, error) {
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
	return apply(Def{Op: MatMul}, a, b)
}

func inferMatMul(d *Def, in []*Node) (elem.Type, []int, error) {
	if err := arity(in, 2); err != nil {
		return wrong(err)
	}
	a, b := in[0], in[1]
	r := len(a.Shape) - 2
	switch {
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
