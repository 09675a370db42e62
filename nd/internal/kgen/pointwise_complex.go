package kgen

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

func (n Num) plus(m Num) Num  { return Num{n.Re.Add(m.Re), n.Im.Add(m.Im)} }
func (n Num) minus(m Num) Num { return Num{n.Re.Sub(m.Re), n.Im.Sub(m.Im)} }

func (n Num) times(m Num) Num {
	return Num{n.Re.Mul(m.Re).Sub(n.Im.Mul(m.Im)), n.Re.Mul(m.Im).Add(n.Im.Mul(m.Re))}
}

// complexOperators are those that are a few operations.
var complexOperators = map[scalar.Op]func(z, w Num) Num{
	scalar.Neg:        func(z, _ Num) Num { return Num{z.Re.Neg(), z.Im.Neg()} },
	scalar.Conj:       func(z, _ Num) Num { return Num{z.Re, z.Im.Neg()} },
	scalar.Real:       func(z, _ Num) Num { return Real(z.Re) },
	scalar.Imag:       func(z, _ Num) Num { return Real(z.Im) },
	scalar.AbsSquared: func(z, _ Num) Num { return Real(z.Re.Mul(z.Re).Add(z.Im.Mul(z.Im))) },
	scalar.Angle:      func(z, _ Num) Num { return Real(build.Apply(ktree.Atan2, z.Im, z.Re)) },
	scalar.IsNaN:      func(z, _ Num) Num { return Real(isNaN(z)) },
	scalar.IsInf:      func(z, _ Num) Num { return Real(isInf(z.Re).OrElse(isInf(z.Im))) },
	scalar.Add:        Num.plus,
	scalar.Sub:        Num.minus,
	scalar.Mul:        Num.times,
}

func applyComplex(k *build.Kernel, op scalar.Op, z, w Num) Num {
	if f, ok := complexOperators[op]; ok {
		return f(z, w)
	}
	c := &complexFuncs{k, z.Re.Kind()}
	if op == scalar.Abs {
		return Real(build.Call(c.abs(), build.Vec(z.Re, z.Im)))
	}
	args := []build.Val{build.Vec(z.Re, z.Im)}
	if op.Arity() == 2 {
		args = append(args, build.Vec(w.Re, w.Im))
	}
	v := k.Let("z", build.Call(complexFunctions[op](c), args...))
	return Num{v.X(), v.Y()}
}

// complexFuncs are the functions of complex numbers, whose parts are of a kind.
// What needs more than a few operations is computed in double for both kinds and
// rounded once, as on the CPU, where there are doubles; the rest is careful with
// numbers whose squares overflow or vanish.
type complexFuncs struct {
	k    *build.Kernel
	kind ktree.Kind
}

// complexFunctions makes those that are functions of a kernel.
var complexFunctions = map[scalar.Op]func(*complexFuncs) *ktree.Func{
	scalar.Sign: (*complexFuncs).sign, scalar.Exp: (*complexFuncs).exp, scalar.Log: (*complexFuncs).log,
	scalar.Sqrt: (*complexFuncs).sqrt, scalar.Rsqrt: (*complexFuncs).rsqrt, scalar.Tan: (*complexFuncs).tan, scalar.Div: (*complexFuncs).div,
	scalar.Sin:     func(c *complexFuncs) *ktree.Func { return c.wide("c_sin", c.sinWide) },
	scalar.Cos:     func(c *complexFuncs) *ktree.Func { return c.wide("c_cos", c.cosWide) },
	scalar.Tanh:    func(c *complexFuncs) *ktree.Func { return c.wide("c_tanh", c.tanhWide) },
	scalar.Sigmoid: func(c *complexFuncs) *ktree.Func { return c.wide("c_sigmoid", c.sigmoidWide) },
	scalar.Pow:     func(c *complexFuncs) *ktree.Func { return c.wide("c_pow", c.powWide, "w") },
}

func (c *complexFuncs) pair() ktree.Type { return ktree.Vector(c.kind, 2) }

func (c *complexFuncs) number(x float64) build.Val { return build.Float(c.kind, x) }

