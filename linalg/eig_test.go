package linalg_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// The poles of a resonance from its recursion: eigenvalues of the companion matrix.
func ExampleEig() {
	companion := nd.From([]float64{1.5, -0.8125, 1, 0}, 2, 2)
	w, _, err := linalg.Eig(context.Background(), companion)
	if err != nil {
		panic(err)
	}
	fmt.Println(rounded(w.Real()), rounded(w.Imag()))
	// Output: [0.75 0.75] [0.5 -0.5]
}

// generalMatrices are matrices without symmetry, and among them those that iterations find hard.
func generalMatrices(n int) map[string]*nd.Array {
	a, ramp := nd.Normal(1, nd.Float64, n, n), nd.Arange(0.0, float64(n), 1)
	i, j := ramp.Reshape(n, 1), ramp.Reshape(1, n)
	part := func(keep *nd.Array, a *nd.Array) *nd.Array { return nd.Where(keep, a, nd.FullLike(a, 0)) }
	shift := part(j.Sub(i).EqualScalar(1), nd.Ones(nd.Float64, n, n))
	z := nd.Complex(a, nd.Normal(2, nd.Float64, n, n))
	out := map[string]*nd.Array{
		"random": a, "complex": z, "symmetric": a.Add(a.SwapAxes(0, 1)), "hermitian": z.Add(z.SwapAxes(0, 1).Conj()),
		"zeros": a.MulScalar(0), "ones": nd.Ones(nd.Float64, n, n), "identity": nd.Eye(nd.Float64, n),
		"jordan": shift.Add(nd.Eye(nd.Float64, n)), "nilpotent": shift, "cycle": a.MulScalar(0).Add(shift).Add(part(i.Sub(j).EqualScalar(float64(n-1)), nd.Ones(nd.Float64, n, n))),
		"triangle": part(i.LessEqual(j), a), "lower": part(j.LessEqual(i), a), "lower complex": part(j.LessEqual(i), z),
		"skew": a.Sub(a.SwapAxes(0, 1)), "orthogonal": linalg.OrthonormalColumns(a), "rank one": i.AddScalar(1).Mul(j.AddScalar(1)),
		"huge": a.MulScalar(1e300), "tiny": a.MulScalar(1e-300), "huge complex": z.MulScalar(1e300), "tiny complex": z.MulScalar(1e-300),
		"graded": a.Mul(i.Add(j).MulScalar(-1.5).Exp()), "badly scaled": a.Mul(i.Sub(j).MulScalar(3).Exp()),
		"badly scaled complex": z.Mul(i.Sub(j).MulScalar(3).Exp().Cast(nd.Complex128)), "clustered": nd.Eye(nd.Float64, n).Add(a.MulScalar(1e-9)),
	}
	for name, x := range out {
		if x.DType() == nd.Float64 {
			out[name+", float32"] = x.Cast(nd.Float32)
		} else {
			out[name+", complex64"] = x.Cast(nd.Complex64)
		}
	}
	return out
}

func TestEig(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	ctx := context.Background()
	for _, n := range []int{1, 2, 3, 4, 7, 20, 65} {
		for name, a := range generalMatrices(n) {
			spacing := 0x1p-52
			if t := a.DType(); t == nd.Float32 || t == nd.Complex64 {
				spacing = 0x1p-23
			}
			wide := a.Cast(nd.Complex128)
			most := read(t, wide.Abs().Max())[0]
			if math.IsInf(most, 0) || most == 0 && name[0] != 'z' {
				continue // beyond float32
			}
			by := nd.Where(wide.Abs().Max().EqualScalar(0), nd.FullLike(wide.Abs().Max(), 1), wide.Abs().Max())
			over := func(x *nd.Array) *nd.Array { return x.Cast(nd.Complex128).Div(by.Cast(nd.Complex128)) }
			name = fmt.Sprintf("%s of %d", name, n)

			w, v, err := linalg.Eig(ctx, a)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			x, values := v.Cast(nd.Complex128), over(w).Reshape(1, n)
			rest := over(wide).MatMul(x).Sub(x.Mul(values)).Abs().Max()
			allowed := 10 * spacing * float64(n+2) // beside the largest element
			long := x.AbsSquared().Sum(0).SubScalar(1).Abs().Max()
			all := read(t, nd.Concat(0, rest.Reshape(1), long.Reshape(1)))
			if !(all[0] <= allowed) || !(all[1] <= spacing*float64(n+4)) {
				t.Errorf("%s: a v - v w is %.2g, allowed %.2g; lengths are off by %.2g", name, all[0], allowed, all[1])
			}
			alone, err := linalg.EigValues(ctx, a)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if d := read(t, over(alone).Sub(over(w)).Abs().Max())[0]; d != 0 {
				t.Errorf("%s: values alone differ by %.2g", name, d)
			}

			s, z, err := linalg.Schur(ctx, a)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			q, ts := z.Cast(nd.Complex128), over(s)
			back := q.MatMul(ts).MatMul(q.SwapAxes(0, 1).Conj()).Sub(over(wide)).Abs().Max()
			ortho := q.SwapAxes(0, 1).Conj().MatMul(q).Sub(nd.Eye(nd.Complex128, n)).Abs().Max()
			all = read(t, nd.Concat(0, back.Reshape(1), ortho.Reshape(1)))
			if !(all[0] <= allowed) || !(all[1] <= allowed) {
				t.Errorf("%s: z t z' is off by %.2g, z'z by %.2g, allowed %.2g", name, all[0], all[1], allowed)
			}
			quasiTriangular(t, name, n, read(t, over(s).Real()), read(t, over(s).Imag()), a.DType().IsComplex())
		}
	}
}

