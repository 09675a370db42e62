package cpu

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/simd/chain"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

var chainOps = map[scalar.Op]arithmetic{
	scalar.Neg:        {arity: 1, op: chain.Neg},
	scalar.Abs:        {arity: 1, op: chain.Abs},
	scalar.Sqrt:       {arity: 1, op: chain.Sqrt},
	scalar.AbsSquared: {arity: 1, op: chain.Square},
	scalar.Floor:      {arity: 1, op: chain.Floor},
	scalar.Ceil:       {arity: 1, op: chain.Ceil},
	scalar.Round:      {arity: 1, op: chain.Round},
	scalar.Add:        {arity: 2, op: chain.Add, mirror: chain.Add},
	scalar.Sub:        {arity: 2, op: chain.Sub, mirror: chain.SubFrom},
	scalar.Mul:        {arity: 2, op: chain.Mul, mirror: chain.Mul},
	scalar.Div:        {arity: 2, op: chain.Div, mirror: chain.DivInto},
	scalar.Maximum:    {arity: 2, op: chain.Max, mirror: chain.Max},
	scalar.Minimum:    {arity: 2, op: chain.Min, mirror: chain.Min},
}

// arithmeticOf describes an operation on a register type.
func arithmeticOf(op scalar.Op, t elem.Type, scalarAt int, stream bool) arithmetic {
	a, ok := chainOps[op]
	if !ok || t != elem.Float32 && t != elem.Float64 {
		return arithmetic{}
	}
	a.typ, a.scalar, a.stream = t, scalarAt+1, stream
	return a
}

// fuse replaces runs of arithmetic steps by chains. kept are the places that
// are read after the steps.
func (c *code) fuse(d *Device, kept map[int]bool) {
	var fused []step
	for i := 0; i < len(c.steps); {
		n := c.runLength(i)
		if l := c.link(d, i, n, kept); l != nil {
			fused = append(fused, step{chain: l})
		} else {
			fused = append(fused, c.steps[i:i+n]...)
		}
		i += n
	}
	c.steps = fused
}

// runLength counts the steps from i that can be one chain, at least one.
func (c *code) runLength(i int) int {
	first := &c.steps[i]
	n := 1
	for ; i+n < len(c.steps); n++ {
		s := &c.steps[i+n]
		// A step takes at most three links.
		if first.typ == elem.Invalid || s.typ != first.typ || first.one || s.one || 3*(n+1) > mostLinks {
			break
		}
	}
	return n
}

// link makes a chain of n steps from i, or nil if it gains nothing.
func (c *code) link(d *Device, i, n int, kept map[int]bool) *links {
	l := &links{size: c.steps[i].typ.Size(), steps: c.steps[i : i+n : i+n]}
	switch c.steps[i].typ {
	case elem.Float32:
		m := chain.F32(d.level)
		l.group, l.run = m.Group, m.Run
	case elem.Float64:
		m := chain.F64(d.level)
		l.group, l.run = m.Group, m.Run
	}
	if n < 2 || l.group < 2 {
		return nil
	}
	put := func(op chain.Op, ptr int) { l.code = append(l.code, link{op, ptr}) }
	held := 0 // the place whose value the accumulator has
	take := func(ptr int) {
		if held != ptr {
			put(chain.Load, ptr)
		}
	}
	for k := i; k < i+n; k++ {
		s := &c.steps[k]
		switch {
		case s.arity == 1:
			take(s.a)
			put(s.op, 0)
		case s.scalar == 2:
			take(s.a)
			put(s.op+1, s.b)
		case s.scalar == 1:
			take(s.b)
			put(s.mirror+1, s.a)
		case held == s.b && s.a != s.b:
			put(s.mirror, s.a)
		default:
			take(s.a)
			put(s.op, s.b)
		}
		held = s.d
		if c.isReadBack(k, i+n, kept) {
			op := chain.Store
			if s.stream {
				op = chain.Stream
			}
			put(op, s.d)
		}
	}
	return l
}

// isReadBack reports whether the result of step k of a chain that ends before
// end is wanted from memory: the next step of the chain has it at hand.
func (c *code) isReadBack(k, end int, kept map[int]bool) bool {
	place := c.steps[k].d
	for m := k + 1; m < len(c.steps); m++ {
		s := &c.steps[m]
		reads := lists.Count([]int{s.a, s.b, s.c}, func(p int) bool { return p == place })
		if m == k+1 && m < end && reads > 0 {
			reads--
		}
		if reads > 0 {
			return true
		}
		if s.d == place {
			return false
		}
	}
	return kept[place]
}
