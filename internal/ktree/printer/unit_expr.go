package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// directFunctions are intrinsics that CUDA has as functions, by their name for
// double; for float they have an f behind it.
var directFunctions = map[ktree.Intrinsic]string{
	ktree.Exp: "exp", ktree.Exp2: "exp2", ktree.Exp10: "exp10", ktree.Log: "log", ktree.Log2: "log2", ktree.Log10: "log10",
	ktree.Sqrt: "sqrt", ktree.Sin: "sin", ktree.Cos: "cos", ktree.Tan: "tan", ktree.Asin: "asin", ktree.Acos: "acos",
	ktree.Atan: "atan", ktree.Sinh: "sinh", ktree.Cosh: "cosh", ktree.Tanh: "tanh", ktree.Floor: "floor", ktree.Ceil: "ceil",
	ktree.Trunc: "trunc", ktree.Rint: "rint", ktree.RoundAway: "round", ktree.Fabs: "fabs", ktree.Abs: "fabs", ktree.Pow: "pow",
	ktree.Atan2: "atan2", ktree.Fmod: "fmod", ktree.Fmin: "fmin", ktree.Fmax: "fmax", ktree.Min: "fmin", ktree.Max: "fmax",
	ktree.Copysign: "copysign", ktree.Fma: "fma", ktree.Log1p: "log1p", ktree.Expm1: "expm1", ktree.Erf: "erf", ktree.InvSqrt: "rsqrt",
}

// engineApply prints a built-in function of a scalar.
func (c *cuda) engineApply(e *ktree.Apply) string {
	if e.Fn == ktree.Fence {
		return "__threadfence()"
	}
	k := e.Args[0].T().Kind
	args := c.args(e.Args)
	call := func(name string) string { return name + "(" + strings.Join(args, ", ") + ")" }
	all := append([]string{"~0u"}, args...)
	across := func(name string) string { return name + "(" + strings.Join(all, ", ") + ")" }
	switch e.Fn {
	case ktree.Select:
		return fmt.Sprintf("(%s ? %s : %s)", args[2], args[1], args[0])
	case ktree.Now:
		return c.loadNow(e.Args[0])
	case ktree.Once:
		return fmt.Sprintf("%s(&%s)", c.part("load_once"), args[0])
	case ktree.SimdShuffleXor:
		return across("__shfl_xor_sync")
	case ktree.SimdShuffleUp:
		return across("__shfl_up_sync")
	case ktree.SimdShuffleDown:
		return across("__shfl_down_sync")
	case ktree.SimdShuffle, ktree.SimdBroadcast:
		return across("__shfl_sync")
	case ktree.SimdAny:
		return "(" + across("__any_sync") + " != 0)"
	case ktree.GroupSame:
		return args[0]
	case ktree.GroupAny:
		return "(__syncthreads_or(" + args[0] + ") != 0)"
	case ktree.SimdAll:
		return "(" + across("__all_sync") + " != 0)"
	case ktree.SimdTurn:
		c.part(pairParts[k])
		return call(c.part(e.Fn.String()))
	case ktree.Popcount:
		return call("__popc")
	case ktree.SimdMatch:
		return call(c.part(e.Fn.String()))
	case ktree.SimdMax, ktree.SimdMin:
		return call(c.part(e.Fn.String()))
	case ktree.AtomicAdd:
		return call("atomicAdd")
	case ktree.AtomicMin:
		return call("atomicMin")
	case ktree.AtomicMax:
		return call("atomicMax")
	case ktree.AtomicAnd:
		return call("atomicAnd")
	case ktree.AtomicOr:
		return call("atomicOr")
	case ktree.AtomicXor:
		return call("atomicXor")
	case ktree.AtomicExchange, ktree.AtomicStore:
		return call("atomicExch")
	}
	if isPair(e.Type) {
		switch e.Fn {
		case ktree.Fma, ktree.Min, ktree.Max:
			return call(c.pairPart(k, e.Fn.String()))
		}
	}
	if k.IsFloat() {
		return c.engineFloat(e, k, args)
	}
	switch {
	case e.Fn == ktree.Min:
		return call("min")
	case e.Fn == ktree.Max:
		return call("max")
	case e.Fn == ktree.MulHi:
		return call(map[ktree.Kind]string{ktree.Int: "__mulhi", ktree.Uint: "__umulhi", ktree.Long: "__mul64hi", ktree.Ulong: "__umul64hi"}[k])
	case e.Fn == ktree.Clz && k.Bits() == 32:
		return fmt.Sprintf("(%s)__clz((int)%s)", cudaKinds[k], c.expr(e.Args[0]))
	case e.Fn == ktree.Clz && k.Bits() == 64:
		return fmt.Sprintf("(%s)__clzll((tw::i64)%s)", cudaKinds[k], c.expr(e.Args[0]))
	}
	panic(fmt.Sprintf("printer: CUDA has no %s of %s", e.Fn, k))
}

// loadNow prints a load that stays where it is. A number in the index of words is a part of
// the instruction, as compilers do not look into it. Lines of 16384 complex64 lose by that on
// an H200: 1.15 times a copy instead of 1.07, with 102 registers instead of 127.
func (c *cuda) loadNow(e ktree.Expr) string {
	bytes := int64(0)
	halves := e.T().Kind.IsHalf()
	if ix, ok := e.(*ktree.Index); ok && halves {
		if sum, ok := ix.I.(*ktree.Binary); ok && sum.Op == ktree.Add {
			if by, ok := sum.Y.(*ktree.Lit); ok {
				first := *ix
				first.I = sum.X
				e, bytes = &first, by.Val.I*int64(e.T().Comps()*e.T().Kind.Bits()/8)
			}
		}
	}
	part := "load_now"
	if halves {
		part = pairParts[e.T().Kind]
	}
	c.part(part)
	return fmt.Sprintf("tw::load_now<%d>(&%s)", bytes, bare(c.expr(e)))
}

