package arrays

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// Int is the value of a constant expression, or of a variable that holds one.
func (x *Index) Int(e ast.Expr) (int, bool) {
	if e == nil {
		return 0, false
	}
	if v := x.constant(e); v != nil {
		n, ok := constant.Int64Val(constant.ToInt(v))
		return int(n), ok
	}
	return 0, false
}

// Float is the value of a constant number.
func (x *Index) Float(e ast.Expr) (float64, bool) {
	if e == nil {
		return 0, false
	}
	if v := x.constant(e); v != nil {
		if f := constant.ToFloat(v); f.Kind() == constant.Float {
			g, _ := constant.Float64Val(f)
			return g, true
		}
	}
	return 0, false
}

func (x *Index) constant(e ast.Expr) constant.Value {
	for range 2 {
		if tv, ok := x.pass.TypesInfo.Types[e]; ok && tv.Value != nil {
			if k := tv.Value.Kind(); k == constant.Int || k == constant.Float {
				return tv.Value
			}
			return nil
		}
		if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv, ok := x.pass.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
				if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
					return x.constant(call.Args[0])
				}
			}
		}
		e, _ = x.Origin(e)
	}
	return nil
}

// Option is the value of a field in the options of a transform, nil if it is
// left at zero. known is false if the options cannot be seen.
func (x *Index) Option(c *Call, field string) (value ast.Expr, known bool) {
	switch len(c.Expr.Args) {
	case 0:
		return nil, true
	case 1:
		o, _ := x.Origin(c.Expr.Args[0])
		return x.Field(o, field)
	}
	return nil, false
}

// Field is the value of a field of a composite literal, nil if it is left at
// zero. known is false if e is no literal with named fields.
func (x *Index) Field(e ast.Expr, field string) (value ast.Expr, known bool) {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = ast.Unparen(u.X)
	}
	lit, ok := e.(*ast.CompositeLit)
	if !ok {
		return nil, false
	}
	for i, elt := range lit.Elts {
		kv, ok := elt.(*ast.KeyValueExpr)
		if !ok {
			// Positional: count.
			s, ok := structOf(x.TypeOf(lit))
			if !ok || i >= s.NumFields() {
				return nil, false
			}
			if s.Field(i).Name() == field {
				return elt, true
			}
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
			return kv.Value, true
		}
	}
	return nil, true
}

func structOf(t types.Type) (*types.Struct, bool) {
	if t == nil {
		return nil, false
	}
	s, ok := t.Underlying().(*types.Struct)
	return s, ok
}

// Shape is the shape of an array where it is written out as constants, and
// -1 for dimensions that are not; nil if nothing is known.
func (x *Index) Shape(e ast.Expr) []int { return x.shape(e, 0) }

func (x *Index) shape(e ast.Expr, hops int) []int {
	c := x.OriginCall(e)
	if c == nil || c.Pkg != "nd" || hops > maxHops {
		return nil
	}
	if c.Recv == "" {
		first := 1
		switch c.Name {
		case "From":
			if len(c.Expr.Args) == 1 {
				return []int{x.sliceLen(c.Expr.Args[0])}
			}
		case "Zeros", "Ones":
		case "Full", "Normal", "Uniform":
			first = 2
		case "Randint":
			first = 4
		case "Linspace":
			if len(c.Expr.Args) == 3 {
				return []int{x.intOr(c.Expr.Args[2])}
			}
			return nil
		default:
			return nil
		}
		if c.Expr.Ellipsis.IsValid() || len(c.Expr.Args) < first {
			return nil
		}
		var dims []int
		for _, a := range c.Expr.Args[first:] {
			dims = append(dims, x.intOr(a))
		}
		return dims
	}
	if c.Recv != "Array" {
		return nil
	}
	switch {
	case unary[c.Name] || part[c.Name] || c.Name == "Cast":
		return x.shape(c.Receiver(), hops+1)
	case binary[c.Name] && len(c.Expr.Args) == 1:
		a, b := x.shape(c.Receiver(), hops+1), x.shape(c.Expr.Args[0], hops+1)
		return broadcast(a, b)
	case c.Name == "RFFT" || c.Name == "IRFFT" || c.Name == "FFT" || c.Name == "IFFT":
		return x.transformed(c, hops)
	case (c.Name == "Reshape" || c.Name == "BroadcastTo") && !c.Expr.Ellipsis.IsValid():
		var dims []int
		for _, a := range c.Expr.Args {
			dims = append(dims, x.intOr(a))
		}
		return dims
	}
	return nil
}

