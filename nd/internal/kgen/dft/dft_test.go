package dft_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/dft"
)

// kernel has a thread for each line, which transforms it by f; the parts of
// numbers follow each other in memory.
func kernel(kind ktree.Kind, threads, reads, writes int, zero func(i int) bool, f func(a dft.Arith, x []dft.Number) []dft.Number) *ktree.Program {
	k := build.NewKernel("transform", threads)
	scalar := ktree.Scalar(kind)
	in, out := k.Buffer("in", scalar, false), k.Buffer("out", scalar, true)
	a := dft.Arith{Kind: kind, Let: func(v build.Val) build.Val { return k.Let("v", v) }}
	t := k.Let("t", k.Thread().To(ktree.Int))
	x := make([]dft.Number, reads)
	for i := range x {
		x[i] = a.Zero()
		if !zero(i) {
			at := t.Mul(2 * reads).Add(2 * i)
			x[i] = dft.Number{Re: k.Let("re", in.At(at)), Im: k.Let("im", in.At(at.Add(1)))}
		}
	}
	for i, v := range f(a, x) {
		at := t.Mul(2 * writes).Add(2 * i)
		k.Set(out.At(at), v.Re)
		k.Set(out.At(at.Add(1)), v.Im)
	}
	return k.Program()
}

// run runs a kernel on the machine, which checks every access.
func run(t *testing.T, p *ktree.Program, kind ktree.Kind, x []complex128, results int) []complex128 {
	t.Helper()
	f, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	put := func(b []byte, v float64) []byte {
		if kind == ktree.Float {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
		}
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	var in []byte
	for _, v := range x {
		in = put(put(in, real(v)), imag(v))
	}
	size := kind.Bits() / 8
	out := make([]byte, 2*size*results)
	if err := machine.Compile(f, vec.For(simd.Active())).Run(machine.Launch{
		Grid: [3]int{p.Threads, 1, 1}, Group: [3]int{p.Threads, 1, 1}, Check: true, Params: [][]byte{in, out},
	}); err != nil {
		t.Fatal(err)
	}
	get := func(i int) float64 {
		if kind == ktree.Float {
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(out[4*i:])))
		}
		return math.Float64frombits(binary.LittleEndian.Uint64(out[8*i:]))
	}
	list := make([]complex128, results)
	for i := range list {
		list[i] = complex(get(2*i), get(2*i+1))
	}
	return list
}

const lines = 3

// random numbers that float32 holds.
func random(rng *rand.Rand, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(float64(float32(rng.Float64()-0.5)), float64(float32(rng.Float64()-0.5)))
	}
	return x
}

// transform is the definition.
func transform(x []complex128, inverse bool) []complex128 {
	n := len(x)
	y := make([]complex128, n)
	for k := range y {
		for j, v := range x {
			angle := -2 * math.Pi * float64(j*k%n) / float64(n)
			if inverse {
				angle = -angle
			}
			y[k] += v * cmplx.Rect(1, angle)
		}
	}
	return y
}

func near(t *testing.T, what string, kind ktree.Kind, got, want []complex128) {
	t.Helper()
	eps := 1e-15
	if kind == ktree.Float {
		eps = 6e-8
	}
	most, off := 0.0, 0.0
	for i := range want {
		most, off = max(most, cmplx.Abs(want[i])), max(off, cmplx.Abs(got[i]-want[i]))
	}
	if !(off <= 8*eps*most) {
		t.Errorf("%s: off by %.3g of %.3g", what, off, most)
	}
}

// Every radix that passes have, whole and with a part that is known to be zero, on
// the machine.
func TestDFT(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, kind := range []ktree.Kind{ktree.Float, ktree.Double} {
		for n := 1; n <= 32; n++ {
			for _, inverse := range []bool{false, true} {
				for _, there := range []int{n, (n + 1) / 2} {
					x := random(rng, lines*n)
					p := kernel(kind, lines, n, n, func(i int) bool { return i >= there }, func(a dft.Arith, x []dft.Number) []dft.Number { return a.DFT(x, inverse) })
					y := run(t, p, kind, x, lines*n)
					for l := range lines {
						clear(x[l*n+there : (l+1)*n])
						near(t, fmt.Sprintf("%v of %d, inverse %v, %d there", kind, n, inverse, there), kind, y[l*n:(l+1)*n], transform(x[l*n:(l+1)*n], inverse))
					}
				}
			}
		}
	}
}

