package machine_test

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/nd/internal/kernc/ir"
)

func (t *thread) eval(e ir.Expr) (out num4) {
	n := e.T().Comps()
	k := e.T().Kind
	switch e := e.(type) {
	case *ir.Lit:
		out[0] = e.Val
		if e.Loose {
			out[0].F = ir.Round(k, e.Val.F)
		}
	case *ir.Ref:
		switch {
		case e.Var.Role == ir.Builtin:
			return t.grid(e.Var.Grid)
		case e.Var.Role == ir.Meta:
			out[0].I = int64(len(t.m.l.Inputs[e.Var.Index].Shape))
			return out
		case e.Var.Role == ir.Global:
			copy(out[:], e.Var.Values)
			return out
		}
		return t.read(t.spot(e))
	case *ir.Unary:
		x := t.eval(e.X)
		for i := range n {
			out[i] = ir.EvalUnary(e.Op, e.X.T().Kind, x[i])
		}
	case *ir.Binary:
		x, y := t.eval(e.X), t.eval(e.Y)
		for i := range n {
			out[i] = ir.EvalBinary(e.Op, e.X.T().Kind, x[i], y[i])
		}
	case *ir.Logic:
		x := t.eval(e.X)
		if (x[0].I != 0) == e.Or {
			return x
		}
		return t.eval(e.Y)
	case *ir.Cond:
		if t.eval(e.C)[0].I != 0 {
			return t.eval(e.X)
		}
		return t.eval(e.Y)
	case *ir.Convert:
		x := t.eval(e.X)
		for i := range n {
			out[i] = ir.ConvertNum(e.X.T().Kind, k, x[i])
		}
	case *ir.BitCast:
		x := t.eval(e.X)
		var b [8]byte
		for i := range n {
			putScalar(b[:], e.X.T().Kind, 0, x[i])
			out[i] = getScalar(b[:], k, 0)
		}
	case *ir.Make:
		at := 0
		for _, a := range e.Args {
			x := t.eval(a)
			at += copy(out[at:], x[:a.T().Comps()])
		}
		for ; at < n; at++ {
			out[at] = out[0]
		}
	case *ir.Swizzle:
		x := t.eval(e.X)
		for i, s := range e.Sel {
			out[i] = x[s]
		}
	case *ir.Pick:
		x, i := t.eval(e.X), t.eval(e.I)
		out[0] = x[min(uint64(i[0].I), uint64(e.X.T().Comps()-1))]
	case *ir.Index:
		return t.read(t.spot(e))
	case *ir.Assign:
		if e.L.T().Form == ir.Pointer {
			t.pointer(e)
			return out
		}
		x := t.eval(e.R)
		s := t.spot(e.L)
		if e.Old {
			out = t.read(s)
		}
		t.write(s, x)
		if !e.Old {
			out = x
		}
	case *ir.Seq:
		t.eval(e.X)
		return t.eval(e.Y)
	case *ir.Call:
		return t.call(e)
	case *ir.Apply:
		return t.apply(e)
	default:
		panic(fmt.Sprintf("naive: expression %T", e))
	}
	return out
}

func (t *thread) call(e *ir.Call) num4 {
	args := make([]num4, len(e.Args))
	for i, a := range e.Args {
		p := e.Fn.Params[i]
		switch {
		case p.Type.Form == ir.Pointer:
			t.pointers[p] = t.pointer(a)
		case p.Ref:
			t.refs[p] = t.spot(a)
		default:
			args[i] = t.eval(a)
		}
	}
	for i, p := range e.Fn.Params {
		t.vars[p.Index] = args[i]
	}
	t.list(e.Fn.Body)
	return t.result
}

