package nd

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Median is the middle of the sorted elements over the given axes, or over all
// of them: of an even number the mean of the two in the middle. It is NaN if an
// element is NaN, and of nothing.
func (a *Array) Median(axes ...int) *Array { return a.quantile("median", 0.5, axes) }

// Quantile is the number below which a part q of the elements lies, over the
// given axes or over all of them: 0 is the least element, 0.5 the median, 1 the
// greatest. Between two elements it is interpolated linearly. It is NaN if an
// element is NaN, and of nothing.
func (a *Array) Quantile(q float64, axes ...int) *Array { return a.quantile("quantile", q, axes) }

func (a *Array) quantile(op string, q float64, axes []int) *Array {
	if bad := unusable(op, a); bad != nil {
		return bad
	}
	if !a.node.Type.IsFloat() {
		return failed(op, &scalar.TypeError{In: []elem.Type{a.node.Type}, Want: "a float dtype"}, a)
	}
	if !(q >= 0 && q <= 1) {
		return failed(op, fmt.Errorf("q %v, want 0 to 1", q), a)
	}
	lines, n, err := a.toLines(axes)
	if err != nil {
		return failed(op, err, a)
	}
	if n == 0 {
		return named(op, lines.Sum(-1).MulScalar(math.NaN()).AddScalar(math.NaN()))
	}
	at := q * float64(n-1)
	low := min(int(at), n-1)
	part := at - float64(low)
	// From the nearer end to the quantile elements are sorted, and the others not.
	end := graph.SortAttr{Axis: -1, K: min(low+2, n)}
	if low >= n/2 {
		end = graph.SortAttr{Axis: -1, K: n - low, Descending: true}
	}
	sorted := lines.sort(op, end)
	pick := func(i int) *Array {
		if end.Descending {
			i = n - 1 - i
		}
		return sorted.SliceAxis(-1, Between(i, i+1)).Squeeze(-1)
	}
	out := pick(low)
	if part > 0 {
		// Infinite neighbours must not meet: the difference of equals is 0.
		high := pick(low + 1)
		step := Where(high.Equal(out), FullLike(out, 0), high.Sub(out))
		out = out.Add(step.MulScalar(part))
	}
	return named(op, Where(lines.Max(-1).IsNaN(), FullLike(out, math.NaN()), out))
}

// toLines is the array with the given axes, or all, joined to one last axis of
// n elements.
func (a *Array) toLines(axes []int) (lines *Array, n int, err error) {
	which, err := shape.Axes(axes, a.node.Shape)
	if err != nil {
		return nil, 0, err
	}
	if len(axes) == 0 {
		which = shape.AllAxes(a.NDim())
	}
	var perm, dims []int
	reduced := map[int]bool{}
	n = 1
	for _, i := range which {
		reduced[i] = true
		n *= a.node.Shape[i]
	}
	for i, d := range a.node.Shape {
		if !reduced[i] {
			perm = append(perm, i)
			dims = append(dims, d)
		}
	}
	perm = append(perm, which...)
	if a.NDim() > 0 {
		a = a.Transpose(perm...)
	}
	return a.Reshape(append(dims, n)...), n, nil
}
