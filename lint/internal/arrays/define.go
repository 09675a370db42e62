package arrays

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// Def is one assignment to a variable.
type Def struct {
	// Value is what is assigned; nil if that is not an expression: a
	// parameter, a range variable, x++, or something behind a pointer.
	Value ast.Expr
	Index int // of the result, where Value is a call with several
	At    inspector.Cursor
}

// collect finds the assignments and uses of every variable, and the package's
// functions.
func (x *Index) collect() {
	x.defs = map[*types.Var][]Def{}
	x.uses = map[*types.Var][]inspector.Cursor{}
	x.useAt = map[*ast.Ident]inspector.Cursor{}
	x.funcs = map[*types.Func]*ast.FuncDecl{}
	for at := range x.Root.Preorder((*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.RangeStmt)(nil), (*ast.IncDecStmt)(nil),
		(*ast.UnaryExpr)(nil), (*ast.Field)(nil), (*ast.FuncDecl)(nil), (*ast.Ident)(nil)) {
		switch n := at.Node().(type) {
		case *ast.AssignStmt:
			if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
				x.define(n.Lhs[0], nil, 0, at)
				continue
			}
			x.assign(n.Lhs, n.Rhs, at)
		case *ast.ValueSpec:
			lhs := make([]ast.Expr, len(n.Names))
			for i, name := range n.Names {
				lhs[i] = name
			}
			if len(n.Values) > 0 {
				x.assign(lhs, n.Values, at)
			}
		case *ast.RangeStmt:
			x.define(n.Key, nil, 0, at)
			x.define(n.Value, nil, 0, at)
		case *ast.IncDecStmt:
			x.define(n.X, nil, 0, at)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				x.define(n.X, nil, 0, at)
			}
		case *ast.Field:
			for _, name := range n.Names {
				x.define(name, nil, 0, at)
			}
		case *ast.FuncDecl:
			if fn, ok := x.pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
				x.funcs[fn] = n
			}
		case *ast.Ident:
			if v, ok := x.pass.TypesInfo.Uses[n].(*types.Var); ok && !v.IsField() {
				x.uses[v] = append(x.uses[v], at)
				x.useAt[n] = at
			}
		}
	}
}

func (x *Index) assign(lhs, rhs []ast.Expr, at inspector.Cursor) {
	for i, l := range lhs {
		switch {
		case len(rhs) == len(lhs):
			x.define(l, rhs[i], 0, at)
		case len(rhs) == 1:
			x.define(l, rhs[0], i, at)
		}
	}
}

func (x *Index) define(lhs, value ast.Expr, index int, at inspector.Cursor) {
	if lhs == nil {
		return
	}
	if v := x.VarOf(lhs); v != nil {
		x.defs[v] = append(x.defs[v], Def{value, index, at})
	}
}

// Uses are the places that mention v, assignments to it included, except
// where it is declared.
func (x *Index) Uses(v *types.Var) []inspector.Cursor { return x.uses[v] }

// Defs are the assignments to v.
func (x *Index) Defs(v *types.Var) []Def { return x.defs[v] }

// FuncDecl is the declaration of a function of this package, or nil.
func (x *Index) FuncDecl(fn *types.Func) *ast.FuncDecl { return x.funcs[fn.Origin()] }

// maxDefs bounds the assignments that are compared for one use. Code with more
// is generated, and comparing all of them for all uses would take forever.
const maxDefs = 256

// maxHops bounds how far an expression is followed, which also ends cycles.
const maxHops = 64

// Origin follows variables to the expression whose value e has, and which of
// its results. An e that cannot be followed is its own origin.
func (x *Index) Origin(e ast.Expr) (ast.Expr, int) {
	e = ast.Unparen(e)
	index := 0
	for range maxHops {
		id, ok := e.(*ast.Ident)
		if !ok {
			break
		}
		def, ok := x.Reaching(id)
		if !ok || def.Value == nil {
			break
		}
		e, index = ast.Unparen(def.Value), def.Index
		if index > 0 {
			break
		}
	}
	return e, index
}

// OriginCall is the call of Twiddle whose first result e is, or nil.
func (x *Index) OriginCall(e ast.Expr) *Call {
	o, index := x.Origin(e)
	if index != 0 {
		return nil
	}
	return x.CallOf(o)
}

// Reaching is the assignment that the use of a variable sees, if only one can
// be meant.
func (x *Index) Reaching(id *ast.Ident) (Def, bool) {
	v, ok := x.pass.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() == v.Pkg().Scope() {
		return Def{}, false // anybody may set a package's variable
	}
	defs := x.defs[v]
	switch len(defs) {
	case 0:
		return Def{}, false
	case 1:
		return defs[0], true
	}
	if len(defs) > maxDefs {
		return Def{}, false
	}
	// The last assignment before the use counts if its block holds the use and
	// no later one comes around through a loop that the first is outside of.
	i, _ := slices.BinarySearchFunc(defs, id.Pos(), func(d Def, p token.Pos) int { return int(d.At.Node().End() - p) })
	// An assignment that holds the use, as in x = x.Neg(), is not before it.
	if i == 0 {
		return Def{}, false
	}
	last := defs[i-1]
	scope, fn := scopeOf(last.At)
	if !holds(scope, id.Pos()) || closureBetween(x, fn, id) {
		return Def{}, false
	}
	for _, d := range defs {
		if _, f := scopeOf(d.At); f != fn {
			return Def{}, false
		}
	}
	for _, d := range defs[i:] {
		for loop := range d.At.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
			if holds(loop.Node(), id.Pos()) && !holds(loop.Node(), last.At.Node().Pos()) {
				return Def{}, false
			}
		}
	}
	return last, true
}

func holds(n ast.Node, p token.Pos) bool { return n != nil && n.Pos() <= p && p < n.End() }

// scopeOf is the innermost block, and the function, that hold a statement.
func scopeOf(at inspector.Cursor) (scope, fn ast.Node) {
	for c := range at.Enclosing((*ast.BlockStmt)(nil), (*ast.CaseClause)(nil), (*ast.CommClause)(nil), (*ast.IfStmt)(nil), (*ast.ForStmt)(nil),
		(*ast.RangeStmt)(nil), (*ast.SwitchStmt)(nil), (*ast.TypeSwitchStmt)(nil), (*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		n := c.Node()
		if scope == nil {
			scope = n
		}
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return scope, n
		}
	}
	return scope, nil
}

// closureBetween reports whether a function literal inside fn holds the use,
// so that nobody knows when it runs.
func closureBetween(x *Index, fn ast.Node, id *ast.Ident) bool {
	at, ok := x.useAt[id]
	if !ok {
		return true
	}
	_, inner := scopeOf(at)
	return inner != fn
}
