package linepass

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// planar restates a code on complex numbers as one on their parts, operation by
// operation as the kernels of complex numbers compute: the bits are the same.
type planar struct {
	w      ir.Rewriter[ir.SlotID]
	values [][]ir.ValueID // by instruction: the one that computes it, or those of its parts
}

// newPlanar is nil if an operation has no such form. reads are the slots of the
// operands.
func newPlanar(c *ir.Code, s *planes, reads []ir.SlotID) *planar {
	p := &planar{}
	p.w.Positions = c.Positions
	first := make([]int, len(c.In)) // by operand: its first part
	for k, o := range c.In {
		first[k] = len(p.w.In)
		o = s.operand(reads[k], o)
		for _, home := range s.home[reads[k]] {
			o.Type = o.Type.Real()
			p.w.In, p.w.Sources = append(p.w.In, o), append(p.w.Sources, home)
		}
	}
	for _, i := range c.Instrs {
		switch {
		case i.Kind == ir.Load && i.Type.IsComplex():
			p.values = append(p.values, []ir.ValueID{p.load(i, first[i.Slot]), p.load(i, first[i.Slot]+1)})
		case i.Kind == ir.Load:
			p.values = append(p.values, []ir.ValueID{p.load(i, first[i.Slot])})
		case i.Kind != ir.Apply:
			if i.Type.IsComplex() {
				return nil
			}
			p.values = append(p.values, []ir.ValueID{p.w.Append(i)})
		default:
			v := p.apply(c, i)
			if v == nil {
				return nil
			}
			p.values = append(p.values, v)
		}
	}
	return p
}

func (p *planar) load(i ir.Instr, operand int) ir.ValueID {
	return p.w.Append(ir.Instr{Kind: ir.Load, Type: i.Type.Real(), Slot: operand})
}

// apply gives the parts of an operation's result.
func (p *planar) apply(c *ir.Code, i ir.Instr) []ir.ValueID {
	args := make([]ir.ValueID, 0, 3)
	for _, a := range i.Args() {
		args = append(args, *a)
	}
	if !i.Type.IsComplex() && !slices.ContainsFunc(args, func(a ir.ValueID) bool { return c.Instrs[a].Type.IsComplex() }) {
		for _, a := range i.Args() {
			*a = p.values[*a][0]
		}
		return []ir.ValueID{p.w.Append(i)}
	}
	t := i.Type.Real()
	op := func(op scalar.Op, args ...ir.ValueID) ir.ValueID {
		n := ir.Instr{Kind: ir.Apply, Op: op, Type: t, A: args[0]}
		if len(args) > 1 {
			n.B = args[1]
		}
		return p.w.Append(n)
	}
	x := p.values[args[0]]
	var y []ir.ValueID
	if len(args) > 1 {
		y = p.values[args[1]]
	}
	switch i.Op {
	case scalar.Real:
		return x[:1]
	case scalar.Imag:
		return x[1:]
	case scalar.MakeComplex:
		return []ir.ValueID{x[0], y[0]}
	case scalar.Copy:
		return x
	case scalar.Conj:
		return []ir.ValueID{x[0], op(scalar.Neg, x[1])}
	case scalar.Neg:
		return []ir.ValueID{op(scalar.Neg, x[0]), op(scalar.Neg, x[1])}
	case scalar.AbsSquared:
		return []ir.ValueID{op(scalar.Add, op(scalar.AbsSquared, x[0]), op(scalar.AbsSquared, x[1]))}
	case scalar.Add, scalar.Sub:
		return []ir.ValueID{op(i.Op, x[0], y[0]), op(i.Op, x[1], y[1])}
	case scalar.Mul:
		mul := func(a, b ir.ValueID) ir.ValueID { return op(scalar.Mul, a, b) }
		return []ir.ValueID{op(scalar.Sub, mul(x[0], y[0]), mul(x[1], y[1])), op(scalar.Add, mul(x[1], y[0]), mul(x[0], y[1]))}
	case scalar.Cast:
		switch from := c.Instrs[args[0]].Type; {
		case from == i.Type:
			return x
		case from.IsComplex() && from.Real() == i.Type:
			return x[:1]
		}
	}
	return nil
}
