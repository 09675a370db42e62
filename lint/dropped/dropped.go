package dropped

import (
	_ "embed"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW003.
var Rule = rule.New(rule.Def{
	Code:   "TW003",
	Name:   "dropped",
	Kind:   rule.Error,
	Title:  "the error of an evaluation is dropped",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Func("Eval") || c.Reads() },
	Tip:    "operations never fail on the spot: the first mistake of the whole graph is returned here, so this is the one error to check",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		switch {
		case c.Func("Eval", "Slice", "Item", "Read", "Look") || c.Is("nd", "Pending", "Wait") || c.Is("nd", "Compiled", "Call") || c.Is("signal", "Stream", "Push"):
			dropped(p, c)
		case !c.Method("Err") && c.GivesError() && alone(c) && !p.InTest(c.Expr.Pos()):
			p.Found(c.Expr, nil, "the error of %s is dropped", c.Name)
		case c.Method("Err"):
			if _, ok := c.At.Parent().Node().(*ast.ExprStmt); ok {
				p.Found(c.Expr, nil, "the result of Err is dropped: asking changes nothing")
			}
		}
	}
	for at := range p.Root.Preorder((*ast.ReturnStmt)(nil)) {
		unchecked(p, at)
	}
}

// alone reports a call of what others call, as a statement of its own. Closing what was
// read is often one, and so is writing where nobody could be told.
func alone(c *arrays.Call) bool {
	_, ok := c.At.Parent().Node().(*ast.ExprStmt)
	return ok && ast.IsExported(c.Name) && c.Name != "Close" && c.Name != "Write"
}

// dropped reports an evaluation whose error goes nowhere.
func dropped(p *rule.Pass, c *arrays.Call) {
	name := c.Name
	switch parent := c.At.Parent().Node().(type) {
	case *ast.ExprStmt:
		p.Found(c.Expr, nil, "the error of %s is dropped: it is the only sign that the arrays were not computed", name)
	case *ast.GoStmt, *ast.DeferStmt:
		p.Found(c.Expr, nil, "nobody sees the error of this %s: call it in a function that handles it, or use Async", name)
	case *ast.AssignStmt:
		if len(parent.Rhs) != 1 {
			return
		}
		last, ok := parent.Lhs[len(parent.Lhs)-1].(*ast.Ident)
		if p.InTest(c.Expr.Pos()) {
			return // what the test compares next is empty then
		}
		if ok && last.Name == "_" && len(parent.Lhs) == 2 {
			p.Found(c.Expr, nil, "the error of %s is dropped: on failure the value is empty", name)
		} else if ok && last.Name == "_" && len(parent.Lhs) == 1 {
			p.Report(rule.Warn, c.Expr.Pos(), c.Expr.End(), nil, "the error of %s is thrown away: on failure the arrays were not computed", name)
		}
	}
}

// unchecked reports "return y, nil" where y may carry an error that the
// function could return. Functions of the package's own use leave it to those
// who call them.
func unchecked(p *rule.Pass, at inspector.Cursor) {
	ret := at.Node().(*ast.ReturnStmt)
	if len(ret.Results) < 2 {
		return
	}
	last := ret.Results[len(ret.Results)-1]
	if tv, ok := p.TypesInfo.Types[last]; !ok || !tv.IsNil() || !promisesError(p, at) {
		return
	}
	for _, r := range ret.Results[:len(ret.Results)-1] {
		if !p.IsArray(r) {
			continue
		}
		c := p.OriginCall(r)
		if c == nil || !c.Builds() || c.Func("Scalar") || looked(p, r, c) {
			continue
		}
		var fix []analysis.SuggestedFix
		if id, ok := r.(*ast.Ident); ok && len(ret.Results) == 2 {
			fix = rule.Replace("return the error that the array carries", last.Pos(), last.End(), id.Name+".Err()")
		}
		p.Report(rule.Warn, last.Pos(), last.End(), fix, "%s may carry an error: return its Err() instead of nil", p.Text(r))
		return
	}
}

// promisesError reports whether at is in an exported function that has error
// as its last result.
func promisesError(p *rule.Pass, at inspector.Cursor) bool {
	for fn := range at.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		decl, ok := fn.Node().(*ast.FuncDecl)
		if !ok || !decl.Name.IsExported() {
			return false
		}
		sig := decl.Type
		if sig.Results == nil || len(sig.Results.List) == 0 {
			return false
		}
		t := p.TypesInfo.TypeOf(sig.Results.List[len(sig.Results.List)-1].Type)
		return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}

// looked reports whether the function asks the array, or something it goes
// into, for its error: then nil is what it found.
func looked(p *rule.Pass, e ast.Expr, made *arrays.Call) bool {
	v := p.VarOf(e)
	if v == nil {
		return false
	}
	for _, use := range p.Uses(v) {
		if use.Node().Pos() >= e.Pos() {
			break
		}
		if use.Node().Pos() < made.Expr.Pos() && len(p.Defs(v)) > 1 {
			continue // an earlier value of the variable
		}
		for around := range use.Enclosing((*ast.CallExpr)(nil), (*ast.SelectorExpr)(nil), (*ast.BlockStmt)(nil)) {
			call, ok := around.Node().(*ast.CallExpr)
			if !ok {
				if _, block := around.Node().(*ast.BlockStmt); block {
					break
				}
				continue
			}
			c := p.CallOf(call)
			if c == nil || c.Method("Err") || c.Evaluates() {
				return true // or handed to code that may have looked
			}
		}
	}
	return false
}