func (x *Index) transformed(c *Call, hops int) []int {
	in := x.shape(c.Receiver(), hops+1)
	axis, known := x.Option(c, "Axis")
	length, alsoKnown := x.Option(c, "N")
	if len(in) == 0 || !known || !alsoKnown || axis != nil {
		return nil
	}
	dims := append([]int(nil), in...)
	n := &dims[len(dims)-1]
	if c.Name == "IRFFT" && *n > 0 {
		*n = 2 * (*n - 1)
	}
	if length != nil {
		*n = x.intOr(length)
	}
	if c.Name == "RFFT" && *n > 0 {
		*n = *n/2 + 1
	}
	return dims
}

// broadcast is the shape of two arrays together, as far as it is known.
func broadcast(a, b []int) []int {
	if a == nil || b == nil {
		return nil
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	out := append([]int(nil), a...)
	for i := range b {
		o := &out[len(a)-len(b)+i]
		switch {
		case b[i] > 1:
			*o = b[i]
		case b[i] < 0 && *o <= 1:
			*o = -1
		}
	}
	return out
}

func (x *Index) intOr(e ast.Expr) int {
	if n, ok := x.Int(e); ok {
		return n
	}
	return -1
}

// sliceLen is the length of a slice that is written out or made right there.
func (x *Index) sliceLen(e ast.Expr) int {
	o, _ := x.Origin(e)
	switch o := o.(type) {
	case *ast.CompositeLit:
		for _, elt := range o.Elts {
			if _, ok := elt.(*ast.KeyValueExpr); ok {
				return -1
			}
		}
		return len(o.Elts)
	case *ast.CallExpr:
		if id, ok := ast.Unparen(o.Fun).(*ast.Ident); ok && len(o.Args) >= 2 {
			if b, ok := x.pass.TypesInfo.Uses[id].(*types.Builtin); ok && b.Name() == "make" {
				return x.intOr(o.Args[1])
			}
		}
	}
	return -1
}

// LineLen is the length of an array's last axis, or -1.
func (x *Index) LineLen(e ast.Expr) int {
	if s := x.Shape(e); len(s) > 0 {
		return s[len(s)-1]
	}
	return -1
}

// IsLength reports whether e surely is the length of a transform: the constant
// or variable its options have, the length of what it was given, or a question
// for it.
func (x *Index) IsLength(e ast.Expr, t *Call) bool {
	e = x.stripConversions(e)
	given, known := x.Option(t, "N")
	if !known {
		return false
	}
	if given != nil && x.sameValue(e, given) {
		return true
	}
	if n, ok := x.Int(e); ok {
		if given != nil {
			return false
		}
		if t.IsInverse() {
			return n > 1 && n == x.LineLen(t.Expr)
		}
		return n > 1 && n == x.LineLen(t.Receiver())
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	if c := x.CallOf(call); c.Method("Dim", "Len") {
		return x.VarOf(c.Receiver()) != nil && x.reaches(t.Expr, x.VarOf(c.Receiver()))
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && id.Name == "len" && len(call.Args) == 1 {
		data := x.VarOf(call.Args[0])
		found := false
		x.Behind(t.Expr, func(c *Call) bool {
			if c.Func("From") && len(c.Expr.Args) > 0 && data != nil && x.VarOf(c.Expr.Args[0]) == data {
				found = true
			}
			return true
		})
		return found
	}
	return false
}

// reaches reports whether e is computed from the array in v.
func (x *Index) reaches(e ast.Expr, v *types.Var) bool {
	found := false
	x.Behind(e, func(c *Call) bool {
		inputs, _ := x.Inputs(c)
		for _, in := range inputs {
			found = found || x.VarOf(in) == v
		}
		return true
	})
	return found
}

// sameValue reports whether two expressions are the same constant or the same
// variable with one value.
func (x *Index) sameValue(a, b ast.Expr) bool {
	a, b = x.stripConversions(a), x.stripConversions(b)
	if n, ok := x.Int(a); ok {
		m, ok := x.Int(b)
		return ok && n == m
	}
	v := x.VarOf(a)
	return v != nil && v == x.VarOf(b) && len(x.defs[v]) <= 1
}

// stripConversions removes conversions to number types and variables that
// hold nothing else.
func (x *Index) stripConversions(e ast.Expr) ast.Expr {
	for range maxHops {
		e = ast.Unparen(e)
		if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
			if tv, ok := x.pass.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
				e = call.Args[0]
				continue
			}
		}
		o, _ := x.Origin(e)
		if call, ok := o.(*ast.CallExpr); ok && o != e && len(call.Args) == 1 {
			if tv, ok := x.pass.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
				e = o
				continue
			}
		}
		return e
	}
	return e
}