func (t *thread) grid(g ir.Grid) (out num4) {
	vec := func(v [3]int) {
		for i := range 3 {
			out[i].I = int64(v[i])
		}
	}
	n := t.ext[0] * t.ext[1] * t.ext[2]
	switch g {
	case ir.ThreadPositionInGrid:
		vec(t.gid)
	case ir.ThreadgroupPositionInGrid:
		vec(t.group)
	case ir.ThreadPositionInThreadgroup:
		vec(t.tid)
	case ir.ThreadsPerThreadgroup:
		vec(t.ext)
	case ir.ThreadsPerGrid:
		vec(t.m.l.Grid)
	case ir.ThreadgroupsPerGrid:
		for i := range 3 {
			out[i].I = int64((t.m.l.Grid[i] + t.m.l.Group[i] - 1) / t.m.l.Group[i])
		}
	case ir.ThreadIndexInThreadgroup:
		out[0].I = int64(t.index)
	case ir.ThreadIndexInSimdgroup:
		out[0].I = int64(t.index % 32)
	case ir.SimdgroupIndexInThreadgroup:
		out[0].I = int64(t.index / 32)
	case ir.ThreadsPerSimdgroup:
		out[0].I = 32
	case ir.SimdgroupsPerThreadgroup:
		out[0].I = int64((n + 31) / 32)
	}
	return out
}

func (t *thread) apply(e *ir.Apply) (out num4) {
	if e.Fn.IsAtomic() {
		return t.atomic(e)
	}
	k := e.Args[0].T().Kind
	var a [3]num4
	for i, x := range e.Args {
		a[i] = t.eval(x)
	}
	if e.Fn.IsSimd() {
		for i := range e.Type.Comps() {
			t.operand = a[0][i]
			t.lane = int(a[1][0].I)
			t.wait(e)
			out[i] = t.operand
		}
		return out
	}
	w := e.Args[0].T().Comps()
	dot := func(x, y num4) float64 {
		total := ir.EvalBinary(ir.Mul, k, x[0], y[0])
		for i := 1; i < w; i++ {
			total = ir.EvalBinary(ir.Add, k, total, ir.EvalBinary(ir.Mul, k, x[i], y[i]))
		}
		return total.F
	}
	switch e.Fn {
	case ir.Dot:
		out[0].F = dot(a[0], a[1])
		return out
	case ir.Length:
		out[0].F = ir.Round(k, math.Sqrt(dot(a[0], a[0])))
		return out
	case ir.Any, ir.All:
		yes := 0
		for i := range w {
			yes += int(a[0][i].I)
		}
		out[0] = ir.BoolNum(e.Fn == ir.Any && yes > 0 || yes == w)
		return out
	case ir.Select:
		for i := range w {
			out[i] = a[0][i]
			if a[2][i].I != 0 {
				out[i] = a[1][i]
			}
		}
		return out
	}
	for i := range e.Type.Comps() {
		if k.IsFloat() {
			out[i] = naiveFloat(e.Fn, k, a[0][i].F, a[1][i].F, a[2][i].F)
		} else {
			out[i].I = naiveInt(e.Fn, k, a[0][i].I, a[1][i].I, a[2][i].I)
		}
	}
	return out
}

func naiveFloat(fn ir.Intrinsic, k ir.Kind, x, y, z float64) ir.Num {
	one := map[ir.Intrinsic]func(float64) float64{
		ir.Exp: math.Exp, ir.Exp2: math.Exp2, ir.Log: math.Log, ir.Log2: math.Log2, ir.Log10: math.Log10,
		ir.Sqrt: math.Sqrt, ir.Sin: math.Sin, ir.Cos: math.Cos, ir.Tan: math.Tan, ir.Asin: math.Asin, ir.Acos: math.Acos,
		ir.Atan: math.Atan, ir.Sinh: math.Sinh, ir.Cosh: math.Cosh, ir.Tanh: math.Tanh, ir.Floor: math.Floor,
		ir.Ceil: math.Ceil, ir.Trunc: math.Trunc, ir.Rint: math.RoundToEven, ir.RoundAway: math.Round,
		ir.Abs: math.Abs, ir.Fabs: math.Abs,
	}
	if f := one[fn]; f != nil {
		return ir.Num{F: ir.Round(k, f(x))}
	}
	v := 0.0
	switch fn {
	case ir.Exp10:
		v = math.Pow(10, x)
	case ir.Rsqrt:
		v = 1 / math.Sqrt(x)
	case ir.Fract:
		v = x - math.Floor(x)
	case ir.Sign:
		v = 0
		if x > 0 {
			v = 1
		} else if x < 0 {
			v = -1
		}
	case ir.Saturate:
		v = naiveFloat(ir.Clamp, k, x, 0, 1).F
	case ir.Pow:
		v = math.Pow(x, y)
	case ir.Atan2:
		v = math.Atan2(x, y)
	case ir.Fmod:
		v = math.Mod(x, y)
	case ir.Copysign:
		v = math.Copysign(x, y)
	case ir.Fmin, ir.Min:
		switch {
		case x != x:
			v = y
		case y < x:
			v = y
		default:
			v = x
		}
	case ir.Fmax, ir.Max:
		switch {
		case x != x:
			v = y
		case y > x:
			v = y
		default:
			v = x
		}
	case ir.Clamp:
		v = naiveFloat(ir.Min, k, naiveFloat(ir.Max, k, x, y, 0).F, z, 0).F
	case ir.Step:
		v = 1
		if y < x {
			v = 0
		}
	case ir.Fma:
		v = naiveFMA(k, x, y, z)
	case ir.Mix:
		v = x + (y-x)*z
	case ir.Smoothstep:
		s := math.Max(0, math.Min(1, (z-x)/(y-x)))
		v = s * s * (3 - 2*s)
	case ir.IsNaN:
		return ir.BoolNum(x != x)
	case ir.IsInf:
		return ir.BoolNum(math.IsInf(x, 0))
	case ir.IsFinite:
		return ir.BoolNum(!math.IsInf(x, 0) && x == x)
	default:
		panic("naive: " + fn.String())
	}
	return ir.Num{F: ir.Round(k, v)}
}

