package nd

import (
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Close is how near two arrays have to be: |a-b| <= Abs + Rel*|b| for every
// element, as in NumPy. The zero value is a Rel of 1e-5 and an Abs of 1e-8;
// Exactly asks for equality.
type Close struct {
	Rel, Abs float64
	// Exactly asks that elements be equal, whatever Rel and Abs are.
	Exactly bool
	// NaNs says that NaN is near NaN.
	NaNs bool
}

// AllClose reports whether all elements of a and b, broadcast to one shape, are
// near each other by NumPy's default tolerances.
func AllClose(ctx context.Context, a, b *Array) (bool, error) {
	err := Close{}.Check(ctx, a, b)
	if _, far := err.(*FarError); far {
		return false, nil
	}
	return err == nil, err
}

// FarError says where two arrays differ the most, relative to what Close allows.
type FarError struct {
	Count, Of int   // elements that are too far apart, of how many
	At        []int // the worst one
	A, B      complex128
	Distance  float64 // of the two, and
	Allowed   float64 // what it may be
}

func (e *FarError) Error() string {
	show := func(z complex128) string {
		if imag(z) == 0 {
			return fmt.Sprintf("%.9g", real(z))
		}
		return fmt.Sprintf("%.9g", z)
	}
	return fmt.Sprintf("nd: all_close: %d of %d elements differ, most at %v: %s and %s are %.3g apart, allowed %.3g",
		e.Count, e.Of, e.At, show(e.A), show(e.B), e.Distance, e.Allowed)
}

// Check computes both arrays and returns nil if they are near each other, and a
// *FarError that says where and how far if not: for tests.
//
//	if err := (nd.Close{Rel: 1e-6}).Check(ctx, got, want); err != nil {
//		t.Error(err)
//	}
func (c Close) Check(ctx context.Context, a, b *Array) error {
	if bad := unusable("all_close", a, b); bad != nil {
		return bad.Err()
	}
	if c.Rel == 0 && c.Abs == 0 {
		c.Rel, c.Abs = 1e-5, 1e-8
	}
	if c.Exactly {
		c.Rel, c.Abs = 0, 0
	}
	// Equal checks shapes and element types, and says what is wrong with them.
	shape := a.Equal(b)
	if err := shape.Err(); err != nil {
		return named("all_close", shape).Err()
	}
	// Handles of their own: an array that was only compared keeps its history for Grad.
	x, y := StopGradient(a.BroadcastTo(shape.Shape()...)), StopGradient(b.BroadcastTo(shape.Shape()...))
	if near, err := c.allNear(ctx, x, y); near || err != nil {
		return err
	}
	left, err := wideElements(ctx, x)
	if err != nil {
		return err
	}
	right, err := wideElements(ctx, y)
	if err != nil {
		return err
	}
	far := &FarError{Of: len(left)}
	worst := -1.0
	for i := range left {
		d, allowed := distance(left[i], right[i], c.NaNs), c.Abs+c.Rel*modulus(right[i])
		if d <= allowed || d == 0 {
			continue
		}
		far.Count++
		if badness := d / math.Max(allowed, math.SmallestNonzeroFloat64); badness > worst || math.IsNaN(d) && !math.IsNaN(worst) {
			worst = badness
			far.At, far.A, far.B, far.Distance, far.Allowed = position(i, shape.Shape()), left[i], right[i], d, allowed
		}
	}
	if far.Count == 0 {
		return nil
	}
	return far
}

// allNear reports that all elements are near each other, by a look at finite real ones. False
// says nothing: of infinities, of other types.
func (c Close) allNear(ctx context.Context, a, b *Array) (bool, error) {
	if a.DType() != b.DType() {
		return false, nil
	}
	switch a.DType() {
	case Float32:
		return nearEach[float32](ctx, a, b, c)
	case Float64:
		return nearEach[float64](ctx, a, b, c)
	}
	return false, nil
}

func nearEach[T float32 | float64](ctx context.Context, a, b *Array, c Close) (near bool, err error) {
	x, err := Slice[T](ctx, a)
	if err != nil {
		return false, err
	}
	err = Look(ctx, b, func(y []T) error {
		y = y[:len(x)]
		for i, v := range x {
			w := float64(y[i])
			allowed := c.Abs + c.Rel*math.Abs(w)
			if !(math.Abs(float64(v)-w) <= allowed) || !(allowed <= math.MaxFloat64) {
				return nil
			}
		}
		near = true
		return nil
	})
	return near, err
}

// wideElements is the elements of an array as complex128, by a type that its device has: not
// every device has float64.
func wideElements(ctx context.Context, x *Array) ([]complex128, error) {
	switch t := x.DType(); {
	case t == Float64 || t == Complex128:
		return Slice[complex128](ctx, x.Cast(Complex128))
	case t.IsFloat() || t.IsComplex():
		list, err := Slice[complex64](ctx, x.Cast(Complex64))
		return lists.Map(list, func(z complex64) complex128 { return complex128(z) }), err
	}
	list, err := Slice[int64](ctx, x.Cast(Int64))
	return lists.Map(list, func(n int64) complex128 { return complex(float64(n), 0) }), err
}

// distance is |a-b|, 0 for equal infinities, and NaN unless both are and nans
// says that they are near.
func distance(a, b complex128, nans bool) float64 {
	part := func(x, y float64) float64 {
		if x == y || nans && math.IsNaN(x) && math.IsNaN(y) {
			return 0
		}
		return x - y
	}
	return math.Hypot(part(real(a), real(b)), part(imag(a), imag(b)))
}

// modulus is |z|, and 0 of what is not finite: nothing but itself is near it.
func modulus(z complex128) float64 {
	if m := math.Hypot(real(z), imag(z)); !math.IsInf(m, 0) && !math.IsNaN(m) {
		return m
	}
	return 0
}

// position is where element i, in row-major order, lies.
func position(i int, shape []int) []int {
	at := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		at[d], i = i%shape[d], i/shape[d]
	}
	return at
}
