package machine

import (
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// expr compiles an expression to whichever form it has.
func (c *compiler) expr(x flat.Expr) value {
	if flat.LevelOf(x) == flat.Group {
		return c.scalar(x)
	}
	switch x := x.(type) {
	case *flat.Use:
		v := c.vars[x.Var]
		v.owned = false
		return v
	case *flat.Grid:
		return c.grid(x)
	case *flat.Un:
		return c.unary(x)
	case *flat.Bin:
		if v, ok := c.affine(x); ok {
			return v
		}
		return c.binary(x)
	case *flat.Conv:
		return c.convert(x.To, c.expr(x.X))
	case *flat.Bits:
		return c.bits(x)
	case *flat.Math:
		return c.math(x)
	case *flat.Sel:
		return c.choose(x)
	case *flat.Load:
		return c.load(x)
	}
	panic("machine: unknown expression")
}

func (c *compiler) grid(x *flat.Grid) value {
	v := value{kind: ktree.Uint, mode: modeAffine}
	switch x.Grid {
	case ktree.ThreadPositionInGrid:
		v.base = coef{fn: func(f *frame) int64 { return int64(f.origin[x.Comp]) }}
		v.by[x.Comp] = coef{c: 1}
	case ktree.ThreadPositionInThreadgroup:
		v.by[x.Comp] = coef{c: 1}
	case ktree.ThreadIndexInThreadgroup:
		v.by[0] = coef{c: 1}
		v.by[1] = coef{fn: func(f *frame) int64 { return int64(f.ext[0]) }}
		v.by[2] = coef{fn: func(f *frame) int64 { return int64(f.ext[0] * f.ext[1]) }}
	case ktree.ThreadIndexInSimdgroup:
		d := c.newReg(ktree.Uint)
		c.emit(func(f *frame) { copy(f.i32[d.reg], f.lane) })
		return d
	default:
		d := c.newReg(ktree.Uint)
		c.emit(func(f *frame) { copy(f.i32[d.reg], f.simd) })
		return d
	}
	return v
}

// affine tries to keep sums and multiples of positions as coefficients.
func (c *compiler) affine(x *flat.Bin) (value, bool) {
	if !is32(x.In) || x.Op > ktree.Mul && x.Op != ktree.Shl || !c.canAffine(x.X) || !c.canAffine(x.Y) {
		return value{}, false
	}
	if x.Op == ktree.Mul && flat.LevelOf(x.X) != flat.Group && flat.LevelOf(x.Y) != flat.Group {
		return value{}, false
	}
	if x.Op == ktree.Shl && flat.LevelOf(x.Y) != flat.Group {
		return value{}, false
	}
	a, b := c.expr(x.X), c.expr(x.Y)
	out := value{kind: x.In, mode: modeAffine}
	switch x.Op {
	case ktree.Add, ktree.Sub:
		p, q := asAffine(a), asAffine(b)
		if x.Op == ktree.Sub {
			q.base = negCoef(q.base)
			for i := range q.by {
				q.by[i] = negCoef(q.by[i])
			}
		}
		out.base = addCoef(p.base, q.base)
		for i := range out.by {
			out.by[i] = addCoef(p.by[i], q.by[i])
		}
		return out, true
	case ktree.Shl:
		n := b.i
		b = value{kind: x.In, i: func(f *frame) int64 { return 1 << (uint64(n(f)) & 31) }}
	}
	if a.mode == modeScalar {
		a, b = b, a
	}
	m := scalarCoef(b)
	out.base = mulCoef(a.base, m)
	for i := range out.by {
		out.by[i] = mulCoef(a.by[i], m)
	}
	return out, true
}

// canAffine predicts that expr will give a scalar or an affine value.
func (c *compiler) canAffine(x flat.Expr) bool {
	if !is32(x.K()) {
		return false
	}
	if flat.LevelOf(x) == flat.Group {
		return true
	}
	switch x := x.(type) {
	case *flat.Use:
		return c.vars[x.Var].mode == modeAffine
	case *flat.Grid:
		return x.Grid != ktree.ThreadIndexInSimdgroup && x.Grid != ktree.SimdgroupIndexInThreadgroup
	case *flat.Conv:
		return c.canAffine(x.X)
	case *flat.Bin:
		group := func(e flat.Expr) bool { return flat.LevelOf(e) == flat.Group }
		switch x.Op {
		case ktree.Add, ktree.Sub:
			return c.canAffine(x.X) && c.canAffine(x.Y)
		case ktree.Mul:
			return c.canAffine(x.X) && c.canAffine(x.Y) && (group(x.X) || group(x.Y))
		case ktree.Shl:
			return c.canAffine(x.X) && c.canAffine(x.Y) && group(x.Y)
		}
	}
	return false
}

func (c *compiler) unary(x *flat.Un) value {
	if x.Op == ktree.Neg && is32(x.Kind) && c.canAffine(x.X) {
		a := c.expr(x.X)
		a.base = negCoef(a.base)
		for i := range a.by {
			a.by[i] = negCoef(a.by[i])
		}
		a.kind = x.Kind
		return a
	}
	a := c.lanes(c.expr(x.X))
	d := c.newReg(x.Kind)
	switch classOf(x.Kind) {
	case classF32:
		c.emit(func(f *frame) { c.k.F32.Neg(f.f32[d.reg], f.f32[a.reg], false) })
	case classF64:
		c.emit(func(f *frame) { c.k.F64.Neg(f.f64[d.reg], f.f64[a.reg], false) })
	case classI32:
		c.emit(func(f *frame) {
			intUnary(x.Op, f.i32[d.reg], f.i32[a.reg])
			narrow(x.Kind, f.i32[d.reg])
		})
	case classI64:
		c.emit(func(f *frame) { intUnary(x.Op, f.i64[d.reg], f.i64[a.reg]) })
	default:
		c.emit(func(f *frame) {
			dst := f.b[d.reg]
			for i, v := range f.b[a.reg][:len(dst)] {
				dst[i] = !v
			}
		})
	}
	c.release(a)
	return d
}

func intUnary[T integer](op ktree.Op, dst, x []T) {
	x = x[:len(dst)]
	if op == ktree.Neg {
		for i := range dst {
			dst[i] = -x[i]
		}
		return
	}
	for i := range dst {
		dst[i] = ^x[i]
	}
}

func (c *compiler) binary(x *flat.Bin) value {
	a, b := c.expr(x.X), c.expr(x.Y)
	var d value
	switch classOf(x.In) {
	case classF32:
		d = binaryFloat(c, x, a, b, &c.k.F32, func(f *frame) [][]float32 { return f.f32 })
		c.round(x.K(), d)
	case classF64:
		d = binaryFloat(c, x, a, b, &c.k.F64, func(f *frame) [][]float64 { return f.f64 })
	case classBool:
		a, b = c.lanes(a), c.lanes(b)
		d = c.newReg(ktree.Bool)
		c.emit(func(f *frame) { boolBinary(x.Op, f.b[d.reg], f.b[a.reg], f.b[b.reg]) })
	case classI64:
		a, b = c.lanes(a), c.lanes(b)
		d = c.newReg(x.K())
		c.emit(func(f *frame) {
			switch {
			case x.Op.IsCompare() && x.In == ktree.Ulong:
				compareLanes(x.Op, f.b[d.reg], u64(f.i64[a.reg]), u64(f.i64[b.reg]))
			case x.Op.IsCompare():
				compareLanes(x.Op, f.b[d.reg], f.i64[a.reg], f.i64[b.reg])
			case x.In == ktree.Ulong:
				intBinary(x.Op, u64(f.i64[d.reg]), u64(f.i64[a.reg]), u64(f.i64[b.reg]))
			default:
				intBinary(x.Op, f.i64[d.reg], f.i64[a.reg], f.i64[b.reg])
			}
		})
	default:
		return c.binary32(x, a, b)
	}
	c.release(a, b)
	return d
}

// binary32 is the integer case, with a short way for a scalar on the right.
func (c *compiler) binary32(x *flat.Bin, a, b value) value {
	uns := x.In == ktree.Uint
	if b.mode == modeScalar && !x.Op.IsCompare() {
		a = c.lanes(a)
		d := c.newReg(x.In)
		c.emit(func(f *frame) {
			if uns {
				intScalar(x.Op, u32(f.i32[d.reg]), u32(f.i32[a.reg]), uint32(b.i(f)))
			} else {
				intScalar(x.Op, f.i32[d.reg], f.i32[a.reg], int32(b.i(f)))
				narrow(x.In, f.i32[d.reg])
			}
		})
		c.release(a)
		return d
	}
	a, b = c.lanes(a), c.lanes(b)
	d := c.newReg(x.K())
	c.emit(func(f *frame) {
		switch {
		case x.Op.IsCompare() && uns:
			compareLanes(x.Op, f.b[d.reg], u32(f.i32[a.reg]), u32(f.i32[b.reg]))
		case x.Op.IsCompare():
			compareLanes(x.Op, f.b[d.reg], f.i32[a.reg], f.i32[b.reg])
		case uns:
			intBinary(x.Op, u32(f.i32[d.reg]), u32(f.i32[a.reg]), u32(f.i32[b.reg]))
		default:
			intBinary(x.Op, f.i32[d.reg], f.i32[a.reg], f.i32[b.reg])
			narrow(x.In, f.i32[d.reg])
		}
	})
	c.release(a, b)
	return d
}

func boolBinary(op ktree.Op, dst, x, y []bool) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		switch op {
		case ktree.And:
			dst[i] = x[i] && y[i]
		case ktree.Or:
			dst[i] = x[i] || y[i]
		case ktree.Xor, ktree.Ne:
			dst[i] = x[i] != y[i]
		case ktree.Eq:
			dst[i] = x[i] == y[i]
		case ktree.Lt:
			dst[i] = !x[i] && y[i]
		case ktree.Le:
			dst[i] = !x[i] || y[i]
		case ktree.Gt:
			dst[i] = x[i] && !y[i]
		case ktree.Ge:
			dst[i] = x[i] || !y[i]
		}
	}
}

