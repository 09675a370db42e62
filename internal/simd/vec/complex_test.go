package vec

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/simd"
)

func TestComplexLevels(t *testing.T) {
	levels(t, func(t *testing.T, table *Table) {
		testComplex(t, &For(simd.Portable).C64, &table.C64)
		testComplex(t, &For(simd.Portable).C128, &table.C128)
	})
}

func testComplex[C complex64 | complex128, R Float](t *testing.T, want, got *Complex[C, R]) {
	rng := rand.New(rand.NewPCG(1, 1))
	join := func(re, im []R) []C {
		z := make([]C, len(re))
		pairJoin(parts[R](z), re, im, false)
		return z
	}
	for _, n := range lengths() {
		for _, stream := range []bool{false, true} {
			re, im := values[R](rng, n), values[R](rng, n)
			x, y := join(re, im), join(values[R](rng, n), values[R](rng, n))
			s := join(values[R](rng, 1), values[R](rng, 1))[0]
			shift := rng.IntN(9)
			check := func(name string, w, g func(dst []C, x []C)) {
				t.Helper()
				expect := make([]C, n)
				w(expect, x)
				dst := guard[C](n, shift, 42)
				g(dst.slice(), x)
				dst.check(t)
				compareSlices(t, name, parts[R](dst.slice()), parts[R](expect), parts[R](x))
				copy(dst.slice(), x)
				g(dst.slice(), dst.slice())
				dst.check(t)
				compareSlices(t, name+" in place", parts[R](dst.slice()), parts[R](expect), parts[R](x))
			}
			check("add", func(d, x []C) { want.Add.VV(d, x, y, false) }, func(d, x []C) { got.Add.VV(d, x, y, stream) })
			check("add vs", func(d, x []C) { want.Add.VS(d, x, s, false) }, func(d, x []C) { got.Add.VS(d, x, s, stream) })
			check("add sv", func(d, x []C) { want.Add.SV(d, s, x, false) }, func(d, x []C) { got.Add.SV(d, s, x, stream) })
			check("sub", func(d, x []C) { want.Sub.VV(d, x, y, false) }, func(d, x []C) { got.Sub.VV(d, x, y, stream) })
			check("sub vs", func(d, x []C) { want.Sub.VS(d, x, s, false) }, func(d, x []C) { got.Sub.VS(d, x, s, stream) })
			check("sub sv", func(d, x []C) { want.Sub.SV(d, s, x, false) }, func(d, x []C) { got.Sub.SV(d, s, x, stream) })
			check("mul", func(d, x []C) { want.Mul.VV(d, x, y, false) }, func(d, x []C) { got.Mul.VV(d, x, y, stream) })
			check("mul vs", func(d, x []C) { want.Mul.VS(d, x, s, false) }, func(d, x []C) { got.Mul.VS(d, x, s, stream) })
			check("mul sv", func(d, x []C) { want.Mul.SV(d, s, x, false) }, func(d, x []C) { got.Mul.SV(d, s, x, stream) })
			check("div", func(d, x []C) { want.Div.VV(d, x, y, false) }, func(d, x []C) { got.Div.VV(d, x, y, stream) })
			check("div vs", func(d, x []C) { want.Div.VS(d, x, s, false) }, func(d, x []C) { got.Div.VS(d, x, s, stream) })
			check("div sv", func(d, x []C) { want.Div.SV(d, s, x, false) }, func(d, x []C) { got.Div.SV(d, s, x, stream) })
			check("mul real", func(d, x []C) { want.MulReal(d, x, re, false) }, func(d, x []C) { got.MulReal(d, x, re, stream) })
			check("neg", func(d, x []C) { want.Neg(d, x, false) }, func(d, x []C) { got.Neg(d, x, stream) })
			check("conj", func(d, x []C) { want.Conj(d, x, false) }, func(d, x []C) { got.Conj(d, x, stream) })
			check("make", func(d, x []C) { want.Make(d, re, im, false) }, func(d, x []C) { got.Make(d, re, im, stream) })
			for name, f := range map[string][2]func([]R, []C, bool){
				"abs":         {want.Abs, got.Abs},
				"abs squared": {want.AbsSquared, got.AbsSquared},
				"angle":       {want.Angle, got.Angle},
				"real":        {want.Real, got.Real},
				"imag":        {want.Imag, got.Imag},
			} {
				expect := make([]R, n)
				f[0](expect, x, false)
				dst := guard[R](n, shift, 42)
				f[1](dst.slice(), x, stream)
				dst.check(t)
				compareSlices(t, name, dst.slice(), expect, re)
			}
			expect, dst := make([]C, n), guard[C](n, shift, 42)
			want.Mirror(expect, x)
			got.Mirror(dst.slice(), x)
			dst.check(t)
			compareSlices(t, "mirror", parts[R](dst.slice()), parts[R](expect), parts[R](x))
			a, b := want.Sum(x), got.Sum(x)
			ar, ai := split[R](a)
			br, bi := split[R](b)
			if !same(ar, br) || !same(ai, bi) {
				t.Fatalf("sum of %d: %v, want %v", n, b, a)
			}
		}
	}
}

