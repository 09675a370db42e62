package shape

import "slices"

// Grouped is a view each of whose axes may be several axes of a buffer, in row-major order: so it
// can be reshaped where the strides of a View cannot express it.
type Grouped struct {
	Axes   [][]Step // of each axis, those that it is made of; none for one element
	Offset int
}

// Step is one axis of a buffer: Len elements, Stride apart.
type Step struct{ Len, Stride int }

// Grouped is a view that is not empty.
func (v View) Grouped() Grouped {
	g := Grouped{Axes: make([][]Step, len(v.Shape)), Offset: v.Offset}
	for i, n := range v.Shape {
		if n != 1 {
			g.Axes[i] = []Step{{n, v.Strides[i]}}
		}
	}
	return g
}

// Transpose shows axis perm[i] as axis i.
func (g Grouped) Transpose(perm []int) Grouped {
	out := Grouped{Axes: make([][]Step, len(perm)), Offset: g.Offset}
	for i, p := range perm {
		out.Axes[i] = g.Axes[p]
	}
	return out
}

// BroadcastTo repeats elements to fill dims.
func (g Grouped) BroadcastTo(dims []int) Grouped {
	out := Grouped{Axes: make([][]Step, len(dims)), Offset: g.Offset}
	lead := len(dims) - len(g.Axes)
	for i, n := range dims {
		switch {
		case i >= lead && g.Axes[i-lead] != nil:
			out.Axes[i] = g.Axes[i-lead]
		case n > 1:
			out.Axes[i] = []Step{{n, 0}}
		}
	}
	return out
}

// Reshape shows the elements as dims, which hold equally many. It reports false where an axis would have to be cut in
// unequal parts.
func (g Grouped) Reshape(dims []int) (Grouped, bool) {
	left := slices.Concat(g.Axes...)
	out := Grouped{Axes: make([][]Step, len(dims)), Offset: g.Offset}
	for i := len(dims) - 1; i >= 0; i-- {
		var axis []Step // innermost first
		for want := dims[i]; want > 1; {
			last := &left[len(left)-1]
			take := *last
			switch {
			case want%last.Len == 0:
				left = left[:len(left)-1]
			case last.Len%want == 0:
				take.Len = want
				*last = Step{last.Len / want, last.Stride * want}
			default:
				return Grouped{}, false
			}
			want /= take.Len
			if n := len(axis); n > 0 && take.Stride == axis[n-1].Len*axis[n-1].Stride {
				axis[n-1].Len *= take.Len
			} else {
				axis = append(axis, take)
			}
		}
		slices.Reverse(axis)
		out.Axes[i] = axis
	}
	return out, true
}
