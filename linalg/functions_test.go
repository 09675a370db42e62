package linalg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// One step of an oscillator: the exponential of its generator is a rotation.
func ExampleExpm() {
	const third = 2.0943951023931953 // of a turn
	step, err := linalg.Expm(context.Background(), nd.From([]float64{0, -third, third, 0}, 2, 2))
	fmt.Println(rounded(step), err)
	// Output: [[-0.5 -0.866] [0.866 -0.5]] <nil>
}

func ExampleLU() {
	p, l, u := linalg.LU(nd.From([]float64{1, 2, 4, 4}, 2, 2))
	fmt.Println(rounded(p), rounded(l), rounded(u))
	// Output: [[0 1] [1 0]] [[1 0] [0.25 1]] [[4 4] [0 1]]
}

// Directions in which a has the most beside b, as in common spatial patterns.
func ExampleGeneralizedEigh() {
	a, b := nd.From([]float64{2, 0, 0, 9}, 2, 2), nd.From([]float64{4, 0, 0, 1}, 2, 2)
	w, v, err := linalg.GeneralizedEigh(context.Background(), a, b)
	fmt.Println(rounded(w), rounded(v.Abs()), err)
	// Output: [0.5 9] [[0.5 0] [0 1]] <nil>
}

func ExampleKron() {
	fmt.Println(rounded(linalg.Kron(nd.From([]float64{1, 2}, 1, 2), nd.From([]float64{1, 10}, 2, 1))))
	// Output: [[1 2] [10 20]]
}

// Gradients of functions of matrices, real and complex, beside differences.
func TestFunctionGradients(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	must := must(t)
	weigh := weighted(7)
	star := func(a *nd.Array) *nd.Array { return a.SwapAxes(-1, -2).Conj() }
	lu := func(a *nd.Array) *nd.Array {
		_, l, u := linalg.LU(a)
		return weigh(l).Add(weigh(u))
	}
	for name, c := range map[string]struct {
		m, n int
		loss func(a *nd.Array) *nd.Array
	}{
		"expm":          {4, 4, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Expm(ctx, a))) }},
		"expm, squared": {3, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Expm(ctx, a.MulScalar(5)))).MulScalar(1e-4) }},
		"power":         {3, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.MatrixPower(ctx, a, 5))) }},
		"negative power": {3, 3, func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.MatrixPower(ctx, a.Add(nd.Eye(a.DType(), 3).MulScalar(4)), -3)))
		}},
		"lu":              {4, 4, lu},
		"lu, tall":        {5, 3, lu},
		"lu, wide":        {3, 5, lu},
		"kron":            {3, 2, func(a *nd.Array) *nd.Array { return weigh(linalg.Kron(a, a.Sin())) }},
		"block diag":      {3, 2, func(a *nd.Array) *nd.Array { return weigh(linalg.BlockDiag(a, a.Sin())) }},
		"singular values": {4, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.SingularValues(ctx, a)).Sin()) }},
		"eigenvalues":     {4, 4, func(a *nd.Array) *nd.Array { return weigh(must(linalg.EighValues(ctx, a.Add(star(a)))).Sin()) }},
		"generalized eigh": {4, 4, func(a *nd.Array) *nd.Array {
			w, v, err := linalg.GeneralizedEigh(ctx, a.Add(star(a)), a.MatMul(star(a)).Add(nd.Eye(a.DType(), 4)))
			must(w, err)
			return weigh(w.Sin()).Add(weigh(v.AbsSquared()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			differences(t, normal(21, c.m, c.n), c.loss, 1e-6)
			differences(t, normal(22, 2*c.m, c.n), func(x *nd.Array) *nd.Array {
				return c.loss(nd.Complex(x.Slice(nd.Range{Stop: c.m}), x.Slice(nd.Range{Start: c.m, Stop: 2 * c.m})))
			}, 1e-6)
		})
	}
}

// Matrices of a batch that need different numbers of squarings have the exponentials that they have alone, and
// exp(a) exp(-a) is the identity.
func TestExpmBatch(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	a := nd.Normal(3, nd.Float64, 3, 5, 5).Mul(nd.From([]float64{0.01, 1, 9}, 3, 1, 1))
	all, err := linalg.Expm(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	back, err := linalg.Expm(ctx, a.Neg())
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		one := nd.Range{Start: i, Stop: i + 1}
		alone, err := linalg.Expm(ctx, a.Slice(one))
		if err != nil {
			t.Fatal(err)
		}
		size := read(t, alone.Norm())[0]
		if d := read(t, alone.Sub(all.Slice(one)).Abs().Max())[0]; d > 1e-15*size {
			t.Errorf("matrix %d differs by %.2g from itself alone", i, d)
		}
		unit := all.Slice(one).MatMul(back.Slice(one)).Sub(nd.Eye(nd.Float64, 5)).Abs().Max()
		if d := read(t, unit)[0]; d > 1e-14*size*read(t, back.Slice(one).Norm())[0] {
			t.Errorf("matrix %d times its inverse is off by %.2g", i, d)
		}
	}
	if e, err := linalg.Expm(ctx, nd.Zeros(nd.Float64, 2, 3, 3)); err != nil || read(t, e.Sub(nd.Eye(nd.Float64, 3)).Abs().Max())[0] != 0 {
		t.Errorf("of zeros: %v, %v", e, err)
	}
}