func naiveInt(fn ir.Intrinsic, k ir.Kind, a, b, c int64) int64 {
	less := func(x, y int64) bool { return ir.EvalBinary(ir.Lt, k, ir.Num{I: x}, ir.Num{I: y}).I != 0 }
	bit := func(v int64, i int) int64 { return v >> i & 1 }
	n := k.Bits()
	switch fn {
	case ir.Abs:
		if less(a, 0) {
			return ir.Wrap(k, -a)
		}
		return a
	case ir.Min:
		if less(b, a) {
			return b
		}
		return a
	case ir.Max:
		if less(a, b) {
			return b
		}
		return a
	case ir.Clamp:
		return naiveInt(ir.Min, k, naiveInt(ir.Max, k, a, b, 0), c, 0)
	case ir.Popcount:
		s := int64(0)
		for i := range n {
			s += bit(a, i)
		}
		return s
	case ir.Clz:
		for i := range n {
			if bit(a, n-1-i) != 0 {
				return int64(i)
			}
		}
		return int64(n)
	case ir.Ctz:
		for i := range n {
			if bit(a, i) != 0 {
				return int64(i)
			}
		}
		return int64(n)
	case ir.ReverseBits:
		r := int64(0)
		for i := range n {
			r |= bit(a, i) << (n - 1 - i)
		}
		return ir.Wrap(k, r)
	case ir.MulHi:
		return ir.MulHiInt(k, a, b)
	}
	panic("naive: " + fn.String())
}

func (t *thread) atomic(e *ir.Apply) (out num4) {
	p := t.pointer(e.Args[0])
	s := spot{v: p.v, mem: true, elem: p.off, comps: []int{0}}
	old := t.read(s)
	k := p.v.Type.Kind
	var v num4
	if len(e.Args) == 2 {
		v = t.eval(e.Args[1])
	}
	next := v[0]
	switch e.Fn {
	case ir.AtomicAdd:
		next = ir.EvalBinary(ir.Add, k, old[0], v[0])
	case ir.AtomicSub:
		next = ir.EvalBinary(ir.Sub, k, old[0], v[0])
	case ir.AtomicMin:
		next.I = naiveInt(ir.Min, k, old[0].I, v[0].I, 0)
	case ir.AtomicMax:
		next.I = naiveInt(ir.Max, k, old[0].I, v[0].I, 0)
	case ir.AtomicAnd:
		next = ir.EvalBinary(ir.And, k, old[0], v[0])
	case ir.AtomicOr:
		next = ir.EvalBinary(ir.Or, k, old[0], v[0])
	case ir.AtomicXor:
		next = ir.EvalBinary(ir.Xor, k, old[0], v[0])
	case ir.AtomicLoad:
		return old
	}
	t.write(s, num4{next})
	return old
}
