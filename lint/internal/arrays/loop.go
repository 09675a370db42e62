package arrays

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

// Loop is the innermost loop around at, within its function.
func (x *Index) Loop(at inspector.Cursor) (inspector.Cursor, bool) {
	for c := range at.Parent().Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		switch n := c.Node().(type) {
		case *ast.ForStmt:
			// The first clause runs once.
			if n.Init != nil && holds(n.Init, at.Node().Pos()) {
				continue
			}
			return c, true
		case *ast.RangeStmt:
			if holds(n.X, at.Node().Pos()) {
				continue
			}
			return c, true
		default:
			return inspector.Cursor{}, false
		}
	}
	return inspector.Cursor{}, false
}

// Measures reports whether a loop repeats work in order to time or test it: a
// benchmark's loop, or one that looks at the clock.
func (x *Index) Measures(loop inspector.Cursor) bool {
	switch n := loop.Node().(type) {
	case *ast.ForStmt:
		if n.Cond != nil && x.mentionsBenchmark(n.Cond) {
			return true
		}
	case *ast.RangeStmt:
		if x.mentionsBenchmark(n.X) {
			return true
		}
	}
	for c := range loop.Preorder((*ast.CallExpr)(nil)) {
		if x.StdFunc(c.Node().(*ast.CallExpr), "time", "Now", "Since") {
			return true
		}
	}
	return false
}

// mentionsBenchmark reports whether e has b.N or b.Loop() in it.
func (x *Index) mentionsBenchmark(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && x.IsBenchmark(sel.X) {
			found = true
		}
		return !found
	})
	return found
}

// IsBenchmark reports whether e is a *testing.B.
func (x *Index) IsBenchmark(e ast.Expr) bool {
	n := namedOf(x.TypeOf(e))
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing" && n.Obj().Name() == "B"
}

// StdFunc reports whether call is one of the named functions of a package of
// the standard library.
func (x *Index) StdFunc(call *ast.CallExpr, pkg string, names ...string) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := x.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != pkg || fn.Signature().Recv() != nil {
		return false
	}
	for _, n := range names {
		if fn.Name() == n {
			return true
		}
	}
	return false
}

// SetWithin reports whether v is declared in, or assigned by, what n holds:
// whether it may differ from one run of n to the next.
func (x *Index) SetWithin(v *types.Var, n ast.Node) bool {
	if holds(n, v.Pos()) {
		return true
	}
	for _, d := range x.defs[v] {
		if holds(n, d.At.Node().Pos()) {
			return true
		}
	}
	return false
}

// Invariant reports whether e surely has the same value in every turn of a
// loop: constants, variables that the loop does not set, and simple
// expressions of them.
func (x *Index) Invariant(e ast.Expr, loop ast.Node) bool {
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := x.pass.TypesInfo.Uses[n].(*types.Var); ok && !v.IsField() {
				same = same && !x.SetWithin(v, loop) && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
			}
		case *ast.CallExpr:
			same = same && x.pureCall(n)
		case *ast.SelectorExpr:
			// A field of something may change behind our back.
			if s, ok := x.pass.TypesInfo.Selections[n]; ok && s.Kind() == types.FieldVal {
				same = false
			}
		case *ast.IndexExpr, *ast.StarExpr:
			if tv, ok := x.pass.TypesInfo.Types[n.(ast.Expr)]; ok && tv.IsValue() {
				same = false
			}
		case *ast.FuncLit, *ast.UnaryExpr:
			if u, ok := n.(*ast.UnaryExpr); !ok || u.Op.String() == "<-" || u.Op.String() == "&" {
				same = false
			}
		}
		return same
	})
	return same
}

// pureCall reports conversions, len and cap, and questions about an array's
// shape: calls that give the same answer each time.
func (x *Index) pureCall(call *ast.CallExpr) bool {
	if tv, ok := x.pass.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
		return true
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := x.pass.TypesInfo.Uses[id].(*types.Builtin); ok {
			return b.Name() == "len" || b.Name() == "cap" || b.Name() == "min" || b.Name() == "max"
		}
	}
	c := x.CallOf(call)
	return c.Method("Dim", "Len", "DType")
}

// Breaks reports whether a loop may end early with success, so that its last
// turn may be any: searches and retries do.
func Breaks(loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BranchStmt:
			found = found || n.Tok == token.BREAK || n.Tok == token.GOTO
		}
		return !found
	})
	return found
}

// SameFunction reports whether two calls are in one function, so that what one
// sees the other does.
func SameFunction(a, b *Call) bool {
	_, f := scopeOf(a.At)
	_, g := scopeOf(b.At)
	return f == g
}
