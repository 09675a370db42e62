package arrays

import (
	"go/ast"
	"go/types"
)

// DType is the element type of an array by the name it has in nd, such as
// Float32; "" if it cannot be seen.
func (x *Index) DType(e ast.Expr) string { return x.dtype(e, 0) }

func (x *Index) dtype(e ast.Expr, hops int) string {
	o, index := x.Origin(e)
	c := x.CallOf(o)
	if c == nil || c.Pkg != "nd" || hops > maxHops {
		return ""
	}
	if c.Recv == "" {
		return x.createdType(c, hops)
	}
	if c.Recv != "Array" {
		return ""
	}
	in := func() string { return x.dtype(c.Receiver(), hops+1) }
	switch {
	case c.Name == "TopK":
		if index == 1 {
			return "Int64"
		}
		return in()
	case compare[c.Name]:
		return "Bool"
	case unary[c.Name] || view[c.Name] || reduce[c.Name]:
		return in()
	case binary[c.Name]:
		// Types are never promoted, so either operand tells.
		if t := in(); t != "" || len(c.Expr.Args) != 1 {
			return t
		}
		return x.dtype(c.Expr.Args[0], hops+1)
	case part[c.Name] || toReal[c.Name] || c.Name == "Var" || c.Name == "Std" || c.Name == "Norm":
		return realOf(in())
	case toComplex[c.Name]:
		return complexOf(in())
	case positions[c.Name]:
		return "Int64"
	case c.Name == "Cast" || c.Name == "BitCast":
		if len(c.Expr.Args) == 1 {
			return x.TypeName(c.Expr.Args[0])
		}
	}
	return ""
}

func (x *Index) createdType(c *Call, hops int) string {
	arg := func(i int) ast.Expr {
		if i < len(c.Expr.Args) {
			return c.Expr.Args[i]
		}
		return nil
	}
	switch c.Name {
	case "From", "Scalar", "Arange", "Linspace", "FFTFreq", "RFFTFreq":
		return x.elementType(c)
	case "Zeros", "Ones", "Eye":
		return x.TypeName(arg(0))
	case "Full", "Normal", "Uniform":
		return x.TypeName(arg(1))
	case "Randint":
		return x.TypeName(arg(3))
	case "FullLike":
		if a := arg(0); a != nil {
			return x.dtype(a, hops+1)
		}
	case "Where":
		for i := 1; i <= 2; i++ { // one of the two may be a number
			if a := arg(i); a != nil {
				if t := x.dtype(a, hops+1); t != "" {
					return t
				}
			}
		}
	case "Complex":
		if a := arg(0); a != nil {
			return complexOf(x.dtype(a, hops+1))
		}
	case "Concat", "Stack":
		if a := arg(1); a != nil && !c.Expr.Ellipsis.IsValid() {
			return x.dtype(a, hops+1)
		}
	case "Permutation":
		return "Int64"
	}
	return ""
}

// elementType is the type argument of a generic function of nd.
func (x *Index) elementType(c *Call) string {
	fun := ast.Unparen(c.Expr.Fun)
	switch f := fun.(type) {
	case *ast.IndexExpr:
		fun = f.X
	case *ast.IndexListExpr:
		fun = f.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	default:
		return ""
	}
	inst, ok := x.pass.TypesInfo.Instances[id]
	if !ok || inst.TypeArgs.Len() != 1 {
		return ""
	}
	t, ok := types.Unalias(inst.TypeArgs.At(0)).(*types.Basic)
	if !ok {
		return ""
	}
	return map[types.BasicKind]string{
		types.Bool: "Bool", types.Uint8: "Uint8", types.Int8: "Int8", types.Int16: "Int16", types.Int32: "Int32", types.Int64: "Int64", types.Uint32: "Uint32",
		types.Float32: "Float32", types.Float64: "Float64", types.Complex64: "Complex64", types.Complex128: "Complex128",
	}[t.Kind()]
}

// TypeName is the name of a constant of nd, such as Float32 or Ortho, or "".
func (x *Index) TypeName(e ast.Expr) string {
	if e == nil {
		return ""
	}
	o, _ := x.Origin(e)
	var id *ast.Ident
	switch o := o.(type) {
	case *ast.SelectorExpr:
		id = o.Sel
	case *ast.Ident:
		id = o
	default:
		return ""
	}
	if k, ok := x.pass.TypesInfo.Uses[id].(*types.Const); ok && k.Pkg() != nil && k.Pkg().Path() == Module+"nd" {
		return k.Name()
	}
	return ""
}

// complexOf is the element type of a spectrum of elements of type t.
func complexOf(t string) string {
	switch t {
	case "Float32", "Complex64":
		return "Complex64"
	case "Float64", "Complex128":
		return "Complex128"
	}
	return ""
}

// realOf is the element type of a part of numbers of type t.
func realOf(t string) string {
	switch t {
	case "Complex64":
		return "Float32"
	case "Complex128":
		return "Float64"
	}
	return t
}

// Bits is the size of a real or complex element type's real part; 0 if it has
// none.
func Bits(t string) int {
	switch t {
	case "Float16", "BFloat16":
		return 16
	case "Float32", "Complex64":
		return 32
	case "Float64", "Complex128":
		return 64
	}
	return 0
}
