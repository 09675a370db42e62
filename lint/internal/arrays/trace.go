package arrays

import (
	"go/ast"
	"go/types"
)

// Inputs lists the arrays that a call takes. all is false if there may be
// others that cannot be seen, such as those in a slice.
func (x *Index) Inputs(c *Call) (inputs []ast.Expr, all bool) {
	all = true
	var add func(e ast.Expr)
	add = func(e ast.Expr) {
		e = ast.Unparen(e)
		switch t := x.TypeOf(e); {
		case t == nil:
			all = false
		case IsType(t, "nd", "Array"):
			inputs = append(inputs, e)
		case mayHoldArray(t):
			if lit, ok := e.(*ast.CompositeLit); ok {
				for _, elt := range lit.Elts {
					if kv, ok := elt.(*ast.KeyValueExpr); ok {
						elt = kv.Value
					}
					add(elt)
				}
				return
			}
			all = false
		}
	}
	if r := c.Receiver(); r != nil {
		add(r)
	}
	for _, a := range c.Expr.Args {
		add(a)
	}
	return inputs, all
}

// mayHoldArray reports whether a value of type t could have arrays in it.
// Contexts, numbers, text and options do not.
func mayHoldArray(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return false
	case *types.Pointer:
		return !IsType(t, "nd", "Stream") && !IsType(t, "nd", "Device")
	case *types.Slice:
		return mayHoldArray(t.Elem())
	case *types.Array:
		return mayHoldArray(t.Elem())
	case *types.Named:
		if o := t.Obj(); o.Pkg() != nil && o.Pkg().Path() == "context" {
			return false
		}
		return mayHoldArray(t.Underlying())
	case *types.Struct:
		for f := range t.Fields() {
			if mayHoldArray(f.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// Behind visits the calls that e is computed by, nearest first, each once. It
// goes on behind a call for which visit gives true. closed is false if
// something was met that cannot be looked behind: a parameter, a field, a
// call of other code.
func (x *Index) Behind(e ast.Expr, visit func(*Call) bool) (closed bool) {
	seen := map[*Call]bool{}
	closed = true
	var walk func(e ast.Expr)
	walk = func(e ast.Expr) {
		o, _ := x.Origin(e)
		c := x.CallOf(o)
		if c == nil {
			closed = false
			return
		}
		if seen[c] {
			return
		}
		seen[c] = true
		if !visit(c) {
			return
		}
		inputs, all := x.Inputs(c)
		if !all {
			closed = false
		}
		for _, in := range inputs {
			walk(in)
		}
	}
	walk(e)
	return closed
}

// Forwards finds the forward transforms whose spectra reach e through maps
// alone. closed is false if the spectrum also comes from elsewhere; scaled
// says that a scalar operation lies between.
func (x *Index) Forwards(e ast.Expr) (found []*Call, scaled, closed bool) {
	closed = x.Behind(e, func(c *Call) bool {
		switch {
		case c.IsForward():
			found = append(found, c)
			return false
		case c.Method("MulScalar", "DivScalar"):
			scaled = true
			return true
		case c.IsMap() || c.Method("On"):
			return true
		}
		return false
	})
	return found, scaled, closed
}
