package kgen

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
)

// A normal number of float32 has the bits of the one that normal computes in float64, rounded. Mostly fewer operations
// tell which these are: an approximation that is off by less than 2^-39 rounds to the same number, unless it is as near to
// the middle of two. What could be otherwise, one of 1600 numbers, normal computes.

// nearestMiddle is how near to the middle of two float32 a float64 is left to normal, in units of its last place: 2^-37
// of the number, four times the largest error of 80 million numbers with guesses off by 2^-22.
const nearestMiddle = 1 << 15

// Minimax polynomials by interpolation at Chebyshev's points. The first is -4 atanh(s)/s of s*s, for s from -0.172 to 0.172, to
// 2^-45. The second is sin(pi/2 t)/t of t*t, for t from -1 to 1, to 2^-43.
var (
	nearLog  = []float64{-0x1.9192e478c4308p-2, -0x1.c620ee6e2b4a3p-2, -0x1.2494381ee5869p-1, -0x1.9999962c06032p-1, -0x1.555555567148cp+0, -0x1.fffffffffff12p+1}
	nearSine = []float64{0x1.d53abdeb199c1p-25, -0x1.e29b82ab98ea9p-19, 0x1.50770f6a5a66bp-13, -0x1.32d2c9b2d1df5p-8, 0x1.466bc66ed3d1cp-4, -0x1.4abbce624ad99p-1, 0x1.921fb54442bb4p+0}
)

// nearNormal is a normal number of four words, as a float.
func nearNormal(k *build.Kernel) *ktree.Func {
	var exact *ktree.Func
	k.Rarely(func() { exact = normal(k) })
	params := []build.Param{{Name: "bits", Type: ktree.Vector(ktree.Uint, 4)}}
	return k.Func("rand_normal_near", ktree.Scalar(ktree.Float), params, func(f *build.Kernel, args []build.Val) {
		b := args[0]
		double := func(c float64) build.Val { return build.Float(ktree.Double, c) }
		low := func(x build.Val) build.Val { return x.Bits(ktree.Ulong).To(ktree.Uint) }
		high := func(x build.Val) build.Val { return x.Bits(ktree.Ulong).Shr(32).To(ktree.Uint) }
		made := func(low, high build.Val) build.Val { return words(low, high).Bits(ktree.Double) }
		// Floats between 2^-126 and 2^127 and doubles differ in where their bits are.
		narrow := func(x build.Val) build.Val {
			return high(x).Sub(0x38000000).Shl(3).Or(low(x).Shr(29)).Bits(ktree.Float)
		}
		widened := func(x build.Val, exponent int) build.Val {
			w := f.Let("w", x.Bits(ktree.Uint))
			return f.Let("wide", made(w.Shl(29), w.Shr(3).Add(0x38000000+int64(exponent)<<20)))
		}
		// number is an integer of 64 bits less an even one, up to 2^53 both.
		number := func(low, high build.Val, less float64) build.Val {
			above := made(high, build.Int(ktree.Uint, 0x45300000)).Sub(double(0x1p84 + 0x1p52 + less))
			return above.Add(made(low, build.Int(ktree.Uint, 0x43300000)))
		}
		horner := func(x build.Val, c []float64) build.Val {
			v := double(c[0])
			for _, a := range c[1:] {
				v = f.Let("p", build.Fma(v, x, double(a)))
			}
			return v
		}

		// u = 2^n m, with m from the root of 1/2 to that of 2.
		count := f.Let("count", words(b.X(), b.Y()).Shr(11).Add(1))
		u := f.Let("u", number(count.To(ktree.Uint), count.Shr(32).To(ktree.Uint), 0))
		const root = 0x3fe6a09e // the upper word of the root of 1/2
		scaled := f.Let("scaled", high(u).Add(0x3ff00000-root))
		n := f.Let("n", made(scaled.Shr(20), build.Int(ktree.Uint, 0x43300000)).Sub(double(0x1p52+1023+53)))
		m := f.Let("m", made(low(u), scaled.And(0xfffff).Add(root)))
		// s = (m - 1)/(m + 1), and -2 log u.
		x, y := f.Let("x", m.Sub(1.0)), f.Let("y", m.Add(1.0))
		r := widened(build.Apply(ktree.RcpNear, narrow(y)), 0)
		s0 := f.Let("s0", x.Mul(r))
		s := f.Let("s", build.Fma(r, build.Fma(s0.Neg(), y, x), s0))
		log := f.Let("log", build.Fma(n, double(-2*math.Ln2), s.Mul(horner(f.Let("ss", s.Mul(s)), nearLog))))
		// Its root, by a step of Newton's.
		g := f.Let("g", build.Apply(ktree.RsqrtNear, narrow(log)))
		whole, half := widened(g, 0), widened(g, -1)
		h0 := f.Let("h0", log.Mul(whole))
		h := f.Let("h", build.Fma(build.Fma(h0.Neg(), h0, log), half, h0))
		// The cosine of 2 pi v is the sine of pi/2 (|4v - 2| - 1).
		turn := f.Let("turn", words(b.Z(), b.W()).Shr(11))
		v := number(turn.To(ktree.Uint), turn.Shr(32).To(ktree.Uint), 0x1p52)
		t := f.Let("t", build.Fma(build.Apply(ktree.Abs, v), double(0x1p-51), double(-1)))
		z := f.Let("z", h.Mul(t.Mul(horner(f.Let("tt", t.Mul(t)), nearSine))))

		// Near its zeros the cosine of normal has the absolute error of its argument.
		steep := high(t).And(0x7fffffff).Lt(0x3f400000)
		middle := low(z).And(0x1fffffff).Sub(0x10000000 - nearestMiddle).Lt(2 * nearestMiddle)
		one := count.Shr(53).Ne(0)
		f.If(steep.OrElse(middle).OrElse(one), func() { f.Result(build.Call(exact, b).To(ktree.Float)) })
		f.Result(z.To(ktree.Float))
	})
}
