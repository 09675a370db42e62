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

func ExampleEigh_hermitian() {
	// The Pauli matrix y.
	a := nd.From([]complex128{0, -1i, 1i, 0}, 2, 2)
	w, _, err := linalg.Eigh(context.Background(), a)
	fmt.Println(rounded(w), err)
	// Output: [-1 1] <nil>
}

// cmat is a complex matrix as a real one of twice the size, with a block
// (re, -im; im, re) for each element, which products, adjoints and norms (but
// for a factor) respect: the reference needs no complex loops.
func cmatOf(t testing.TB, a *nd.Array) mat {
	t.Helper()
	v, err := nd.Slice[complex128](context.Background(), a.Cast(nd.Complex128))
	if err != nil {
		t.Fatal(err)
	}
	n := a.Dim(-1)
	out := newMat(2*len(v)/max(n, 1), 2*n)
	for i, z := range v {
		r, c := 2*(i/n), 2*(i%n)
		*out.at(r, c), *out.at(r+1, c+1) = real(z), real(z)
		*out.at(r, c+1), *out.at(r+1, c) = -imag(z), imag(z)
	}
	return out
}

func complexNormal(seed uint64, t nd.DType, m, n int) *nd.Array {
	a := nd.Complex(normal(seed, m, n).array(nd.Float64), normal(seed+100, m, n).array(nd.Float64)).Cast(t)
	if err := nd.Eval(context.Background(), a); err != nil {
		panic(err)
	}
	return a
}

var complexTypes = []nd.DType{nd.Complex64, nd.Complex128}

// spacing is the rounding of a complex type.
func spacing(t nd.DType) float64 {
	if t == nd.Complex64 {
		return 0x1p-23
	}
	return 0x1p-52
}

func within(t *testing.T, what string, e, bound float64) {
	t.Helper()
	if !(e <= bound) {
		t.Errorf("%s: %.2g, allowed %.2g", what, e, bound)
	}
}

func TestComplexQR(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, dt := range complexTypes {
		for _, s := range [][2]int{{1, 1}, {5, 5}, {40, 7}, {7, 40}, {150, 70}, {140, 140}} {
			a := complexNormal(1, dt, s[0], s[1])
			if s[0] == 40 { // the third column depends on two others, the last is zero
				zero := nd.FullLike(a.Slice(nd.All, nd.Range{Stop: 1}), 0)
				two := a.Slice(nd.All, nd.Range{Stop: 2})
				a = nd.Concat(1, two, two.Sum(1).ExpandDims(1), a.Slice(nd.All, nd.Range{Start: 3, Stop: 6}), zero)
			}
			q, r := linalg.QR(a)
			qm, rm := cmatOf(t, q), cmatOf(t, r)
			name := fmt.Sprint(dt, s)
			within(t, name+" orthonormal", orthonormality(qm), 20*spacing(dt))
			within(t, name+" product", qm.mul(rm).sub(cmatOf(t, a)).frobenius(), 20*spacing(dt)*cmatOf(t, a).frobenius())
			for i := range rm.m {
				for j := range min(i/2*2, rm.n) {
					if *rm.at(i, j) != 0 {
						t.Fatalf("%s: r has %g below its diagonal", name, *rm.at(i, j))
					}
				}
				if i < rm.n && (*rm.at(i, i) < 0 || math.Abs(*rm.at(i, i^1)) > 0) {
					t.Fatalf("%s: diagonal %d of r is not positive", name, i/2)
				}
			}
		}
	}
}

