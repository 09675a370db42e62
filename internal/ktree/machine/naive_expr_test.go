package machine_test

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

func (t *thread) eval(e ktree.Expr) (out num4) {
	n := e.T().Comps()
	k := e.T().Kind
	switch e := e.(type) {
	case *ktree.Lit:
		out[0] = e.Val
		if e.Loose {
			out[0].F = ktree.Round(k, e.Val.F)
		}
	case *ktree.Ref:
		switch {
		case e.Var.Role == ktree.Builtin:
			return t.grid(e.Var.Grid)
		case e.Var.Role == ktree.Meta:
			out[0].I = int64(len(t.m.l.Inputs[e.Var.Index].Shape))
			return out
		case e.Var.Role == ktree.Global:
			copy(out[:], e.Var.Values)
			return out
		}
		return t.read(t.spot(e))
	case *ktree.Unary:
		x := t.eval(e.X)
		for i := range n {
			out[i] = ktree.EvalUnary(e.Op, e.X.T().Kind, x[i])
		}
	case *ktree.Binary:
		x, y := t.eval(e.X), t.eval(e.Y)
		for i := range n {
			out[i] = ktree.EvalBinary(e.Op, e.X.T().Kind, x[i], y[i])
		}
	case *ktree.Logic:
		x := t.eval(e.X)
		if (x[0].I != 0) == e.Or {
			return x
		}
		return t.eval(e.Y)
	case *ktree.Cond:
		if t.eval(e.C)[0].I != 0 {
			return t.eval(e.X)
		}
		return t.eval(e.Y)
	case *ktree.Convert:
		x := t.eval(e.X)
		for i := range n {
			out[i] = ktree.ConvertNum(e.X.T().Kind, k, x[i])
		}
	case *ktree.BitCast:
		x := t.eval(e.X)
		var b [8]byte
		for i := range n {
			putScalar(b[:], e.X.T().Kind, 0, x[i])
			out[i] = getScalar(b[:], k, 0)
		}
	case *ktree.Make:
		at := 0
		for _, a := range e.Args {
			x := t.eval(a)
			at += copy(out[at:], x[:a.T().Comps()])
		}
		for ; at < n; at++ {
			out[at] = out[0]
		}
	case *ktree.Swizzle:
		x := t.eval(e.X)
		for i, s := range e.Sel {
			out[i] = x[s]
		}
	case *ktree.Pick:
		x, i := t.eval(e.X), t.eval(e.I)
		out[0] = x[min(uint64(i[0].I), uint64(e.X.T().Comps()-1))]
	case *ktree.Index:
		return t.read(t.spot(e))
	case *ktree.Assign:
		if e.L.T().Form == ktree.Pointer {
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
	case *ktree.Seq:
		t.eval(e.X)
		return t.eval(e.Y)
	case *ktree.Call:
		return t.call(e)
	case *ktree.Apply:
		return t.apply(e)
	default:
		panic(fmt.Sprintf("naive: expression %T", e))
	}
	return out
}

func (t *thread) call(e *ktree.Call) num4 {
	args := make([]num4, len(e.Args))
	for i, a := range e.Args {
		p := e.Fn.Params[i]
		switch {
		case p.Type.Form == ktree.Pointer:
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

func (t *thread) grid(g ktree.Grid) (out num4) {
	vec := func(v [3]int) {
		for i := range 3 {
			out[i].I = int64(v[i])
		}
	}
	n := t.ext[0] * t.ext[1] * t.ext[2]
	switch g {
	case ktree.ThreadPositionInGrid:
		vec(t.gid)
	case ktree.ThreadgroupPositionInGrid:
		vec(t.group)
	case ktree.ThreadPositionInThreadgroup:
		vec(t.tid)
	case ktree.ThreadsPerThreadgroup:
		vec(t.ext)
	case ktree.ThreadsPerGrid:
		vec(t.m.l.Grid)
	case ktree.ThreadgroupsPerGrid:
		for i := range 3 {
			out[i].I = int64((t.m.l.Grid[i] + t.m.l.Group[i] - 1) / t.m.l.Group[i])
		}
	case ktree.ThreadIndexInThreadgroup:
		out[0].I = int64(t.index)
	case ktree.ThreadIndexInSimdgroup:
		out[0].I = int64(t.index % 32)
	case ktree.SimdgroupIndexInThreadgroup:
		out[0].I = int64(t.index / 32)
	case ktree.ThreadsPerSimdgroup:
		out[0].I = 32
	case ktree.SimdgroupsPerThreadgroup:
		out[0].I = int64((n + 31) / 32)
	}
	return out
}

func (t *thread) apply(e *ktree.Apply) (out num4) {
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
		total := ktree.EvalBinary(ktree.Mul, k, x[0], y[0])
		for i := 1; i < w; i++ {
			total = ktree.EvalBinary(ktree.Add, k, total, ktree.EvalBinary(ktree.Mul, k, x[i], y[i]))
		}
		return total.F
	}
	switch e.Fn {
	case ktree.Dot:
		out[0].F = dot(a[0], a[1])
		return out
	case ktree.Length:
		out[0].F = ktree.Round(k, math.Sqrt(dot(a[0], a[0])))
		return out
	case ktree.Any, ktree.All:
		yes := 0
		for i := range w {
			yes += int(a[0][i].I)
		}
		out[0] = ktree.BoolNum(e.Fn == ktree.Any && yes > 0 || yes == w)
		return out
	case ktree.Select:
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

func naiveFloat(fn ktree.Intrinsic, k ktree.Kind, x, y, z float64) ktree.Num {
	one := map[ktree.Intrinsic]func(float64) float64{
		ktree.Exp: math.Exp, ktree.Exp2: math.Exp2, ktree.Log: math.Log, ktree.Log2: math.Log2, ktree.Log10: math.Log10,
		ktree.Sqrt: math.Sqrt, ktree.Sin: math.Sin, ktree.Cos: math.Cos, ktree.Tan: math.Tan, ktree.Asin: math.Asin, ktree.Acos: math.Acos,
		ktree.Atan: math.Atan, ktree.Sinh: math.Sinh, ktree.Cosh: math.Cosh, ktree.Tanh: math.Tanh, ktree.Floor: math.Floor,
		ktree.Ceil: math.Ceil, ktree.Trunc: math.Trunc, ktree.Rint: math.RoundToEven, ktree.RoundAway: math.Round,
		ktree.Abs: math.Abs, ktree.Fabs: math.Abs,
	}
	if f := one[fn]; f != nil {
		return ktree.Num{F: ktree.Round(k, f(x))}
	}
	v := 0.0
	switch fn {
	case ktree.Exp10:
		v = math.Pow(10, x)
	case ktree.Rsqrt:
		v = 1 / math.Sqrt(x)
	case ktree.Fract:
		v = x - math.Floor(x)
	case ktree.Sign:
		v = 0
		if x > 0 {
			v = 1
		} else if x < 0 {
			v = -1
		}
	case ktree.Saturate:
		v = naiveFloat(ktree.Clamp, k, x, 0, 1).F
	case ktree.Pow:
		v = math.Pow(x, y)
	case ktree.Atan2:
		v = math.Atan2(x, y)
	case ktree.Fmod:
		v = math.Mod(x, y)
	case ktree.Copysign:
		v = math.Copysign(x, y)
	case ktree.Fmin, ktree.Min:
		switch {
		case x != x:
			v = y
		case y < x:
			v = y
		default:
			v = x
		}
	case ktree.Fmax, ktree.Max:
		switch {
		case x != x:
			v = y
		case y > x:
			v = y
		default:
			v = x
		}
	case ktree.Clamp:
		v = naiveFloat(ktree.Min, k, naiveFloat(ktree.Max, k, x, y, 0).F, z, 0).F
	case ktree.Step:
		v = 1
		if y < x {
			v = 0
		}
	case ktree.Fma:
		v = naiveFMA(k, x, y, z)
	case ktree.Mix:
		v = x + (y-x)*z
	case ktree.Smoothstep:
		s := math.Max(0, math.Min(1, (z-x)/(y-x)))
		v = s * s * (3 - 2*s)
	case ktree.IsNaN:
		return ktree.BoolNum(x != x)
	case ktree.IsInf:
		return ktree.BoolNum(math.IsInf(x, 0))
	case ktree.IsFinite:
		return ktree.BoolNum(!math.IsInf(x, 0) && x == x)
	default:
		panic("naive: " + fn.String())
	}
	return ktree.Num{F: ktree.Round(k, v)}
}

func naiveInt(fn ktree.Intrinsic, k ktree.Kind, a, b, c int64) int64 {
	less := func(x, y int64) bool { return ktree.EvalBinary(ktree.Lt, k, ktree.Num{I: x}, ktree.Num{I: y}).I != 0 }
	bit := func(v int64, i int) int64 { return v >> i & 1 }
	n := k.Bits()
	switch fn {
	case ktree.Abs:
		if less(a, 0) {
			return ktree.Wrap(k, -a)
		}
		return a
	case ktree.Min:
		if less(b, a) {
			return b
		}
		return a
	case ktree.Max:
		if less(a, b) {
			return b
		}
		return a
	case ktree.Clamp:
		return naiveInt(ktree.Min, k, naiveInt(ktree.Max, k, a, b, 0), c, 0)
	case ktree.Popcount:
		s := int64(0)
		for i := range n {
			s += bit(a, i)
		}
		return s
	case ktree.Clz:
		for i := range n {
			if bit(a, n-1-i) != 0 {
				return int64(i)
			}
		}
		return int64(n)
	case ktree.Ctz:
		for i := range n {
			if bit(a, i) != 0 {
				return int64(i)
			}
		}
		return int64(n)
	case ktree.ReverseBits:
		r := int64(0)
		for i := range n {
			r |= bit(a, i) << (n - 1 - i)
		}
		return ktree.Wrap(k, r)
	case ktree.MulHi:
		return ktree.MulHiInt(k, a, b)
	}
	panic("naive: " + fn.String())
}

func (t *thread) atomic(e *ktree.Apply) (out num4) {
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
	case ktree.AtomicAdd:
		next = ktree.EvalBinary(ktree.Add, k, old[0], v[0])
	case ktree.AtomicSub:
		next = ktree.EvalBinary(ktree.Sub, k, old[0], v[0])
	case ktree.AtomicMin:
		next.I = naiveInt(ktree.Min, k, old[0].I, v[0].I, 0)
	case ktree.AtomicMax:
		next.I = naiveInt(ktree.Max, k, old[0].I, v[0].I, 0)
	case ktree.AtomicAnd:
		next = ktree.EvalBinary(ktree.And, k, old[0], v[0])
	case ktree.AtomicOr:
		next = ktree.EvalBinary(ktree.Or, k, old[0], v[0])
	case ktree.AtomicXor:
		next = ktree.EvalBinary(ktree.Xor, k, old[0], v[0])
	case ktree.AtomicLoad:
		return old
	}
	t.write(s, num4{next})
	return old
}
