package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/ktree"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// ArgSlots lists the launch arguments that codes use, in order.
func ArgSlots(codes ...*ir.Code) []int {
	var slots []int
	for _, c := range codes {
		for _, in := range c.Instrs {
			switch {
			case in.Kind == ir.Const:
				slots = append(slots, in.Slot)
			case in.Kind == ir.Apply && in.Op == scalar.RandInt:
				slots = append(slots, in.Slot, in.Slot+1)
			case in.Kind == ir.Apply && in.Op.IsRandom():
				slots = append(slots, in.Slot)
			}
		}
	}
	slices.Sort(slots)
	return slices.Compact(slots)
}

// Needed lists the operands that the wanted values of a code load, each once,
// in order.
func Needed(c *ir.Code, wanted ...int) (slots []int) {
	needed := reached(c, wanted)
	for i, in := range c.Instrs {
		if needed[i] && in.Kind == ir.Load && !slices.Contains(slots, in.Slot) {
			slots = append(slots, in.Slot)
		}
	}
	slices.Sort(slots)
	return slots
}

// reached marks the instructions that the wanted ones depend on.
func reached(c *ir.Code, wanted []int) []bool {
	needed := make([]bool, len(c.Instrs))
	for _, w := range wanted {
		needed[w] = true
	}
	for i := len(c.Instrs) - 1; i >= 0; i-- {
		in := c.Instrs[i]
		if !needed[i] || in.Kind != ir.Apply {
			continue
		}
		for _, a := range []int{in.A, in.B, in.C}[:in.Op.Arity()] {
			needed[a] = true
		}
	}
	return needed
}

// pointCode is a code whose constants are made, ready to be computed at points.
type pointCode struct {
	e      *entry
	c      *ir.Code
	prefix string
	consts map[int]num
	needed []bool
	wanted []int
}

// leaves is what a code finds at a point. A code that has no such leaf needs no
// function for it.
type leaves struct {
	load  func(slot int) num       // the value of operand Slot
	index func(slot int) build.Val // the position of Slot, a Long
	acc   num                      // what was reduced
}

// code declares the arguments and constants of a code, of which some values are
// wanted. Names of values start with prefix.
func (e *entry) code(c *ir.Code, prefix string, wanted ...int) *pointCode {
	p := &pointCode{e: e, c: c, prefix: prefix, consts: map[int]num{}, needed: reached(c, wanted), wanted: wanted}
	for _, slot := range ArgSlots(c) {
		e.argument(slot)
	}
	for i, in := range c.Instrs {
		if p.needed[i] && in.Kind == ir.Const {
			p.consts[i] = let(e.Kernel, fmt.Sprintf("%s%d", prefix, i), constant(in.Type, e.argument(in.Slot)))
		}
	}
	return p
}

// at computes the wanted values at a point.
func (p *pointCode) at(l leaves) []num {
	values := make([]num, len(p.c.Instrs))
	for i, in := range p.c.Instrs {
		if !p.needed[i] {
			continue
		}
		var x num
		switch in.Kind {
		case ir.Load:
			x = l.load(in.Slot)
		case ir.Index:
			x = real(l.index(in.Slot))
		case ir.Acc:
			x = l.acc
		case ir.Const:
			values[i] = p.consts[i]
			continue
		case ir.Apply:
			x = p.apply(in, values)
		}
		values[i] = let(p.e.Kernel, fmt.Sprintf("%s%d", p.prefix, i), x)
	}
	out := make([]num, len(p.wanted))
	for i, w := range p.wanted {
		out[i] = values[w]
	}
	return out
}

// constant is a launch argument as type t.
func constant(t elem.Type, arg build.Val) num {
	re, im := arg.X().Bits(ktree.Double), arg.Y().Bits(ktree.Double)
	switch t {
	case elem.Bool:
		return real(arg.X().Ne(0))
	case elem.Float64:
		return real(re)
	case elem.Float32, elem.Float16, elem.BFloat16:
		return real(rounded(t, re.To(ktree.Float)))
	case elem.Complex64:
		return num{re.To(ktree.Float), im.To(ktree.Float)}
	case elem.Complex128:
		return num{re, im}
	}
	return real(arg.X().To(kindOf(t)))
}

// apply is an operation on values that are there.
func (p *pointCode) apply(in ir.Instr, values []num) num {
	var x [3]num
	for i, a := range []int{in.A, in.B, in.C}[:in.Op.Arity()] {
		x[i] = values[a]
	}
	t, k := p.c.Instrs[in.A].Type, p.e.Kernel
	switch {
	case in.Op == scalar.Copy:
		return x[0]
	case in.Op == scalar.Where && x[1].isComplex():
		return num{x[0].re.Choose(x[1].re, x[2].re), x[0].re.Choose(x[1].im, x[2].im)}
	case in.Op == scalar.Where:
		return real(x[0].re.Choose(x[1].re, x[2].re))
	case in.Op == scalar.Cast:
		return cast(in.Type, t, x[0])
	case in.Op == scalar.MakeComplex:
		return num{x[0].re, x[1].re}
	case in.Op.IsRandom():
		return p.draw(in, x[0].re)
	case in.Op.IsCompare():
		return real(compare(in.Op, x[0], x[1]))
	case t.IsComplex():
		return applyComplex(k, in.Op, x[0], x[1])
	case t.IsFloat():
		return real(applyFloat(k, in.Op, t, x[0].re, x[1].re))
	case t == elem.Bool:
		return real(applyBool(in.Op, x[0].re, x[1].re))
	}
	return real(applyInteger(k, in.Op, t, x[0].re, x[1].re))
}

func compare(op scalar.Op, x, y num) build.Val {
	if x.isComplex() {
		equal := x.re.Eq(y.re).AndThen(x.im.Eq(y.im))
		if op == scalar.NotEqual {
			return equal.Not()
		}
		return equal
	}
	switch op {
	case scalar.Equal:
		return x.re.Eq(y.re)
	case scalar.NotEqual:
		return x.re.Ne(y.re)
	case scalar.Less:
		return x.re.Lt(y.re)
	case scalar.LessEqual:
		return x.re.Le(y.re)
	case scalar.Greater:
		return x.re.Gt(y.re)
	}
	return x.re.Ge(y.re)
}

// cast is a value of type from as a value of type to.
func cast(to, from elem.Type, x num) num {
	switch {
	case to == from:
		return x
	case to == elem.Bool && from.IsComplex():
		return real(x.re.Ne(0.0).OrElse(x.im.Ne(0.0)))
	case to == elem.Bool:
		return real(x.re.To(ktree.Bool))
	case to.IsComplex() && from.IsComplex():
		return num{x.re.To(kindOf(to)), x.im.To(kindOf(to))}
	case to.IsComplex():
		return num{x.re.To(kindOf(to)), build.Float(kindOf(to), 0)}
	case from.IsComplex():
		return cast(to, from.Real(), real(x.re))
	case to.IsInteger(), to == elem.Float64:
		return real(x.re.To(kindOf(to)))
	}
	return real(rounded(to, x.re.To(ktree.Float)))
}
