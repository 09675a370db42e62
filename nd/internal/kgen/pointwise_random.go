package kgen

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Random numbers are the very bits that package philox draws. Normal numbers are
// part of that: their logarithm and cosine are the polynomials of Go's math
// (FreeBSD's e_log and Cephes' cos), operation by operation, for the arguments
// that occur here. Kernels are compiled without contraction.

// draw is a random number of the key in the instruction's argument.
func (p *pointCode) draw(in ir.Instr, counter build.Val) Num {
	k := p.Kernel
	bits := k.Let("bits", build.Call(philox(k), p.Argument(in.Slot).X(), counter.To(ktree.Ulong)))
	kind := KindOf(in.Type)
	switch in.Op {
	case scalar.RandBits:
		return Real(bits.X().To(kind))
	case scalar.RandInt:
		bounds := p.Argument(in.Slot + 1)
		lo, hi := bounds.X(), bounds.Y()
		v := lo.Add(build.Apply(ktree.MulHi, words(bits.X(), bits.Y()), hi.Sub(lo)))
		return Real(hi.To(ktree.Long).Le(lo.To(ktree.Long)).Choose(lo, v).To(kind))
	case scalar.RandNormal:
		if in.Type == elem.Float32 && !k.NoDouble {
			return Real(build.Call(nearNormal(k), bits))
		}
		v := build.Call(normal(k), bits)
		return cast(in.Type, elem.Float64, Real(v))
	}
	if in.Type == elem.Float64 {
		return Real(words(bits.X(), bits.Y()).Shr(11).To(ktree.Double).Mul(0x1p-53))
	}
	return Real(Rounded(in.Type, bits.X().Shr(8).To(ktree.Float).Mul(0x1p-24)))
}

// words is two words as one number.
func words(low, high build.Val) build.Val {
	return high.To(ktree.Ulong).Shl(32).Or(low.To(ktree.Ulong))
}

// philox is Philox4x32-10.
func philox(k *build.Kernel) *ktree.Func {
	long := ktree.Scalar(ktree.Ulong)
	return k.Func("philox", ktree.Vector(ktree.Uint, 4), []build.Param{{Name: "key", Type: long}, {Name: "counter", Type: long}}, func(f *build.Kernel, args []build.Val) {
		low := func(v build.Val) build.Val { return v.To(ktree.Uint) }
		high := func(v build.Val) build.Val { return v.Shr(32).To(ktree.Uint) }
		key, counter := args[0], args[1]
		zero := build.Int(ktree.Uint, 0)
		a, b, c, d := f.Var("a", low(counter)), f.Var("b", high(counter)), f.Var("c", zero), f.Var("d", zero)
		m, n := f.Var("m", low(key)), f.Var("n", high(key))
		one, two := build.Int(ktree.Uint, 0xD2511F53), build.Int(ktree.Uint, 0xCD9E8D57)
		f.Each("i", 10, func(build.Val) {
			h0, l0 := f.Let("h0", build.Apply(ktree.MulHi, one, a)), f.Let("l0", one.Mul(a))
			h1, l1 := f.Let("h1", build.Apply(ktree.MulHi, two, c)), f.Let("l1", two.Mul(c))
			f.Set(a, h1.Xor(b).Xor(m))
			f.Set(b, l1)
			f.Set(c, h0.Xor(d).Xor(n))
			f.Set(d, l0)
			f.Set(m, m.Add(int64(0x9E3779B9)))
			f.Set(n, n.Add(int64(0xBB67AE85)))
		})
		f.Result(build.Vec(a, b, c, d))
	})
}

// normal is a normal number of four words.
func normal(k *build.Kernel) *ktree.Func {
	double := ktree.Scalar(ktree.Double)
	log, cos := unitLog(k), turnCos(k)
	return k.Func("rand_normal", double, []build.Param{{Name: "bits", Type: ktree.Vector(ktree.Uint, 4)}}, func(f *build.Kernel, args []build.Val) {
		b := args[0]
		u := f.Let("u", words(b.X(), b.Y()).Shr(11).Add(1).To(ktree.Double).Mul(0x1p-53))
		v := f.Let("v", words(b.Z(), b.W()).Shr(11).To(ktree.Double).Mul(0x1p-53))
		root := build.Apply(ktree.Sqrt, build.Float(ktree.Double, -2).Mul(build.Call(log, u)))
		f.Result(root.Mul(build.Call(cos, build.Float(ktree.Double, 6.28318530717958647693).Mul(v))))
	})
}

