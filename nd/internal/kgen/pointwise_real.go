package kgen

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// floatFunctions are operations that devices have as functions. CUDA's are good
// to 2 ulp, tanf and powf to 4.
var floatFunctions = map[scalar.Op]ktree.Intrinsic{
	scalar.Abs: ktree.Abs, scalar.Exp: ktree.Exp, scalar.Log: ktree.Log, scalar.Log1p: ktree.Log1p, scalar.Expm1: ktree.Expm1,
	scalar.Sqrt: ktree.Sqrt, scalar.Rsqrt: ktree.InvSqrt, scalar.Sin: ktree.Sin, scalar.Cos: ktree.Cos, scalar.Tan: ktree.Tan,
	scalar.Tanh: ktree.Tanh, scalar.Erf: ktree.Erf, scalar.Floor: ktree.Floor, scalar.Ceil: ktree.Ceil, scalar.Round: ktree.Rint,
	scalar.Rem: ktree.Fmod, scalar.Pow: ktree.Pow, scalar.Atan2: ktree.Atan2, scalar.IsInf: ktree.IsInf,
}

func applyFloat(k *build.Kernel, op scalar.Op, t elem.Type, x, y build.Val) build.Val {
	var v build.Val
	if fn, ok := floatFunctions[op]; ok {
		args := []build.Val{x, y}[:op.Arity()]
		v = build.Apply(fn, args...)
	} else {
		v = floatOperators[op](k, x, y)
	}
	switch op {
	case scalar.IsNaN, scalar.IsInf, scalar.Neg, scalar.Conj, scalar.Abs, scalar.Sign, scalar.Floor, scalar.Ceil, scalar.Round,
		scalar.Maximum, scalar.Minimum: // a half type holds these as they are
		return v
	}
	return Rounded(t, v)
}

// floatOperators are those that are a few operations.
var floatOperators = map[scalar.Op]func(k *build.Kernel, x, y build.Val) build.Val{
	scalar.Neg:        func(_ *build.Kernel, x, _ build.Val) build.Val { return x.Neg() },
	scalar.Conj:       func(_ *build.Kernel, x, _ build.Val) build.Val { return x },
	scalar.AbsSquared: func(_ *build.Kernel, x, _ build.Val) build.Val { return x.Mul(x) },
	scalar.IsNaN:      func(_ *build.Kernel, x, _ build.Val) build.Val { return x.Ne(x) },
	scalar.Add:        func(_ *build.Kernel, x, y build.Val) build.Val { return x.Add(y) },
	scalar.Sub:        func(_ *build.Kernel, x, y build.Val) build.Val { return x.Sub(y) },
	scalar.Mul:        func(_ *build.Kernel, x, y build.Val) build.Val { return x.Mul(y) },
	scalar.Div:        func(_ *build.Kernel, x, y build.Val) build.Val { return x.Div(y) },
	scalar.Maximum:    func(_ *build.Kernel, x, y build.Val) build.Val { return greater(x, y) },
	scalar.Minimum:    func(_ *build.Kernel, x, y build.Val) build.Val { return lesser(x, y) },
	scalar.Sign: func(_ *build.Kernel, x, _ build.Val) build.Val {
		return x.Gt(0.0).Choose(1.0, x.Lt(0.0).Choose(-1.0, x))
	},
	scalar.Sigmoid: func(k *build.Kernel, x, _ build.Val) build.Val {
		// exp of a negative number alone, so that nothing overflows inside.
		e := k.Let("e", build.Apply(ktree.Exp, build.Apply(ktree.Abs, x).Neg()))
		return x.Lt(0.0).Choose(e, 1.0).Div(e.Add(1.0))
	},
}

// greater and lesser are those of two numbers that have names; NaN wins.
func greater(x, y build.Val) build.Val { return extreme(x.Gt(y), x, y) }
func lesser(x, y build.Val) build.Val  { return extreme(x.Lt(y), x, y) }

func extreme(first, x, y build.Val) build.Val {
	if x.Kind().IsFloat() {
		first = first.OrElse(x.Ne(x))
	}
	return first.Choose(x, y)
}