func TestComplexSystems(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range complexTypes {
		for _, n := range []int{1, 3, 20, 70} {
			name := fmt.Sprint(dt, " ", n)
			a, b := complexNormal(1, dt, n, n), complexNormal(2, dt, n, 2)
			am, bm := cmatOf(t, a), cmatOf(t, b)
			must := func(x *nd.Array, err error) mat {
				t.Helper()
				if err != nil {
					t.Fatal(name, err)
				}
				if x.DType() != dt {
					t.Fatalf("%s: result is %v", name, x.DType())
				}
				return cmatOf(t, x)
			}
			x := must(linalg.Solve(ctx, a, b))
			within(t, name+" solve", am.mul(x).sub(bm).frobenius(), 50*spacing(dt)*am.frobenius()*x.frobenius())
			inverse := must(linalg.Inverse(ctx, a))
			within(t, name+" inverse", am.mul(inverse).sub(identity(2*n)).frobenius(), 50*spacing(dt)*am.frobenius()*inverse.frobenius())
			positive := a.MatMul(a.SwapAxes(0, 1).Conj()).Add(nd.Eye(dt, n))
			pm := cmatOf(t, positive)
			// The upper half is not looked at, nor the imaginary part of the diagonal.
			spoiled := nd.Where(upperHalf(n), nd.FullLike(positive, 7), positive).Add(nd.Complex(nd.Zeros(nd.Float64, n, n), nd.Eye(nd.Float64, n)).Cast(dt))
			factor, err := linalg.Cholesky(ctx, spoiled)
			l := must(factor, err)
			within(t, name+" cholesky", l.mul(l.t()).sub(pm).frobenius(), 20*spacing(dt)*pm.frobenius())
			y := must(linalg.CholeskySolve(ctx, factor, b))
			within(t, name+" cholesky solve", pm.mul(y).sub(bm).frobenius(), 50*spacing(dt)*pm.frobenius()*y.frobenius())
			z := must(linalg.TriangularSolve(ctx, a.Add(nd.Eye(dt, n).MulScalar(9)), b))
			tri := cmatOf(t, nd.Where(upperHalf(n), nd.FullLike(a, 0), a.Add(nd.Eye(dt, n).MulScalar(9))))
			within(t, name+" triangle", tri.mul(z).sub(bm).frobenius(), 50*spacing(dt)*tri.frobenius()*z.frobenius())

			if n > 20 {
				continue // a determinant beyond the range of complex64
			}
			// det of a product, and of what is known: a diagonal.
			d := nd.Where(nd.Eye(nd.Bool, n), a, nd.FullLike(a, 0))
			whole := linalg.Det(a.MatMul(d))
			apart := linalg.Det(a).Mul(d.Sum(1).Prod())
			size := read(t, apart.Abs())[0]
			within(t, name+" det", read(t, whole.Sub(apart).Abs())[0], 1e3*spacing(dt)*math.Max(size, 1e-3))
			sign, log := linalg.LogDet(a)
			within(t, name+" log det", read(t, sign.Mul(log.Exp().Cast(dt)).Sub(linalg.Det(a)).Abs().Div(linalg.Det(a).Abs()))[0], 1e3*spacing(dt))
			if log.DType().IsComplex() || !sign.DType().IsComplex() {
				t.Errorf("%s: log det is %v and %v", name, sign.DType(), log.DType())
			}
		}
		for _, s := range [][2]int{{9, 4}, {4, 9}} {
			a, b := complexNormal(3, dt, s[0], s[1]), complexNormal(4, dt, s[0], 2)
			x, err := linalg.LeastSquares(ctx, a, b)
			short, err2 := linalg.LeastSquares(ctx, a, b, linalg.LeastSquaresOptions{MinNorm: true})
			if err := errors.Join(err, err2); err != nil {
				t.Fatal(err)
			}
			am, xm := cmatOf(t, a), cmatOf(t, x)
			rest := am.mul(xm).sub(cmatOf(t, b))
			within(t, "least squares", am.t().mul(rest).frobenius(), 200*spacing(dt)*am.frobenius()*cmatOf(t, b).frobenius())
			within(t, "shortest", cmatOf(t, short).sub(xm).frobenius(), 200*spacing(dt)*xm.frobenius())
		}
	}
}

// upperHalf is true above the diagonal.
func upperHalf(n int) *nd.Array {
	i := nd.Arange[int64](0, int64(n), 1)
	return i.Reshape(n, 1).Less(i.Reshape(1, n))
}

