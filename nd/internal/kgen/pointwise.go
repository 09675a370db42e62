package kgen

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// argSlots lists the launch arguments that codes use, in order.
func argSlots(codes ...*ir.Code) []int {
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
func Needed(c *ir.Code, wanted ...ir.ValueID) (slots []int) {
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
func reached(c *ir.Code, wanted []ir.ValueID) []bool {
	needed := make([]bool, len(c.Instrs))
	for _, w := range wanted {
		needed[w] = true
	}
	for i := len(c.Instrs) - 1; i >= 0; i-- {
		in := c.Instrs[i]
		if !needed[i] || in.Kind != ir.Apply {
			continue
		}
		for _, a := range []ir.ValueID{in.A, in.B, in.C}[:in.Op.Arity()] {
			needed[a] = true
		}
	}
	return needed
}

// Codes computes codes in a kernel.
type Codes struct {
	*build.Kernel
	Argument func(slot int) build.Val // a launch argument: two words
	// Near, if it is there, is a bool variable, of NewNear, that is made false where a
	// short way to a square root or a quotient of float32 does not give the nearest
	// number. The short ways have no branches.
	Near build.Val
	// Consts, if it is there, keeps constants, which are then made once, at the
	// kernel's start.
	Consts map[ConstKey]Num
	// Products, if it is there, has the factors of float32 values that are sums of products
	// and may be added up together with what is added to them.
	Products map[*ktree.Var][][2]build.Val
}

// fused is x + y where one of them is products that may be added up with the other.
func (k Codes) fused(x, y build.Val) (sum build.Val, ok bool) {
	for _, v := range [][2]build.Val{{x, y}, {y, x}} {
		if r, isRef := v[0].E.(*ktree.Ref); isRef {
			if f, ok := k.Products[r.Var]; ok {
				sum := v[1]
				for _, p := range slices.Backward(f) {
					sum = build.Fma(p[0], p[1], sum)
				}
				return sum, true
			}
		}
	}
	return build.Val{}, false
}

// ConstKey is a launch argument as a constant of a type.
type ConstKey struct {
	Slot int
	Type elem.Type
}

func (k Codes) constant(name string, t elem.Type, slot int) (n Num) {
	named := func() { n = Named(k.Kernel, name, Constant(t, k.Argument(slot))) }
	if k.Consts == nil {
		named()
		return n
	}
	key := ConstKey{slot, t}
	n, ok := k.Consts[key]
	if !ok {
		k.AtStart(named)
		k.Consts[key] = n
	}
	return n
}

// pointCode is a code whose constants are made, ready to be computed at points.
type pointCode struct {
	Codes
	c      *ir.Code
	prefix string
	consts map[int]Num
	needed []bool
	wanted []ir.ValueID
}

// Leaves is what a code finds at a point. A code that has no such leaf needs no
// function for it.
type Leaves struct {
	Load  func(slot int) Num       // the value of operand Slot
	Index func(slot int) build.Val // the position of Slot, a Long
	Acc   Num                      // what was reduced
}

// code declares the arguments and constants of a code, of which some values are
// wanted. Names of values start with prefix.
func (e *entry) code(c *ir.Code, prefix string, wanted ...ir.ValueID) *pointCode {
	for _, slot := range argSlots(c) {
		e.argument(slot)
	}
	return Codes{Kernel: e.Kernel, Argument: e.argument}.prepared(c, prefix, wanted...)
}

func (k Codes) prepared(c *ir.Code, prefix string, wanted ...ir.ValueID) *pointCode {
	p := &pointCode{Codes: k, c: c, prefix: prefix, consts: map[int]Num{}, needed: reached(c, wanted), wanted: wanted}
	for i, in := range c.Instrs {
		if p.needed[i] && in.Kind == ir.Const {
			p.consts[i] = k.constant(fmt.Sprintf("%s%d", prefix, i), in.Type, in.Slot)
		}
	}
	return p
}

// At computes the wanted values of a code at a point.
func (k Codes) At(c *ir.Code, prefix string, l Leaves, wanted ...ir.ValueID) []Num {
	return k.prepared(c, prefix, wanted...).at(l)
}

// at computes the wanted values at a point.
func (p *pointCode) at(l Leaves) []Num {
	values, sizes := make([]Num, len(p.c.Instrs)), make([]size, len(p.c.Instrs))
	for i, in := range p.c.Instrs {
		if !p.needed[i] {
			continue
		}
		var x Num
		switch in.Kind {
		case ir.Load:
			x = l.Load(in.Slot)
		case ir.Index:
			x = Real(l.Index(in.Slot))
		case ir.Acc:
			x = l.Acc
		case ir.Const:
			values[i] = p.consts[i]
			continue
		case ir.Apply:
			x = p.shortOrNot(i, values, sizes)
		}
		values[i] = Named(p.Kernel, fmt.Sprintf("%s%d", p.prefix, i), x)
	}
	return lists.Map(p.wanted, func(w ir.ValueID) Num { return values[w] })
}

// Constant is a launch argument as type t.
func Constant(t elem.Type, arg build.Val) Num {
	re, im := arg.X().Bits(ktree.Double), arg.Y().Bits(ktree.Double)
	switch t {
	case elem.Bool:
		return Real(arg.X().Ne(0))
	case elem.Float64:
		return Real(re)
	case elem.Float32, elem.Float16, elem.BFloat16:
		return Real(Rounded(t, re.To(ktree.Float)))
	case elem.Complex64:
		return Num{re.To(ktree.Float), im.To(ktree.Float)}
	case elem.Complex128:
		return Num{re, im}
	}
	return Real(arg.X().To(KindOf(t)))
}

// apply is an operation on values that are there.
func (p *pointCode) apply(in ir.Instr, values []Num) Num {
	var x [3]Num
	for i, a := range []ir.ValueID{in.A, in.B, in.C}[:in.Op.Arity()] {
		x[i] = values[a]
	}
	t, k := p.c.Instrs[in.A].Type, p.Kernel
	switch {
	case in.Op == scalar.Copy:
		return x[0]
	case in.Op == scalar.Where && x[1].IsComplex():
		return Num{x[0].Re.Choose(x[1].Re, x[2].Re), x[0].Re.Choose(x[1].Im, x[2].Im)}
	case in.Op == scalar.Where:
		return Real(x[0].Re.Choose(x[1].Re, x[2].Re))
	case in.Op == scalar.Cast:
		return cast(in.Type, t, x[0])
	case in.Op == scalar.MakeComplex:
		return Num{x[0].Re, x[1].Re}
	case in.Op.IsRandom():
		return p.draw(in, x[0].Re)
	case in.Op.IsCompare():
		return Real(compare(in.Op, x[0], x[1]))
	case t.IsComplex():
		return applyComplex(k, in.Op, x[0], x[1])
	case in.Op == scalar.Add && t == elem.Float32:
		if sum, ok := p.fused(x[0].Re, x[1].Re); ok {
			return Real(sum)
		}
		return Real(x[0].Re.Add(x[1].Re))
	case t.IsFloat():
		return Real(applyFloat(k, in.Op, t, x[0].Re, x[1].Re))
	case t == elem.Bool:
		return Real(applyBool(in.Op, x[0].Re, x[1].Re))
	}
	return Real(applyInteger(k, in.Op, t, x[0].Re, x[1].Re))
}

func compare(op scalar.Op, x, y Num) build.Val {
	if x.IsComplex() {
		equal := x.Re.Eq(y.Re).AndThen(x.Im.Eq(y.Im))
		if op == scalar.NotEqual {
			return equal.Not()
		}
		return equal
	}
	return comparisons[op](x.Re, y.Re)
}

var comparisons = map[scalar.Op]func(x build.Val, y any) build.Val{
	scalar.Equal: build.Val.Eq, scalar.NotEqual: build.Val.Ne, scalar.Less: build.Val.Lt,
	scalar.LessEqual: build.Val.Le, scalar.Greater: build.Val.Gt, scalar.GreaterEqual: build.Val.Ge,
}

// cast is a value of type from as a value of type to.
func cast(to, from elem.Type, x Num) Num {
	switch {
	case to == from:
		return x
	case to == elem.Bool && from.IsComplex():
		return Real(x.Re.Ne(0.0).OrElse(x.Im.Ne(0.0)))
	case to == elem.Bool:
		return Real(x.Re.To(ktree.Bool))
	case to.IsComplex() && from.IsComplex():
		return Num{x.Re.To(KindOf(to)), x.Im.To(KindOf(to))}
	case to.IsComplex():
		return Num{x.Re.To(KindOf(to)), build.Float(KindOf(to), 0)}
	case from.IsComplex():
		return cast(to, from.Real(), Real(x.Re))
	case to.IsInteger(), to == elem.Float64:
		return Real(x.Re.To(KindOf(to)))
	}
	return Real(Rounded(to, x.Re.To(ktree.Float)))
}
