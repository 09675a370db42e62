package linalg_test

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

func ExampleQR_exact() {
	// Powers of nearly equal numbers nearly depend on each other: the condition is 1e11.
	// The last number of R is known to 6 digits, and with exact sums to all of them.
	x := nd.Arange[float64](0, 12, 1).MulScalar(1.0 / 64).AddScalar(1)
	a := nd.Stack(1, x.PowScalar(0), x, x.PowScalar(2), x.PowScalar(3), x.PowScalar(4))
	_, r := linalg.QR(a, linalg.QROptions{NonNegative: true, Accumulation: nd.Exact})
	last, err := nd.Item[float64](context.Background(), r.At(4).At(4))
	fmt.Printf("%.3e %v\n", last, err)
	// Output: 1.829e-05 <nil>
}

// bigMat is columns of numbers of 400 bits.
type bigMat [][]*big.Float

func wide(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }

func bigOf(a mat) bigMat {
	out := make(bigMat, a.n)
	for j := range a.n {
		for i := range a.m {
			out[j] = append(out[j], wide(*a.at(i, j)))
		}
	}
	return out
}

func (a bigMat) rounded() mat {
	out := newMat(len(a[0]), len(a))
	for j, c := range a {
		for i, v := range c {
			*out.at(i, j), _ = v.Float64()
		}
	}
	return out
}

func bigDot(x, y []*big.Float) *big.Float {
	s := wide(0)
	for i := range x {
		s.Add(s, wide(0).Mul(x[i], y[i]))
	}
	return s
}

// bigAdd adds f times y to x.
func bigAdd(x, y []*big.Float, f *big.Float) {
	for i := range x {
		x[i] = wide(0).Add(x[i], wide(0).Mul(f, y[i]))
	}
}

func bigScale(x []*big.Float, f *big.Float) {
	for i := range x {
		x[i] = wide(0).Mul(x[i], f)
	}
}

// bigQR is Gram-Schmidt, which loses the condition's digits of 120.
func bigQR(a bigMat) (q, r bigMat) {
	n := len(a)
	for j := range n {
		column := append([]*big.Float(nil), a[j]...)
		line := make([]*big.Float, n)
		for i := range line {
			line[i] = wide(0)
		}
		for i := range j {
			line[i] = bigDot(q[i], column)
			bigAdd(column, q[i], wide(0).Neg(line[i]))
		}
		line[j] = wide(0).Sqrt(bigDot(column, column))
		bigScale(column, wide(0).Quo(wide(1), line[j]))
		q, r = append(q, column), append(r, line)
	}
	return q, r
}

// bigLeastSquares solves by bigQR.
func bigLeastSquares(a, b mat) mat {
	q, r := bigQR(bigOf(a))
	rest := bigOf(b)[0]
	x := make([]*big.Float, a.n)
	for i := range x {
		x[i] = bigDot(q[i], rest)
	}
	for i := a.n - 1; i >= 0; i-- {
		for j := i + 1; j < a.n; j++ {
			x[i] = wide(0).Sub(x[i], wide(0).Mul(r[j][i], x[j]))
		}
		x[i] = wide(0).Quo(x[i], r[i][i])
	}
	return bigMat{x}.rounded()
}

