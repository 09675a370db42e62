package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// rotatedBound is what rotating in registers may leave, of orthonormality and of a matrix beside its norm.
func rotatedBound(dt nd.DType) float64 {
	switch {
	case dt.Real() == nd.Float64:
		return 2e-14
	case testdevice.HasFloat64():
		return 5e-7
	}
	return 1e-5
}

// degenerate is batches of three matrices, m by n: random ones, and others for which rotations have to be careful.
func degenerate(dt nd.DType, m, n int) map[string]*nd.Array {
	draw := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	random := make([]complex128, 3*m*n)
	for i := range random {
		random[i] = complex(draw.NormFloat64(), draw.NormFloat64())
		if !dt.IsComplex() {
			random[i] = complex(real(random[i]), 0)
		}
	}
	far := complex(map[nd.DType]float64{nd.Float32: 1e30, nd.Float64: 1e300}[dt.Real()], 0)
	square := complex128(0)
	for _, z := range random[:n] {
		square += z * cmplx.Conj(z)
	}
	out := map[string]*nd.Array{}
	for kind, f := range map[string]func(i, r, c int) complex128{
		"random":   func(i, _, _ int) complex128 { return random[i] },
		"zero":     func(_, _, _ int) complex128 { return 0 },
		"ones":     func(_, _, _ int) complex128 { return 1 },
		"identity": func(_, r, c int) complex128 { return complex(float64(max(0, 1-max(r-c, c-r))), 0) },
		"rank one": func(_, r, c int) complex128 { return random[r] * cmplx.Conj(random[c]) },
		"huge":     func(i, _, _ int) complex128 { return random[i] * far },
		"tiny":     func(i, _, _ int) complex128 { return random[i] / far },
		"spread":   func(i, _, c int) complex128 { return random[i] * complex(math.Exp(-float64(c)), 0) },
		"reflection": func(_, r, c int) complex128 { // all values are 1 or -1
			return complex(float64(max(0, 1-max(r-c, c-r))), 0) - 2*random[r%n]*cmplx.Conj(random[c])/square
		},
	} {
		list := make([]complex128, len(random))
		for i := range list {
			list[i] = f(i, i/n%m, i%n)
		}
		out[kind] = arrayOf(dt, list, 3, m, n)
	}
	return out
}

// arrayOf is an array of a type.
func arrayOf(dt nd.DType, list []complex128, shape ...int) *nd.Array {
	switch dt {
	case nd.Float32:
		return nd.From(mapped(list, func(z complex128) float32 { return float32(real(z)) }), shape...)
	case nd.Float64:
		return nd.From(mapped(list, func(z complex128) float64 { return real(z) }), shape...)
	case nd.Complex64:
		return nd.From(mapped(list, func(z complex128) complex64 { return complex64(z) }), shape...)
	}
	return nd.From(list, shape...)
}

