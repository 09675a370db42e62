package graph

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// OverlapAttr is how frames are added: Count of them, Hop apart, of which the
// last three axes are turn, phase and element. The result is Length elements
// from Skip on.
type OverlapAttr struct{ Hop, Count, Skip, Length int }

func (a OverlapAttr) AppendKey(d []byte) []byte { return key(d, a.Hop, a.Count, a.Skip, a.Length) }

func (a OverlapAttr) String() string {
	return fmt.Sprintf("hop=%d count=%d skip=%d length=%d", a.Hop, a.Count, a.Skip, a.Length)
}

// NewOverlap adds frames where they overlap; the last three axes become one.
func NewOverlap(x *Node, a OverlapAttr) (*Node, error) {
	return apply(Def{Op: Overlap, Attr: a}, x)
}

func inferOverlap(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[OverlapAttr](d, in)
	if err != nil {
		return wrong(err)
	}
	n := len(x.Shape)
	switch {
	case n < 3:
		return wrongf("shape %v has no turns, phases and elements", x.Shape)
	case x.Type.IsHalf() || !x.Type.IsFloat() && !x.Type.IsComplex():
		return wrongf("dtype %s: want a float of 32 bits or more, or a complex dtype", x.Type)
	case a.Hop < 1:
		return wrongf("hop %d: want 1 or more", a.Hop)
	case a.Skip < 0 || a.Length < 0:
		return wrongf("length %d after %d: want no less than 0", a.Length, a.Skip)
	case x.Shape[n-2] < 1 || a.Count < 0 || a.Count > x.Shape[n-3]*x.Shape[n-2]:
		return wrongf("%d frames of shape %v", a.Count, x.Shape)
	}
	return sized(x.Type, with(x.Shape[:n-2], n-3, a.Length))
}