// define is a function of complex numbers, the first of which is z. Functions of
// both kinds have different names.
func (c *complexFuncs) define(name string, result ktree.Type, more []string, body func(f *build.Kernel, z []Num)) *ktree.Func {
	if c.kind == ktree.Double {
		name += "_wide"
	}
	params := []build.Param{{Name: "z", Type: c.pair()}}
	params = append(params, lists.Map(more, func(p string) build.Param { return build.Param{Name: p, Type: c.pair()} })...)
	return c.k.Func(name, result, params, func(f *build.Kernel, args []build.Val) {
		z := lists.Map(args, func(a build.Val) Num { return Num{a.X(), a.Y()} })
		body(f, z)
	})
}

func isInf(x build.Val) build.Val { return build.Apply(ktree.IsInf, x) }
func absOf(x build.Val) build.Val { return build.Apply(ktree.Abs, x) }
func isNaN(z Num) build.Val       { return z.Re.Ne(z.Re).OrElse(z.Im.Ne(z.Im)) }

// partMax is the greater part, by magnitude; NaN loses.
func partMax(z Num) build.Val { return build.Max(absOf(z.Re), absOf(z.Im)) }

// isPlain tells magnitudes whose squares, and sums and quotients of those, are
// ordinary numbers.
func (c *complexFuncs) isPlain(m build.Val) build.Val {
	if c.kind == ktree.Double {
		return m.Gt(0x1p-250).AndThen(m.Lt(0x1p250))
	}
	return m.Gt(0x1p-30).AndThen(m.Lt(0x1p30))
}

// scaled is z * 2^e.
func scaled(z Num, e build.Val) Num {
	return Num{build.Apply(ktree.Scalbn, z.Re, e), build.Apply(ktree.Scalbn, z.Im, e)}
}

// length is the magnitude of numbers whose squares are ordinary.
func length(z Num) build.Val { return build.Apply(ktree.Sqrt, squared(z)) }

func squared(z Num) build.Val { return z.Re.Mul(z.Re).Add(z.Im.Mul(z.Im)) }

// abs multiplies numbers whose squares vanish or overflow by a power of two first, and their
// magnitude by its inverse.
func (c *complexFuncs) abs() *ktree.Func {
	return c.define("c_abs", ktree.Scalar(c.kind), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		least, most, up, down := 0x1p-100, 0x1p100, 0x1p90, 0x1p-66
		if c.kind == ktree.Double {
			least, most, up, down = 0x1p-800, 0x1p800, 0x1p600, 0x1p-600
		}
		power := f.Let("power", squared(z))
		f.If(power.Gt(least).AndThen(power.Lt(most)), func() {
			if c.kind == ktree.Float && !c.k.NoDouble { // a number for which the short way is exact
				f.Result(Codes{Kernel: f}.nearRoot(power, size{notZero: true}))
			} else {
				f.Result(build.Apply(ktree.Sqrt, power))
			}
		})
		m := f.Let("m", partMax(z))
		small := f.Let("small", m.Lt(1.0))
		choose := func(ifSmall, ifLarge float64) build.Val { return small.Choose(c.number(ifSmall), c.number(ifLarge)) }
		by := f.Let("by", choose(up, down))
		a := length(Named(f, "s", Num{z.Re.Mul(by), z.Im.Mul(by)})).Mul(choose(1/up, 1/down))
		f.Result(isInf(m).Choose(build.Infinity(c.kind), a))
	})
}

// quotient is z/w for numbers with nothing odd about them.
func quotientOf(f *build.Kernel, z, w Num) Num {
	d := f.Let("d", w.Re.Mul(w.Re).Add(w.Im.Mul(w.Im)))
	return Num{z.Re.Mul(w.Re).Add(z.Im.Mul(w.Im)).Div(d), z.Im.Mul(w.Re).Sub(z.Re.Mul(w.Im)).Div(d)}
}