// binaryFloat uses the vector kernels, with scalars left as scalars.
func binaryFloat[T vec.Float](c *compiler, x *flat.Bin, a, b value, r *vec.Real[T], regs func(*frame) [][]T) value {
	d := c.newReg(x.K())
	if x.Op.IsCompare() {
		op := [...]vec.Compare[T]{r.Equal, r.NotEqual, r.Less, r.LessEqual, r.Greater, r.GreaterEqual}[x.Op-ktree.Eq]
		switch {
		case b.mode == modeScalar:
			c.emit(func(f *frame) { op.VS(f.b[d.reg], regs(f)[a.reg], T(b.f(f)), false) })
		case a.mode == modeScalar:
			c.emit(func(f *frame) { op.SV(f.b[d.reg], T(a.f(f)), regs(f)[b.reg], false) })
		default:
			c.emit(func(f *frame) { op.VV(f.b[d.reg], regs(f)[a.reg], regs(f)[b.reg], false) })
		}
		return d
	}
	op := [...]vec.Binary[T]{r.Add, r.Sub, r.Mul, r.Div}[x.Op]
	switch {
	case b.mode == modeScalar:
		c.emit(func(f *frame) { op.VS(regs(f)[d.reg], regs(f)[a.reg], T(b.f(f)), false) })
	case a.mode == modeScalar:
		c.emit(func(f *frame) { op.SV(regs(f)[d.reg], T(a.f(f)), regs(f)[b.reg], false) })
	default:
		c.emit(func(f *frame) { op.VV(regs(f)[d.reg], regs(f)[a.reg], regs(f)[b.reg], false) })
	}
	return d
}

