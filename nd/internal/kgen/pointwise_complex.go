package kgen

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func (n num) plus(m num) num  { return num{n.re.Add(m.re), n.im.Add(m.im)} }
func (n num) minus(m num) num { return num{n.re.Sub(m.re), n.im.Sub(m.im)} }

func (n num) times(m num) num {
	return num{n.re.Mul(m.re).Sub(n.im.Mul(m.im)), n.re.Mul(m.im).Add(n.im.Mul(m.re))}
}

func applyComplex(k *build.Kernel, op scalar.Op, z, w num) num {
	switch op {
	case scalar.Neg:
		return num{z.re.Neg(), z.im.Neg()}
	case scalar.Conj:
		return num{z.re, z.im.Neg()}
	case scalar.Real:
		return real(z.re)
	case scalar.Imag:
		return real(z.im)
	case scalar.AbsSquared:
		return real(z.re.Mul(z.re).Add(z.im.Mul(z.im)))
	case scalar.Angle:
		return real(build.Apply(ktree.Atan2, z.im, z.re))
	case scalar.IsNaN:
		return real(z.re.Ne(z.re).OrElse(z.im.Ne(z.im)))
	case scalar.IsInf:
		return real(isInf(z.re).OrElse(isInf(z.im)))
	case scalar.Add:
		return z.plus(w)
	case scalar.Sub:
		return z.minus(w)
	case scalar.Mul:
		return z.times(w)
	}
	c := &complexFuncs{k, z.re.Kind()}
	if op == scalar.Abs {
		return real(build.Call(c.abs(), build.Vec(z.re, z.im)))
	}
	args := []build.Val{build.Vec(z.re, z.im)}
	if op.Arity() == 2 {
		args = append(args, build.Vec(w.re, w.im))
	}
	v := k.Let("z", build.Call(c.of(op), args...))
	return num{v.X(), v.Y()}
}

// complexFuncs are the functions of complex numbers, whose parts are of a kind.
// What needs more than a few operations is computed in double for both kinds and
// rounded once, as on the CPU; the rest is careful with numbers whose squares
// overflow or vanish.
type complexFuncs struct {
	k    *build.Kernel
	kind ktree.Kind
}

func (c *complexFuncs) of(op scalar.Op) *ktree.Func {
	switch op {
	case scalar.Sign:
		return c.sign()
	case scalar.Exp:
		return c.exp()
	case scalar.Log:
		return c.log()
	case scalar.Sqrt:
		return c.sqrt()
	case scalar.Rsqrt:
		return c.rsqrt()
	case scalar.Sin:
		return c.wide("c_sin", c.sinWide)
	case scalar.Cos:
		return c.wide("c_cos", c.cosWide)
	case scalar.Tan:
		return c.tan()
	case scalar.Tanh:
		return c.wide("c_tanh", c.tanhWide)
	case scalar.Sigmoid:
		return c.wide("c_sigmoid", c.sigmoidWide)
	case scalar.Div:
		return c.div()
	case scalar.Pow:
		return c.wide("c_pow", c.powWide, "w")
	}
	panic(fmt.Sprintf("kgen: %s of complex numbers", op))
}

func (c *complexFuncs) pair() ktree.Type { return ktree.Vector(c.kind, 2) }

func (c *complexFuncs) number(x float64) build.Val { return build.Float(c.kind, x) }

// define is a function of complex numbers, the first of which is z. Functions of
// both kinds have different names.
func (c *complexFuncs) define(name string, result ktree.Type, more []string, body func(f *build.Kernel, z []num)) *ktree.Func {
	if c.kind == ktree.Double {
		name += "_wide"
	}
	params := []build.Param{{Name: "z", Type: c.pair()}}
	for _, p := range more {
		params = append(params, build.Param{Name: p, Type: c.pair()})
	}
	return c.k.Func(name, result, params, func(f *build.Kernel, args []build.Val) {
		var z []num
		for _, a := range args {
			z = append(z, num{a.X(), a.Y()})
		}
		body(f, z)
	})
}