func (c *complexFuncs) div() *ktree.Func {
	return c.define("c_div", c.pair(), []string{"w"}, func(f *build.Kernel, args []Num) {
		z, w := args[0], args[1]
		result := func(n Num) { f.Result(build.Vec(n.Re, n.Im)) }
		m, n := f.Let("m", partMax(z)), f.Let("n", partMax(w))
		f.If(c.isPlain(m).AndThen(c.isPlain(n)), func() { result(quotientOf(f, z, w)) })
		f.If(isNaN(w).OrElse(isNaN(z)), func() {
			all := f.Let("all", w.Re.Add(z.Re).Add(w.Im).Add(z.Im))
			f.Result(build.Vec(all, all))
		})
		f.If(n.Eq(0.0), func() { f.Result(build.Vec(z.Re.Div(w.Re), z.Im.Div(w.Re))) })
		f.If(m.Eq(0.0), func() { f.Result(build.Vec(c.number(0), c.number(0))) })
		logb := func(x build.Val) build.Val { return build.Apply(ktree.Ilogb, x) }
		// An infinite number stands for its direction.
		units := func(z Num) Num {
			unit := func(x build.Val) build.Val {
				return build.Apply(ktree.Copysign, isInf(x).Choose(c.number(1), c.number(0)), x)
			}
			return Num{unit(z.Re), unit(z.Im)}
		}
		f.If(isInf(m), func() {
			f.If(isInf(n), func() { f.Result(build.Vec(m.Sub(m), m.Sub(m))) })
			q := Named(f, "q", quotientOf(f, Named(f, "u", units(z)), Named(f, "v", scaled(w, logb(n).Neg()))))
			f.Result(build.Vec(m.Mul(q.Re), m.Mul(q.Im)))
		})
		f.If(isInf(n), func() {
			q := Named(f, "q", quotientOf(f, Named(f, "u", scaled(z, logb(m).Neg())), Named(f, "v", units(w))))
			f.Result(build.Vec(c.number(0).Mul(q.Re), c.number(0).Mul(q.Im)))
		})
		f.If(w.Im.Eq(0.0), func() { f.Result(build.Vec(z.Re.Div(w.Re), z.Im.Div(w.Re))) }) // scaled, the lesser part may vanish
		e, g := f.Let("e", logb(m)), f.Let("g", logb(n))
		q := Named(f, "q", quotientOf(f, Named(f, "u", scaled(z, e.Neg())), Named(f, "v", scaled(w, g.Neg()))))
		result(scaled(q, f.Let("by", e.Sub(g))))
	})
}

func (c *complexFuncs) sign() *ktree.Func {
	return c.define("c_sign", c.pair(), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		f.If(z.Re.Eq(0.0).AndThen(z.Im.Eq(0.0)), func() { f.Result(build.Vec(c.number(0), c.number(0))) })
		m := f.Let("m", partMax(z))
		re, im := f.Var("re", z.Re), f.Var("im", z.Im)
		finite := m.Sub(m).Eq(0.0)
		f.If(c.isPlain(m).Not().AndThen(finite).AndThen(m.Gt(0.0)), func() {
			s := scaled(z, f.Let("e", build.Apply(ktree.Ilogb, m).Neg()))
			f.Set(re, s.Re)
			f.Set(im, s.Im)
		})
		a := f.Let("a", length(Num{re, im}))
		f.Result(build.Vec(re.Div(a), im.Div(a)))
	})
}

func (c *complexFuncs) exp() *ktree.Func {
	exp := func(x build.Val) build.Val { return build.Apply(ktree.Exp, x) }
	return c.define("c_exp", c.pair(), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		f.If(z.Im.Eq(0.0), func() { f.Result(build.Vec(exp(z.Re), z.Im)) })
		sin, cos := f.Let("sin", build.Apply(ktree.Sin, z.Im)), f.Let("cos", build.Apply(ktree.Cos, z.Im))
		f.If(z.Re.Gt(80.0), func() {
			p := c.beyond(f, z.Re)
			f.Result(build.Vec(p.times(cos), p.times(sin)))
		})
		e := f.Let("e", exp(z.Re))
		f.Result(build.Vec(e.Mul(cos), e.Mul(sin)))
	})
}

