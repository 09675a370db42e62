package layer

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd"
)

// Pool is the options of pooling over the axes after the first two, (batch, channels, ...). A slice has
// a number for each of these axes, or one for all.
type Pool struct {
	Size    []int // elements that become one
	Stride  []int // from one to the next; nil is Size
	Padding []int // at both ends: less than all for Max, and zeros that count for Mean; nil is 0
}

// Max is the greatest element, as max_pool1d and its kin. A gradient goes to the first of the elements that are
// the greatest.
func (p Pool) Max(x *nd.Array) *nd.Array {
	met, bad := p.met("pool.max", x, false)
	if bad != nil {
		return bad
	}
	return pairwise(met, first)
}

// Mean is the mean, as avg_pool1d and its kin.
func (p Pool) Mean(x *nd.Array) *nd.Array {
	const op = "pool.mean"
	if bad := usable(op, x); bad != nil {
		return bad
	}
	met, bad := p.met(op, wide(x), true)
	if bad != nil {
		return bad
	}
	return pairwise(met, (*nd.Array).Add).DivScalar(len(met)).Cast(x.DType())
}

// first is the greater of a and b: a if they are equal, and NaN if one of them is.
func first(a, b *nd.Array) *nd.Array {
	return nd.Where(b.LessEqual(a).Or(a.IsNaN()), a, b)
}

// pairwise joins neighbours until one is left, so that a sum of many rounds few times.
func pairwise(list []*nd.Array, join func(a, b *nd.Array) *nd.Array) *nd.Array {
	for len(list) > 1 {
		var next []*nd.Array
		for i := 0; i+1 < len(list); i += 2 {
			next = append(next, join(list[i], list[i+1]))
		}
		if len(list)%2 == 1 {
			next = append(next, list[len(list)-1])
		}
		list = next
	}
	return list[0]
}

// met is the elements that are first in their windows, those that are second, and so on: reductions
// of a few elements each are slower than sums of slices.
func (p Pool) met(op string, x *nd.Array, zeros bool) ([]*nd.Array, *nd.Array) {
	if bad := usable(op, x); bad != nil {
		return nil, bad
	}
	n := x.NDim() - 2
	if n < 1 || x.Len() == 0 {
		return nil, fail(op, "x of shape %v: want (batch, channels, ...) and elements", x.Shape())
	}
	if len(p.Size) == 0 {
		return nil, fail(op, "no Size: want the number of elements that become one")
	}
	if !x.DType().IsFloat() {
		return nil, fail(op, "x is %s: want floats", x.DType())
	}
	size, err := each("Size", p.Size, n, 1, 1)
	if err != nil {
		return nil, nd.Fail("layer", op, err, x)
	}
	stride, err := each("Stride", p.Stride, n, 1, 1)
	if p.Stride == nil {
		stride = size
	}
	padding, err2 := each("Padding", p.Padding, n, 0, 0)
	for _, err := range []error{err, err2} {
		if err != nil {
			return nil, nd.Fail("layer", op, err, x)
		}
	}
	list := []*nd.Array{x}
	for i := range n {
		a := gridAxis{size: size[i], stride: stride[i], padding: padding[i], dilation: 1}
		length := x.Dim(2+i) + 2*a.padding
		switch {
		case 2*a.padding > a.size:
			return nil, nd.Fail("layer", op, fmt.Errorf("axis %d has Padding %d: want at most half of Size, %d", 2+i, a.padding, a.size), x)
		case length < a.size:
			return nil, nd.Fail("layer", op, fmt.Errorf("%d elements along axis %d are fewer than Size %d", length, 2+i, a.size), x)
		}
		var next []*nd.Array
		for _, v := range list {
			if a.padding > 0 {
				pad := nd.Pad{}
				if !zeros {
					pad.Value = math.Inf(-1)
				}
				v = v.PadAxis(2+i, nd.Margin{Before: a.padding, After: a.padding}, pad)
			}
			for k := range a.size {
				next = append(next, v.SliceAxis(2+i, a.at(k, (length-a.size)/a.stride+1)))
			}
		}
		list = next
	}
	return list, nil
}
