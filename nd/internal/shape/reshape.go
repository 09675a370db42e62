package shape

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// Infer completes the dimensions of a reshape of n elements: one of them may
// be -1, which stands for whatever is left.
func Infer(n int, dims []int) ([]int, error) {
	out := clone(dims)
	hole := -1
	for i, d := range out {
		if d == -1 {
			if hole >= 0 {
				return nil, fmt.Errorf("shape %v has more than one -1", out)
			}
			hole = i
		}
	}
	if hole < 0 {
		size, err := Size(out)
		if err != nil {
			return nil, err
		}
		if size != n {
			return nil, fmt.Errorf("%s not fill shape %v", counted.Of(n, "element does", "elements do"), out)
		}
		return out, nil
	}
	out[hole] = 1
	rest, err := Size(out)
	if err != nil {
		return nil, err
	}
	if rest == 0 || n%rest != 0 {
		return nil, fmt.Errorf("%s not fill shape %v", counted.Of(n, "element does", "elements do"), clone(dims))
	}
	out[hole] = n / rest
	_, err = Size(out)
	return out, err
}

// Reshape shows the elements, in row-major order, as dims, which must hold
// equally many. It reports false where strides cannot express that.
//
// Both shapes are walked from the last axis: a run of old axes is matched with
// a run of new axes holding equally many elements, and the old run must be
// one evenly spaced line to be divided anew.
func (v View) Reshape(dims []int) (View, bool) {
	out := View{Shape: slices.Clone(dims), Strides: make([]int, len(dims)), Offset: v.Offset}
	if slices.Contains(dims, 0) {
		copy(out.Strides, rowMajor(dims))
		return out, true
	}
	i, j := len(v.Shape)-1, len(dims)-1
	for i >= 0 || j >= 0 {
		for i >= 0 && v.Shape[i] == 1 {
			i--
		}
		for j >= 0 && dims[j] == 1 {
			j--
		}
		if i < 0 || j < 0 {
			break
		}
		stride := v.Strides[i]
		have, used := v.Shape[i], 1 // elements of the line, and how many new axes have taken
		i--
		for j >= 0 {
			out.Strides[j] = stride * used
			used *= dims[j]
			j--
			for have < used {
				if v.Shape[i] != 1 {
					if v.Strides[i] != stride*have {
						return View{}, false
					}
					have *= v.Shape[i]
				}
				i--
			}
			if have == used {
				break
			}
		}
	}
	return out, true
}
