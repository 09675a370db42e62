package check

import (
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// place reports whether e can be assigned to; if not it says why.
func (c *checker) place(e ktree.Expr) bool {
	refuse := func(format string, args ...any) bool {
		c.r.Report(e.At(), format, args...)
		return false
	}
	switch x := e.(type) {
	case *ktree.Lit:
		if x.Type.Kind != ktree.Invalid {
			return refuse("a constant cannot be written")
		}
		return false
	case *ktree.Ref:
		v := x.Var
		switch {
		case v.Role == ktree.Input:
			return refuse("%s is an input; inputs cannot be written", v.Name)
		case v.Role == ktree.Output:
			return refuse("%s is an output; write one of its elements, %s[i]", v.Name, v.Name)
		case v.Role == ktree.Builtin || v.Role == ktree.Meta:
			return refuse("%s cannot be written", v.Name)
		case v.Const || v.Role == ktree.Global:
			return refuse("%s is constant", v.Name)
		case v.Type.Form == ktree.Array:
			return refuse("array %s cannot be assigned as a whole", v.Name)
		case v.Atomic:
			return refuse("%s is atomic; use atomic_store_explicit or atomic_fetch_add_explicit", v.Name)
		}
		return true
	case *ktree.Index:
		t := x.X.T()
		v, ok := ktree.Root(x.X)
		switch {
		case ok && v.Role == ktree.Input:
			return refuse("%s is an input; inputs cannot be written", v.Name)
		case t.Form == ktree.Pointer && t.Const:
			if ok {
				return refuse("%s points at what cannot be written", v.Name)
			}
			return refuse("this cannot be written")
		case ok && v.Atomic:
			return refuse("%s is atomic; use atomic_store_explicit or atomic_fetch_add_explicit", v.Name)
		case ok && t.Form == ktree.Array && (v.Const || v.Role == ktree.Global):
			return refuse("%s is constant", v.Name)
		case x.Type.Form == ktree.Array:
			return refuse("an array cannot be assigned as a whole")
		}
		return true
	case *ktree.Swizzle:
		for i, s := range x.Sel {
			for _, o := range x.Sel[:i] {
				if s == o {
					return refuse("a component is written twice")
				}
			}
		}
		return c.place(x.X)
	case *ktree.Pick:
		return c.place(x.X)
	}
	return refuse("this cannot be written")
}

// wrote notes an assignment on the variable and on the function. Writing
// through a pointer is not an assignment of the pointer.
func (c *checker) wrote(e ktree.Expr) {
	v, ok := ktree.Root(e)
	if !ok {
		return
	}
	through := through(e)
	if !through {
		v.Written++
	}
	if c.fn != nil && (v.Role == ktree.Param && v.Ref || through && v.Type.Form == ktree.Pointer) {
		c.fn.impure = true
	}
}

// through reports a place that is an element, not a variable.
func through(e ktree.Expr) bool {
	switch e := e.(type) {
	case *ktree.Index:
		return true
	case *ktree.Swizzle:
		return through(e.X)
	case *ktree.Pick:
		return through(e.X)
	}
	return false
}

// assign checks = and the compound assignments. The right side of x op= y is
// written out as x op y, so that C's conversions apply to it.
func (c *checker) assign(x *syntax.Assign) ktree.Expr {
	l := c.expr(x.L)
	r := c.expr(x.R)
	if l.T().Kind == ktree.Invalid || r.T().Kind == ktree.Invalid || !c.place(l) {
		return invalid(x.Pos)
	}
	if x.Op != "" {
		r = c.operate(x.Pos, binaryOps[x.Op], x.Op+"=", l, r)
	}
	return c.store(x.Pos, l, r, false)
}

func (c *checker) store(at source.Pos, l, r ktree.Expr, old bool) ktree.Expr {
	r = c.implicit(r, l.T(), "assign")
	if r.T().Kind == ktree.Invalid {
		return r
	}
	c.wrote(l)
	return &ktree.Assign{E: ktree.E{Type: l.T(), Pos: at}, L: l, R: r, Old: old}
}

// step is ++ and --.
func (c *checker) step(x *syntax.Unary, op string) ktree.Expr {
	l := c.expr(x.X)
	if l.T().Kind == ktree.Invalid || !c.place(l) {
		return invalid(x.Pos)
	}
	one := &ktree.Lit{E: ktree.E{Type: ktree.Scalar(ktree.Int), Pos: x.Pos}, Val: ktree.Num{I: 1}}
	r := c.operate(x.Pos, binaryOps[op], op+op, l, one)
	return c.store(x.Pos, l, r, x.Post)
}

func (c *checker) address(x *syntax.Unary) ktree.Expr {
	e := c.expr(x.X)
	t := e.T()
	if t.Kind == ktree.Invalid {
		return e
	}
	p := t.Elem()
	p.Form = ktree.Pointer
	v, ok := ktree.Root(e)
	switch e := e.(type) {
	case *ktree.Index:
		if t.Form != ktree.Value {
			c.r.Report(x.Pos, "take the address of an element, not of a row")
			return invalid(x.Pos)
		}
		from := e.X.T()
		p.Space, p.Const = from.Space, from.Const || ok && from.Form == ktree.Array && v.Const
	case *ktree.Ref:
		if t.Form != ktree.Value {
			c.r.Report(x.Pos, "%s is already an address", v.Name)
			return invalid(x.Pos)
		}
		if v.Role == ktree.Builtin || v.Role == ktree.Meta {
			c.r.Report(x.Pos, "%s has no address", v.Name)
			return invalid(x.Pos)
		}
		p.Space, p.Const = v.Space, v.Const
		if v.Role == ktree.Param {
			p.Space = ktree.Thread
		}
		v.Written++ // it may be, through the pointer
	default:
		c.r.Report(x.Pos, "this has no address")
		return invalid(x.Pos)
	}
	return &ktree.Addr{E: ktree.E{Type: p, Pos: x.Pos}, X: e}
}

func (c *checker) index(x *syntax.Index) ktree.Expr {
	e := c.expr(x.X)
	i := c.expr(x.I)
	if e.T().Kind == ktree.Invalid || i.T().Kind == ktree.Invalid {
		return invalid(x.Pos)
	}
	if s := c.narrow(i, ktree.Scalar(ktree.Uint)); s != nil {
		i = s
	}
	if !i.T().IsScalar() || i.T().Kind.IsFloat() {
		hint := ""
		if b := builtinIn(i); b != "" {
			hint = "use " + b + ".x"
		}
		c.r.Suggest(x.I.At(), hint, "an index is an integer, this is %s", i.T())
		return invalid(x.Pos)
	}
	i = convert(i, ktree.Scalar(promote(i.T().Kind)))
	if e.T().IsVector() {
		if n, ok := intConstant(i); ok {
			if n < 0 || n >= int64(e.T().Width) {
				c.r.Report(x.I.At(), "component %d of a %s", n, e.T())
				return invalid(x.Pos)
			}
			return &ktree.Swizzle{E: ktree.E{Type: ktree.Scalar(e.T().Kind), Pos: x.Pos}, X: e, Sel: []int{int(n)}}
		}
		return &ktree.Pick{E: ktree.E{Type: ktree.Scalar(e.T().Kind), Pos: x.Pos}, X: e, I: i}
	}
	if e.T().Form == ktree.Value {
		c.r.Report(x.Pos, "%s cannot be indexed", e.T())
		return invalid(x.Pos)
	}
	return c.element(x.Pos, e, i)
}

// element is x[i] on a pointer or array; a constant index is checked here.
func (c *checker) element(at source.Pos, e, i ktree.Expr) ktree.Expr {
	t := e.T()
	if n, ok := intConstant(i); ok && t.Form == ktree.Array && (n < 0 || n >= int64(t.Dims[0])) {
		c.r.Report(i.At(), "index %d is outside %s", n, t)
		return invalid(at)
	}
	return &ktree.Index{E: ktree.E{Type: t.Row(), Pos: at}, X: e, I: i}
}

func (c *checker) member(x *syntax.Member) ktree.Expr {
	e := c.expr(x.X)
	t := e.T()
	if t.Kind == ktree.Invalid {
		return e
	}
	if !t.IsVector() {
		c.r.Report(x.Pos, "%s has no component %q", t, x.Name)
		return invalid(x.Pos)
	}
	sel := swizzle(x.Name)
	if sel == nil {
		c.r.Report(x.Pos, "%q is not a selection of components; write some of xyzw or rgba", x.Name)
		return invalid(x.Pos)
	}
	for _, s := range sel {
		if s >= t.Comps() {
			c.r.Report(x.Pos, "%s has no component %q", t, x.Name)
			return invalid(x.Pos)
		}
	}
	return &ktree.Swizzle{E: ktree.E{Type: ktree.Vector(t.Kind, len(sel)), Pos: x.Pos}, X: e, Sel: sel}
}

func swizzle(name string) []int {
	if len(name) < 1 || len(name) > 4 {
		return nil
	}
	for _, set := range []string{"xyzw", "rgba"} {
		var sel []int
		for i := range len(name) {
			for k := range len(set) {
				if set[k] == name[i] {
					sel = append(sel, k)
				}
			}
		}
		if len(sel) == len(name) {
			return sel
		}
	}
	return nil
}
