package nd

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// The operations of this file rename indices. None of them copies elements,
// except a Reshape that strides cannot express.

// Reshape is the array with another shape of the same size, its elements in row-major
// order. One dimension may be -1, and is then computed.
func (a *Array) Reshape(shape ...int) *Array {
	if bad := unusable("reshape", a); bad != nil {
		return bad
	}
	n, err := graph.NewReshape(a.node, shape)
	return built("reshape", n, err, a)
}

// Flatten is Reshape to one axis.
func (a *Array) Flatten() *Array { return a.Reshape(-1) }

// Transpose puts axis perm[i] at place i; without arguments it reverses the
// axes.
func (a *Array) Transpose(perm ...int) *Array {
	if bad := unusable("transpose", a); bad != nil {
		return bad
	}
	n, err := graph.NewTranspose(a.node, perm)
	return built("transpose", n, err, a)
}

// SwapAxes exchanges two axes.
func (a *Array) SwapAxes(i, j int) *Array {
	if bad := unusable("swap_axes", a); bad != nil {
		return bad
	}
	i, err := shape.Axis(i, a.node.Shape)
	if err == nil {
		j, err = shape.Axis(j, a.node.Shape)
	}
	if err != nil {
		return failed("swap_axes", err, a)
	}
	perm := shape.AllAxes(a.NDim())
	perm[i], perm[j] = j, i
	return a.Transpose(perm...)
}

// BroadcastTo repeats elements to fill a shape, by NumPy's rules.
func (a *Array) BroadcastTo(shape ...int) *Array {
	if bad := unusable("broadcast_to", a); bad != nil {
		return bad
	}
	n, err := graph.NewBroadcast(a.node, clone(shape))
	return built("broadcast_to", n, err, a)
}

// Squeeze drops axes of length 1; without arguments all of them.
func (a *Array) Squeeze(axes ...int) *Array {
	if bad := unusable("squeeze", a); bad != nil {
		return bad
	}
	dims := a.node.Shape
	drop, err := shape.Axes(axes, dims)
	if err != nil {
		return failed("squeeze", err, a)
	}
	kept := make([]int, 0, len(dims))
	for i, d := range dims {
		switch {
		case len(axes) == 0 && d == 1:
		case !slices.Contains(drop, i):
			kept = append(kept, d)
		case d != 1:
			return failed("squeeze", fmt.Errorf("axis %d of shape %v is not 1", i, dims), a)
		}
	}
	return named("squeeze", a.Reshape(kept...))
}

// ExpandDims inserts axes of length 1, which get the given places in the
// result. After a reduction it puts the reduced axes back:
//
//	centred := x.Sub(x.Mean(1).ExpandDims(1))
func (a *Array) ExpandDims(axes ...int) *Array {
	if bad := unusable("expand_dims", a); bad != nil {
		return bad
	}
	old := a.node.Shape
	dims := make([]int, len(old)+len(axes))
	places, err := shape.Axes(axes, dims)
	if err != nil {
		return failed("expand_dims", fmt.Errorf("axes %v are not distinct axes of a result with %d", clone(axes), len(dims)), a)
	}
	next := 0
	for i := range dims {
		if slices.Contains(places, i) {
			dims[i] = 1
			continue
		}
		dims[i] = old[next]
		next++
	}
	return named("expand_dims", a.Reshape(dims...))
}

// Frames cuts an axis, the last unless one is given, into overlapping frames of size
// elements, whose starts are hop elements apart. The axis becomes two: frame, and position
// in the frame. Elements at the end that do not fill a frame are left out.
func (a *Array) Frames(size, hop int, axis ...int) *Array {
	if bad := unusable("frames", a); bad != nil {
		return bad
	}
	at := -1
	switch len(axis) {
	case 0:
	case 1:
		at = axis[0]
	default:
		return failed("frames", fmt.Errorf("%d axes given, want one", len(axis)), a)
	}
	n, err := graph.NewFrames(a.node, at, size, hop)
	return built("frames", n, err, a)
}

// BitCast shows the same bits as another element type of the same size.
func (a *Array) BitCast(t DType) *Array {
	if bad := unusable("bitcast", a); bad != nil {
		return bad
	}
	n, err := graph.NewBitCast(a.node, t)
	return built("bitcast", n, err, a)
}
