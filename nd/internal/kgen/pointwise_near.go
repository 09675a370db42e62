package kgen

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// HasNear reports a code that Codes.Near makes a difference to.
func HasNear(c *ir.Code) bool {
	return slices.ContainsFunc(c.Instrs, func(in ir.Instr) bool { return in.Kind == ir.Apply && isNear(in) })
}

func isNear(in ir.Instr) bool {
	return in.Type == elem.Float32 && (in.Op == scalar.Sqrt || in.Op == scalar.Div)
}

// near is a root or a quotient by the ways that a compiler takes where no exponent
// is near its end, but which of those are taken is not decided by a branch for
// each. Zeros go the same way, because silence is full of them: twice the bits of a
// number, less those of the least that is not too small, wrap around to the
// greatest difference for a zero.
func (k Codes) near(op scalar.Op, x, y build.Val) build.Val {
	within := func(v build.Val, least, most int64) build.Val {
		return v.Bits(ktree.Uint).Mul(2).Sub(build.Int(ktree.Uint, least)).Le(build.Int(ktree.Uint, most))
	}
	good := func(conds ...build.Val) {
		all := k.Near
		for _, c := range conds {
			all = all.And(c)
		}
		k.Set(k.Near, all)
	}
	if op == scalar.Sqrt {
		good(within(x, 0x1a000000, 0xe6000000), x.Lt(build.Infinity(ktree.Float)))
		// It is raised so that its inverse root is a number, by what others do not
		// notice.
		r := k.Let("r", build.Apply(ktree.RsqrtNear, x.Add(0x1p-126)))
		root := k.Let("root", x.Mul(r))
		return build.Fma(build.Fma(root.Neg(), root, x), r.Mul(0.5), root)
	}
	// Both operands within 2^-60 and 2^60, or the first is zero: what is left of it
	// has lost its sign.
	good(within(x, 0x43000000, 0xbd000000), build.Apply(ktree.Abs, x).Le(0x1p60), within(y, 0x43000000, 0x78000000))
	r := k.Let("r", build.Apply(ktree.RcpNear, y))
	r = k.Let("r", build.Fma(r, build.Fma(y.Neg(), r, build.Float(ktree.Float, 1)), r))
	q := k.Let("q", x.Mul(r))
	return x.Eq(0.0).Choose(q, build.Fma(build.Fma(y.Neg(), q, x), r, q))
}
