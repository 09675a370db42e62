package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// effect prints an expression whose value nobody wants.
func (c *cuda) effect(e ktree.Expr) string {
	if a, ok := e.(*ktree.Assign); ok {
		b := *a
		b.Old = false
		return bare(c.assign(&b))
	}
	return c.expr(e)
}

func (c *cuda) args(es []ktree.Expr) []string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = bare(c.expr(e))
	}
	return out
}

func (c *cuda) list(es []ktree.Expr) string { return strings.Join(c.args(es), ", ") }

// expr prints e so that it binds tighter than any operator around it.
func (c *cuda) expr(e ktree.Expr) string {
	switch e := e.(type) {
	case *ktree.Lit:
		val := e.Val
		if e.Loose {
			val.F = ktree.Round(e.Type.Kind, val.F)
		}
		if isHalfPair(e.Type) && c.engine {
			return c.halfPair(val.F)
		}
		s := c.num(e.Type.Kind, val)
		if strings.HasPrefix(s, "-") {
			s = "(" + s + ")"
		}
		return s
	case *ktree.Ref:
		if e.Var.Role == ktree.Global {
			name := "user::" + c.name(e.Var)
			switch {
			case e.Type.Form != ktree.Array:
				return name + "()"
			case e.Type.Kind.IsHalf():
				return name + "().v"
			}
			return name
		}
		if c.engine && e.Var.Role == ktree.Builtin {
			return gridNames[e.Var.Grid]
		}
		return c.name(e.Var)
	case *ktree.Unary:
		s := e.Op.String() + c.expr(e.X)
		if k := e.Type.Kind; e.Type.Width == 1 && k.IsInt() && k < ktree.Int {
			return fmt.Sprintf("(%s)(%s)", cudaKinds[k], s)
		}
		return "(" + s + ")"
	case *ktree.Binary:
		return c.binary(e)
	case *ktree.Logic:
		op := "&&"
		if e.Or {
			op = "||"
		}
		return fmt.Sprintf("(%s %s %s)", c.expr(e.X), op, c.expr(e.Y))
	case *ktree.Cond:
		return fmt.Sprintf("(%s ? %s : %s)", c.expr(e.C), c.expr(e.X), c.expr(e.Y))
	case *ktree.Convert:
		return c.convert(e)
	case *ktree.BitCast:
		if c.engine {
			return c.engineBits(e.X.T().Kind, e.Type.Kind, c.expr(e.X))
		}
		return fmt.Sprintf("tw::bits<%s>(%s)", c.value(e.Type), c.expr(e.X))
	case *ktree.Make:
		if c.engine && isPair(e.Type) {
			return c.makePair(e)
		}
		if c.engine {
			return fmt.Sprintf("%s{%s}", c.value(e.Type), c.list(e.Args))
		}
		for _, a := range e.Args {
			if a.T().Width > 1 {
				return fmt.Sprintf("tw::make<%s, %d>(%s)", cudaKinds[e.Type.Kind], e.Type.Width, c.list(e.Args))
			}
		}
		return fmt.Sprintf("%s(%s)", c.value(e.Type), c.list(e.Args))
	case *ktree.Swizzle:
		if len(e.Sel) == 1 {
			return c.expr(e.X) + "." + "xyzw"[e.Sel[0]:e.Sel[0]+1]
		}
		if c.engine && isHalfPair(e.Type) {
			return c.expr(e.X) + [...]string{".xy", ".zw", ".third", ".fourth"}[e.Sel[0]/2]
		}
		return fmt.Sprintf("tw::swizzle<%s>(%s)", sel(e.Sel), c.expr(e.X))
	case *ktree.Pick:
		return fmt.Sprintf("tw::pick(%s, %s)", c.expr(e.X), c.expr(e.I))
	case *ktree.Index:
		if c.check {
			return c.checkedIndex(e)
		}
		return c.index(e)
	case *ktree.Addr:
		if c.check {
			return c.checkedAddress(e)
		}
		if t := e.X.T(); t.Form == ktree.Array {
			// The address of the first element of all dimensions.
			s := c.expr(e.X)
			for _, d := range t.Dims {
				if d != 0 {
					s += "[0]"
				}
			}
			return "(&" + s + ")"
		}
		return "(&" + c.expr(e.X) + ")"
	case *ktree.Offset:
		if c.p != nil && c.p.ByBytes && pooled(e.X) {
			t := e.X.T().Elem()
			return fmt.Sprintf("(%s*)(tw_pool + %s * %d)", c.value(t), c.expr(e.N), t.Comps()*t.Kind.Bits()/8)
		}
		return fmt.Sprintf("(%s + %s)", c.expr(e.X), c.expr(e.N))
	case *ktree.Call:
		return fmt.Sprintf("user::%s(%s)", e.Fn.Name, c.list(e.Args))
	case *ktree.Apply:
		if c.engine {
			return c.engineApply(e)
		}
		name := strings.TrimSuffix(e.Fn.String(), "_explicit")
		if c.check && e.Fn.IsAtomic() {
			at := fmt.Sprintf("&%s.at(0, %d)", c.expr(e.Args[0]), c.access(e.Args[0].At(), e.Args[0]))
			return fmt.Sprintf("tw::%s(%s)", name, strings.Join(append([]string{at}, c.args(e.Args[1:])...), ", "))
		}
		return fmt.Sprintf("tw::%s(%s)", name, c.list(e.Args))
	case *ktree.Assign:
		return c.assign(e)
	case *ktree.Seq:
		return fmt.Sprintf("(%s, %s)", c.expr(e.X), c.expr(e.Y))
	}
	return ""
}