// bigValues is singular values by rotating columns.
func bigValues(a bigMat) []float64 {
	n := len(a)
	for range 12 {
		for i := range n {
			for j := i + 1; j < n; j++ {
				g := bigDot(a[i], a[j])
				if g.Sign() == 0 {
					continue
				}
				// tan of the angle: t = 1/(z + sign(z) sqrt(1 + z z)), z = (bb - aa)/(2 ab)
				z := wide(0).Quo(wide(0).Sub(bigDot(a[j], a[j]), bigDot(a[i], a[i])), wide(0).Mul(wide(2), g))
				root := wide(0).Sqrt(wide(0).Add(wide(1), wide(0).Mul(z, z)))
				if z.Sign() < 0 {
					root.Neg(root)
				}
				tan := wide(0).Quo(wide(1), wide(0).Add(z, root))
				cos := wide(0).Quo(wide(1), wide(0).Sqrt(wide(0).Add(wide(1), wide(0).Mul(tan, tan))))
				left, right := append([]*big.Float(nil), a[i]...), append([]*big.Float(nil), a[j]...)
				bigAdd(left, a[j], wide(0).Neg(tan))
				bigAdd(right, a[i], tan)
				bigScale(left, cos)
				bigScale(right, cos)
				a[i], a[j] = left, right
			}
		}
	}
	out := make([]float64, n)
	for i := range out {
		out[i], _ = wide(0).Sqrt(bigDot(a[i], a[i])).Float64()
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// badly is a matrix of a condition, with values that fall evenly.
func badly(m, n int, condition float64) mat {
	return composed(5, m, n, fill(n, func(i int) float64 { return math.Pow(condition, -float64(i)/float64(n-1)) }))
}

// conditions are what types have digits for, and some to spare.
var conditions = map[nd.DType]float64{nd.Float32: 1e4, nd.Float64: 1e10}

// modesOf measures an error, in roundings of the type, in all modes, and holds the
// precise ones to a bound that the others miss by far.
func modesOf(t *testing.T, what string, dt nd.DType, bound, without float64, off func(mode nd.Accumulation) float64) {
	t.Helper()
	errs := map[nd.Accumulation]float64{}
	for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Compensated, nd.Exact} {
		errs[mode] = off(mode) / rounding[dt]
	}
	t.Logf("%-28s %-8v pairwise %.3g, compensated %.3g, exact %.3g roundings", what, dt, errs[nd.Pairwise], errs[nd.Compensated], errs[nd.Exact])
	// The device decides how to factor, and a GPU's way may need no mode.
	needless := errs[nd.Pairwise] < without && testdevice.Name() == ""
	if !(errs[nd.Compensated] <= bound && errs[nd.Exact] <= bound) || needless {
		t.Errorf("%s, %v: errors in roundings are %v, want at most %g, and without a mode at least %g", what, dt, errs, bound, without)
	}
}

// relative is the largest error of an element over the largest of its column.
func relative(got, want mat) float64 {
	worst := 0.0
	for j := range want.n {
		size, off := 0.0, 0.0
		for i := range want.m {
			size = max(size, math.Abs(*want.at(i, j)))
			off = max(off, math.Abs(*got.at(i, j)-*want.at(i, j)))
			if math.IsNaN(*got.at(i, j)) {
				return math.NaN()
			}
		}
		worst = max(worst, off/size)
	}
	return worst
}

// With sums in more digits, factors, singular values and solutions have all of
// theirs: the same computed with 120 digits is the reference.
func TestAccumulation(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, dt := range floats {
		for _, shape := range [][2]int{{24, 10}, {80, 40}, {12, 12}} {
			m, n := shape[0], shape[1]
			a := badly(m, n, conditions[dt])
			am := a.array(dt)
			q, r := bigQR(bigOf(a))
			wantQ, wantR := q.rounded(), r.rounded()
			name := fmt.Sprintf("%dx%d", m, n)
			factor := func(mode nd.Accumulation) (q, r mat) {
				qa, ra := linalg.QR(am, linalg.QROptions{NonNegative: true, Accumulation: mode})
				return matOf(t, qa), matOf(t, ra)
			}
			modesOf(t, "Q of "+name, dt, 4, 10, func(mode nd.Accumulation) float64 { q, _ := factor(mode); return relative(q, wantQ) })
			modesOf(t, "R of "+name+", by rows", dt, 4, 10, func(mode nd.Accumulation) float64 { _, r := factor(mode); return relative(r.t(), wantR.t()) })

			b := normal(9, m, 1)
			bm := b.array(dt)
			want := bigLeastSquares(a, b)
			modesOf(t, "least squares "+name, dt, 2, 10, func(mode nd.Accumulation) float64 {
				x, err := linalg.LeastSquares(ctx, am, bm, linalg.LeastSquaresOptions{Accumulation: mode})
				if err != nil {
					t.Fatal(err)
				}
				return relative(matOf(t, x), want)
			})
			if n < 40 {
				values := bigValues(bigOf(a))
				k := n - 2
				modesOf(t, "top values "+name, dt, 8, 10, func(mode nd.Accumulation) float64 {
					top, err := linalg.TopSVD(ctx, am, k, linalg.TopSVDOptions{Iterations: 40, Accumulation: mode})
					if err != nil {
						t.Fatal(err)
					}
					got, worst := read(t, top.S), 0.0
					for i := range k {
						worst = max(worst, math.Abs(got[i]/values[i]-1))
					}
					within(t, "u", orthonormality(cmatOf(t, top.U)), 40*rounding[dt])
					within(t, "v", orthonormality(cmatOf(t, top.V)), 40*rounding[dt])
					return worst
				})
			}
		}
	}
}

// Matrices with more columns than rows, of less than full rank, complex, and in
// batches; gradients; modes that there are not.
func TestAccumulationElsewhere(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	exact := linalg.LeastSquaresOptions{Accumulation: nd.Exact}
	// The shortest solution is a' (a a')^-1 b.
	a, b := badly(20, 6, 1e6), normal(3, 6, 1)
	flat := a.t()
	fa, fb := flat.array(nd.Float64), b.array(nd.Float64)
	q, r := bigQR(bigOf(a))
	y := make([]*big.Float, 6) // r' y = b
	for i := range y {
		y[i] = wide(b.v[i])
		for j := range i {
			y[i] = wide(0).Sub(y[i], wide(0).Mul(r[i][j], y[j]))
		}
		y[i] = wide(0).Quo(y[i], r[i][i])
	}
	x := make([]*big.Float, 20)
	for i := range x {
		x[i] = wide(0)
	}
	for i := range y {
		bigAdd(x, q[i], y[i])
	}
	short, err := linalg.LeastSquares(ctx, fa, fb, exact)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "shortest", relative(matOf(t, short), bigMat{x}.rounded()), 2*rounding[nd.Float64])

	// MinNorm of full rank is the same; of less, it is as good as its singular vectors.
	full, rhs := badly(20, 6, 1e6), normal(4, 20, 1)
	least := exact
	least.MinNorm = true
	got, err := linalg.LeastSquares(ctx, full.array(nd.Float64), rhs.array(nd.Float64), least)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "MinNorm", relative(matOf(t, got), bigLeastSquares(full, rhs)), 2*rounding[nd.Float64])
	twice := nd.Concat(1, full.array(nd.Float64), full.array(nd.Float64))
	if got, err = linalg.LeastSquares(ctx, twice, rhs.array(nd.Float64), least); err != nil {
		t.Fatal(err)
	}
	shared := nd.Concat(0, bigLeastSquares(full, rhs).array(nd.Float64), bigLeastSquares(full, rhs).array(nd.Float64)).MulScalar(0.5)
	within(t, "MinNorm of less than full rank", relative(matOf(t, got), matOf(t, shared)), 1e-9)

	// Complex batches keep their promises, and what has less than full rank its factors.
	z := nd.Complex(nd.Normal(5, nd.Float64, 3, 9, 4), nd.Normal(6, nd.Float64, 3, 9, 4))
	cq, cr := linalg.QR(z, linalg.QROptions{Accumulation: nd.Exact, NonNegative: true})
	rest := read(t, cq.MatMul(cr).Sub(z).Abs().Max())[0]
	lack := read(t, adjoint(cq).MatMul(cq).Sub(nd.Eye(nd.Float64, 4).Cast(nd.Complex128)).Abs().Max())[0]
	within(t, "complex", max(rest, lack), 1e-14)
	zero := nd.Zeros(nd.Float64, 5, 3)
	zq, zr := linalg.QR(zero, linalg.QROptions{Accumulation: nd.Exact})
	within(t, "zeros", orthonormality(cmatOf(t, zq))+matOf(t, zr).frobenius(), 1e-14)
	top, err := linalg.TopSVD(ctx, z, 2, linalg.TopSVDOptions{Accumulation: nd.Compensated, Tolerance: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	_, s, _, err := linalg.SVD(ctx, z)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "complex values", read(t, top.S.Sub(s.Slice(nd.All, nd.Range{Stop: 2})).Abs().Max())[0], 1e-9)

	// Gradients are those without a mode.
	am, bm := badly(8, 3, 10).array(nd.Float64), normal(6, 8, 1).array(nd.Float64)
	for _, o := range []linalg.LeastSquaresOptions{{}, {MinNorm: true}} {
		var grads []*nd.Array
		for _, mode := range []nd.Accumulation{nd.Pairwise, nd.Exact} {
			o.Accumulation = mode
			x, err := linalg.LeastSquares(ctx, am, bm, o)
			if err != nil {
				t.Fatal(err)
			}
			grads = append(grads, nd.Grad(x.AbsSquared().Sum(), am)[0])
		}
		within(t, "gradient", read(t, grads[0].Sub(grads[1]).Abs().Max())[0], 1e-11*read(t, grads[0].Abs().Max())[0])
	}

	if q, _ := linalg.QR(am, linalg.QROptions{Accumulation: 9}); q.Err() == nil {
		t.Error("QR takes a mode that there is not")
	}
	if _, err := linalg.TopSVD(ctx, am, 1, linalg.TopSVDOptions{Accumulation: 9}); err == nil {
		t.Error("TopSVD takes a mode that there is not")
	}
	if _, err := linalg.LeastSquares(ctx, am, bm, linalg.LeastSquaresOptions{Accumulation: 9}); err == nil {
		t.Error("LeastSquares takes a mode that there is not")
	}
}
