package linalg_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// A change of units of the state leaves eigenvalues alone, and multiplies the elements of vectors, over the
// whole range of numbers.
func TestEigOfOtherUnits(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	ctx := context.Background()
	for _, n := range []int{2, 5, 16, 30} {
		a := nd.Normal(3, nd.Float64, n, n)
		for name, x := range map[string]*nd.Array{"real": a, "complex": nd.Complex(a, nd.Normal(4, nd.Float64, n, n))} {
			for _, most := range []float64{20, 300, 480} {
				units := make([]float64, n)
				for i, v := range read(t, nd.Uniform(5, nd.Float64, n)) {
					units[i] = math.Ldexp(1, int((2*v-1)*most))
				}
				d := nd.From(units, n)
				scaled := x.Mul(d.Reshape(n, 1).Cast(x.DType())).Div(d.Cast(x.DType()))
				w, err := linalg.EigValues(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				other, v, err := linalg.Eig(ctx, scaled)
				if err != nil {
					t.Errorf("%s %d, units to 2^%g: %v", name, n, most, err)
					continue
				}
				order := func(w *nd.Array) *nd.Array {
					return w.Gather(w.Real().Add(w.Imag().MulScalar(1e-3)).ArgSort(-1), -1)
				}
				if off := read(t, order(w).Sub(order(other)).Abs().Max())[0]; !(off <= 1e-13*float64(n)) {
					t.Errorf("%s %d, units to 2^%g: values are off by %.2g", name, n, most, off)
				}
				// In the first units, the vectors are those of x.
				back := v.Mul(nd.FullLike(d, math.Ldexp(1, int(most))).Div(d).Reshape(n, 1).Cast(nd.Complex128))
				back = back.Div(back.Abs().Max(0).Cast(nd.Complex128))
				rest := x.Cast(nd.Complex128).MatMul(back).Sub(back.Mul(other)).Abs().Max()
				if off := read(t, rest)[0]; !(off <= 1e-13*float64(n)) {
					t.Errorf("%s %d, units to 2^%g: a v - v w is %.2g in the first units", name, n, most, off)
				}
			}
		}
	}
}

// The eigenvalues of a triangle are its diagonal, to the last bit and whatever is beside it, also if its rows and columns are in
// another order.
func TestEigOfTriangles(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	ctx := context.Background()
	const n = 12
	i, j := nd.Arange(0.0, n, 1).Reshape(n, 1), nd.Arange(0.0, n, 1).Reshape(1, n)
	sizes := nd.Uniform(7, nd.Float64, n, n).SubScalar(0.5).MulScalar(100).Exp()
	full := nd.Normal(6, nd.Float64, n, n).Mul(sizes)
	upper := nd.Where(i.LessEqual(j), full, nd.FullLike(full, 0))
	shuffle := nd.From([]int64{3, 7, 0, 11, 5, 9, 1, 10, 2, 8, 6, 4}, n)
	for name, a := range map[string]*nd.Array{
		"upper": upper, "lower": upper.SwapAxes(0, 1), "complex": nd.Complex(upper, upper),
		"shuffled": upper.Take(shuffle, 0).Take(shuffle, 1),
	} {
		w, v, err := linalg.Eig(ctx, a)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, want := read(t, w.Real()), read(t, nd.Einsum("ii->i", a).Cast(nd.Complex128).Real())
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: values %v, want %v", name, got, want)
		}
		// Each row of a v - v w is nothing beside the terms it adds up.
		wide := a.Cast(nd.Complex128)
		rest := wide.MatMul(v).Sub(v.Mul(w)).Abs()
		terms := wide.Abs().MatMul(v.Abs()).Add(v.Mul(w).Abs()).AddScalar(1e-290)
		if off := read(t, rest.Div(terms).Max())[0]; !(off <= 1e-14) {
			t.Errorf("%s: a v - v w is %.2g beside its terms", name, off)
		}
	}
}

// A complex number without all digits has a direction with all of them: z is unitary.
func TestSchurOfSubnormalNumbers(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	a := nd.From([]complex128{1, 2i, 3, complex(1e-322, 2e-322), 1, 1, 1e-90, 1i, 2}, 3, 3)
	_, z, err := linalg.Schur(context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	unit := z.SwapAxes(0, 1).Conj().MatMul(z).Sub(nd.Eye(nd.Complex128, 3)).Abs().Max()
	if off := read(t, unit)[0]; !(off <= 1e-15) {
		t.Errorf("z'z - I is %.2g", off)
	}
}