// log takes care close to modulus 1, where what is small beside 1 counts, and of moduli that overflow or are subnormal.
func (c *complexFuncs) log() *ktree.Func {
	abs := c.abs()
	return c.define("c_log", c.pair(), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		log := func(x build.Val) build.Val { return build.Apply(ktree.Log, x) }
		angle := build.Apply(ktree.Atan2, z.Im, z.Re)
		v := f.Unset("v", ktree.Scalar(c.kind))
		set := func(to build.Val) { f.Set(v, to.To(c.kind)) }
		// nearOne has half the logarithm of the sum of squares without what cancels.
		nearOne := func(z Num, otherwise func(m build.Val)) {
			a, b := absOf(z.Re), absOf(z.Im)
			m, n := f.Let("m", build.Max(a, b)), f.Let("n", build.Min(a, b))
			half := build.Float(m.Kind(), 0.5)
			f.IfElse(m.Gt(0.5).AndThen(m.Lt(2.0)).AndThen(n.Eq(n)), func() {
				set(half.Mul(build.Apply(ktree.Log1p, m.Sub(1.0).Mul(m.Add(1.0)).Add(n.Mul(n)))))
			}, func() { otherwise(m) })
		}
		if c.kind == ktree.Double || c.k.NoDouble {
			nearOne(z, func(m build.Val) {
				least, most, shift := 0x1p-100, 0x1p100, 60
				if c.kind == ktree.Double {
					least, most, shift = 0x1p-1000, 0x1p1000, 600
				}
				power := math.Ldexp(1, shift)
				plain := f.Let("plain", m.Gt(least).AndThen(m.Lt(most)))
				choose := func(inside, below, above float64) build.Val {
					return plain.Choose(c.number(inside), m.Lt(1.0).Choose(c.number(below), c.number(above)))
				}
				by := f.Let("by", choose(1, power, 1/power))
				more := choose(0, -float64(shift)*math.Ln2, float64(shift)*math.Ln2)
				set(log(build.Call(abs, build.Vec(z.Re.Mul(by), z.Im.Mul(by)))).Add(more))
			})
		} else {
			greatest := f.Let("greatest", partMax(z))
			f.IfElse(greatest.Sub(greatest).Eq(0.0), func() {
				x, y := f.Let("x", z.Re.To(ktree.Double)), f.Let("y", z.Im.To(ktree.Double))
				nearOne(Num{x, y}, func(build.Val) { set(build.Float(ktree.Double, 0.5).Mul(log(x.Mul(x).Add(y.Mul(y))))) })
			}, func() { set(log(build.Call(abs, build.Vec(z.Re, z.Im)))) })
		}
		f.Result(build.Vec(v, angle))
	})
}

func (c *complexFuncs) sqrt() *ktree.Func {
	abs := c.abs()
	sign := func(x, y build.Val) build.Val { return build.Apply(ktree.Copysign, x, y) }
	return c.define("c_sqrt", c.pair(), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		zero := c.number(0)
		f.If(z.Re.Eq(0.0).AndThen(z.Im.Eq(0.0)), func() { f.Result(build.Vec(zero, z.Im)) })
		f.If(isInf(z.Im), func() { f.Result(build.Vec(absOf(z.Im), z.Im)) })
		f.If(isInf(z.Re), func() {
			up := z.Re.Gt(0.0)
			f.Result(build.Vec(up.Choose(z.Re, zero), up.Choose(sign(zero, z.Im), sign(z.Re, z.Im))))
		})
		m := f.Let("m", partMax(z))
		e := f.Var("e", zero)
		re, im := f.Var("re", z.Re), f.Var("im", z.Im)
		f.If(c.isPlain(m).Not(), func() {
			// An even exponent.
			f.Set(e, build.Apply(ktree.Floor, build.Apply(ktree.Ilogb, m).Mul(0.5)).Mul(2.0))
			s := scaled(z, e.Neg())
			f.Set(re, s.Re)
			f.Set(im, s.Im)
		})
		t := f.Var("t", build.Apply(ktree.Sqrt, absOf(re).Add(build.Call(abs, build.Vec(re, im))).Mul(0.5)))
		f.If(e.Ne(0.0), func() { f.Set(t, build.Apply(ktree.Scalbn, t, e.Mul(0.5))) })
		u := f.Let("u", z.Im.Div(t.Mul(2.0))) // of what scaling may have made 0
		right := f.Let("right", z.Re.Ge(0.0))
		f.Result(build.Vec(right.Choose(t, absOf(u)), right.Choose(u, sign(t, z.Im))))
	})
}

func (c *complexFuncs) rsqrt() *ktree.Func {
	sqrt, div := c.sqrt(), c.div()
	return c.define("c_rsqrt", c.pair(), nil, func(f *build.Kernel, args []Num) {
		z := args[0]
		f.Result(build.Call(div, build.Vec(c.number(1), c.number(0)), build.Call(sqrt, build.Vec(z.Re, z.Im))))
	})
}

