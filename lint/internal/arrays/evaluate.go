package arrays

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"
)

// verdict is what is known of a function's laziness.
type verdict uint8

const (
	unseen verdict = iota
	underWay
	idle  // does nothing with arrays
	lazy  // builds graph and evaluates nothing
	eager // evaluates, or might
)

// quiet packages of the standard library do no work worth timing.
var quiet = words("fmt math math/cmplx time strconv errors context log strings testing")

// Lazy reports whether running n surely evaluates nothing and does no other
// work to speak of. built counts the calls in it that make graph.
func (x *Index) Lazy(n ast.Node) (sure bool, built int) {
	sure = true
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt, *ast.SelectStmt, *ast.SendStmt:
			sure = false
		case *ast.UnaryExpr:
			if n.Op.String() == "<-" {
				sure = false
			}
		case *ast.CallExpr:
			ok, b := x.lazyCall(n)
			sure = sure && ok
			built += b
		}
		return sure
	})
	return sure, built
}

func (x *Index) lazyCall(call *ast.CallExpr) (sure bool, built int) {
	if tv, ok := x.pass.TypesInfo.Types[call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		return true, 0
	}
	if c := x.CallOf(call); c != nil {
		if c.Builds() {
			return true, 1
		}
		return c.Pkg == "nd" && c.Recv == "Array", 0
	}
	fn, ok := typeutil.Callee(x.pass.TypesInfo, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false, 0
	}
	if quiet[fn.Pkg().Path()] {
		return true, 0
	}
	decl := x.FuncDecl(fn)
	if decl == nil || decl.Body == nil {
		return false, 0
	}
	switch x.lazy[fn] {
	case underWay, idle:
		return true, 0
	case lazy:
		return true, 1
	case eager:
		return false, 0
	}
	x.lazy[fn] = underWay
	sure, built = x.Lazy(decl.Body)
	switch {
	case !sure:
		x.lazy[fn] = eager
	case built > 0:
		x.lazy[fn] = lazy
	default:
		x.lazy[fn] = idle
	}
	return sure, min(built, 1)
}