func isInf(x build.Val) build.Val { return build.Apply(ktree.IsInf, x) }
func absOf(x build.Val) build.Val { return build.Apply(ktree.Abs, x) }
func isNaN(z num) build.Val       { return z.re.Ne(z.re).OrElse(z.im.Ne(z.im)) }
func vec(re, im build.Val) build.Val {
	return build.Vec(re, im)
}

// partMax is the greater part, by magnitude; NaN loses.
func partMax(z num) build.Val { return build.Max(absOf(z.re), absOf(z.im)) }

// isPlain tells magnitudes whose squares, and sums and quotients of those, are
// ordinary numbers.
func (c *complexFuncs) isPlain(m build.Val) build.Val {
	if c.kind == ktree.Double {
		return m.Gt(0x1p-250).AndThen(m.Lt(0x1p250))
	}
	return m.Gt(0x1p-30).AndThen(m.Lt(0x1p30))
}

// scaled is z * 2^e.
func scaled(z num, e build.Val) num {
	return num{build.Apply(ktree.Scalbn, z.re, e), build.Apply(ktree.Scalbn, z.im, e)}
}

func (c *complexFuncs) abs() *ktree.Func {
	return c.define("c_abs", ktree.Scalar(c.kind), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		length := func(z num) build.Val { return build.Apply(ktree.Sqrt, z.re.Mul(z.re).Add(z.im.Mul(z.im))) }
		m := f.Let("m", partMax(z))
		f.If(c.isPlain(m).AndThen(isNaN(z).Not()), func() { f.Result(length(z)) })
		f.If(isInf(z.re).OrElse(isInf(z.im)), func() { f.Result(build.Infinity(c.kind)) })
		f.If(m.Eq(0.0).OrElse(isNaN(z)), func() { f.Result(absOf(z.re).Add(absOf(z.im))) })
		e := f.Let("e", build.Apply(ktree.Ilogb, m))
		s := let(f, "s", scaled(z, e.Neg()))
		f.Result(build.Apply(ktree.Scalbn, length(s), e))
	})
}

// quotient is z/w for numbers with nothing odd about them.
func quotientOf(f *build.Kernel, z, w num) num {
	d := f.Let("d", w.re.Mul(w.re).Add(w.im.Mul(w.im)))
	return num{z.re.Mul(w.re).Add(z.im.Mul(w.im)).Div(d), z.im.Mul(w.re).Sub(z.re.Mul(w.im)).Div(d)}
}

func (c *complexFuncs) div() *ktree.Func {
	return c.define("c_div", c.pair(), []string{"w"}, func(f *build.Kernel, args []num) {
		z, w := args[0], args[1]
		result := func(n num) { f.Result(vec(n.re, n.im)) }
		m, n := f.Let("m", partMax(z)), f.Let("n", partMax(w))
		f.If(c.isPlain(m).AndThen(c.isPlain(n)), func() { result(quotientOf(f, z, w)) })
		f.If(isNaN(w).OrElse(isNaN(z)), func() {
			all := f.Let("all", w.re.Add(z.re).Add(w.im).Add(z.im))
			f.Result(vec(all, all))
		})
		f.If(n.Eq(0.0), func() { f.Result(vec(z.re.Div(w.re), z.im.Div(w.re))) })
		f.If(m.Eq(0.0), func() { f.Result(vec(c.number(0), c.number(0))) })
		logb := func(x build.Val) build.Val { return build.Apply(ktree.Ilogb, x) }
		// An infinite number stands for its direction.
		units := func(z num) num {
			unit := func(x build.Val) build.Val {
				return build.Apply(ktree.Copysign, isInf(x).Choose(c.number(1), c.number(0)), x)
			}
			return num{unit(z.re), unit(z.im)}
		}
		f.If(isInf(m), func() {
			f.If(isInf(n), func() { f.Result(vec(m.Sub(m), m.Sub(m))) })
			q := let(f, "q", quotientOf(f, let(f, "u", units(z)), let(f, "v", scaled(w, logb(n).Neg()))))
			f.Result(vec(m.Mul(q.re), m.Mul(q.im)))
		})
		f.If(isInf(n), func() {
			q := let(f, "q", quotientOf(f, let(f, "u", scaled(z, logb(m).Neg())), let(f, "v", units(w))))
			f.Result(vec(c.number(0).Mul(q.re), c.number(0).Mul(q.im)))
		})
		e, g := f.Let("e", logb(m)), f.Let("g", logb(n))
		q := let(f, "q", quotientOf(f, let(f, "u", scaled(z, e.Neg())), let(f, "v", scaled(w, g.Neg()))))
		result(scaled(q, f.Let("by", e.Sub(g))))
	})
}

