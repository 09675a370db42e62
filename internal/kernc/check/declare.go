package check

import (
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// global checks a constant of the header.
func (c *checker) global(d *syntax.Decl) {
	if !d.Type.Const && d.Type.Space != "constant" {
		c.r.Report(d.Pos, "%s must be constant: a header holds functions and constants", d.Name)
		return
	}
	t := c.arrayType(d, ktree.Constant)
	if t.Kind <= ktree.Void || t.Form == ktree.Pointer {
		if t.Kind != ktree.Invalid {
			c.r.Report(d.Pos, "%s cannot be a constant of type %s", d.Name, t)
		}
		return
	}
	v := &ktree.Var{Name: d.Name, Type: t, Role: ktree.Global, Space: ktree.Constant, Const: true, Pos: d.Pos}
	if d.Init == nil {
		c.r.Report(d.Pos, "constant %s has no value", d.Name)
		return
	}
	var elems []ktree.Expr
	if l, ok := d.Init.(*syntax.List); ok && t.Form == ktree.Array {
		elems = c.elements(l, &t)
		v.Type = t
	} else {
		elems = []ktree.Expr{c.implicit(c.expr(d.Init), t, "initialise "+d.Name)}
	}
	for _, e := range elems {
		vals, ok := constant(e)
		if !ok {
			if e.T().Kind != ktree.Invalid {
				c.r.Report(e.At(), "the value of %s is not a constant", d.Name)
			}
			return
		}
		v.Values = append(v.Values, vals...)
	}
	for len(v.Values) < t.Len()*t.Comps() {
		v.Values = append(v.Values, ktree.Num{})
	}
	c.declare(v)
}

// arrayType is the type of a declarator.
func (c *checker) arrayType(d *syntax.Decl, s ktree.Space) ktree.Type {
	t := c.typ(d.Type)
	if len(d.Dims) == 0 || t.Kind == ktree.Invalid {
		return t
	}
	if t.Form == ktree.Pointer {
		c.r.Report(d.Pos, "arrays of pointers are not part of the dialect")
		return ktree.Type{}
	}
	if len(d.Dims) > ktree.MaxDims {
		c.r.Report(d.Pos, "%s has %d dimensions, at most %d are possible", d.Name, len(d.Dims), ktree.MaxDims)
		return ktree.Type{}
	}
	t.Form, t.Space = ktree.Array, s
	total := 1
	for i, x := range d.Dims {
		if x == nil {
			l, ok := d.Init.(*syntax.List)
			if !ok || i > 0 {
				c.r.Report(d.Pos, "%s has no size", d.Name)
				return ktree.Type{}
			}
			t.Dims[i] = int32(min(len(l.Elems), 1<<20))
			continue
		}
		e := c.expr(x)
		if e.T().Kind == ktree.Invalid {
			return ktree.Type{}
		}
		n, ok := intConstant(e)
		if !ok {
			c.r.Report(x.At(), "the size of %s is not a constant", d.Name)
			return ktree.Type{}
		}
		if n < 1 || n > 1<<20 || int64(total)*n > 1<<24 {
			c.r.Report(x.At(), "size %d of %s is out of range", n, d.Name)
			return ktree.Type{}
		}
		total *= int(n)
		t.Dims[i] = int32(n)
	}
	if t.Dims[0] == 0 {
		c.r.Report(d.Pos, "%s has no elements", d.Name)
		return ktree.Type{}
	}
	return t
}

// elements checks an initialiser list against an array type, flattened in
// row-major order. Missing rows are zero.
func (c *checker) elements(l *syntax.List, t *ktree.Type) []ktree.Expr {
	var out []ktree.Expr
	var fill func(l *syntax.List, t ktree.Type)
	fill = func(l *syntax.List, t ktree.Type) {
		row := t.Row()
		if len(l.Elems) > int(t.Dims[0]) {
			c.r.Report(l.Pos, "%d values for %d elements", len(l.Elems), t.Dims[0])
			return
		}
		for _, e := range l.Elems {
			sub, ok := e.(*syntax.List)
			switch {
			case row.Form == ktree.Array && ok:
				start := len(out)
				fill(sub, row)
				for len(out)-start < row.Len() {
					out = append(out, zero(e.At(), row.Elem()))
				}
			case row.Form == ktree.Array:
				c.r.Report(e.At(), "expected a list for a row of %s", row)
				return
			case ok:
				out = append(out, c.implicit(c.construct(sub.Pos, row, sub.Elems), row, "initialise an element"))
			default:
				out = append(out, c.implicit(c.expr(e), row, "initialise an element"))
			}
		}
	}
	fill(l, *t)
	return out
}

func zero(at source.Pos, t ktree.Type) ktree.Expr {
	lit := &ktree.Lit{E: ktree.E{Type: ktree.Scalar(t.Kind), Pos: at}}
	if t.Width == 1 {
		return lit
	}
	return &ktree.Make{E: ktree.E{Type: t, Pos: at}, Args: []ktree.Expr{lit}}
}

// local checks a variable's declaration.
func (c *checker) local(d *syntax.Decl) []ktree.Stmt {
	s := space(d.Type.Space)
	if d.Type.Ref {
		c.r.Report(d.Pos, "reference variables are not part of the dialect; only parameters may be references")
		return nil
	}
	if d.Type.Name == "auto" {
		return c.inferred(d)
	}
	t := c.arrayType(d, s)
	if t.Kind == ktree.Invalid {
		return c.broken(d)
	}
	if t.Kind == ktree.Void {
		c.r.Report(d.Pos, "%s cannot be void", d.Name)
		return c.broken(d)
	}
	v := &ktree.Var{Name: d.Name, Type: t, Space: ktree.Thread, Pos: d.Pos, Const: d.Type.Const && t.Form != ktree.Pointer}
	_, v.Atomic = atomicTypes[d.Type.Name]
	if t.Form != ktree.Pointer {
		v.Space = s
	}
	switch {
	case t.Form == ktree.Pointer && d.Init == nil:
		c.r.Report(d.Pos, "pointer %s must be given a target where it is declared", d.Name)
		return c.broken(d)
	case v.Space == ktree.Device:
		c.r.Report(d.Pos, "%s cannot live in device memory; only operands do", d.Name)
		return c.broken(d)
	case v.Space == ktree.Threadgroup:
		return c.groupVar(d, v)
	case v.Atomic && t.Form != ktree.Pointer:
		c.r.Report(d.Pos, "atomic variables live in threadgroup memory")
		return c.broken(d)
	}
	if v.Space == ktree.Constant {
		v.Const = true
		v.Space = ktree.Thread
	}
	if t.Form != ktree.Pointer {
		c.locals += t.Len() * t.Comps()
		if c.locals > maxThreadScalars*16 || t.Len()*t.Comps() > maxThreadScalars {
			c.r.Report(d.Pos, "%s is too large: a thread may hold %d numbers in one array", d.Name, maxThreadScalars)
			return c.broken(d)
		}
	}
	out := &ktree.Decl{S: ktree.S{Pos: d.Pos}, Var: v}
	if l, ok := d.Init.(*syntax.List); ok {
		if t.Form == ktree.Array {
			out.List = append([]ktree.Expr{}, c.elements(l, &t)...)
		} else {
			out.Init = c.implicit(c.construct(l.Pos, t, l.Elems), t, "initialise "+d.Name)
		}
	} else if d.Init != nil {
		if t.Form == ktree.Array {
			c.r.Report(d.Pos, "array %s needs a list of values", d.Name)
			return c.broken(d)
		}
		out.Init = c.implicit(c.expr(d.Init), t, "initialise "+d.Name)
	} else if v.Const {
		c.r.Report(d.Pos, "constant %s has no value", d.Name)
	}
	c.declare(v)
	if v.Const && t.IsScalar() && out.Init != nil {
		if vals, ok := constant(out.Init); ok {
			v.Values = vals // every use becomes the number itself
			return nil
		}
	}
	return []ktree.Stmt{out}
}

// broken declares a name whose declaration failed, so that its uses are not
// reported again.
func (c *checker) broken(d *syntax.Decl) []ktree.Stmt {
	top := c.scopes[len(c.scopes)-1]
	if top[d.Name] == nil {
		top[d.Name] = &ktree.Var{Name: d.Name, Pos: d.Pos}
	}
	return nil
}

func (c *checker) inferred(d *syntax.Decl) []ktree.Stmt {
	if d.Init == nil || len(d.Dims) > 0 {
		c.r.Report(d.Pos, "auto needs an initial value")
		return c.broken(d)
	}
	x := c.expr(d.Init)
	t := x.T()
	if t.Kind == ktree.Invalid {
		return c.broken(d)
	}
	if t.Kind == ktree.Void || t.Form == ktree.Array {
		c.r.Report(d.Pos, "auto cannot hold %s", t)
		return c.broken(d)
	}
	v := &ktree.Var{Name: d.Name, Type: t, Pos: d.Pos, Const: d.Type.Const && t.Form == ktree.Value}
	c.declare(v)
	return []ktree.Stmt{&ktree.Decl{S: ktree.S{Pos: d.Pos}, Var: v, Init: x}}
}

func (c *checker) groupVar(d *syntax.Decl, v *ktree.Var) []ktree.Stmt {
	switch {
	case c.fn != nil:
		c.r.Report(d.Pos, "threadgroup variable %s must be declared in the body; pass it to the function", d.Name)
	case d.Init != nil:
		c.r.Report(d.Pos, "threadgroup variable %s cannot be initialised; write it and wait at a barrier", d.Name)
	default:
		c.declare(v)
		c.p.Groups = append(c.p.Groups, v)
		return []ktree.Stmt{&ktree.Decl{S: ktree.S{Pos: d.Pos}, Var: v}}
	}
	return c.broken(d)
}

// declareFunc enters a function by name, before any body is checked.
func (c *checker) declareFunc(f *syntax.Func) {
	res := c.typ(f.Result)
	if res.Form == ktree.Pointer || f.Result.Ref {
		c.r.Report(f.Pos, "%s cannot return a pointer", f.Name)
		return
	}
	if _, ok := ktree.FindIntrinsic(f.Name); ok {
		c.r.Report(f.Pos, "%s is a built-in function", f.Name)
		return
	}
	if c.scopes[0][f.Name] != nil {
		c.r.Report(f.Pos, "%s is already the name of something else", f.Name)
		return
	}
	fn := &function{syn: f, fn: &ktree.Func{Name: f.Name, Result: res, Pos: f.Pos}}
	for _, p := range f.Params {
		t := c.typ(p.Type)
		if t.Kind == ktree.Void {
			c.r.Report(p.Pos, "parameter %s cannot be void", p.Name)
			t = ktree.Type{}
		}
		v := &ktree.Var{Name: p.Name, Type: t, Role: ktree.Param, Pos: p.Pos}
		if p.Type.Ref {
			if space(p.Type.Space) != ktree.Thread && !p.Type.Const && p.Type.Space != "constant" {
				c.r.Report(p.Pos, "reference %s must be to a thread's variable; pass a pointer instead", p.Name)
			}
			v.Ref = !p.Type.Const && p.Type.Space != "constant"
		}
		v.Const = p.Type.Const && t.Form != ktree.Pointer
		_, v.Atomic = atomicTypes[p.Type.Name]
		fn.fn.Params = append(fn.fn.Params, v)
	}
	if old := c.funcs[f.Name]; old != nil {
		if old.syn.Body == nil && f.Body != nil {
			old.syn, old.fn.Params, old.fn.Pos = f, fn.fn.Params, f.Pos
			return
		}
		if f.Body != nil {
			c.r.Report(f.Pos, "function %s is already defined on line %d", f.Name, c.r.Source.Place(old.fn.Pos).Line)
		}
		return
	}
	c.funcs[f.Name] = fn
	c.order = append(c.order, fn)
}

func (c *checker) function(f *function) {
	c.fn = f
	c.push()
	for _, p := range f.fn.Params {
		c.declare(p)
	}
	c.push()
	f.fn.Body = c.block(f.syn.Body.List)
	c.pop()
	c.pop()
	c.fn = nil
	if f.fn.Result.Kind > ktree.Void && !returns(f.fn.Body) {
		c.r.Report(f.fn.Pos, "%s does not return a value on every path", f.fn.Name)
	}
	f.fn.Pure = !f.impure
}

// recursion refuses functions that reach themselves and puts callees first.
func (c *checker) recursion() {
	var order []*function
	var visit func(f *function)
	visit = func(f *function) {
		switch f.state {
		case 1:
			c.r.Report(f.fn.Pos, "%s calls itself; recursion is not part of the dialect", f.fn.Name)
			return
		case 2:
			return
		}
		f.state = 1
		for _, g := range f.calls {
			visit(g)
			if g.impure {
				f.impure, f.fn.Pure = true, false
			}
		}
		f.state = 2
		order = append(order, f)
	}
	for _, f := range c.order {
		visit(f)
	}
	c.order = order
}

// returns reports that every path through list ends in a return.
func returns(list []ktree.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ktree.Return:
			return true
		case *ktree.Block:
			if returns(s.List) {
				return true
			}
		case *ktree.If:
			if v, ok := constant(s.Cond); ok {
				if v[0].I != 0 && returns(s.Then) || v[0].I == 0 && returns(s.Else) {
					return true
				}
				continue
			}
			if returns(s.Then) && returns(s.Else) {
				return true
			}
		case *ktree.Loop:
			endless := s.Cond == nil
			if s.Cond != nil {
				v, ok := constant(s.Cond)
				endless = ok && v[0].I != 0
			}
			if endless && !breaks(s.Body) || s.Late && returns(s.Body) {
				return true
			}
		}
	}
	return false
}

// breaks reports a break that leaves the loop whose body list is.
func breaks(list []ktree.Stmt) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *ktree.Jump:
			if s.Break {
				return true
			}
		case *ktree.Block:
			if breaks(s.List) {
				return true
			}
		case *ktree.If:
			if breaks(s.Then) || breaks(s.Else) {
				return true
			}
		}
	}
	return false
}
