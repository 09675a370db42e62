package hostloop

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW009.
var Rule = rule.New(rule.Def{
	Code:   "TW009",
	Name:   "hostloop",
	Kind:   rule.Warn,
	Title:  "a loop over elements on the host where one operation exists",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Func("From") },
	Tip:    "samples are best changed as arrays: an operation is part of a fused pass over memory, on all cores or another device",
})

func run(p *rule.Pass) {
	if len(p.Calls) == 0 {
		return
	}
	for at := range p.Root.Preorder((*ast.RangeStmt)(nil), (*ast.ForStmt)(nil)) {
		loop(p, at)
	}
}

// loop reports a loop that computes elements one by one, from a slice that
// was read from an array into one that goes back.
func loop(p *rule.Pass, at inspector.Cursor) {
	index, value, over, body := header(p, at.Node())
	if index == nil && value == nil || len(body) == 0 {
		return
	}
	w := work{p: p, index: index, value: value}
	if over != nil && value != nil {
		w.read = p.HostRead(over)
	}
	var targets []*types.Var
	for _, s := range body {
		target, ok := w.statement(s)
		if !ok {
			return
		}
		targets = append(targets, target)
	}
	if w.read == nil {
		return
	}
	for _, t := range targets {
		if !putBack(p, t, at.Node()) {
			return
		}
	}
	what := "operations on the array do it in one pass"
	if w.op != "" && len(body) == 1 {
		what = w.op + " does it in one operation"
	}
	head := at.Node()
	p.Report(rule.Warn, head.Pos(), body[0].Pos(), nil, "this loop changes elements on the host one by one: %s", what)
}

// header takes a loop over the elements of a slice apart.
func header(p *rule.Pass, n ast.Node) (index, value *types.Var, over ast.Expr, body []ast.Stmt) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if n.Key != nil {
			index = p.VarOf(n.Key)
		}
		if n.Value != nil {
			value = p.VarOf(n.Value)
		}
		return index, value, n.X, n.Body.List
	case *ast.ForStmt:
		inc, ok := n.Post.(*ast.IncDecStmt)
		if !ok || inc.Tok != token.INC {
			return nil, nil, nil, nil
		}
		return p.VarOf(inc.X), nil, nil, n.Body.List
	}
	return nil, nil, nil, nil
}

// work checks that a loop's body is arithmetic on elements at its index.
type work struct {
	p            *rule.Pass
	index, value *types.Var
	read         *arrays.Call // a Slice that elements come from
	op           string
}

// statement gives the slice that s sets an element of, if that is all it does.
func (w *work) statement(s ast.Stmt) (*types.Var, bool) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 || a.Tok == token.DEFINE {
		return nil, false
	}
	target := w.element(a.Lhs[0])
	if target == nil || !w.arithmetic(a.Rhs[0], 0) {
		return nil, false
	}
	name := map[token.Token]string{token.ADD_ASSIGN: "Add", token.SUB_ASSIGN: "Sub", token.MUL_ASSIGN: "Mul", token.QUO_ASSIGN: "Div"}[a.Tok]
	if a.Tok != token.ASSIGN {
		if name == "" {
			return nil, false
		}
		w.note(a.Lhs[0])
		if w.element(a.Rhs[0]) == nil {
			name += "Scalar"
		}
		w.op = name
		return target, true
	}
	w.op = w.operation(a.Rhs[0])
	return target, true
}

// operation names the operation of nd that an expression is.
func (w *work) operation(e ast.Expr) string {
	e = ast.Unparen(e)
	switch e := e.(type) {
	case *ast.BinaryExpr:
		name := map[token.Token]string{token.ADD: "Add", token.SUB: "Sub", token.MUL: "Mul", token.QUO: "Div"}[e.Op]
		x, y := w.isElement(e.X), w.isElement(e.Y)
		switch {
		case name == "" || !x && !y:
			return ""
		case x && y:
			return name
		case x && !hasElement(w, e.Y) || !hasElement(w, e.X) && (e.Op == token.ADD || e.Op == token.MUL):
			return name + "Scalar"
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			if tv, ok := w.p.TypesInfo.Types[e.Fun]; ok && tv.IsType() {
				return w.operation(e.Args[0])
			}
			if sel, ok := e.Fun.(*ast.SelectorExpr); ok && named[sel.Sel.Name] && w.isElement(stripType(w.p, e.Args[0])) {
				return sel.Sel.Name
			}
		}
	case *ast.UnaryExpr:
		if e.Op == token.SUB && w.isElement(e.X) {
			return "Neg"
		}
	}
	return ""
}

// named are the functions of math that nd has under the same name.
var named = map[string]bool{"Abs": true, "Sqrt": true, "Exp": true, "Expm1": true, "Log": true, "Log1p": true, "Sin": true, "Cos": true,
	"Tan": true, "Tanh": true, "Erf": true, "Floor": true, "Ceil": true}

func stripType(p *rule.Pass, e ast.Expr) ast.Expr {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if tv, ok := p.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
			return call.Args[0]
		}
	}
	return e
}

func (w *work) isElement(e ast.Expr) bool {
	e = ast.Unparen(e)
	return w.element(e) != nil || w.value != nil && w.p.VarOf(e) == w.value
}

func hasElement(w *work, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && w.isElement(x) {
			found = true
		}
		return !found
	})
	return found
}

// element is the slice s in s[i] with the loop's index, or nil.
func (w *work) element(e ast.Expr) *types.Var {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || w.index == nil || w.p.VarOf(x.Index) != w.index {
		return nil
	}
	return w.p.VarOf(x.X)
}

// note remembers where the elements of e come from.
func (w *work) note(e ast.Expr) {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if ok && w.read == nil {
		if c := w.p.HostRead(x.X); c != nil && c.Name == "Slice" {
			w.read = c
		}
	}
}

// arithmetic reports whether e is computed from elements at the index,
// numbers, and functions of math alone.
func (w *work) arithmetic(e ast.Expr, depth int) bool {
	if depth > 64 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		v := w.p.VarOf(e)
		return v == nil || v != w.index
	case *ast.IndexExpr:
		if w.element(e) == nil {
			return false
		}
		w.note(e)
		return true
	case *ast.UnaryExpr:
		return e.Op == token.SUB && w.arithmetic(e.X, depth+1)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.QUO:
			return w.arithmetic(e.X, depth+1) && w.arithmetic(e.Y, depth+1)
		}
	case *ast.SelectorExpr:
		tv, ok := w.p.TypesInfo.Types[e]
		return ok && tv.Value != nil
	case *ast.CallExpr:
		if !w.conversion(e) && !w.mathCall(e) {
			return false
		}
		for _, a := range e.Args {
			if !w.arithmetic(a, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

func (w *work) conversion(e *ast.CallExpr) bool {
	tv, ok := w.p.TypesInfo.Types[e.Fun]
	return ok && tv.IsType()
}

func (w *work) mathCall(e *ast.CallExpr) bool {
	sel, ok := e.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	return w.p.StdFunc(e, "math", sel.Sel.Name) || w.p.StdFunc(e, "math/cmplx", sel.Sel.Name)
}

// putBack reports whether a slice is given to nd.From after the loop.
func putBack(p *rule.Pass, v *types.Var, loop ast.Node) bool {
	for _, use := range p.Uses(v) {
		if use.Node().Pos() < loop.End() {
			continue
		}
		if call, ok := use.Parent().Node().(*ast.CallExpr); ok && p.CallOf(call).Func("From") {
			return true
		}
	}
	return false
}