// round brings float32 lanes to the precision of a half kind.
func (c *compiler) round(k ktree.Kind, v value) {
	switch k {
	case ktree.Half:
		c.emit(func(f *frame) {
			c.k.Convert.F16FromF32(f.u16, f.f32[v.reg], false)
			c.k.Convert.F32FromF16(f.f32[v.reg], f.u16, false)
		})
	case ktree.Bfloat:
		c.emit(func(f *frame) {
			c.k.Convert.BF16FromF32(f.u16, f.f32[v.reg], false)
			c.k.Convert.F32FromBF16(f.f32[v.reg], f.u16, false)
		})
	}
}

// math compiles an intrinsic that works lane by lane.
func (c *compiler) math(x *flat.Math) value {
	args := make([]value, 3)
	for i, a := range x.Args {
		args[i] = c.lanes(c.expr(a))
	}
	for i := len(x.Args); i < 3; i++ {
		args[i] = args[0] // not looked at
	}
	d := c.newReg(x.K())
	switch classOf(x.Kind) {
	case classF32:
		if test := floatTest[float32](x.Fn); test != nil {
			c.emit(func(f *frame) { testLanes(f.b[d.reg], f.f32[args[0].reg], test) })
			break
		}
		op := floatOp(&c.k.F32, x.Fn)
		c.emit(func(f *frame) {
			op(f.f32[d.reg], f.f32[args[0].reg], f.f32[args[1].reg], f.f32[args[2].reg])
		})
		c.round(x.Kind, d)
	case classF64:
		if test := floatTest[float64](x.Fn); test != nil {
			c.emit(func(f *frame) { testLanes(f.b[d.reg], f.f64[args[0].reg], test) })
			break
		}
		op := floatOp(&c.k.F64, x.Fn)
		c.emit(func(f *frame) {
			op(f.f64[d.reg], f.f64[args[0].reg], f.f64[args[1].reg], f.f64[args[2].reg])
		})
	case classI64:
		c.emit(func(f *frame) {
			dst, p, q, r := f.i64[d.reg], f.i64[args[0].reg], f.i64[args[1].reg], f.i64[args[2].reg]
			for i := range dst {
				dst[i] = intMath(x.Fn, x.Kind, p[i], q[i], r[i])
			}
		})
	default:
		if op := smallMath(x.Fn, x.Kind); op != nil {
			c.emit(func(f *frame) { op(f.i32[d.reg], f.i32[args[0].reg], f.i32[args[1].reg], f.i32[args[2].reg]) })
			break
		}
		c.emit(func(f *frame) {
			dst, p, q, r := f.i32[d.reg], f.i32[args[0].reg], f.i32[args[1].reg], f.i32[args[2].reg]
			for i := range dst {
				dst[i] = int32(intMath(x.Fn, x.Kind, ktree.Wrap(x.Kind, int64(p[i])), ktree.Wrap(x.Kind, int64(q[i])), ktree.Wrap(x.Kind, int64(r[i]))))
			}
		})
	}
	c.release(args[:len(x.Args)]...)
	return d
}

