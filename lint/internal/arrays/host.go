package arrays

import (
	"go/ast"
	"go/token"
	"go/types"
)

// HostRead is the Slice or Item that a host value comes from, through
// conversions, arithmetic, elements and parts of slices; nil if there is none.
func (x *Index) HostRead(e ast.Expr) *Call { return x.hostRead(e, 0) }

func (x *Index) hostRead(e ast.Expr, depth int) *Call {
	if depth > maxHops {
		return nil
	}
	o, index := x.Origin(e)
	if index != 0 {
		return nil
	}
	switch o := o.(type) {
	case *ast.CallExpr:
		if c := x.CallOf(o); c != nil {
			if c.Reads() {
				return c
			}
			return nil
		}
		if tv, ok := x.pass.TypesInfo.Types[o.Fun]; ok && tv.IsType() && len(o.Args) == 1 {
			return x.hostRead(o.Args[0], depth+1)
		}
	case *ast.BinaryExpr:
		switch o.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO:
			if c := x.hostRead(o.X, depth+1); c != nil {
				return c
			}
			return x.hostRead(o.Y, depth+1)
		}
	case *ast.UnaryExpr:
		if o.Op == token.SUB {
			return x.hostRead(o.X, depth+1)
		}
	case *ast.IndexExpr:
		return x.hostRead(o.X, depth+1)
	case *ast.SliceExpr:
		return x.hostRead(o.X, depth+1)
	}
	return nil
}

// Untouched reports that nothing writes to the elements of the slice v, or
// could: all that happens to it is that it is read and given to nd.
func (x *Index) Untouched(v *types.Var) bool {
	for _, use := range x.uses[v] {
		parent := use.Parent()
		switch n := parent.Node().(type) {
		case *ast.CallExpr:
			c := x.CallOf(n)
			if c != nil && c.Pkg == "nd" {
				continue
			}
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && (id.Name == "len" || id.Name == "cap") {
				continue
			}
			return false
		case *ast.RangeStmt:
			continue
		case *ast.IndexExpr, *ast.SliceExpr:
			if x.written(parent.Node(), parent.Parent().Node()) {
				return false
			}
		case *ast.AssignStmt:
			// The assignment that fills it, or one that makes an alias.
			for _, r := range n.Rhs {
				if x.VarOf(r) == v {
					return false
				}
			}
		case *ast.BinaryExpr:
			continue // a comparison with nil
		default:
			return false
		}
	}
	return true
}

// written reports whether parent assigns to an element or takes its address,
// or hands a part of the slice to other code.
func (x *Index) written(elem, parent ast.Node) bool {
	switch n := parent.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if ast.Node(ast.Unparen(l)) == elem {
				return true
			}
		}
		_, part := elem.(*ast.SliceExpr)
		return part
	case *ast.IncDecStmt:
		return true
	case *ast.UnaryExpr:
		return n.Op == token.AND
	case *ast.CallExpr:
		_, part := elem.(*ast.SliceExpr)
		c := x.CallOf(n)
		return part && (c == nil || c.Pkg != "nd")
	}
	return false
}