// Numbers times the powers of a root, of which those with exponents 1, 2, 4 and so on are
// given, or all that butterflies multiply by; and times another number.
func TestSpun(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	root, other := cmplx.Rect(1, 0.7), cmplx.Rect(1, -0.4)
	spun := func(kind ktree.Kind, n int, given []complex128, by complex128, f func(a dft.Arith, x, given []dft.Number) []dft.Number) {
		each := n + len(given)
		x := random(rng, lines*each)
		for l := range lines {
			copy(x[l*each+n:], given)
		}
		p := kernel(kind, lines, each, n, func(int) bool { return false }, func(a dft.Arith, x []dft.Number) []dft.Number { return f(a, x[:n], x[n:]) })
		y := run(t, p, kind, x, lines*n)
		for l := range lines {
			line := x[l*each:][:n]
			w := by
			for j := range line {
				line[j] *= w
				w *= root
			}
			near(t, fmt.Sprintf("%v of %d, times %v", kind, n, by), kind, y[l*n:(l+1)*n], transform(line, false))
		}
	}
	for _, kind := range []ktree.Kind{ktree.Float, ktree.Double} {
		for n := 2; n <= 32; n++ {
			powers := dft.Powers(n)
			given := make([]complex128, powers, powers+1)
			for j := range given {
				given[j] = cmplx.Pow(root, complex(float64(int(1)<<j), 0))
			}
			spun(kind, n, given, 1, func(a dft.Arith, x, w []dft.Number) []dft.Number { return a.Spun(x, w, nil, false) })
			spun(kind, n, append(given, other), other, func(a dft.Arith, x, w []dft.Number) []dft.Number { return a.Spun(x, w[:powers], &w[powers], false) })
			if n&(n-1) != 0 {
				continue
			}
			var all []complex128
			var sizes []int
			for j := range powers {
				sizes = append(sizes, max(n>>j/4, 1))
				for k := range sizes[j] {
					all = append(all, given[j]*cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n>>j)))
				}
			}
			lists := func(w []dft.Number) (all [][]dft.Number) {
				for _, size := range sizes {
					all, w = append(all, w[:size]), w[size:]
				}
				return all
			}
			spun(kind, n, all, 1, func(a dft.Arith, x, w []dft.Number) []dft.Number { return a.Looked(x, lists(w), nil, false) })
			spun(kind, n, append(all, other), other, func(a dft.Arith, x, w []dft.Number) []dft.Number { return a.Looked(x, lists(w), &w[len(w)-1], false) })
		}
	}
}

// Untangling the bins of a packed line, and packing them again.
func TestTangle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n = 8
	for k := 1; k < n; k++ {
		samples := make([]complex128, 2*n)
		for i := range samples {
			samples[i] = complex(float64(float32(rng.Float64()-0.5)), 0)
		}
		packed := make([]complex128, n)
		for i := range packed {
			packed[i] = complex(real(samples[2*i]), real(samples[2*i+1]))
		}
		bins, halves := transform(samples, false), transform(packed, false)
		w := cmplx.Rect(0.5, -math.Pi*float64(k)/n)
		p := kernel(ktree.Double, 1, 3, 4, func(int) bool { return false }, func(a dft.Arith, x []dft.Number) []dft.Number {
			b, image := a.Untangle(x[0], x[1], x[2])
			z, other := a.Tangle(b, image, x[2])
			return []dft.Number{b, image, z, other}
		})
		got := run(t, p, ktree.Double, []complex128{halves[k], halves[n-k], w}, 4)
		near(t, fmt.Sprintf("bin %d", k), ktree.Double, got, []complex128{bins[k], bins[n-k], 2 * halves[k], 2 * halves[n-k]})
	}
}

// A number that is known to be nothing takes no operation, and a sign none either.
func TestNothingIsFree(t *testing.T) {
	named := 0
	k := build.NewKernel("k", 32)
	x := k.Number("x", ktree.Scalar(ktree.Float))
	a := dft.Arith{Kind: ktree.Float, Let: func(v build.Val) build.Val { named++; return k.Let("v", v) }}
	one := dft.Number{Re: x, Im: x}
	a.DFT([]dft.Number{one, a.Zero(), a.Zero(), a.Zero()}, false)
	a.Mul(one.Turned(true).Turned(true).Neg(), a.Zero())
	if named != 0 {
		t.Errorf("%d operations for nothing", named)
	}
}

// A filter's blend does to a packed line what untangling it, products with the filter's
// bins and tangling them do.
func TestBlend(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, kind := range []ktree.Kind{ktree.Float, ktree.Double} {
		x := random(rng, lines*5)
		for l := range lines {
			x[5*l+4] = cmplx.Rect(0.5, 0.4*float64(l)-0.3)
		}
		results := func(f func(a dft.Arith, z, other, h, g, w dft.Number) (dft.Number, dft.Number)) []complex128 {
			p := kernel(kind, lines, 5, 2, func(int) bool { return false }, func(a dft.Arith, x []dft.Number) []dft.Number {
				y, image := f(a, x[0], x[1], x[2], x[3], x[4])
				return []dft.Number{y, image}
			})
			return run(t, p, kind, x, 2*lines)
		}
		want := results(func(a dft.Arith, z, other, h, g, w dft.Number) (dft.Number, dft.Number) {
			y, image := a.Untangle(z, other, w)
			return a.Tangle(a.Mul(y, h), a.Mul(image, g), w)
		})
		got := results(func(a dft.Arith, z, other, h, g, w dft.Number) (dft.Number, dft.Number) {
			return a.Blended(z, other, a.Blend(h, g, w))
		})
		near(t, kind.String(), kind, got, want)
	}
}
