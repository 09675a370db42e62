package shape

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// View places the elements of an array in a buffer: index (i0, i1, ...) is at
// Offset + i0*Strides[0] + i1*Strides[1] + ... Strides count elements; 0
// repeats one, a negative stride walks backwards. Views are values: methods
// give new ones and share no memory with their receiver that either changes.
type View struct {
	Shape   []int
	Strides []int
	Offset  int
}

// rowMajor is the strides of a contiguous array.
func rowMajor(dims []int) []int {
	s := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		s[i] = n
		n *= max(dims[i], 1)
	}
	return s
}

// Contiguous is the row-major view of a buffer that starts with the array.
func Contiguous(dims []int) View {
	return View{Shape: slices.Clone(dims), Strides: rowMajor(dims)}
}

// Len is the number of elements.
func (v View) Len() int { return lists.Product(v.Shape) }

// At is the position of an index in the buffer.
func (v View) At(index []int) int { return v.Offset + lists.Dot(index, v.Strides) }

// Span is the half-open range of positions the view touches; empty views
// touch nothing.
func (v View) Span() (lo, hi int) {
	lo, hi = v.Offset, v.Offset+1
	for i, d := range v.Shape {
		if d == 0 {
			return 0, 0
		}
		if s := v.Strides[i]; s < 0 {
			lo += s * (d - 1)
		} else {
			hi += s * (d - 1)
		}
	}
	return lo, hi
}

// IsContiguous reports whether the elements lie in row-major order without
// gaps, wherever they start. Strides of axes with one element do not matter.
func (v View) IsContiguous() bool {
	if slices.Contains(v.Shape, 0) {
		return true
	}
	n := 1
	for i := len(v.Shape) - 1; i >= 0; i-- {
		d := v.Shape[i]
		if d != 1 && v.Strides[i] != n {
			return false
		}
		n *= d
	}
	return true
}

// Transpose shows axis perm[i] as axis i.
func (v View) Transpose(perm []int) View {
	out := View{Shape: make([]int, len(perm)), Strides: make([]int, len(perm)), Offset: v.Offset}
	for i, p := range perm {
		out.Shape[i], out.Strides[i] = v.Shape[p], v.Strides[p]
	}
	return out
}

// BroadcastTo repeats elements to fill dims.
func (v View) BroadcastTo(dims []int) View {
	out := View{Shape: slices.Clone(dims), Strides: make([]int, len(dims)), Offset: v.Offset}
	lead := len(dims) - len(v.Shape)
	for i, d := range v.Shape {
		if d == dims[lead+i] {
			out.Strides[lead+i] = v.Strides[i]
		}
	}
	return out
}

// Slice keeps elements start, start+step, ... of every axis, dims of them.
func (v View) Slice(start, step, dims []int) View {
	out := View{Shape: slices.Clone(dims), Strides: make([]int, len(dims)), Offset: v.Offset}
	if slices.Contains(dims, 0) {
		copy(out.Strides, v.Strides)
		return out
	}
	for i, d := range dims {
		out.Offset += start[i] * v.Strides[i]
		if d > 1 {
			out.Strides[i] = step[i] * v.Strides[i]
		}
	}
	return out
}

// Flip reverses axes.
func (v View) Flip(axes ...int) View {
	out := View{Shape: v.Shape, Strides: slices.Clone(v.Strides), Offset: v.Offset}
	for _, a := range axes {
		if d := v.Shape[a]; d > 1 {
			out.Offset += (d - 1) * v.Strides[a]
			out.Strides[a] = -v.Strides[a]
		}
	}
	return out
}

// Frames replaces an axis by two: frame f, sample i shows element f*hop + i.
func (v View) Frames(axis, size, hop int) View {
	count := (v.Shape[axis]-size)/hop + 1
	s := v.Strides[axis]
	between := 0 // one frame has no next one, and hop may be as large as an int
	if count > 1 {
		between = hop * s
	}
	return View{
		Shape:   slices.Concat(v.Shape[:axis], []int{count, size}, v.Shape[axis+1:]),
		Strides: slices.Concat(v.Strides[:axis], []int{between, s}, v.Strides[axis+1:]),
		Offset:  v.Offset,
	}
}

// Squeeze drops axes, each of length 1, given in ascending order.
func (v View) Squeeze(axes ...int) View {
	out := View{Offset: v.Offset, Shape: make([]int, 0, len(v.Shape)), Strides: make([]int, 0, len(v.Shape))}
	for i, d := range v.Shape {
		if !slices.Contains(axes, i) {
			out.Shape = append(out.Shape, d)
			out.Strides = append(out.Strides, v.Strides[i])
		}
	}
	return out
}