// wide is a function that is computed in double, and rounded for floats.
func (c *complexFuncs) wide(name string, body func(d *complexFuncs, f *build.Kernel, z []Num), more ...string) *ktree.Func {
	if c.k.NoDouble {
		return c.define(name, c.pair(), more, func(f *build.Kernel, z []Num) { body(c, f, z) })
	}
	d := &complexFuncs{c.k, ktree.Double}
	inner := d.define(name, d.pair(), more, func(f *build.Kernel, z []Num) { body(d, f, z) })
	if c.kind == ktree.Double {
		return inner
	}
	return c.define(name, c.pair(), more, func(f *build.Kernel, z []Num) {
		args := lists.Map(z, func(a Num) build.Val { return build.Vec(a.Re.To(ktree.Double), a.Im.To(ktree.Double)) })
		v := f.Let("v", build.Call(inner, args...))
		f.Result(build.Vec(v.X().To(ktree.Float), v.Y().To(ktree.Float)))
	})
}

// roots is e^x as a product: the power may overflow, what it is times may be small.
type roots struct {
	first, second build.Val
	third         build.Val // 1 where those two do not overflow
}

func (r roots) times(a build.Val) build.Val { return a.Mul(r.first).Mul(r.second).Mul(r.third) }

func (r roots) half() roots { return roots{r.first.Div(2.0), r.second, r.third} }

// beyond is e^x for an x far above 0, by two roots that do not overflow, and what is left of it.
func (c *complexFuncs) beyond(f *build.Kernel, x build.Val) roots {
	most := 1416.0
	if c.kind == ktree.Float {
		most = 177
	}
	exp := func(name string, x build.Val) build.Val { return f.Let(name, build.Apply(ktree.Exp, x)) }
	least := f.Let("least", build.Min(x, c.number(most)))
	h := exp("h", least.Div(2.0))
	return roots{h, h, exp("rest", build.Min(x, c.number(most*1.25)).Sub(least))}
}

// besideOverflow gives the result for an imaginary part whose cosh overflows, or is near that, by half of
// e to its size: what that is times may be small.
func (d *complexFuncs) besideOverflow(f *build.Kernel, z Num, result func(half roots) Num) {
	huge := 700.0
	if d.kind == ktree.Float {
		huge = 80
	}
	m := absOf(z.Im)
	f.If(m.Gt(huge).AndThen(isInf(m).Not()), func() {
		r := result(d.beyond(f, m).half())
		f.Result(build.Vec(r.Re, r.Im))
	})
}

func (*complexFuncs) sinWide(d *complexFuncs, f *build.Kernel, z []Num) {
	x, y := z[0].Re, z[0].Im
	sin, cos := f.Let("sin", build.Apply(ktree.Sin, x)), f.Let("cos", build.Apply(ktree.Cos, x))
	d.besideOverflow(f, z[0], func(half roots) Num {
		return Num{half.times(sin), half.times(build.Apply(ktree.Copysign, d.number(1), y).Mul(cos))}
	})
	f.If(x.Eq(0.0), func() { f.Result(build.Vec(x, build.Apply(ktree.Sinh, y))) })
	f.Result(build.Vec(sin.Mul(build.Apply(ktree.Cosh, y)), cos.Mul(build.Apply(ktree.Sinh, y))))
}

func (*complexFuncs) cosWide(d *complexFuncs, f *build.Kernel, z []Num) {
	x, y := z[0].Re, z[0].Im
	sin, cos := f.Let("sin", build.Apply(ktree.Sin, x)), f.Let("cos", build.Apply(ktree.Cos, x))
	side := f.Let("side", build.Apply(ktree.Copysign, d.number(1), y).Neg())
	d.besideOverflow(f, z[0], func(half roots) Num {
		return Num{half.times(cos), half.times(side.Mul(sin))}
	})
	f.If(x.Eq(0.0), func() { f.Result(build.Vec(build.Apply(ktree.Cosh, y), x.Mul(side))) })
	f.Result(build.Vec(cos.Mul(build.Apply(ktree.Cosh, y)), sin.Neg().Mul(build.Apply(ktree.Sinh, y))))
}

