package check

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

func invalid(at source.Pos) ktree.Expr { return &ktree.Lit{E: ktree.E{Pos: at}} }

// convert changes the kind of a value, folding constants. The width stays; a
// scalar is spread over a vector.
func convert(x ktree.Expr, to ktree.Type) ktree.Expr {
	from := x.T()
	if from == to || from.Kind == ktree.Invalid {
		return x
	}
	if from.Width == 1 && to.Width > 1 {
		s := convert(x, ktree.Scalar(to.Kind))
		return &ktree.Make{E: ktree.E{Type: to, Pos: x.At()}, Args: []ktree.Expr{s}}
	}
	if l, ok := x.(*ktree.Lit); ok {
		src := from.Kind
		val := l.Val
		if l.Loose {
			src = ktree.Double // a literal without suffix keeps its digits
		}
		out := &ktree.Lit{E: ktree.E{Type: to, Pos: x.At()}, Val: ktree.ConvertNum(src, to.Kind, val)}
		return out
	}
	return &ktree.Convert{E: ktree.E{Type: to, Pos: x.At()}, X: x}
}

// implicit converts as an assignment does. what completes "cannot ...".
func (c *checker) implicit(x ktree.Expr, to ktree.Type, what string) ktree.Expr {
	from := x.T()
	if from.Kind == ktree.Invalid || to.Kind == ktree.Invalid {
		return x
	}
	if to.Form == ktree.Pointer {
		return c.pointerTo(x, to, what)
	}
	if from.Form != ktree.Value || from.Kind == ktree.Void {
		c.r.Report(x.At(), "cannot %s: %s where %s is wanted", what, from, to)
		return invalid(x.At())
	}
	if n := c.narrow(x, to); n != nil {
		return convert(n, to)
	}
	switch {
	case from.Width == to.Width && (from.Width == 1 || from.Kind == to.Kind):
	case from.Width == 1:
	case from.Width == to.Width:
		c.r.Suggest(x.At(), fmt.Sprintf("write %s(...)", to), "cannot %s: %s does not convert to %s by itself", what, from, to)
		return invalid(x.At())
	default:
		hint := ""
		if to.Width < from.Width {
			hint = "pick components, as in v." + "xyzw"[:to.Width]
			if b := builtinIn(x); b != "" {
				hint = "use " + b + "." + "xyzw"[:to.Width]
			}
		}
		c.r.Suggest(x.At(), hint, "cannot %s: %s where %s is wanted", what, from, to)
		return invalid(x.At())
	}
	return convert(x, to)
}

// narrow takes .x or .xy of a whole position where a number or a pair is
// wanted, and notes the change for the Metal text.
func (c *checker) narrow(x ktree.Expr, to ktree.Type) ktree.Expr {
	r, ok := x.(*ktree.Ref)
	if !ok || r.Var.Role != ktree.Builtin || r.Type.Width != 3 || to.Width > 2 || to.Form != ktree.Value {
		return nil
	}
	sel := []int{0, 1}[:to.Width]
	end := r.Pos
	end.Offset += int32(len(r.Var.Name))
	c.p.Fixes = append(c.p.Fixes, ktree.Fix{Pos: end, Text: "." + "xy"[:to.Width]})
	return &ktree.Swizzle{E: ktree.E{Type: ktree.Vector(r.Type.Kind, int(to.Width)), Pos: r.Pos}, X: r, Sel: sel}
}

// pointerTo makes x a pointer of type to: arrays decay, const may be added.
func (c *checker) pointerTo(x ktree.Expr, to ktree.Type, what string) ktree.Expr {
	from := x.T()
	p := from
	if from.Form == ktree.Array {
		p = from.Elem()
		p.Form, p.Space = ktree.Pointer, from.Space
		if r, ok := ktree.Root(x); ok && r.Const {
			p.Const = true
		}
	}
	switch {
	case p.Form != ktree.Pointer:
		c.r.Report(x.At(), "cannot %s: %s where %s is wanted", what, from, to)
	case p.Elem() != to.Elem():
		c.r.Report(x.At(), "cannot %s: %s where %s is wanted; pointers do not change their type", what, from, to)
	case p.Space != to.Space:
		c.r.Report(x.At(), "cannot %s: a pointer to %s memory where one to %s memory is wanted", what, p.Space, to.Space)
	case p.Const && !to.Const:
		c.r.Report(x.At(), "cannot %s: %s points at what may not be written", what, from)
	default:
		if from.Form == ktree.Array {
			return &ktree.Addr{E: ktree.E{Type: p, Pos: x.At()}, X: x}
		}
		return x
	}
	return invalid(x.At())
}

// rank orders kinds in C's usual conversions.
func rank(k ktree.Kind) int {
	switch k {
	case ktree.Double:
		return 9
	case ktree.Float:
		return 8
	case ktree.Half, ktree.Bfloat:
		return 7
	case ktree.Ulong:
		return 6
	case ktree.Long:
		return 5
	case ktree.Uint:
		return 4
	}
	return 3
}

// promote makes small integers int, as C does before arithmetic.
func promote(k ktree.Kind) ktree.Kind {
	if k < ktree.Int {
		return ktree.Int
	}
	return k
}

// common is the kind two scalars meet at.
func common(a, b ktree.Kind) ktree.Kind {
	a, b = promote(a), promote(b)
	if a != b && a.IsHalf() && b.IsHalf() {
		return ktree.Float
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// unify brings operands to one type: scalars by the usual conversions, a
// scalar to a vector's type, vectors only if they agree.
func (c *checker) unify(at source.Pos, what string, xs ...ktree.Expr) (ktree.Type, bool) {
	var t ktree.Type
	for _, x := range xs {
		xt := x.T()
		if xt.Kind == ktree.Invalid {
			return t, false
		}
		if xt.Form != ktree.Value || xt.Kind == ktree.Void {
			c.r.Report(at, "%s does not work on %s", what, xt)
			return t, false
		}
		switch {
		case t.Kind == ktree.Invalid:
			t = xt
		case t.Width == 1 && xt.Width == 1:
			if t.Kind != ktree.Bool || xt.Kind != ktree.Bool {
				t = ktree.Scalar(common(t.Kind, xt.Kind))
			}
		case t.Width == 1:
			t = xt
		case xt.Width == 1:
		case t != xt:
			hint := ""
			if t.Width == xt.Width {
				hint = fmt.Sprintf("convert one, as in %s(...)", t)
			}
			c.r.Suggest(at, hint, "%s of %s and %s", what, t, xt)
			return t, false
		}
	}
	return t, true
}