func (c *complexFuncs) sign() *ktree.Func {
	abs := c.abs()
	return c.define("c_sign", c.pair(), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		f.If(z.re.Eq(0.0).AndThen(z.im.Eq(0.0)), func() { f.Result(vec(c.number(0), c.number(0))) })
		m := f.Let("m", partMax(z))
		re, im := f.Var("re", z.re), f.Var("im", z.im)
		finite := m.Sub(m).Eq(0.0)
		f.If(c.isPlain(m).Not().AndThen(finite).AndThen(m.Gt(0.0)), func() {
			s := scaled(z, f.Let("e", build.Apply(ktree.Ilogb, m).Neg()))
			f.Set(re, s.re)
			f.Set(im, s.im)
		})
		a := f.Let("a", build.Call(abs, vec(re, im)))
		f.Result(vec(re.Div(a), im.Div(a)))
	})
}

func (c *complexFuncs) exp() *ktree.Func {
	exp := func(x build.Val) build.Val { return build.Apply(ktree.Exp, x) }
	return c.define("c_exp", c.pair(), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		f.If(z.im.Eq(0.0), func() { f.Result(vec(exp(z.re), z.im)) })
		sin, cos := f.Let("sin", build.Apply(ktree.Sin, z.im)), f.Let("cos", build.Apply(ktree.Cos, z.im))
		f.If(z.re.Gt(80.0), func() {
			h := f.Let("h", exp(z.re.Div(2.0)))
			f.Result(vec(h.Mul(cos).Mul(h), h.Mul(sin).Mul(h)))
		})
		e := f.Let("e", exp(z.re))
		f.Result(vec(e.Mul(cos), e.Mul(sin)))
	})
}

// log takes care close to modulus 1, where what is small beside 1 counts.
func (c *complexFuncs) log() *ktree.Func {
	abs := c.abs()
	return c.define("c_log", c.pair(), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		log := func(x build.Val) build.Val { return build.Apply(ktree.Log, x) }
		angle := build.Apply(ktree.Atan2, z.im, z.re)
		v := f.Unset("v", ktree.Scalar(c.kind))
		if c.kind == ktree.Double {
			a, b := absOf(z.re), absOf(z.im)
			m, n := f.Let("m", build.Max(a, b)), f.Let("n", build.Min(a, b))
			f.IfElse(m.Gt(0.5).AndThen(m.Lt(2.0)).AndThen(n.Eq(n)), func() {
				f.Set(v, c.number(0.5).Mul(build.Apply(ktree.Log1p, m.Sub(1.0).Mul(m.Add(1.0)).Add(n.Mul(n)))))
			}, func() { f.Set(v, log(build.Call(abs, vec(z.re, z.im)))) })
		} else {
			m := f.Let("m", partMax(z))
			f.IfElse(m.Sub(m).Eq(0.0), func() {
				x, y := f.Let("x", z.re.To(ktree.Double)), f.Let("y", z.im.To(ktree.Double))
				f.Set(v, build.Float(ktree.Double, 0.5).Mul(log(x.Mul(x).Add(y.Mul(y)))).To(ktree.Float))
			}, func() { f.Set(v, log(build.Call(abs, vec(z.re, z.im)))) })
		}
		f.Result(vec(v, angle))
	})
}

