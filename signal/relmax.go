package signal

import (
	"context"

	"github.com/twiddle-go/twiddle/nd"
)

// RelMax is true where a sample is greater than each of the order samples on
// either side of it along an axis. Beyond an end there are copies of the
// sample there, so the ends are never maxima.
func RelMax(x *nd.Array, order int, axis ...nd.AxisChoice) *nd.Array {
	return relMax("relmax", x, order, first(axis))
}

func relMax(op string, x *nd.Array, order int, axis nd.AxisChoice) *nd.Array {
	l, bad := along(op, x, axis, false)
	if bad != nil {
		return bad
	}
	if order < 1 {
		return fail(op, "order %d: want 1 or more", order)(x)
	}
	if err := checkSize("samples", l.Dim(-1)); err != nil { // one comparison for each of order
		return nd.Fail("signal", op, err, x)
	}
	n := l.Dim(-1)
	order = min(order, n)
	p := l.PadAxis(-1, nd.Margin{Before: order, After: order}, nd.Pad{Mode: nd.PadEdge})
	var mask *nd.Array
	for k := 1; k <= order; k++ {
		for _, shift := range [...]int{-k, k} {
			m := l.Greater(p.SliceAxis(-1, nd.Range{Start: order + shift, Stop: order + shift + n}))
			if mask != nil {
				m = mask.And(m)
			}
			mask = m
		}
	}
	return l.back(mask)
}

// ArgRelMax is the places where RelMax is true, for every line of x in
// row-major order of the other axes, as scipy.signal.argrelmax.
func ArgRelMax(ctx context.Context, x *nd.Array, order int, axis ...nd.AxisChoice) ([][]int, error) {
	return argRelMax(ctx, "argrelmax", x, order, first(axis))
}

// ArgRelMin is ArgRelMax for minima.
func ArgRelMin(ctx context.Context, x *nd.Array, order int, axis ...nd.AxisChoice) ([][]int, error) {
	if bad := unusable("argrelmin", x); bad != nil {
		return nil, bad.Err()
	}
	return argRelMax(ctx, "argrelmin", x.Neg(), order, first(axis))
}

func argRelMax(ctx context.Context, op string, x *nd.Array, order int, axis nd.AxisChoice) ([][]int, error) {
	m := relMax(op, x, order, axis)
	if m.Err() != nil {
		return nil, m.Err()
	}
	at, err := axis.Of(m)
	if err != nil {
		return nil, err
	}
	n := m.Dim(at)
	mask, err := nd.Slice[bool](ctx, moveAxis(m, at, m.NDim()-1))
	if err != nil {
		return nil, err
	}
	places := make([][]int, len(mask)/n)
	for i := range places {
		places[i] = []int{}
		for j, is := range mask[i*n : (i+1)*n] {
			if is {
				places[i] = append(places[i], j)
			}
		}
	}
	return places, nil
}