func sel(s []int) string {
	out := make([]string, len(s))
	for i, v := range s {
		out[i] = fmt.Sprint(v)
	}
	return strings.Join(out, ", ")
}

// index flattens rows of tables, which are kept one-dimensional.
func (c *cuda) index(e *ktree.Index) string {
	if e.X.T().Form == ktree.Array && e.X.T().Space == ktree.Constant {
		i := "0"
		var x ktree.Expr = e
		for {
			ix, ok := x.(*ktree.Index)
			if !ok {
				return fmt.Sprintf("%s[%s]", c.expr(x), i)
			}
			scale := ix.Type.Len()
			part := c.expr(ix.I)
			if ix.Type.Form == ktree.Array {
				part = fmt.Sprintf("%s * %d", part, scale)
			}
			if i == "0" {
				i = part
			} else {
				i = part + " + " + i
			}
			x = ix.X
		}
	}
	if t := e.X.T(); c.engine && t.Form == ktree.Pointer && t.Space == ktree.Threadgroup {
		// A number that is added comes last: as part of an index the compiler adds it to
		// others, and then computes an address for each element instead of one for all.
		if sum, ok := e.I.(*ktree.Binary); ok && sum.Op == ktree.Add {
			if by, ok := sum.Y.(*ktree.Lit); ok {
				return fmt.Sprintf("(%s + %s)[%s]", c.expr(e.X), c.expr(sum.X), c.expr(by))
			}
		}
	}
	return fmt.Sprintf("%s[%s]", c.expr(e.X), bare(c.expr(e.I)))
}

func (c *cuda) binary(e *ktree.Binary) string {
	k := e.X.T().Kind
	x, y := c.expr(e.X), c.expr(e.Y)
	call := func(name string) string {
		if e.Type.Width == 1 {
			return fmt.Sprintf("tw::%s<%s>(%s, %s)", name, cudaKinds[k], x, y)
		}
		return fmt.Sprintf("tw::%s(%s, %s)", name, x, y)
	}
	if k.IsInt() && !e.Sure {
		_, known := e.Y.(*ktree.Lit)
		switch {
		case e.Op == ktree.Shl && !known:
			return call("shl")
		case e.Op == ktree.Shr && !known:
			return call("shr")
		case e.Op == ktree.Div && (!known || e.Type.Width > 1):
			return call("div")
		case e.Op == ktree.Rem && (!known || e.Type.Width > 1):
			return call("rem")
		case (e.Op == ktree.Shl || e.Op == ktree.Shr) && e.Type.Width > 1:
			return call(map[ktree.Op]string{ktree.Shl: "shl", ktree.Shr: "shr"}[e.Op])
		case (e.Op == ktree.Shl || e.Op == ktree.Shr) && known:
			return fmt.Sprintf("(%s %s %d)", x, e.Op, e.Y.(*ktree.Lit).Val.I&int64(k.Bits()-1))
		}
	}
	return fmt.Sprintf("(%s %s %s)", x, e.Op, y)
}

func (c *cuda) convert(e *ktree.Convert) string {
	x := c.expr(e.X)
	from, to := e.X.T().Kind, e.Type.Kind
	if c.engine && e.Type.Width == 2 {
		return c.convertPair(from, to, x)
	}
	if c.engine {
		return c.engineConvert(from, to, x)
	}
	switch {
	case to == ktree.Void:
		return "(void)" + x
	case e.Type.Width == 1 && from.IsInt() && (to.IsInt() || to == ktree.Float || to == ktree.Double),
		e.Type.Width == 1 && from == ktree.Bool && to != ktree.Bool && !to.IsHalf(),
		e.Type.Width == 1 && from == ktree.Float && to == ktree.Double:
		return fmt.Sprintf("(%s)%s", cudaKinds[to], x)
	case e.Type.Width == 1 && to == ktree.Bool && !from.IsHalf():
		return fmt.Sprintf("(%s != 0)", x)
	}
	return fmt.Sprintf("tw::convert<%s>(%s)", c.value(e.Type), x)
}

// assign prints an assignment in parentheses.
func (c *cuda) assign(e *ktree.Assign) string {
	if s, ok := e.L.(*ktree.Swizzle); ok && len(s.Sel) > 1 {
		return fmt.Sprintf("(tw::put<%s>(%s, %s))", sel(s.Sel), c.expr(s.X), c.expr(e.R))
	}
	if e.Old {
		return fmt.Sprintf("tw::old(%s, %s)", c.expr(e.L), c.expr(e.R))
	}
	return fmt.Sprintf("(%s = %s)", c.expr(e.L), bare(c.expr(e.R)))
}

// pooled reports the address of a view of the group's pool.
func pooled(e ktree.Expr) bool {
	a, ok := e.(*ktree.Addr)
	if !ok {
		return false
	}
	r, ok := a.X.(*ktree.Ref)
	return ok && r.Var.Pooled
}
