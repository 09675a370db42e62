package graph

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// ButterflyAttr is a product of butterfly factors along the last axis: factor
// f mixes elements Spans[f] apart. The line is taken in the order From, and
// element i of the product goes to place To[i]; nil is the order as it is.
type ButterflyAttr struct {
	Spans    []int
	From, To []int
}

func (a ButterflyAttr) AppendKey(d []byte) []byte {
	return orderKey(orderKey(keys(d, a.Spans), a.From), a.To)
}

// orderKey is the key of an order, which is as long as the line and part of
// every evaluation: places have four bytes each.
func orderKey(d []byte, order []int) []byte {
	d = key(d, len(order))
	at := len(d)
	d = slices.Grow(d, 4*len(order))[:at+4*len(order)]
	for i, place := range order {
		binary.LittleEndian.PutUint32(d[at+4*i:], uint32(place))
	}
	return d
}

func (a ButterflyAttr) String() string {
	s := fmt.Sprintf("spans=%v", a.Spans)
	if a.From != nil {
		s += " permuted"
	}
	if a.To != nil {
		s += " unpermuted"
	}
	return s
}

// NewButterfly multiplies the lines of x by the factors w, which has shape
// (factors, 2, 2, n/2): row and column of each block, then the pair.
func NewButterfly(x, w *Node, a ButterflyAttr) (*Node, error) {
	return apply(Def{Op: Butterfly, Attr: a}, x, w)
}

func inferButterfly(d *Def, in []*Node) (elem.Type, []int, error) {
	a, err := attr[ButterflyAttr](d)
	if err == nil {
		err = arity(in, 2)
	}
	if err != nil {
		return wrong(err)
	}
	x, w := in[0], in[1]
	if len(x.Shape) == 0 {
		return wrongf("0-d array has no line to transform")
	}
	n := x.Shape[len(x.Shape)-1]
	real := x.Type
	if real.IsComplex() {
		real = real.Real()
	}
	switch {
	case n < 2 || bits.OnesCount(uint(n)) != 1:
		return wrongf("last axis of shape %v is no power of two from 2 on", x.Shape)
	case real.Complex() == elem.Invalid:
		return wrong(typeFact(x.Type, "float32, float64 or a complex dtype"))
	case w.Type != x.Type:
		return wrongf("dtypes %s and %s: want one dtype; nothing is promoted, use Cast", x.Type, w.Type)
	case len(a.Spans) == 0:
		return wrongf("no factors")
	case !slices.Equal(w.Shape, []int{len(a.Spans), 2, 2, n / 2}):
		return wrongf("factors of shape %v, want %v for lines of %d", w.Shape, []int{len(a.Spans), 2, 2, n / 2}, n)
	}
	for f, h := range a.Spans {
		if h < 1 || h >= n || bits.OnesCount(uint(h)) != 1 {
			return wrongf("factor %d has span %d, want a power of two below %d", f, h, n)
		}
	}
	for _, order := range [][]int{a.From, a.To} {
		if order != nil && !shape.IsPermutation(order, n) {
			return wrongf("order of %d elements is no permutation of %d", len(order), n)
		}
	}
	return sized(x.Type, slices.Clone(x.Shape))
}
