package nd

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// A reduction gives the same bits whether what it reduces is computed on the
// way or was stored before: however the operands of that lie in memory, or if
// there are none.
func TestSumsDoNotDependOnFusing(t *testing.T) {
	ctx := soon(t)
	evaluated := func(a *Array) *Array {
		if err := Eval(ctx, a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	shapes := [][]int{{48, 96}, {5000, 2}, {300, 250}, {5, 7, 9}, {4, 4, 50}, {2, 5000}, {1, 17}, {2100, 96}}
	if testing.Short() {
		shapes = shapes[:3] // a GPU has hundreds of kernels to compile for each
	}
	for _, shape := range shapes {
		drawn := func(key Key) *Array { return Normal(key, Float32, shape...) }
		one, other := evaluated(drawn(1)), evaluated(drawn(2))
		sources := map[string]func() *Array{
			"stored":  func() *Array { return one },
			"complex": func() *Array { return Complex(one, other) },
			"strided": func() *Array { return evaluated(one.Transpose().Neg()).Transpose() },
		}
		if one.Len() < 1<<14 {
			sources["drawn"] = func() *Array { return drawn(3) }
		}
		for name, build := range map[string]func(x *Array) *Array{
			"map":        func(x *Array) *Array { return x.MulScalar(0.3) },
			"transposed": func(x *Array) *Array { return x.Transpose().MulScalar(0.3) },
			"and back":   func(x *Array) *Array { return x.Transpose().MulScalar(0.3).Transpose() },
			"flipped":    func(x *Array) *Array { return x.Flip(0).MulScalar(0.3) },
			"both ways": func(x *Array) *Array {
				return x.Transpose().Mul(other.Cast(x.DType()).Reshape(x.Transpose().Shape()...))
			},
			"a column": func(x *Array) *Array {
				return x.SliceAxis(-1, Range{Stop: 1}).Mul(other.Cast(x.DType()).SliceAxis(0, Range{Stop: 1}))
			},
			"every other": func(x *Array) *Array { return x.SliceAxis(-1, Range{Stop: End, Step: 2}).MulScalar(0.3) },
			"reshaped":    func(x *Array) *Array { return x.Transpose().MulScalar(0.3).Reshape(shape...) },
		} {
			for source, x := range sources {
				for axis := range shape {
					get := func(a *Array) []byte {
						out, err := Slice[complex64](ctx, a.Sum(axis).Cast(Complex64))
						if err != nil {
							t.Fatal(err)
						}
						return elem.Bytes(out)
					}
					if !slices.Equal(get(build(x())), get(evaluated(build(x())))) {
						t.Error(fmt.Sprint(shape, " ", source, ", ", name, ", axis ", axis, ": other bits when it is stored first"))
					}
				}
			}
		}
	}
}
