package arrays

import (
	"go/ast"
	"go/constant"

	"golang.org/x/tools/go/ast/inspector"
)

// Kernel is a custom kernel written as a literal.
type Kernel struct {
	Lit            *ast.CompositeLit
	At             inspector.Cursor
	Source, Header ast.Expr // nil where they are not given
}

// findKernels collects the literals of type nd.Kernel.
func (x *Index) findKernels() {
	for at := range x.Root.Preorder((*ast.CompositeLit)(nil)) {
		lit := at.Node().(*ast.CompositeLit)
		if !IsType(x.TypeOf(lit), "nd", "Kernel") {
			continue
		}
		k := &Kernel{Lit: lit, At: at}
		k.Source, _ = x.Field(lit, "Source")
		k.Header, _ = x.Field(lit, "Header")
		x.Kernels = append(x.Kernels, k)
	}
}

// Const is the text of a constant string, also behind a variable.
func (x *Index) Const(e ast.Expr) (string, bool) {
	if e == nil {
		return "", false
	}
	for range 2 {
		if tv, ok := x.pass.TypesInfo.Types[e]; ok && tv.Value != nil && tv.Value.Kind() == constant.String {
			return constant.StringVal(tv.Value), true
		}
		e, _ = x.Origin(e)
	}
	return "", false
}
