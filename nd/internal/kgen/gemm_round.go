package kgen

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// formats are the bits of a mantissa, the exponent of the least number, and
// the greatest number.
var formats = map[elem.Type]struct {
	bits, least int
	most        float64
}{
	elem.Float64:  {53, -1074, math.MaxFloat64},
	elem.Float32:  {24, -149, math.MaxFloat32},
	elem.Float16:  {11, -24, 65504},
	elem.BFloat16: {8, -133, 3.3895313892515355e38},
}

// roundKernel makes the kernel in which a thread adds up the pieces of one number
// and rounds it.
func (w *exactGemm) roundKernel(results int) *entry {
	t := w.g.Out.Type
	dims, _, _, out := w.space()
	e := w.entry("round_sums", roundThreads)
	whole := out // parts of complex numbers are stored one by one
	whole.Type, whole.Offset = t.Real(), out.Offset*w.parts
	to := e.pointer("out", whole, write(0))
	digits := e.buffer("digits", ktree.Scalar(ktree.Long), scratch(0))
	odds := e.buffer("odds", ktree.Scalar(ktree.Uint), scratch(1))
	pieces := e.number("pieces", w.pieces)
	result := e.first(1)
	e.If(result.Lt(e.number("results", results)), func() {
		f := &fixed{w: w, k: e.Kernel, d: e.Array("d", ktree.Scalar(ktree.Long), w.digits)}
		f.each(w.digits, func(i build.Val) { e.Set(f.d.At(i), 0) })
		odd := e.Var("odd", build.Int(ktree.Uint, 0))
		e.For("p", result.Mul(pieces), e.Let("end", result.Add(1).Mul(pieces)), 1, 0, func(p build.Val) {
			e.Set(odd, odd.Or(odds.At(p)))
			from := e.Let("from", p.Mul(w.digits))
			f.each(w.digits, func(i build.Val) { e.Set(f.d.At(i), f.d.At(i).Add(digits.At(from.Add(i.To(ktree.Long))))) })
			e.Do(build.Call(f.carry(), f.array()))
		})
		format := formats[t.Real()]
		round := f.rounded
		if w.g.Root {
			round = f.root
		}
		v := e.Unset("v", ktree.Scalar(ktree.Double))
		round(odd, v, format.bits, format.least, format.most)
		coords := e.point("c", e.Let("element", result.Div(w.parts)), dims)
		at := e.position("out", coords, out.Strides)
		if w.parts == 2 {
			at = at.Mul(2).Add(result.Rem(2))
		}
		e.Set(to.At(at), Put(t.Real(), Real(v.To(KindOf(t.Real())))))
	})
	return e
}

// fixed is a number of fixed point in an array of the thread.
type fixed struct {
	w *exactGemm
	k *build.Kernel
	d build.Val
}

// array is the digits as an argument, pointer their type.
func (f *fixed) array() build.Val { return build.Address(f.d) }

func pointer() ktree.Type {
	return ktree.Type{Kind: ktree.Long, Width: 1, Form: ktree.Pointer, Space: ktree.Thread}
}

// each runs body for 0..n-1, in a loop that is not written out.
func (f *fixed) each(n int, body func(i build.Val)) {
	f.k.For("i", build.Int(ktree.Int, 0), n, 1, 1, body)
}

// define is a function of the digits and a position.
func (f *fixed) define(name string, result ktree.Kind, positions []string, body func(g *fixed, at build.Val)) *ktree.Func {
	params := []build.Param{{Name: "d", Type: pointer()}}
	params = append(params, lists.Map(positions, func(p string) build.Param { return build.Param{Name: p, Type: ktree.Scalar(ktree.Int)} })...)
	return f.k.Func(name, ktree.Scalar(result), params, func(k *build.Kernel, args []build.Val) {
		args = append(args, build.Val{})
		body(&fixed{f.w, k, args[0]}, args[1])
	})
}

// carry leaves 32 bits in every digit but the last.
func (f *fixed) carry() *ktree.Func {
	last := f.w.digits - 1
	return f.define("carry", ktree.Void, nil, func(g *fixed, _ build.Val) {
		k := g.k
		c := k.Var("c", build.Int(ktree.Long, 0))
		g.each(last, func(i build.Val) {
			v := k.Let("v", g.d.At(i).Add(c))
			k.Set(c, v.Shr(32))
			k.Set(g.d.At(i), v.And(lowDigit))
		})
		k.Set(g.d.At(last), g.d.At(last).Add(c))
	})
}