// horner is a polynomial of x, its coefficients from the greatest power down. It is a
// loop: WebGPU computes doubles in integers, and its compilers take seconds for the
// same written out.
func horner(k *build.Kernel, x build.Val, c ...build.Val) build.Val {
	v := k.Var("v", c[0])
	k.Each("i", len(c)-1, func(i build.Val) {
		next := c[len(c)-1]
		for j := len(c) - 2; j > 0; j-- {
			next = i.Eq(j-1).Choose(c[j], next)
		}
		k.Set(v, v.Mul(x).Add(next))
	})
	return v
}

// doubles are constants.
func doubles(list ...float64) []build.Val {
	return lists.Map(list, func(c float64) build.Val { return build.Float(ktree.Double, c) })
}

// unitLog is the logarithm of a number above 0 and up to 1.
func unitLog(k *build.Kernel) *ktree.Func {
	double := ktree.Scalar(ktree.Double)
	return k.Func("unit_log", double, []build.Param{{Name: "x", Type: double}}, func(g *build.Kernel, args []build.Val) {
		bits := g.Let("bits", args[0].Bits(ktree.Ulong))
		f := g.Var("f", bits.And(int64(0x000fffffffffffff)).Or(int64(0x3fe0000000000000)).Bits(ktree.Double))
		n := g.Var("n", bits.Shr(52).And(0x7ff).To(ktree.Int).Sub(0x3fe).To(ktree.Double))
		g.If(f.Lt(7.07106781186547524401e-01), func() {
			g.Set(f, f.Mul(2.0))
			g.Set(n, n.Sub(1.0))
		})
		g.Set(f, f.Sub(1.0))
		s := g.Let("s", f.Div(build.Float(ktree.Double, 2).Add(f)))
		s2 := g.Let("s2", s.Mul(s))
		s4 := g.Let("s4", s2.Mul(s2))
		t1 := s2.Mul(horner(g, s4, doubles(1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01)...))
		t2 := s4.Mul(horner(g, s4, doubles(1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01)...))
		r := g.Let("r", t1.Add(t2))
		h := g.Let("h", build.Float(ktree.Double, 0.5).Mul(f).Mul(f))
		low := n.Mul(1.90821492927058770002e-10)
		g.Result(n.Mul(6.93147180369123816490e-01).Sub(h.Sub(s.Mul(h.Add(r)).Add(low)).Sub(f)))
	})
}

// turnCos is the cosine of a number from 0 to 2 pi.
func turnCos(k *build.Kernel) *ktree.Func {
	double := ktree.Scalar(ktree.Double)
	return k.Func("turn_cos", double, []build.Param{{Name: "x", Type: double}}, func(f *build.Kernel, args []build.Val) {
		x := args[0]
		j := f.Var("j", x.Mul(1.27323954473516268615).To(ktree.Uint))
		f.Set(j, j.Add(j.And(1)))
		y := f.Let("y", j.To(ktree.Double))
		z := f.Let("z", x.Sub(y.Mul(7.85398125648498535156e-1)).Sub(y.Mul(3.77489470793079817668e-8)).Sub(y.Mul(2.69515142907905952645e-15)))
		f.Set(j, j.And(7))
		negative := f.Var("negative", j.Gt(3))
		f.If(negative, func() { f.Set(j, j.Sub(4)) })
		f.If(j.Gt(1), func() { f.Set(negative, negative.Not()) })
		zz := f.Let("zz", z.Mul(z))
		// The sine of z, or its cosine: first + last * a polynomial of z*z. Coefficients
		// are in Cephes' order.
		sine := f.Let("sine", j.Eq(1).OrElse(j.Eq(2)))
		first := f.Let("first", sine.Choose(z, build.Float(ktree.Double, 1).Sub(build.Float(ktree.Double, 0.5).Mul(zz))))
		last := f.Let("last", sine.Choose(z, zz).Mul(zz))
		c := doubles(-1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
			2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2)
		for i, s := range doubles(1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
			-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1) {
			c[i] = sine.Choose(s, c[i])
		}
		v := f.Let("v", first.Add(last.Mul(horner(f, zz, c...))))
		f.Result(negative.Choose(v.Neg(), v))
	})
}