func (c *complexFuncs) sqrt() *ktree.Func {
	abs := c.abs()
	sign := func(x, y build.Val) build.Val { return build.Apply(ktree.Copysign, x, y) }
	return c.define("c_sqrt", c.pair(), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		zero := c.number(0)
		f.If(z.re.Eq(0.0).AndThen(z.im.Eq(0.0)), func() { f.Result(vec(zero, z.im)) })
		f.If(isInf(z.im), func() { f.Result(vec(absOf(z.im), z.im)) })
		f.If(isInf(z.re), func() {
			up := z.re.Gt(0.0)
			f.Result(vec(up.Choose(z.re, zero), up.Choose(sign(zero, z.im), sign(z.re, z.im))))
		})
		m := f.Let("m", partMax(z))
		e := f.Var("e", zero)
		re, im := f.Var("re", z.re), f.Var("im", z.im)
		f.If(c.isPlain(m).Not(), func() {
			// An even exponent.
			f.Set(e, build.Apply(ktree.Floor, build.Apply(ktree.Ilogb, m).Mul(0.5)).Mul(2.0))
			s := scaled(z, e.Neg())
			f.Set(re, s.re)
			f.Set(im, s.im)
		})
		t := f.Let("t", build.Apply(ktree.Sqrt, absOf(re).Add(build.Call(abs, vec(re, im))).Mul(0.5)))
		u := f.Let("u", im.Div(t.Mul(2.0)))
		right := f.Let("right", re.Ge(0.0))
		r := let(f, "r", num{right.Choose(t, absOf(u)), right.Choose(u, sign(t, im))})
		f.If(e.Eq(0.0), func() { f.Result(vec(r.re, r.im)) })
		s := scaled(r, f.Let("half", e.Mul(0.5)))
		f.Result(vec(s.re, s.im))
	})
}

func (c *complexFuncs) rsqrt() *ktree.Func {
	sqrt, div := c.sqrt(), c.div()
	return c.define("c_rsqrt", c.pair(), nil, func(f *build.Kernel, args []num) {
		z := args[0]
		f.Result(build.Call(div, vec(c.number(1), c.number(0)), build.Call(sqrt, vec(z.re, z.im))))
	})
}

// wide is a function that is computed in double, and rounded for floats.
func (c *complexFuncs) wide(name string, body func(d *complexFuncs, f *build.Kernel, z []num), more ...string) *ktree.Func {
	d := &complexFuncs{c.k, ktree.Double}
	inner := d.define(name, d.pair(), more, func(f *build.Kernel, z []num) { body(d, f, z) })
	if c.kind == ktree.Double {
		return inner
	}
	return c.define(name, c.pair(), more, func(f *build.Kernel, z []num) {
		var args []build.Val
		for _, a := range z {
			args = append(args, vec(a.re.To(ktree.Double), a.im.To(ktree.Double)))
		}
		v := f.Let("v", build.Call(inner, args...))
		f.Result(vec(v.X().To(ktree.Float), v.Y().To(ktree.Float)))
	})
}

func (*complexFuncs) sinWide(d *complexFuncs, f *build.Kernel, z []num) {
	sin, cos := build.Apply(ktree.Sin, z[0].re), build.Apply(ktree.Cos, z[0].re)
	f.Result(vec(sin.Mul(build.Apply(ktree.Cosh, z[0].im)), cos.Mul(build.Apply(ktree.Sinh, z[0].im))))
}

func (*complexFuncs) cosWide(d *complexFuncs, f *build.Kernel, z []num) {
	sin, cos := build.Apply(ktree.Sin, z[0].re), build.Apply(ktree.Cos, z[0].re)
	f.Result(vec(cos.Mul(build.Apply(ktree.Cosh, z[0].im)), sin.Neg().Mul(build.Apply(ktree.Sinh, z[0].im))))
}