func mapped[A, B any](list []A, f func(A) B) []B {
	out := make([]B, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

// numbersOf reads an array of whatever type.
func numbersOf(t *testing.T, a *nd.Array) []complex128 {
	t.Helper()
	switch a.DType() {
	case nd.Float32:
		return read(t, a, func(x float32) complex128 { return complex(float64(x), 0) })
	case nd.Float64:
		return read(t, a, func(x float64) complex128 { return complex(x, 0) })
	case nd.Complex64:
		return read(t, a, func(x complex64) complex128 { return complex128(x) })
	case nd.Int64:
		return read(t, a, func(x int64) complex128 { return complex(float64(x), 0) })
	}
	return read(t, a, func(x complex128) complex128 { return x })
}

func read[T nd.Element](t *testing.T, a *nd.Array, wide func(T) complex128) []complex128 {
	t.Helper()
	list, err := nd.Slice[T](context.Background(), a)
	if err != nil {
		t.Fatal(err)
	}
	return mapped(list, wide)
}

// reals is the real parts of numbers.
func reals(list []complex128) []float64 {
	return mapped(list, func(z complex128) float64 { return real(z) })
}

// plain is the matrices of a batch, row after row.
func plain(t *testing.T, a *nd.Array) [][]complex128 {
	t.Helper()
	return slices.Collect(slices.Chunk(numbersOf(t, a), a.Len()/a.Dim(0)))
}

// factorsOff is how far matrices of an and k columns are from u diag(s) v', beside the greatest value, and u and v from orthonormal.
func factorsOff(a, u, s, v []complex128, n, k int) (off, oblique float64) {
	most := 1e-320
	for _, x := range s {
		most = max(most, cmplx.Abs(x))
	}
	for i := range len(a) / n {
		for j := range n {
			sum := complex128(0)
			for l := range k {
				sum += u[i*k+l] * (s[l] / complex(most, 0)) * cmplx.Conj(v[j*k+l])
			}
			off = math.Max(off, cmplx.Abs(sum-a[i*n+j]/complex(most, 0)))
		}
	}
	for _, q := range [][]complex128{u, v} {
		for i := range k {
			for j := range k {
				sum := complex128(0)
				for r := 0; r < len(q); r += k {
					sum += cmplx.Conj(q[r+i]) * q[r+j]
				}
				if i == j {
					sum--
				}
				oblique = math.Max(oblique, cmplx.Abs(sum))
			}
		}
	}
	return off, oblique
}

// eachSmall runs a test for types and shapes.
func eachSmall(t *testing.T, shapes [][2]int, do func(t *testing.T, name string, x *nd.Array)) {
	types := []nd.DType{nd.Float32, nd.Complex64}
	if testdevice.HasFloat64() {
		types = append(types, nd.Float64, nd.Complex128)
	}
	for _, dt := range types {
		for _, s := range shapes {
			for kind, x := range degenerate(dt, s[0], s[1]) {
				if size := max(s[0], s[1]); size > 8 && kind != "spread" && (kind != "ones" || !testdevice.HasFloat64()) {
					continue // the machine of kernel trees is slow, and so are compilers of software adapters
				}
				do(t, fmt.Sprintf("%v %v, %s", dt, s, kind), x)
			}
		}
	}
}

// Lanes that rotate rows in registers find values in order, and vectors, of whatever is Hermitian; and the same each time.
func TestEighInRegisters(t *testing.T) {
	eachSmall(t, [][2]int{{1, 1}, {2, 2}, {7, 7}, {16, 16}, {32, 32}}, func(t *testing.T, name string, x *nd.Array) {
		n := x.Dim(1)
		w, v, fault := eighInRegisters(x, true)
		alone, _, _ := eighInRegisters(x, false)
		again, _, _ := eighInRegisters(x, true)
		values := reals(numbersOf(t, w))
		if other := reals(numbersOf(t, again)); !slices.Equal(values, other) || !slices.Equal(values, reals(numbersOf(t, alone))) {
			t.Errorf("%s: values %v, then %v", name, values, other)
		}
		full, ws, vs := plain(t, hermitian(x)), plain(t, w), plain(t, v)
		for i, f := range reals(numbersOf(t, fault)) {
			off, oblique := factorsOff(full[i], vs[i], ws[i], vs[i], n, n)
			if b := rotatedBound(x.DType()); f != -1 || !(off <= b && oblique <= b) || !slices.IsSorted(values[i*n:][:n]) {
				t.Errorf("%s: fault %g, off by %.2g, vectors by %.2g, values %v", name, f, off, oblique, values[i*n:][:n])
			}
		}
	})
}

// The same of singular values and vectors, which are bases where values are zero, too.
func TestSVDInRegisters(t *testing.T) {
	eachSmall(t, [][2]int{{1, 1}, {3, 2}, {7, 7}, {8, 5}, {16, 16}, {24, 24}, {32, 32}}, func(t *testing.T, name string, x *nd.Array) {
		n := x.Dim(2)
		c := newCalculation("svd", []int{3})
		u, s, v := c.svdInRegisters(x, true)
		_, alone, _ := c.svdInRegisters(x, false)
		if err := c.compute(context.Background(), u, s, v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		values, others := reals(numbersOf(t, s)), reals(numbersOf(t, alone))
		as, us, ss, vs := plain(t, x), plain(t, u), plain(t, s), plain(t, v)
		b := rotatedBound(x.DType())
		for i := range as {
			off, oblique := factorsOff(as[i], us[i], ss[i], vs[i], n, n)
			own := values[i*n:][:n]
			sorted := slices.IsSortedFunc(own, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) || own[0] == own[n-1]
			if !(off <= b && oblique <= b) || own[n-1] < 0 || !sorted {
				t.Errorf("%s: off by %.2g, vectors by %.2g, values %v", name, off, oblique, own)
			}
			for k, v := range others[i*n:][:n] {
				if !(math.Abs(v-own[k]) <= b*own[0]) {
					t.Errorf("%s: value %d is %g alone, else %g", name, k, v, own[k])
				}
			}
		}
	})
}

// A number that is not finite is found where it is, and matrices beside it are computed.
func TestInRegistersNotFinite(t *testing.T) {
	bad := nd.From([]float32{1, 2, 3, 4, 2, float32(math.NaN()), 1, 0, 0, 1, float32(math.Inf(1)), 3}, 3, 2, 2)
	w, v, fault := eighInRegisters(bad, true)
	c := newCalculation("eigh", []int{3})
	c.sound(fault, 2, smallSpectrumSweeps)
	var f *NotFiniteError
	if err := c.compute(context.Background(), w, v); !errors.As(err, &f) || f.Matrix[0] != 2 || f.Row != 1 || f.Column != 0 {
		t.Errorf("%v", err)
	}
	if faults := reals(numbersOf(t, fault)); faults[0] != -1 || faults[1] != -1 { // a NaN above the diagonal does not count
		t.Errorf("faults %v", faults)
	}
}

// No thread reads what another may be writing.
func TestInRegistersChecked(t *testing.T) {
	testdevice.NeedsFloat64(t)
	t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
	for _, dt := range []nd.DType{nd.Float32, nd.Complex128} {
		for _, kind := range []string{"zero", "rank one", "random"} {
			x := degenerate(dt, 7, 7)[kind]
			w, v, fault := eighInRegisters(x, true)
			u, s, _ := newCalculation("svd", nil).svdInRegisters(x, true)
			alone, _, _ := eighInRegisters(x, false)
			_, values, _ := newCalculation("svd", nil).svdInRegisters(x, false)
			if err := nd.Eval(context.Background(), w, v, fault, u, s, alone, values); err != nil {
				t.Errorf("%v, %s: %v", dt, kind, err)
			}
		}
	}
}

// Values and vectors of complex matrices have the gradient that the CPU's have.
func TestGradientOfEighInRegisters(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := degenerate(nd.Complex128, 4, 4)["random"]
	weights := nd.Arange(0.0, 48, 1).Sin().Reshape(3, 4, 4)
	loss := func(w, v *nd.Array) *nd.Array {
		return w.Mul(w).Sum().Add(v.AbsSquared().Mul(weights).Sum()) // not of phases
	}
	w, v, err := Eigh(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	want := nd.Grad(loss(w, v), x)[0]
	w, v, _ = eighInRegisters(x, true)
	if err := nd.Eval(context.Background(), w, v); err != nil {
		t.Fatal(err)
	}
	got := pullLowerEigh([]*nd.Array{x}, []*nd.Array{w, v}, nd.Grad(loss(w, v), w, v))[0]
	for i, d := range numbersOf(t, got.Sub(want)) {
		if !(cmplx.Abs(d) <= 1e-12) {
			t.Errorf("off by %.2g at %d", d, i)
		}
	}
}

// Small singular values of matrices with rows, or columns, of very different sizes have as many digits as large ones.
func TestSVDInRegistersKeepsSmallValues(t *testing.T) {
	testdevice.NeedsFloat64(t)
	const n = 12
	q := OrthonormalColumns(nd.Normal(1, nd.Float64, 1, n, n))
	sizes := make([]float64, n)
	for i := range sizes {
		sizes[i] = math.Ldexp(1, -7*i)
	}
	d := nd.From(sizes, n)
	for name, a := range map[string]*nd.Array{
		"columns": q.Mul(d.Reshape(1, n)), "rows": q.Mul(d.Reshape(n, 1)), "rows upwards": q.Mul(d.Flip(0).Reshape(n, 1)),
		"complex rows": q.Mul(d.Reshape(n, 1)).Cast(nd.Complex128),
	} {
		_, s, _ := newCalculation("svd", nil).svdInRegisters(a, true)
		_, alone, _ := newCalculation("svd", nil).svdInRegisters(a, false)
		for i, size := range sizes {
			for _, v := range []float64{reals(numbersOf(t, s))[i], reals(numbersOf(t, alone))[i]} {
				if !(math.Abs(v/size-1) <= 1e-13) {
					t.Errorf("%s: value %d is %g, want %g", name, i, v, size)
				}
			}
		}
	}
}
