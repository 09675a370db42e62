package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Small singular values of matrices with rows, or columns, of very different sizes have as many digits
// as large ones: scaling by powers of two changes no digit of the products that define them.
func TestSVDKeepsSmallValues(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n = 40
	q := OrthonormalColumns(nd.Normal(1, nd.Float64, 1, n, n))
	sizes := make([]float64, n)
	for i := range sizes {
		sizes[i] = math.Ldexp(1, -3*i)
	}
	d := nd.From(sizes, n)
	for name, a := range map[string]*nd.Array{
		"columns": q.Mul(d.Reshape(1, n)), "rows": q.Mul(d.Reshape(n, 1)),
		"columns upwards": q.Mul(d.Flip(0).Reshape(1, n)), "rows upwards": q.Mul(d.Flip(0).Reshape(n, 1)),
	} {
		_, s, _, err := SVD(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		got, err := nd.Slice[float64](ctx, s)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if math.Abs(v/sizes[i]-1) > 1e-12 {
				t.Errorf("%s: value %d is %g, want %g", name, i, v, sizes[i])
			}
		}
	}
}

// Values that rotations find without vectors are as good as those with them: their squares add up to
// those of all elements, and thousands of rounded rotations leave no trace.
func TestSingularValuesDoNotDrift(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	const n = 150
	lengths := nd.Arange(0.0, n, 1).MulScalar(-12.0/n).Exp().Reshape(1, n, 1) // so that rotations are taken
	a := nd.Normal(6, nd.Float64, 2, n, n).Mul(lengths)
	c := newCalculation("values", nil)
	_, s, _ := c.svdSquare(a, true)
	_, alone, _ := c.svdSquare(a, false)
	all := values(t, []*nd.Array{s, alone, alone.AbsSquared().Sum(1), a.AbsSquared().Sum(1, 2)})
	for i, v := range all[0] {
		if d := math.Abs(all[1][i]/v - 1); !(d <= 4e-15) {
			t.Errorf("value %d is %g, and %g by itself: %.2g", i, v, all[1][i], d)
		}
	}
	for i, v := range all[2] {
		if d := math.Abs(v/all[3][i] - 1); !(d <= 2e-15) {
			t.Errorf("squares of values of matrix %d are off by %.2g", i, d)
		}
	}
}

// Values alone are those of all factors, of any shape, also where rank is missing.
func TestSingularValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, shape := range [][]int{{2, 1, 1}, {1, 2, 2}, {3, 7, 7}, {2, 20, 20}, {1, 40, 33}, {1, 33, 90}, {1, 70, 70}} {
		a := nd.Normal(2, nd.Float64, shape...)
		low := columns(a, 0, 1).MatMul(rows(a, 0, 1))
		for _, x := range []*nd.Array{a, low, nd.Zeros(nd.Float64, shape...)} {
			c := newCalculation("values", nil)
			_, all, _ := c.svd(x)
			both := values(t, []*nd.Array{all, c.singularValues(x)})
			for i, v := range both[0] {
				if math.Abs(v-both[1][i]) > 1e-12*(both[0][0]+1) {
					t.Errorf("%v: value %d is %g, and %g by itself", shape, i, v, both[1][i])
				}
			}
		}
	}
}

// The kernel that other devices take finds the same values, and says how it came to its rows.
func TestJacobiBody(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU's own kernel")
	testdevice.NeedsFloat64(t)
	for _, n := range []int{1, 5, 12, 33} {
		a := nd.Normal(4, nd.Float64, 2, n, n)
		for _, x := range []*nd.Array{a, a.Mul(nd.Arange(0.0, -float64(n), -1).Exp().Reshape(n, 1))} {
			o := jacobi(x)
			_, s, _ := newCalculation("jacobi", nil).svdSquare(x, true)
			all := values(t, []*nd.Array{o.lengths, s, o.v.MatMul(x), o.w})
			for k := 0; k < len(all); k += 2 {
				for i, v := range all[k] {
					if math.Abs(v-all[k+1][i]) > 1e-12*math.Abs(v)+1e-14*(1+all[0][0]) {
						t.Errorf("%d: %g at %d, want %g", n, all[k+1][i], i, v)
					}
				}
			}
		}
	}
}

// The gradient of a norm has a gradient: that of differences.
func TestGradientOfNormGradient(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	const n, h = 3, 1e-5
	a, along := nd.Normal(1, nd.Float64, n, n), nd.Normal(2, nd.Float64, n, n)
	for _, kind := range []NormKind{Spectral, Nuclear} {
		slope := func(a *nd.Array) *nd.Array {
			x, err := Norm(ctx, a, kind)
			if err != nil {
				t.Fatal(err)
			}
			return nd.Grad(x, a)[0].Mul(along).Sum()
		}
		all := values(t, []*nd.Array{nd.Grad(slope(a), a)[0].Mul(along).Sum(), slope(a.Add(along.MulScalar(h))), slope(a.Sub(along.MulScalar(h)))})
		if got, want := all[0][0], (all[1][0]-all[2][0])/(2*h); !(math.Abs(got-want) <= 1e-6*math.Abs(want)) {
			t.Errorf("%v: %g, differences say %g", kind, got, want)
		}
	}
}