// digit is digit i, 0 outside.
func (f *fixed) digit() *ktree.Func {
	return f.define("digit", ktree.Ulong, []string{"i"}, func(g *fixed, i build.Val) {
		g.k.If(i.Lt(0).OrElse(i.Ge(f.w.digits)), func() { g.k.Result(build.Int(ktree.Ulong, 0)) })
		g.k.Result(g.d.At(i).To(ktree.Ulong))
	})
}

// bits are the 64 from position at on; there are zeros below 0.
func (f *fixed) bits() *ktree.Func {
	digit := f.digit()
	return f.define("bits", ktree.Ulong, []string{"at"}, func(g *fixed, at build.Val) {
		k := g.k
		up := k.Let("up", build.Max(at, 0))
		i, by := k.Let("i", up.Shr(5)), k.Let("by", up.And(31).To(ktree.Ulong))
		d := func(n int) build.Val {
			return k.Let("digit", build.Call(digit, g.d, i.Add(n)))
		}
		first, second, third := d(0), d(1), d(2)
		back := k.Let("back", build.Int(ktree.Ulong, 32).Sub(by))
		low := first.Shr(by).Or(second.Shl(back)).And(lowDigit)
		all := k.Let("all", low.Or(second.Shr(by).Or(third.Shl(back)).Shl(32)))
		k.If(at.Ge(0), func() { k.Result(all) })
		k.If(at.Le(-64), func() { k.Result(build.Int(ktree.Ulong, 0)) })
		k.Result(all.Shl(at.Neg().To(ktree.Ulong)))
	})
}

// below reports bits below a position.
func (f *fixed) below() *ktree.Func {
	digit := f.digit()
	return f.define("below", ktree.Bool, []string{"at"}, func(g *fixed, at build.Val) {
		k := g.k
		k.If(at.Le(0), func() { k.Result(build.Bool(false)) })
		last := k.Let("last", at.Shr(5))
		k.For("i", build.Int(ktree.Int, 0), last, 1, 1, func(i build.Val) {
			k.If(g.d.At(i).Ne(0), func() { k.Result(build.Bool(true)) })
		})
		mask := build.Int(ktree.Ulong, 1).Shl(at.And(31).To(ktree.Ulong)).Sub(1)
		k.Result(build.Call(digit, g.d, last).And(mask).Ne(0))
	})
}

// top is the position of the first bit, -1 for zero.
func (f *fixed) top() *ktree.Func {
	return f.define("top", ktree.Int, nil, func(g *fixed, _ build.Val) {
		k := g.k
		i := k.Var("i", build.Int(ktree.Int, int64(f.w.digits-1)))
		k.While(i.Ge(0), 1, func() {
			v := k.Let("v", g.d.At(i))
			k.If(v.Ne(0), func() { k.Result(i.Mul(32).Add(63).Sub(build.Apply(ktree.Clz, v).To(ktree.Int))) })
		}, func() { k.Set(i, i.Sub(1)) })
		k.Result(build.Int(ktree.Int, -1))
	})
}

// negate turns a negative number around, and reports one.
func (f *fixed) makePositive() build.Val {
	k, last := f.k, f.w.digits-1
	negative := k.Let("negative", f.d.At(last).Lt(0))
	k.If(negative, func() {
		f.each(f.w.digits, func(i build.Val) { k.Set(f.d.At(i), f.d.At(i).Neg()) })
		k.Do(build.Call(f.carry(), f.array()))
	})
	return negative
}

// oddValue is the sum of numbers that were not finite.
func oddValue(odd build.Val) build.Val {
	inf := build.Infinity(ktree.Double)
	nan := odd.And(1).Ne(0).OrElse(odd.Eq(6))
	return nan.Choose(build.Float(ktree.Double, math.NaN()), odd.And(2).Ne(0).Choose(inf, inf.Neg()))
}

// made is m * 2^e, infinite past the greatest number.
func made(k *build.Kernel, m, e build.Val, most float64) build.Val {
	v := k.Let("made", build.Apply(ktree.Scalbn, m.To(ktree.Double), e.To(ktree.Double)))
	return v.Gt(most).Choose(build.Infinity(ktree.Double), v)
}

