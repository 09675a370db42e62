package shape

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// AxisError names an axis that a shape does not have, or one given twice.
type AxisError struct {
	Axis  int
	Shape []int
	Twice bool
}

func (e *AxisError) Error() string {
	if e.Twice {
		return fmt.Sprintf("axis %d given twice for shape %v", e.Axis, e.Shape)
	}
	return fmt.Sprintf("axis %d out of range for shape %v", e.Axis, e.Shape)
}

// Axis resolves an axis of dims; negative axes count from the end.
func Axis(axis int, dims []int) (int, error) {
	a := axis
	if a < 0 {
		a += len(dims)
	}
	if a < 0 || a >= len(dims) {
		return 0, &AxisError{Axis: axis, Shape: clone(dims)}
	}
	return a, nil
}

// Axes resolves distinct axes of dims and puts them in ascending order.
func Axes(axes, dims []int) ([]int, error) {
	out, err := distinct(axes, dims)
	slices.Sort(out)
	return out, err
}

// distinct resolves axes, none of them twice.
func distinct(axes, dims []int) ([]int, error) {
	out := make([]int, len(axes))
	for i, axis := range axes {
		a, err := Axis(axis, dims)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out[:i], a) {
			return nil, &AxisError{Axis: axis, Shape: clone(dims), Twice: true}
		}
		out[i] = a
	}
	return out, nil
}

// AllAxes is every axis of an array with rank axes.
func AllAxes(rank int) []int {
	return lists.Make(rank, func(i int) int { return i })
}

// Perm resolves a permutation of the axes of dims; none reverses them.
func Perm(perm, dims []int) ([]int, error) {
	if len(perm) == 0 {
		return lists.Make(len(dims), func(i int) int { return len(dims) - 1 - i }), nil
	}
	if len(perm) != len(dims) {
		return nil, fmt.Errorf("permutation %v has %d axes, shape %v has %d", clone(perm), len(perm), clone(dims), len(dims))
	}
	return distinct(perm, dims)
}

// IsPermutation reports whether order holds every number below n once.
func IsPermutation(order []int, n int) bool {
	if len(order) != n {
		return false
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}