func testLanes[T any](dst []bool, x []T, test func(T) bool) {
	for i, v := range x[:len(dst)] {
		dst[i] = test(v)
	}
}

// choose is c ? x : y over lanes.
func (c *compiler) choose(x *flat.Sel) value {
	cond := c.lanes(c.expr(x.C))
	a, b := c.lanes(c.expr(x.X)), c.lanes(c.expr(x.Y))
	d := c.newReg(x.K())
	switch classOf(x.K()) {
	case classF32:
		c.emit(func(f *frame) {
			c.k.F32.Where.VV(f.f32[d.reg], f.b[cond.reg], f.f32[a.reg], f.f32[b.reg], false)
		})
	case classF64:
		c.emit(func(f *frame) {
			c.k.F64.Where.VV(f.f64[d.reg], f.b[cond.reg], f.f64[a.reg], f.f64[b.reg], false)
		})
	case classI32:
		c.emit(func(f *frame) {
			c.k.F32.Where.VV(asFloats(f.i32[d.reg]), f.b[cond.reg], asFloats(f.i32[a.reg]), asFloats(f.i32[b.reg]), false)
		})
	case classI64:
		c.emit(func(f *frame) { where(f.i64[d.reg], f.b[cond.reg], f.i64[a.reg], f.i64[b.reg]) })
	default:
		c.emit(func(f *frame) { where(f.b[d.reg], f.b[cond.reg], f.b[a.reg], f.b[b.reg]) })
	}
	c.release(cond, a, b)
	return d
}

func where[T any](dst []T, c []bool, x, y []T) {
	c, x, y = c[:len(dst)], x[:len(dst)], y[:len(dst)]
	for i := range dst {
		if c[i] {
			dst[i] = x[i]
		} else {
			dst[i] = y[i]
		}
	}
}