func TestComplexSpectra(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range complexTypes {
		for _, s := range [][2]int{{1, 1}, {6, 6}, {20, 7}, {7, 20}, {33, 33}} {
			name := fmt.Sprint(dt, s)
			a := complexNormal(1, dt, s[0], s[1])
			if s[0] == 6 { // rank 2
				a = complexNormal(1, dt, 6, 2).MatMul(complexNormal(2, dt, 2, 6))
			}
			am := cmatOf(t, a)
			u, values, v, err := linalg.SVD(ctx, a)
			if err != nil {
				t.Fatal(name, err)
			}
			if values.DType().IsComplex() {
				t.Fatalf("%s: values are %v", name, values.DType())
			}
			um, vm := cmatOf(t, u), cmatOf(t, v)
			within(t, name+" u", orthonormality(um), 60*spacing(dt))
			within(t, name+" v", orthonormality(vm), 60*spacing(dt))
			scaled := cmatOf(t, u.Mul(values.Cast(dt).ExpandDims(0)))
			within(t, name+" svd", scaled.mul(vm.t()).sub(am).frobenius(), 60*spacing(dt)*am.frobenius())
			sv := read(t, values)
			for i := 1; i < len(sv); i++ {
				if sv[i] > sv[i-1] {
					t.Errorf("%s: values are not in order: %v", name, sv)
				}
			}
			p, err := linalg.Pinv(ctx, a)
			if err != nil {
				t.Fatal(name, err)
			}
			pm := cmatOf(t, p)
			ap, pa := am.mul(pm), pm.mul(am)
			tol := 100 * spacing(dt) * am.frobenius() * pm.frobenius()
			within(t, name+" a p a", ap.mul(am).sub(am).frobenius(), tol*am.frobenius())
			within(t, name+" p a p", pa.mul(pm).sub(pm).frobenius(), tol*pm.frobenius())
			within(t, name+" a p", ap.t().sub(ap).frobenius(), tol)
			within(t, name+" p a", pa.t().sub(pa).frobenius(), tol)
			rank, err := linalg.Rank(ctx, a)
			if want := min(s[0], s[1]); err != nil || s[0] != 6 && read(t, rank)[0] != float64(want) || s[0] == 6 && read(t, rank)[0] != 2 {
				t.Errorf("%s: rank %v, %v", name, read(t, rank), err)
			}
			nuclear := 0.0
			for _, x := range sv {
				nuclear += x
			}
			for kind, want := range map[linalg.NormKind]float64{linalg.Frobenius: am.frobenius() / math.Sqrt2, linalg.Spectral: sv[0], linalg.Nuclear: nuclear,
				linalg.Max: read(t, a.Abs().Max())[0], linalg.One: read(t, a.Abs().Sum(0).Max())[0], linalg.Inf: read(t, a.Abs().Sum(1).Max())[0]} {
				got, err := linalg.Norm(ctx, a, kind)
				if err != nil || got.DType().IsComplex() {
					t.Fatalf("%s: norm %d is %v, %v", name, kind, got, err)
				}
				within(t, fmt.Sprint(name, " norm ", kind), math.Abs(read(t, got)[0]-want), 100*spacing(dt)*want)
			}
			if c, err := linalg.Cond(ctx, a); err != nil || c.DType().IsComplex() {
				t.Errorf("%s: cond %v, %v", name, c, err)
			}
			if s[0] != s[1] {
				continue
			}
			h := a.Add(a.SwapAxes(0, 1).Conj())
			hm := cmatOf(t, h)
			w, vectors, err := linalg.Eigh(ctx, nd.Where(upperHalf(s[0]), nd.FullLike(h, 5), h))
			if err != nil {
				t.Fatal(name, err)
			}
			vm = cmatOf(t, vectors)
			within(t, name+" eigenvectors", orthonormality(vm), 60*spacing(dt))
			within(t, name+" eigh", hm.mul(vm).sub(cmatOf(t, vectors.Mul(w.Cast(dt).ExpandDims(0)))).frobenius(), 50*spacing(dt)*hm.frobenius())
			for i, x := range read(t, w)[1:] {
				if x < read(t, w)[i] {
					t.Errorf("%s: eigenvalues are not in order: %v", name, read(t, w))
				}
			}
		}
	}
}