// tanhWide is from W. Kahan, "Branch cuts for complex elementary functions"
// (1987).
func (*complexFuncs) tanhWide(d *complexFuncs, f *build.Kernel, zs []num) {
	z := zs[0]
	f.If(absOf(z.re).Gt(22.0), func() {
		f.Result(vec(build.Apply(ktree.Copysign, d.number(1), z.re), build.Apply(ktree.Copysign, d.number(0), z.im)))
	})
	t := f.Let("t", build.Apply(ktree.Tan, z.im))
	b := f.Let("b", d.number(1).Add(t.Mul(t)))
	s := f.Let("s", build.Apply(ktree.Sinh, z.re))
	r := f.Let("r", build.Apply(ktree.Sqrt, d.number(1).Add(s.Mul(s))))
	by := f.Let("by", d.number(1).Add(b.Mul(s).Mul(s)))
	f.Result(vec(b.Mul(r).Mul(s).Div(by), t.Div(by)))
}

func (c *complexFuncs) tan() *ktree.Func {
	tanh := c.wide("c_tanh", c.tanhWide)
	return c.define("c_tan", c.pair(), nil, func(f *build.Kernel, z []num) {
		w := f.Let("w", build.Call(tanh, vec(z[0].im.Neg(), z[0].re)))
		f.Result(vec(w.Y(), w.X().Neg()))
	})
}

// sigmoidWide has its poles where 1 + e cos(y) and e sin(y) vanish, with
// e = exp(-|x|). The first is (1 - e) + 2 e cos(y/2)^2, which cancels nothing.
func (*complexFuncs) sigmoidWide(d *complexFuncs, f *build.Kernel, zs []num) {
	z := zs[0]
	m := f.Let("m", absOf(z.re).Neg())
	e, g := f.Let("e", build.Apply(ktree.Exp, m)), f.Let("g", build.Apply(ktree.Expm1, m))
	half := f.Let("half", z.im.Div(2.0))
	s, c := f.Let("s", build.Apply(ktree.Sin, half)), f.Let("c", build.Apply(ktree.Cos, half))
	two := d.number(2)
	a := f.Let("a", two.Mul(e).Mul(c).Mul(c).Sub(g))
	b := f.Let("b", two.Mul(e).Mul(s).Mul(c))
	by := f.Let("by", a.Mul(a).Add(b.Mul(b)))
	f.Result(vec(z.re.Lt(0.0).Choose(e.Mul(two.Mul(c).Mul(c).Add(g)), a).Div(by), b.Div(by)))
}

func (*complexFuncs) powWide(d *complexFuncs, f *build.Kernel, zs []num) {
	z, w := zs[0], zs[1]
	inf, zero := d.number(math.Inf(1)), d.number(0)
	isZero := func(z num) build.Val { return z.re.Eq(0.0).AndThen(z.im.Eq(0.0)) }
	f.If(isZero(z), func() {
		f.If(isZero(w), func() { f.Result(vec(d.number(1), zero)) })
		down := w.re.Lt(0.0)
		f.Result(vec(down.Choose(inf, zero), down.Choose(w.im.Eq(0.0).Choose(zero, inf), zero)))
	})
	abs := d.abs()
	m := f.Let("m", build.Call(abs, vec(z.re, z.im)))
	a := f.Let("a", build.Apply(ktree.Atan2, z.im, z.re))
	r := f.Var("r", build.Apply(ktree.Pow, m, w.re))
	t := f.Var("t", w.re.Mul(a))
	f.If(w.im.Ne(0.0), func() {
		f.Set(r, r.Mul(build.Apply(ktree.Exp, w.im.Neg().Mul(a))))
		f.Set(t, t.Add(w.im.Mul(build.Apply(ktree.Log, m))))
	})
	f.Result(vec(r.Mul(build.Apply(ktree.Cos, t)), r.Mul(build.Apply(ktree.Sin, t))))
}
