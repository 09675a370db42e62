package check

import (
	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

func (c *checker) block(list []syntax.Stmt) []ktree.Stmt {
	out := []ktree.Stmt{}
	for _, s := range list {
		if c.r.Full() {
			break
		}
		out = append(out, c.stmt(s)...)
	}
	return out
}

// scoped checks s in a scope of its own.
func (c *checker) scoped(s syntax.Stmt) []ktree.Stmt {
	if s == nil {
		return nil
	}
	c.push()
	defer c.pop()
	if b, ok := s.(*syntax.Block); ok {
		return c.block(b.List)
	}
	return c.stmt(s)
}

func (c *checker) stmt(s syntax.Stmt) []ktree.Stmt {
	at := ktree.S{Pos: s.At()}
	switch s := s.(type) {
	case *syntax.Decl:
		return c.local(s)
	case *syntax.Block:
		return []ktree.Stmt{&ktree.Block{S: at, List: c.scoped(s)}}
	case *syntax.ExprStmt:
		return c.effect(s.X)
	case *syntax.If:
		cond := c.condition(s.Cond)
		return []ktree.Stmt{&ktree.If{S: at, Cond: cond, Then: c.scoped(s.Then), Else: c.scoped(s.Else)}}
	case *syntax.For:
		return c.loop(s)
	case *syntax.Do:
		c.loops++
		body := c.scoped(s.Body)
		c.loops--
		return []ktree.Stmt{&ktree.Loop{S: at, Body: body, Cond: c.condition(s.Cond), Late: true}}
	case *syntax.Jump:
		if c.loops == 0 {
			word := "continue"
			if s.Break {
				word = "break"
			}
			c.r.Report(s.Pos, "%s outside a loop", word)
			return nil
		}
		return []ktree.Stmt{&ktree.Jump{S: at, Break: s.Break}}
	case *syntax.Return:
		return c.ret(s)
	}
	return nil
}

func (c *checker) loop(s *syntax.For) []ktree.Stmt {
	c.push()
	defer c.pop()
	l := &ktree.Loop{S: ktree.S{Pos: s.Pos}}
	for _, i := range s.Init {
		l.Init = append(l.Init, c.stmt(i)...)
	}
	if s.Cond != nil {
		l.Cond = c.condition(s.Cond)
	}
	for _, x := range s.Post {
		l.Post = append(l.Post, c.effect(x)...)
	}
	c.loops++
	l.Body = c.scoped(s.Body)
	c.loops--
	return []ktree.Stmt{l}
}

func (c *checker) ret(s *syntax.Return) []ktree.Stmt {
	r := &ktree.Return{S: ktree.S{Pos: s.Pos}}
	switch {
	case c.fn == nil && s.X != nil:
		c.r.Report(s.Pos, "the body returns nothing")
		return nil
	case c.fn == nil:
	case c.fn.fn.Result.Kind == ktree.Void && s.X != nil:
		c.r.Report(s.Pos, "%s returns nothing", c.fn.fn.Name)
		return nil
	case c.fn.fn.Result.Kind > ktree.Void && s.X == nil:
		c.r.Report(s.Pos, "%s returns %s", c.fn.fn.Name, c.fn.fn.Result)
		return nil
	case s.X != nil:
		r.X = c.implicit(c.expr(s.X), c.fn.fn.Result, "return")
	}
	return []ktree.Stmt{r}
}

// effect checks an expression used as a statement.
func (c *checker) effect(x syntax.Expr) []ktree.Stmt {
	switch x := x.(type) {
	case *syntax.Binary:
		if x.Op == "," {
			return append(c.effect(x.X), c.effect(x.Y)...)
		}
	case *syntax.Call:
		if b := c.barrier(x); b != nil {
			return []ktree.Stmt{b}
		}
	}
	e := c.expr(x)
	if e.T().Kind == ktree.Invalid {
		return nil
	}
	switch e := e.(type) {
	case *ktree.Assign, *ktree.Call:
	case *ktree.Apply:
		if !e.Fn.IsAtomic() {
			c.r.Report(e.At(), "the result of %s is not used", e.Fn)
		}
	case *ktree.Convert: // (void)x
		if e.Type.Kind != ktree.Void {
			c.r.Report(x.At(), "this value is not used")
		}
		return nil
	default:
		c.r.Report(x.At(), "this value is not used")
		return nil
	}
	return []ktree.Stmt{&ktree.Do{S: ktree.S{Pos: x.At()}, X: e}}
}

// barrier recognises threadgroup_barrier and simdgroup_barrier, which are
// statements: they have no value.
func (c *checker) barrier(x *syntax.Call) ktree.Stmt {
	simd := x.Fun.Text == "simdgroup_barrier"
	if !simd && x.Fun.Text != "threadgroup_barrier" {
		return nil
	}
	b := &ktree.Barrier{S: ktree.S{Pos: x.Pos}, Simd: simd}
	if len(x.Args) != 1 {
		c.r.Report(x.Pos, "%s takes one argument, such as mem_flags::mem_threadgroup", x.Fun.Text)
	}
	for _, a := range x.Args {
		c.memFlags(a, b)
	}
	c.p.UsesBarrier = true
	if c.fn != nil {
		c.fn.impure = true
	}
	return b
}

func (c *checker) memFlags(x syntax.Expr, b *ktree.Barrier) {
	switch x := x.(type) {
	case *syntax.Name:
		switch x.Text {
		case "mem_threadgroup":
			b.Threadgroup = true
			return
		case "mem_device":
			b.Device = true
			return
		case "mem_none", "mem_texture":
			return
		}
		hint := source.DidYouMean(x.Text, []string{"mem_threadgroup", "mem_device", "mem_none"})
		c.r.Suggest(x.Pos, hint, "unknown memory flag %q", x.Text)
	case *syntax.Binary:
		if x.Op == "|" {
			c.memFlags(x.X, b)
			c.memFlags(x.Y, b)
			return
		}
		c.r.Report(x.Pos, "memory flags are joined with |")
	default:
		c.r.Report(x.At(), "expected mem_flags::mem_threadgroup, mem_device or mem_none")
	}
}

// condition checks an expression that decides.
func (c *checker) condition(x syntax.Expr) ktree.Expr {
	e := c.expr(x)
	t := e.T()
	switch {
	case t.Kind == ktree.Invalid:
		return e
	case t.IsVector():
		hint := "use all(...) or any(...)"
		if from := builtinIn(e); from != "" {
			hint = "use " + from + ".x"
		}
		c.r.Suggest(x.At(), hint, "a condition is one bool, this is %s", t)
		return invalid(x.At())
	case !t.IsScalar():
		c.r.Report(x.At(), "a condition is a bool, this is %s", t)
		return invalid(x.At())
	}
	return convert(e, ktree.Scalar(ktree.Bool))
}

// builtinIn names a whole position used in e, the usual reason for an
// unexpected vector.
func builtinIn(e ktree.Expr) string {
	switch e := e.(type) {
	case *ktree.Ref:
		if e.Var.Role == ktree.Builtin && e.Var.Type.Width == 3 {
			return e.Var.Name
		}
	case *ktree.Binary:
		if n := builtinIn(e.X); n != "" {
			return n
		}
		return builtinIn(e.Y)
	case *ktree.Convert:
		return builtinIn(e.X)
	}
	return ""
}