func (c *cuda) engineFloat(e *ktree.Apply, k ktree.Kind, args []string) string {
	suffix := ""
	if k == ktree.Float {
		suffix = "f"
	}
	switch e.Fn {
	case ktree.IsInf:
		return "isinf(" + args[0] + ")"
	case ktree.IsNaN:
		return "isnan(" + args[0] + ")"
	case ktree.IsFinite:
		return "isfinite(" + args[0] + ")"
	case ktree.RsqrtNear, ktree.RcpNear:
		return c.part(e.Fn.String()) + "(" + args[0] + ")"
	case ktree.Ilogb:
		return fmt.Sprintf("(%s)ilogb%s(%s)", cudaKinds[k], suffix, args[0])
	case ktree.Scalbn:
		return fmt.Sprintf("scalbn%s(%s, (int)%s)", suffix, args[0], c.expr(e.Args[1]))
	}
	name, ok := directFunctions[e.Fn]
	if !ok || k.IsHalf() {
		panic(fmt.Sprintf("printer: CUDA has no %s of %s", e.Fn, k))
	}
	return name + suffix + "(" + strings.Join(args, ", ") + ")"
}

var halfParts = map[ktree.Kind]struct{ widen, narrow string }{
	ktree.Half: {"widen_f16", "narrow_f16"}, ktree.Bfloat: {"widen_bf16", "narrow_bf16"},
}

var toParts = map[ktree.Kind]string{
	ktree.Uchar: "to_u8", ktree.Char: "to_i8", ktree.Short: "to_i16", ktree.Int: "to_i32", ktree.Uint: "to_u32", ktree.Long: "to_i64", ktree.Ulong: "to_u64",
}

// engineConvert prints a conversion of a scalar.
func (c *cuda) engineConvert(from, to ktree.Kind, x string) string {
	switch {
	case from.IsHalf():
		return c.engineConvert(ktree.Float, to, fmt.Sprintf("%s(%s)", c.part(halfParts[from].widen), bare(x)))
	case to.IsHalf():
		return fmt.Sprintf("%s(%s)", c.part(halfParts[to].narrow), bare(c.engineConvert(from, ktree.Float, x)))
	case from == to:
		return x
	case to == ktree.Bool:
		return fmt.Sprintf("(%s != 0)", x)
	case from.IsFloat() && to.IsInt():
		return fmt.Sprintf("%s(%s)", c.part(toParts[to]), bare(x))
	}
	return fmt.Sprintf("(%s)%s", cudaKinds[to], x)
}

// engineBits prints a reinterpretation of a scalar.
func (c *cuda) engineBits(from, to ktree.Kind, x string) string {
	cast := func(k ktree.Kind, x string) string { return fmt.Sprintf("(%s)%s", cudaKinds[k], x) }
	switch {
	case from == ktree.Float:
		x = fmt.Sprintf("__float_as_uint(%s)", bare(x))
		if to == ktree.Uint {
			return x
		}
	case from == ktree.Double:
		x = fmt.Sprintf("__double_as_longlong(%s)", bare(x))
		if to == ktree.Long {
			return x
		}
	case from.IsHalf():
		x += ".b"
	}
	switch {
	case to == ktree.Float:
		return fmt.Sprintf("__uint_as_float(%s)", bare(x))
	case to == ktree.Double:
		return fmt.Sprintf("__longlong_as_double((long long)%s)", x)
	case to.IsHalf():
		return fmt.Sprintf("%s{%s}", cudaKinds[to], bare(x))
	}
	return cast(to, x)
}

// gridNames are built-in positions in CUDA, along the one axis that kernels of
// the engine use.
var gridNames = map[ktree.Grid]string{
	ktree.ThreadPositionInThreadgroup: "threadIdx.x", ktree.ThreadgroupPositionInGrid: "blockIdx.x",
}

// move prints a copy of neighbours as one access of their bytes. Arrays of a
// thread are registers, which have no address: the compiler takes memcpy apart.
func (c *cuda) move(s *ktree.Move) {
	t := s.From.T()
	bytes := s.Count * t.Comps() * t.Kind.Bits() / 8
	raw, ok := map[int]string{2: "tw::u16", 4: "tw::u32", 8: "uint2", 16: "uint4"}[bytes]
	to, from := c.expr(s.To), c.expr(s.From)
	switch {
	case !ok:
		panic(fmt.Sprintf("printer: a move of %d bytes", bytes))
	case s.Async: // a source that is not there has to be an address all the same
		c.line("%s(&%s, &%s, %s);", c.part("copy_async"), to, from, bare(c.expr(s.Where)))
	case isPrivate(s.To) && isPrivate(s.From):
		c.line("memcpy(&%s, &%s, %d);", to, from, bytes)
	case isPrivate(s.To):
		c.line("{ const %s tw_raw = *(const %s*)&%s; memcpy(&%s, &tw_raw, %d); }", raw, raw, from, to, bytes)
	case isPrivate(s.From):
		if bytes == 8 { // one number cannot become two stores
			raw = "tw::u64"
		}
		c.line("{ %s tw_raw; memcpy(&tw_raw, &%s, %d); *(%s*)&%s = tw_raw; }", raw, from, bytes, raw, to)
	default:
		c.line("*(%s*)&%s = *(const %s*)&%s;", raw, to, raw, from)
	}
}

// isPrivate reports an element of an array of the thread.
func isPrivate(e ktree.Expr) bool {
	for {
		i, ok := e.(*ktree.Index)
		if !ok {
			return e.T().Form == ktree.Array && e.T().Space == ktree.Thread
		}
		e = i.X
	}
}