// tanhWide is from W. Kahan, "Branch cuts for complex elementary functions"
// (1987).
func (*complexFuncs) tanhWide(d *complexFuncs, f *build.Kernel, zs []Num) {
	z := zs[0]
	f.If(absOf(z.Re).Gt(22.0), func() {
		e := f.Let("e", build.Apply(ktree.Exp, absOf(z.Re).Neg()))
		small := build.Apply(ktree.Sin, z.Im).Mul(build.Apply(ktree.Cos, z.Im)).Mul(4.0).Mul(e).Mul(e)
		odd := isInf(z.Re).OrElse(z.Im.Sub(z.Im).Ne(0.0))
		f.Result(build.Vec(build.Apply(ktree.Copysign, d.number(1), z.Re), odd.Choose(build.Apply(ktree.Copysign, d.number(0), z.Im), small)))
	})
	t := f.Let("t", build.Apply(ktree.Tan, z.Im))
	b := f.Let("b", d.number(1).Add(t.Mul(t)))
	s := f.Let("s", build.Apply(ktree.Sinh, z.Re))
	r := f.Let("r", build.Apply(ktree.Sqrt, d.number(1).Add(s.Mul(s))))
	by := f.Let("by", d.number(1).Add(b.Mul(s).Mul(s)))
	f.Result(build.Vec(b.Mul(r).Mul(s).Div(by), t.Div(by)))
}

func (c *complexFuncs) tan() *ktree.Func {
	tanh := c.wide("c_tanh", c.tanhWide)
	return c.define("c_tan", c.pair(), nil, func(f *build.Kernel, z []Num) {
		w := f.Let("w", build.Call(tanh, build.Vec(z[0].Im.Neg(), z[0].Re)))
		f.Result(build.Vec(w.Y(), w.X().Neg()))
	})
}

// sigmoidWide has its poles where 1 + e cos(y) and e sin(y) vanish, with
// e = exp(-|x|). The first is (1 - e) + 2 e cos(y/2)^2, which cancels nothing.
func (*complexFuncs) sigmoidWide(d *complexFuncs, f *build.Kernel, zs []Num) {
	z := zs[0]
	m := f.Let("m", absOf(z.Re).Neg())
	e, g := f.Let("e", build.Apply(ktree.Exp, m)), f.Let("g", build.Apply(ktree.Expm1, m))
	half := f.Let("half", z.Im.Div(2.0))
	s, c := f.Let("s", build.Apply(ktree.Sin, half)), f.Let("c", build.Apply(ktree.Cos, half))
	two := d.number(2)
	a := f.Let("a", two.Mul(e).Mul(c).Mul(c).Sub(g))
	b := f.Let("b", two.Mul(e).Mul(s).Mul(c))
	by := f.Let("by", a.Mul(a).Add(b.Mul(b)))
	f.Result(build.Vec(z.Re.Lt(0.0).Choose(e.Mul(two.Mul(c).Mul(c).Add(g)), a).Div(by), b.Div(by)))
}

func (*complexFuncs) powWide(d *complexFuncs, f *build.Kernel, zs []Num) {
	z, w := zs[0], zs[1]
	inf, zero := d.number(math.Inf(1)), d.number(0)
	isZero := func(z Num) build.Val { return z.Re.Eq(0.0).AndThen(z.Im.Eq(0.0)) }
	f.If(isZero(z), func() {
		f.If(isZero(w), func() { f.Result(build.Vec(d.number(1), zero)) })
		down := w.Re.Lt(0.0)
		f.Result(build.Vec(down.Choose(inf, zero), down.Choose(w.Im.Eq(0.0).Choose(zero, inf), zero)))
	})
	abs := d.abs()
	m := f.Let("m", build.Call(abs, build.Vec(z.Re, z.Im)))
	a := f.Let("a", build.Apply(ktree.Atan2, z.Im, z.Re))
	r := f.Var("r", build.Apply(ktree.Pow, m, w.Re))
	t := f.Var("t", w.Re.Mul(a))
	f.If(w.Im.Ne(0.0), func() {
		f.Set(r, r.Mul(build.Apply(ktree.Exp, w.Im.Neg().Mul(a))))
		f.Set(t, t.Add(w.Im.Mul(build.Apply(ktree.Log, m))))
	})
	f.Result(build.Vec(r.Mul(build.Apply(ktree.Cos, t)), r.Mul(build.Apply(ktree.Sin, t))))
}