// p l u is a for every shape and rank, p a permutation and multipliers at most 1.
func TestLU(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, shape := range [][]int{{1, 1, 1}, {2, 5, 5}, {1, 90, 90}, {1, 100, 70}, {2, 7, 3}, {2, 3, 7}, {1, 70, 150}} {
		for _, dt := range []nd.DType{nd.Float32, nd.Float64, nd.Complex128} {
			a := nd.Normal(5, nd.Float64, shape...).Cast(dt)
			for name, x := range map[string]*nd.Array{"random": a, "zeros": nd.FullLike(a, 0), "ones": nd.FullLike(a, 1)} {
				p, l, u := linalg.LU(x)
				spacing := 0x1p-52
				if dt == nd.Float32 {
					spacing = 0x1p-23
				}
				m := shape[1]
				off := p.MatMul(l).MatMul(u).Sub(x).Abs().Max().Cast(nd.Float64)
				unit := p.MatMul(p.SwapAxes(-1, -2)).Sub(nd.Eye(dt, m)).Abs().Max().Cast(nd.Float64)
				if v := read(t, off)[0]; !(v <= spacing*float64(m+10)) {
					t.Errorf("%s %v %v: off by %.2g", name, dt, shape, v)
				}
				if v := read(t, unit)[0]; v != 0 {
					t.Errorf("%s %v %v: p is no permutation", name, dt, shape)
				}
				if v := read(t, l.Abs().Max().Cast(nd.Float64))[0]; !(v <= 1.5) {
					t.Errorf("%s %v %v: multipliers to %g", name, dt, shape, v)
				}
			}
		}
	}
}

func TestPencilFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	a := nd.Eye(nd.Float64, 3)
	_, _, err := linalg.GeneralizedEigh(ctx, a, a.Sub(nd.Full(1.0, nd.Float64, 3, 3)))
	if e := (*linalg.NotPositiveDefiniteError)(nil); !errors.As(err, &e) {
		t.Errorf("b that is not definite: %v", err)
	}
	if _, _, err := linalg.GeneralizedEigh(ctx, a, nd.Eye(nd.Float64, 2)); err == nil {
		t.Error("b of another shape is taken")
	}
	if _, err := linalg.MatrixPower(ctx, a.MulScalar(0), -1); err == nil {
		t.Error("a singular matrix has a negative power")
	}
	if err := linalg.BlockDiag().Err(); err == nil {
		t.Error("no blocks are taken")
	}
	if err := linalg.Kron(a, a.Cast(nd.Float32)).Err(); err == nil {
		t.Error("two types are taken")
	}
}

// Norms of powers say how far a matrix has to be scaled: that of the matrix itself would cost digits of badly scaled
// matrices and of triangles.
func TestExpmOfLargeNorms(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	expm := func(a *nd.Array) *nd.Array {
		t.Helper()
		e, err := linalg.Expm(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	list := func(v ...float64) *nd.Array { return nd.From(v, 2, 2) }
	near := func(name string, got, want *nd.Array) {
		t.Helper()
		if off := read(t, got.Div(want).SubScalar(1).Abs().Max())[0]; !(off <= 2e-15) {
			t.Errorf("%s: off by %.2g", name, off)
		}
	}
	near("triangle", expm(list(1, 1e6, 0, -1)).Add(list(0, 0, 1, 0)), list(math.E, 1e6*math.Sinh(1), 1, 1/math.E))
	m, units := list(0.5, 0.5, 0.5, 1), list(1, 0x1p30, 0x1p-30, 1)
	near("other units", expm(m.Mul(units)), expm(m).Mul(units))
	near("complex, other units", expm(m.Mul(units).Cast(nd.Complex128)).Real(), expm(m).Mul(units))
	near("nilpotent", expm(list(0, 1e300, 0, 0)).Add(list(0, 0, 1, 0)), list(1, 1e300, 1, 1))
	if e := read(t, expm(list(-1e308, 0, 0, -1e308))); !slices.Equal(e, make([]float64, 4)) {
		t.Errorf("of -1e308: %v", e)
	}
	for _, x := range []*nd.Array{nd.Full(1e308, nd.Float64, 2, 2), nd.Full(1e308, nd.Float64, 40, 40)} {
		if e := read(t, expm(x))[0]; !math.IsInf(e, 1) {
			t.Errorf("of 1e308 in all places: %v", e)
		}
	}
	// In a batch each has its own.
	batch := nd.Stack(0, m.Mul(units), list(0, 1e300, 0, 0), m)
	near("batch", expm(batch).Slice(nd.Range{Start: 0, Stop: 1}), expm(m).Mul(units))
}
