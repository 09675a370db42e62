package kernlint

import "github.com/twiddle-go/twiddle/internal/kernc/syntax"

// operands lists the expressions that e is made of.
func operands(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.Unary:
		return []syntax.Expr{e.X}
	case *syntax.Binary:
		return []syntax.Expr{e.X, e.Y}
	case *syntax.Assign:
		return []syntax.Expr{e.L, e.R}
	case *syntax.Cond:
		return []syntax.Expr{e.C, e.X, e.Y}
	case *syntax.Call:
		return e.Args
	case *syntax.Make:
		return e.Args
	case *syntax.Cast:
		return []syntax.Expr{e.X}
	case *syntax.Index:
		return []syntax.Expr{e.X, e.I}
	case *syntax.Member:
		return []syntax.Expr{e.X}
	case *syntax.List:
		return e.Elems
	}
	return nil
}

// inspect calls f on e and on everything in it.
func inspect(e syntax.Expr, f func(syntax.Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, o := range operands(e) {
		inspect(o, f)
	}
}

// parts lists the expressions that a statement holds itself, and the
// statements in it.
func parts(s syntax.Stmt) (exprs []syntax.Expr, stmts []syntax.Stmt) {
	add := func(list ...syntax.Expr) {
		for _, e := range list {
			if e != nil {
				exprs = append(exprs, e)
			}
		}
	}
	switch s := s.(type) {
	case *syntax.Decl:
		add(s.Dims...)
		add(s.Init)
	case *syntax.ExprStmt:
		add(s.X)
	case *syntax.If:
		add(s.Cond)
		stmts = append(stmts, s.Then)
		if s.Else != nil {
			stmts = append(stmts, s.Else)
		}
	case *syntax.For:
		stmts = append(stmts, s.Init...)
		add(s.Cond)
		if s.Body != nil {
			stmts = append(stmts, s.Body)
		}
		add(s.Post...)
	case *syntax.Do:
		if s.Body != nil {
			stmts = append(stmts, s.Body)
		}
		add(s.Cond)
	case *syntax.Block:
		stmts = s.List
	case *syntax.Return:
		add(s.X)
	}
	return exprs, stmts
}

// each calls f on every expression of a statement and the statements in it.
func each(s syntax.Stmt, f func(syntax.Expr)) {
	if s == nil {
		return
	}
	exprs, stmts := parts(s)
	for _, e := range exprs {
		inspect(e, f)
	}
	for _, c := range stmts {
		each(c, f)
	}
}

// all calls f on every expression of the kernel, header first.
func (k *kernel) all(f func(syntax.Expr)) {
	for _, fn := range k.tree.Funcs {
		if fn.Body != nil {
			each(fn.Body, f)
		}
	}
	each(k.tree.Body, f)
}
