package ignore

import (
	_ "embed"
	"strings"

	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW000.
var Rule = rule.New(rule.Def{
	Code:   "TW000",
	Name:   "ignore",
	Kind:   rule.Error,
	Title:  "an ignore comment without a code or a reason",
	Lesson: lesson,
	Run:    run,
})

func run(p *rule.Pass) {
	for _, f := range p.Files {
		for _, in := range rule.IgnoresOf(p.Fset, f) {
			end := in.Pos + 1
			switch {
			case len(in.Codes) == 0:
				p.Report(rule.Error, in.Pos, end, nil, "%s needs a code and a reason, as in: %s TW007 the mirror image is plotted too", rule.Directive, rule.Directive)
			case in.Reason == "":
				p.Report(rule.Error, in.Pos, end, nil, "%s %s has no reason, so it ignores nothing: say why", rule.Directive, strings.Join(in.Codes, ", "))
			}
			for _, c := range in.Codes {
				if !rule.Known(c) {
					p.Report(rule.Error, in.Pos, end, nil, "%s names %s, which is not a code of twiddle lint", rule.Directive, c)
				}
			}
		}
	}
}
