package kgen

import (
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Shown is a bool value of a code where an operand is looked at, or where it is not.
type Shown struct {
	By  ir.ValueID
	Not bool
}

// ShownBy has, by operand, what tells where the wanted values of a code depend on it: masks of positions, which show the
// same to most neighbours. Operands that are looked at everywhere, or by several masks, are not in it, nor are those that
// tell what a mask shows.
func ShownBy(c *ir.Code, wanted ...ir.ValueID) map[int]Shown {
	everywhere := Shown{By: -1}
	looks := make([]*Shown, len(c.Instrs))
	look := func(v ir.ValueID, s Shown) {
		if looks[v] != nil && *looks[v] != s {
			s = everywhere
		}
		looks[v] = &s
	}
	for _, v := range wanted {
		look(v, everywhere)
	}
	shown := map[int]Shown{}
	for i := len(c.Instrs) - 1; i >= 0; i-- {
		in := c.Instrs[i]
		switch {
		case looks[i] == nil:
		case in.Kind == ir.Load && looks[i].By >= 0:
			shown[in.Slot] = *looks[i]
		case in.Op == scalar.Where && in.Bands && looks[i].By < 0:
			look(in.A, everywhere)
			look(in.B, Shown{By: in.A})
			look(in.C, Shown{By: in.A, Not: true})
		default:
			for _, a := range in.Args() {
				look(*a, *looks[i])
			}
		}
	}
	return shown
}

// Any reports that one of some neighbours is shown, by their conditions.
func (s Shown) Any(conditions []Num) build.Val {
	any := build.Bool(false)
	for i, c := range conditions {
		is := c.Re
		if s.Not {
			is = is.Not()
		}
		if any = any.OrElse(is); i == 0 {
			any = is
		}
	}
	return any
}
