package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Diff is the difference of each element along an axis and the one before it,
// so the axis is shorter by one. Of bools it is whether they differ.
func (a *Array) Diff(axis int) *Array {
	if bad := unusable("diff", a); bad != nil {
		return bad
	}
	axis, err := shape.Axis(axis, a.node.Shape)
	if err != nil {
		return failed("diff", err, a)
	}
	n := a.node.Shape[axis]
	if n == 0 {
		return failed("diff", fmt.Errorf("axis %d of shape %v is empty", axis, a.node.Shape), a)
	}
	before, after := a.SliceAxis(axis, Head(n-1)), a.SliceAxis(axis, Skip(1))
	if a.node.Type == Bool {
		return named("diff", after.Xor(before))
	}
	return named("diff", after.Sub(before))
}