// The portable complex kernels against Go's own complex numbers.
func TestComplexMeaning(t *testing.T) {
	p := For(simd.Portable).C128
	x, y := []complex128{1 + 2i, -3 + 4i, 0}, []complex128{5 - 1i, 2i, 7}
	s := 2 - 3i
	for _, c := range []struct {
		name string
		run  func(dst []complex128)
		want func(i int) complex128
	}{
		{"add", func(d []complex128) { p.Add.VV(d, x, y, false) }, func(i int) complex128 { return x[i] + y[i] }},
		{"sub", func(d []complex128) { p.Sub.VV(d, x, y, false) }, func(i int) complex128 { return x[i] - y[i] }},
		{"sub vs", func(d []complex128) { p.Sub.VS(d, x, s, false) }, func(i int) complex128 { return x[i] - s }},
		{"sub sv", func(d []complex128) { p.Sub.SV(d, s, x, false) }, func(i int) complex128 { return s - x[i] }},
		{"mul", func(d []complex128) { p.Mul.VV(d, x, y, false) }, func(i int) complex128 { return x[i] * y[i] }},
		{"mul vs", func(d []complex128) { p.Mul.VS(d, x, s, false) }, func(i int) complex128 { return x[i] * s }},
		{"conj", func(d []complex128) { p.Conj(d, x, false) }, func(i int) complex128 { return cmplx.Conj(x[i]) }},
		{"neg", func(d []complex128) { p.Neg(d, x, false) }, func(i int) complex128 { return -x[i] }},
		{"mul real", func(d []complex128) { p.MulReal(d, x, []float64{2, 3, 4}, false) }, func(i int) complex128 { return x[i] * complex(float64(i+2), 0) }},
	} {
		dst := make([]complex128, 3)
		c.run(dst)
		for i, v := range dst {
			if v != c.want(i) {
				t.Errorf("%s: element %d is %v, want %v", c.name, i, v, c.want(i))
			}
		}
	}
	mirrored := make([]complex128, 3)
	if p.Mirror(mirrored, x); mirrored[0] != 0 || mirrored[1] != -3-4i || mirrored[2] != 1-2i {
		t.Errorf("%v mirrored is %v", x, mirrored)
	}
	angles := make([]float64, 3)
	p.Angle(angles, x, false)
	for i, z := range x {
		if d := math.Abs(angles[i] - cmplx.Phase(z)); d > 2*ulp(angles[i]) {
			t.Errorf("angle of %v is %v", z, angles[i])
		}
	}
	if sum := p.Sum(y); sum != 12+1i {
		t.Errorf("sum is %v", sum)
	}
}

func TestHypot(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	check := func(a, b float64) {
		t.Helper()
		got, want := hypot(a, b), math.Hypot(a, b)
		if same(got, want) {
			return
		}
		if d := math.Abs(got - want); !(d <= 2*ulp(want)) { // math.Hypot is within 1 ulp itself
			t.Errorf("hypot(%g, %g) = %g, want %g", a, b, got, want)
		}
	}
	for _, a := range special {
		for _, b := range special {
			check(a, b)
		}
	}
	for range 100000 {
		check(math.Float64frombits(rng.Uint64()), math.Float64frombits(rng.Uint64()))
		check(math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000), math.Ldexp(rng.NormFloat64(), rng.IntN(2000)-1000))
		e := rng.IntN(2090) - 1075
		check(math.Ldexp(rng.NormFloat64(), e), math.Ldexp(rng.NormFloat64(), e))
	}
}

// ulp is the distance from x to its neighbour.
func ulp(x float64) float64 {
	x = math.Abs(x)
	if math.IsInf(x, 0) || x == math.MaxFloat64 {
		return math.MaxFloat64 - math.Nextafter(math.MaxFloat64, 0)
	}
	return math.Nextafter(x, math.Inf(1)) - x
}
