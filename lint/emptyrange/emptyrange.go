package emptyrange

import (
	_ "embed"
	"go/ast"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW018.
var Rule = rule.New(rule.Def{
	Code:   "TW018",
	Name:   "emptyrange",
	Kind:   rule.Error,
	Title:  "a range selects nothing",
	Lesson: lesson,
	Run:    run,
})

func run(p *rule.Pass) {
	for at := range p.Root.Preorder((*ast.CompositeLit)(nil)) {
		lit := at.Node().(*ast.CompositeLit)
		if t := p.TypeOf(lit); t != nil && arrays.IsType(t, "nd", "Range") && !p.InTest(lit.Pos()) {
			look(p, lit)
		}
	}
}

// look reports a literal that selects nothing whatever the axis has.
func look(p *rule.Pass, lit *ast.CompositeLit) {
	bounds := map[string]ast.Expr{}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return // all three are there
		}
		if name, ok := kv.Key.(*ast.Ident); ok {
			bounds[name.Name] = kv.Value
		}
	}
	// Of a step that cannot be seen nothing is known.
	if step, ok := value(p, bounds["Step"]); !ok || step < 0 {
		return
	}
	start, known := value(p, bounds["Start"])
	switch stop, fixed := value(p, bounds["Stop"]); {
	case bounds["Start"] != nil && bounds["Stop"] == nil && !(known && start == 0):
		p.Found(lit, toEnd(p, lit), "a Range with a Start and no Stop selects nothing: add Stop: nd.End")
	case known && fixed && bounds["Stop"] != nil && (start >= 0) == (stop >= 0) && stop <= start:
		p.Found(lit, nil, "a Range from %d to %d selects nothing", start, stop)
	}
}

// value is a constant bound, 0 where there is none.
func value(p *rule.Pass, e ast.Expr) (int, bool) {
	if e == nil {
		return 0, true
	}
	return p.Int(e)
}

func toEnd(p *rule.Pass, lit *ast.CompositeLit) []analysis.SuggestedFix {
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok || len(lit.Elts) == 0 {
		return nil
	}
	after := lit.Elts[len(lit.Elts)-1].End()
	return rule.Replace("go to the end", after, after, ", Stop: "+p.Source(sel.X)+".End")
}