func TestComplexTopSVD(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range complexTypes {
		for _, s := range [][2]int{{40, 25}, {25, 40}} {
			u, _ := linalg.QR(complexNormal(1, dt, s[0], 25))
			v, _ := linalg.QR(complexNormal(2, dt, s[1], 25))
			decay := fill(25, func(i int) float64 { return math.Pow(0.7, float64(i)) })
			a := u.Mul(nd.From(decay).Cast(dt)).MatMul(v.SwapAxes(0, 1).Conj())
			for _, o := range []linalg.TopSVDOptions{{}, {Tolerance: 1e-6}, {Band: 4, Streams: 2, Power: 2}} {
				top, err := linalg.TopSVD(ctx, a, 5, o)
				if err != nil {
					t.Fatal(dt, s, err)
				}
				for i, x := range read(t, top.S) {
					within(t, fmt.Sprint(dt, s, " value ", i), math.Abs(x-decay[i]), 1e-5*decay[i])
				}
				um, vm := cmatOf(t, top.U), cmatOf(t, top.V)
				within(t, "u", orthonormality(um), 2e-6)
				within(t, "v", orthonormality(vm), 2e-6)
				scaled := cmatOf(t, top.U.Mul(top.S.Cast(dt)))
				within(t, "a v", cmatOf(t, a).mul(vm).sub(scaled).frobenius(), 1e-5)
			}
		}
	}
	if top, err := linalg.TopSVD(ctx, nd.Zeros(nd.Complex64, 0, 4, 3), 2); err != nil || top.S.DType() != nd.Float32 {
		t.Errorf("no matrices: %+v, %v", top, err)
	}
}

func TestComplexFaults(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	singular := nd.From([]complex128{1, 1i, 1i, -1}, 2, 2)
	var s *linalg.SingularError
	if _, err := linalg.Solve(ctx, singular, nd.Ones(nd.Complex128, 2)); !errors.As(err, &s) || s.Pivot != 1 {
		t.Errorf("singular: %v", err)
	}
	var d *linalg.NotPositiveDefiniteError
	if _, err := linalg.Cholesky(ctx, nd.From([]complex128{1, 0, 0, 0, 1, 0, 2i, 0, 3}, 3, 3)); !errors.As(err, &d) || d.Pivot != 2 {
		t.Errorf("not positive definite: %v", err)
	}
	var f *linalg.NotFiniteError
	if _, _, _, err := linalg.SVD(ctx, nd.From([]complex128{1, 0, complex(0, math.NaN()), 0}, 2, 2)); !errors.As(err, &f) || f.Row != 1 || f.Column != 0 {
		t.Errorf("NaN: %v", err)
	}
	var r *linalg.RankError
	if _, err := linalg.LeastSquares(ctx, nd.From([]complex128{1, 1i, 1i, -1, 2, 2i}, 3, 2), nd.Ones(nd.Complex128, 3)); !errors.As(err, &r) || r.Rank != 1 {
		t.Errorf("rank: %v", err)
	}
	if _, s, _, err := linalg.SVD(ctx, nd.Zeros(nd.Complex64, 0, 3)); err != nil || s.DType() != nd.Float32 {
		t.Errorf("empty: %v, %v", s, err)
	}
	if w, _, err := linalg.Eigh(ctx, nd.Zeros(nd.Complex64, 0, 0)); err != nil || w.DType() != nd.Float32 {
		t.Errorf("empty: %v, %v", w, err)
	}
}