// rounded sets v to the number, rounded to a format, halves to even.
func (f *fixed) rounded(odd, v build.Val, bits, least int, most float64) {
	k, bias := f.k, f.w.bias
	k.IfElse(odd.Ne(0), func() { k.Set(v, oddValue(odd)) }, func() {
		negative := f.makePositive()
		high := k.Let("high", build.Call(f.top(), f.array()))
		k.IfElse(high.Lt(0), func() { k.Set(v, 0.0) }, func() {
			low := k.Let("low", build.Max(high.Sub(bits-1), least+bias))
			m := k.Var("m", build.Int(ktree.Ulong, 0))
			k.If(high.Ge(low), func() { k.Set(m, build.Call(f.bits(), f.array(), low)) })
			next := k.Let("next", low.Sub(1))
			up := build.Call(f.bits(), f.array(), next).And(1).Ne(0).AndThen(m.And(1).Ne(0).OrElse(build.Call(f.below(), f.array(), next)))
			k.If(up, func() { k.Set(m, m.Add(1)) })
			x := k.Let("x", made(k, m, low.Sub(bias), most))
			k.Set(v, negative.Choose(x.Neg(), x))
		})
	})
}

// root sets v to the root of the number, rounded to a format.
func (f *fixed) root(odd, v build.Val, bits, least int, most float64) {
	k, bias := f.k, f.w.bias
	u := func(n int64) build.Val { return build.Int(ktree.Ulong, n) }
	k.IfElse(odd.Ne(0), func() { k.Set(v, build.Apply(ktree.Sqrt, oddValue(odd))) }, func() {
		negative := f.makePositive()
		high := k.Let("high", build.Call(f.top(), f.array()))
		k.IfElse(negative, func() { k.Set(v, math.NaN()) }, func() {
			k.IfElse(high.Lt(0), func() { k.Set(v, 0.0) }, func() {
				// The root of the first 111 or 112 bits has 56: more than any format.
				from := k.Let("from", high.Sub(110).And(-2))
				low, top := k.Let("low", build.Call(f.bits(), f.array(), from)), k.Let("top_bits", build.Call(f.bits(), f.array(), from.Add(64)))
				guess := build.Apply(ktree.Sqrt, top.To(ktree.Double).Mul(0x1p64).Add(low.To(ktree.Double)))
				r := k.Var("r", guess.To(ktree.Ulong))
				// What is left fits 64 bits: r is off by a few only.
				left := k.Var("left", low.Sub(r.Mul(r)).To(ktree.Long))
				k.Set(r, r.Add(left.Div(r.Mul(2).To(ktree.Long)).To(ktree.Ulong)))
				k.Set(left, low.Sub(r.Mul(r)).To(ktree.Long))
				twice := func() build.Val { return r.To(ktree.Long).Mul(2) }
				k.While(left.Lt(0), 0, func() {
					k.Set(r, r.Sub(1))
					k.Set(left, left.Add(twice().Add(1)))
				}, nil)
				k.While(left.Gt(twice()), 0, func() {
					k.Set(left, left.Sub(twice().Add(1)))
					k.Set(r, r.Add(1))
				}, nil)
				exponent := k.Let("exponent", from.Sub(bias).Shr(1))
				rest := k.Let("rest", left.Ne(0).OrElse(build.Call(f.below(), f.array(), from)))
				width := build.Int(ktree.Int, 64).Sub(build.Apply(ktree.Clz, r).To(ktree.Int))
				drop := k.Let("drop", build.Max(build.Max(width.Sub(bits), build.Int(ktree.Int, int64(least)).Sub(exponent)), 0))
				kept, cut, half := k.Var("kept", u(0)), k.Var("cut", u(0)), k.Var("half", u(0))
				k.If(drop.Le(63), func() {
					by := k.Let("by", drop.To(ktree.Ulong))
					k.Set(kept, r.Shr(by))
					k.Set(cut, r.And(u(1).Shl(by).Sub(1)))
					k.If(drop.Gt(0), func() { k.Set(half, u(1).Shl(by.Sub(1))) })
				})
				up := cut.Gt(half).OrElse(cut.Eq(half).AndThen(rest.OrElse(kept.And(1).Ne(0))))
				k.If(drop.Gt(0).AndThen(up), func() { k.Set(kept, kept.Add(1)) })
				k.Set(v, made(k, kept, exponent.Add(drop), most))
			})
		})
	})
}
