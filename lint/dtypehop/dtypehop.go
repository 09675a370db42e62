package dtypehop

import (
	_ "embed"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW006.
var Rule = rule.New(rule.Def{
	Code:   "TW006",
	Name:   "dtypehop",
	Kind:   rule.Warn,
	Title:  "an element type changes for nothing, or does not fit",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Method("Cast") },
	Tip:    "element types are never promoted; a number given to a scalar operation takes the type of its array, so most casts are not needed",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		switch {
		case c.Method("Cast") && len(c.Expr.Args) == 1:
			if !downAndUp(p, c) {
				wider(p, c)
			}
		case c.Pkg == "nd" && c.Recv == "Array" && len(c.Expr.Args) == 1 && p.IsArray(c.Expr.Args[0]):
			scalar(p, c)
		}
	}
}

// downAndUp reports a Cast whose array was just cast to a narrower type.
func downAndUp(p *rule.Pass, c *arrays.Call) bool {
	if p.InTest(c.Expr.Pos()) {
		return false // to see how values round
	}
	to := p.TypeName(c.Expr.Args[0])
	e := c.Receiver()
	for range 8 {
		before := p.OriginCall(e)
		if before.IsView() {
			e = before.Receiver()
			continue
		}
		if !before.Method("Cast") || len(before.Expr.Args) != 1 {
			return false
		}
		narrow := p.TypeName(before.Expr.Args[0])
		if n, w := arrays.Bits(narrow), arrays.Bits(to); n == 0 || w == 0 || n >= w {
			return false
		}
		p.Found(c.NamePos(), nil, "cast to %s and up to %s again: the digits are lost and nothing was saved", narrow, to)
		return true
	}
	return false
}

// wider reports complex128 made from elements that are no finer than float32.
func wider(p *rule.Pass, c *arrays.Call) {
	if p.TypeName(c.Expr.Args[0]) != "Complex128" {
		return
	}
	if from := p.DType(c.Receiver()); from == "Float32" || from == "Complex64" {
		p.Found(c.NamePos(), nil, "complex128 made from %s: twice the bytes and no more digits; transforms take real arrays as they are", strings.ToLower(from))
	}
}

// withScalar are the methods that have a form for a Go number.
var withScalar = map[string]bool{
	"Add": true, "Sub": true, "Mul": true, "Div": true, "Pow": true, "Rem": true, "Maximum": true, "Minimum": true,
	"Equal": true, "NotEqual": true, "Less": true, "LessEqual": true, "Greater": true, "GreaterEqual": true,
}

// scalar reports a float64 nd.Scalar against an array of another type.
func scalar(p *rule.Pass, c *arrays.Call) {
	other := c.Expr.Args[0]
	made := p.OriginCall(other)
	array := c.Receiver()
	swapped := false
	if !isFloat64Scalar(p, made) {
		made, array, swapped = p.OriginCall(array), other, true
		if !isFloat64Scalar(p, made) {
			return
		}
	}
	t := p.DType(array)
	if t == "" || t == "Float64" {
		return
	}
	hint := ""
	if withScalar[c.Name] {
		hint = ": use " + c.Name + "Scalar, whose number takes the type of the array"
	}
	var fix []analysis.SuggestedFix
	if inline, ok := ast.Unparen(other).(*ast.CallExpr); ok && !swapped && withScalar[c.Name] && inline == made.Expr && len(inline.Args) == 1 {
		if number := p.Source(inline.Args[0]); number != "" {
			fix = rule.Replace("use "+c.Name+"Scalar", c.NamePos().Pos(), c.Expr.End(), c.Name+"Scalar("+number+")")
		}
	}
	p.Report(rule.Error, c.NamePos().Pos(), c.NamePos().End(), fix, "a float64 scalar does not mix with %s%s", strings.ToLower(t), hint)
}

func isFloat64Scalar(p *rule.Pass, c *arrays.Call) bool {
	return c.Func("Scalar") && p.DType(c.Expr) == "Float64"
}
