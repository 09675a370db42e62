package unused

import (
	_ "embed"
	"go/ast"

	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW017.
var Rule = rule.New(rule.Def{
	Code:   "TW017",
	Name:   "unused",
	Kind:   rule.Error,
	Title:  "the result of an operation is not used",
	Lesson: lesson,
	Run:    run,
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if _, alone := c.At.Parent().Node().(*ast.ExprStmt); !alone || !c.Builds() || p.InTest(c.Expr.Pos()) {
			continue
		}
		if c.Method("On") {
			continue // TW010
		}
		if r := c.Receiver(); r != nil && p.IsArray(r) {
			p.Found(c.NamePos(), nil, "the result of %s is not used: %s stays as it is", c.Name, p.Text(r))
		} else {
			p.Found(c.NamePos(), nil, "the result of %s is not used, and nothing runs because of it", c.Name)
		}
	}
}