// quasiTriangular checks the form of t.
func quasiTriangular(t *testing.T, name string, n int, re, im []float64, complex bool) {
	t.Helper()
	for i := range n {
		for j := range i {
			v := re[i*n+j]
			if v == 0 && im[i*n+j] == 0 {
				continue
			}
			switch {
			case complex || j != i-1:
				t.Errorf("%s: %g below the diagonal at %d, %d", name, v, i, j)
			case j > 0 && re[j*n+j-1] != 0:
				t.Errorf("%s: blocks of more than two rows at %d", name, i)
			case re[i*n+i] != re[j*n+j] || (v < 0) == (re[j*n+i] < 0):
				t.Errorf("%s: the block at %d is not in standard form", name, j)
			}
		}
	}
}

func TestEigShapes(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	ctx := context.Background()
	a := nd.Normal(3, nd.Float64, 2, 3, 4, 4)
	w, v, err := linalg.Eig(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(w.Shape(), v.Shape(), w.DType()) != "[2 3 4] [2 3 4 4] complex128" {
		t.Errorf("%v %v %v", w.Shape(), v.Shape(), w.DType())
	}
	for _, shape := range [][]int{{0, 0}, {0, 3, 3}, {2, 0, 0}} {
		w, v, err := linalg.Eig(ctx, nd.Zeros(nd.Float32, shape...))
		if err != nil || fmt.Sprint(w.Shape(), v.Shape(), w.DType()) != fmt.Sprint(shape[:len(shape)-1], shape, nd.Complex64) {
			t.Errorf("%v: %v %v %v, %v", shape, w.Shape(), v.Shape(), w.DType(), err)
		}
		if w, err := linalg.EigValues(ctx, nd.Zeros(nd.Float32, shape...)); err != nil || w.Len() != 0 {
			t.Errorf("%v: %v, %v", shape, w, err)
		}
		if s, z, err := linalg.Schur(ctx, nd.Zeros(nd.Float32, shape...)); err != nil || s.Len() != 0 || z.Len() != 0 {
			t.Errorf("%v: %v", shape, err)
		}
	}
	bad := nd.From([]float64{1, 2, 3, 4, 5, 6, math.NaN(), 8}, 2, 2, 2)
	_, _, err = linalg.Eig(ctx, bad)
	if e := (*linalg.NotFiniteError)(nil); !errors.As(err, &e) || e.Row != 1 || e.Column != 0 || e.Matrix[0] != 1 {
		t.Errorf("of NaN: %v", err)
	}
}

// The square of a loss of values, and of vectors up to their phase.
func TestEigGradient(t *testing.T) {
	testdevice.NotOnGPU(t, "of the CPU alone")
	ctx := context.Background()
	loss := func(a *nd.Array) *nd.Array {
		w, v, err := linalg.Eig(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := linalg.EigValues(ctx, a)
		if err != nil {
			t.Fatal(err)
		}
		weights := nd.Normal(9, nd.Float64, 4, 4)
		// Each vector times its adjoint does not depend on its phase, and depends on its length.
		other := v.ExpandDims(1).Mul(v.ExpandDims(0).Conj())
		return w.Mul(w).Real().Sum().Add(other.Real().Mul(weights.ExpandDims(2)).Sum()).Add(v.AbsSquared().Mul(weights).Sum()).
			Add(alone.Exp().Real().Sum()).Add(alone.Abs().Log().Sum())
	}
	differences(t, normal(4, 4, 4), loss, 1e-6)
	differences(t, normal(5, 8, 4), func(x *nd.Array) *nd.Array {
		return loss(nd.Complex(x.Slice(nd.Range{Stop: 4}), x.Slice(nd.Range{Start: 4, Stop: 8})))
	}, 1e-6)
}