// Gradients by real and imaginary parts are central differences.
func TestComplexGradients(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	must := must(t)
	weigh := weighted(7)
	star := func(a *nd.Array) *nd.Array { return a.SwapAxes(-1, -2).Conj() }
	pos := func(a *nd.Array) *nd.Array { return a.MatMul(star(a)).Add(nd.Eye(nd.Complex128, a.Dim(0))) }
	for name, c := range map[string]struct {
		m, n int
		loss func(a *nd.Array) *nd.Array
	}{
		"qr":           {5, 3, func(a *nd.Array) *nd.Array { q, r := linalg.QR(a); return weigh(q).Add(weigh(r)) }},
		"qr, wide":     {2, 4, func(a *nd.Array) *nd.Array { q, r := linalg.QR(a); return weigh(q).Add(weigh(r)) }},
		"cholesky":     {4, 4, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Cholesky(ctx, pos(a)))) }},
		"cholesky, 20": {20, 20, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Cholesky(ctx, pos(a)))) }},
		"cholesky solve": {3, 3, func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.CholeskySolve(ctx, must(linalg.Cholesky(ctx, pos(a))), a)))
		}},
		"solve":   {3, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Solve(ctx, a, a.Exp()))) }},
		"inverse": {3, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Inverse(ctx, a))) }},
		"triangle": {3, 3, func(a *nd.Array) *nd.Array {
			return weigh(must(linalg.TriangularSolve(ctx, a, a, linalg.TriangularSolveOptions{Upper: true, Transposed: true})))
		}},
		"det":           {4, 4, func(a *nd.Array) *nd.Array { return weigh(linalg.Det(a)) }},
		"log det":       {4, 4, func(a *nd.Array) *nd.Array { s, l := linalg.LogDet(a); return weigh(s).Add(weigh(l)) }},
		"least squares": {5, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.LeastSquares(ctx, a, a.Sin()))) }},
		"shortest":      {2, 4, func(a *nd.Array) *nd.Array { return weigh(must(linalg.LeastSquares(ctx, a, a.Sin()))) }},
		"pinv":          {4, 3, func(a *nd.Array) *nd.Array { return weigh(must(linalg.Pinv(ctx, a))) }},
		"eigh": {4, 4, func(a *nd.Array) *nd.Array {
			w, v, err := linalg.Eigh(ctx, pos(a))
			must(w, err)
			return weigh(w).Add(weigh(v.AbsSquared())).Add(weigh(v.Mul(w.Sin().Cast(nd.Complex128).ExpandDims(0)).MatMul(star(v))))
		}},
		"svd": {5, 3, func(a *nd.Array) *nd.Array {
			u, s, v, err := linalg.SVD(ctx, a)
			must(u, err)
			return weigh(s).Add(weigh(u.AbsSquared())).Add(weigh(v.AbsSquared())).Add(weigh(u.Mul(s.Sin().Cast(nd.Complex128).ExpandDims(0)).MatMul(star(v))))
		}},
		"svd, wide": {3, 4, func(a *nd.Array) *nd.Array {
			u, s, v, err := linalg.SVD(ctx, a)
			must(u, err)
			return weigh(s).Add(weigh(v.AbsSquared())).Add(weigh(u.MatMul(star(v))))
		}},
		"top": {6, 4, func(a *nd.Array) *nd.Array {
			s, err := linalg.TopSVD(ctx, a, 2, linalg.TopSVDOptions{Tolerance: 1e-14, Iterations: 2000})
			if err != nil {
				t.Fatal(err)
			}
			return weigh(s.S).Add(weigh(s.U.AbsSquared())).Add(weigh(s.U.MatMul(star(s.V))))
		}},
		"frobenius": {3, 4, func(a *nd.Array) *nd.Array { return must(linalg.Norm(ctx, a, linalg.Frobenius)) }},
		"nuclear":   {3, 4, func(a *nd.Array) *nd.Array { return must(linalg.Norm(ctx, a, linalg.Nuclear)) }},
	} {
		t.Run(name, func(t *testing.T) {
			// Real and imaginary parts, one above the other.
			differences(t, normal(21, 2*c.m, c.n), func(x *nd.Array) *nd.Array {
				return c.loss(nd.Complex(x.Slice(nd.Range{Stop: c.m}), x.Slice(nd.Range{Start: c.m, Stop: 2 * c.m})))
			}, 1e-6)
		})
	}
}