func applyBool(op scalar.Op, x, y build.Val) build.Val {
	if f, ok := boolOperators[op]; ok {
		return f(x, y)
	}
	return build.Bool(false) // no bool is NaN or infinite
}

var boolOperators = map[scalar.Op]func(x, y build.Val) build.Val{
	scalar.Not: func(x, _ build.Val) build.Val { return x.Not() }, scalar.And: build.Val.AndThen, scalar.Or: build.Val.OrElse,
	scalar.Xor: func(x, y build.Val) build.Val { return x.Ne(y) },
}

// wrapping computes without a sign, where overflow is defined.
func wrapping(x, y build.Val, op func(x build.Val, y any) build.Val) build.Val {
	u := ktree.Uint
	if x.Kind() == ktree.Long {
		u = ktree.Ulong
	}
	return op(x.To(u), y.To(u)).To(x.Kind())
}

var wrappingOperators = map[scalar.Op]func(x build.Val, y any) build.Val{
	scalar.Add: build.Val.Add, scalar.Sub: build.Val.Sub, scalar.Mul: build.Val.Mul,
}

func applyInteger(k *build.Kernel, op scalar.Op, t elem.Type, x, y build.Val) build.Val {
	zero := build.Int(x.Kind(), 0)
	if f, ok := wrappingOperators[op]; ok {
		return wrapping(x, y, f)
	}
	switch op {
	case scalar.Neg:
		return wrapping(zero, x, build.Val.Sub)
	case scalar.AbsSquared:
		return wrapping(x, x, build.Val.Mul)
	case scalar.Floor, scalar.Ceil, scalar.Round:
		return x
	case scalar.IsNaN, scalar.IsInf:
		return build.Bool(false)
	case scalar.Maximum:
		return greater(x, y)
	case scalar.Minimum:
		return lesser(x, y)
	case scalar.Abs:
		if !t.IsSigned() {
			return x
		}
		// In 32 bits at least: ptxas 13.0 takes abs.s16 for positive when it is widened,
		// and that of -32768 is not.
		w := x
		if x.Kind().Bits() < 32 {
			w = x.To(ktree.Int)
		}
		return w.Lt(0).Choose(wrapping(build.Int(w.Kind(), 0), w, build.Val.Sub), w).To(x.Kind())
	case scalar.Sign:
		if !t.IsSigned() {
			return x.Ne(0).To(x.Kind())
		}
		return x.Gt(0).To(x.Kind()).Sub(x.Lt(0).To(x.Kind()))
	case scalar.Div:
		q := x.Div(y)
		if t.IsSigned() { // the least number has no opposite
			q = y.Eq(-1).Choose(wrapping(zero, x, build.Val.Sub), q)
		}
		return y.Eq(0).Choose(zero, q)
	case scalar.Rem:
		none := y.Eq(0)
		if t.IsSigned() {
			none = none.OrElse(y.Eq(-1))
		}
		return none.Choose(zero, x.Rem(y))
	case scalar.Pow:
		return build.Call(powerOf(k), x.To(ktree.Long), y.To(ktree.Long)).To(x.Kind())
	}
	panic(fmt.Sprintf("kgen: %s of integers", op))
}

// powerOf is x to the power y, modulo 2^64; of a negative power only 1 and -1
// have one.
func powerOf(k *build.Kernel) *ktree.Func {
	long := ktree.Scalar(ktree.Long)
	return k.Func("int_pow", long, []build.Param{{Name: "x", Type: long}, {Name: "y", Type: long}}, func(f *build.Kernel, args []build.Val) {
		x, y := args[0], args[1]
		f.If(y.Lt(0), func() {
			odd := y.And(1).Ne(0)
			f.Result(x.Eq(1).Choose(1, x.Eq(-1).Choose(odd.Choose(build.Int(ktree.Long, -1), 1), 0)))
		})
		p, q := f.Var("p", build.Int(ktree.Ulong, 1)), f.Var("q", x.To(ktree.Ulong))
		left := f.Var("left", y)
		f.While(left.Gt(0), 0, func() {
			f.If(left.And(1).Ne(0), func() { f.Set(p, p.Mul(q)) })
			f.Set(q, q.Mul(q))
			f.Set(left, left.Shr(1))
		}, nil)
		f.Result(p.To(ktree.Long))
	})
}
