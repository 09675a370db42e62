package peritem

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW016.
var Rule = rule.New(rule.Def{
	Code:   "TW016",
	Name:   "peritem",
	Kind:   rule.Warn,
	Title:  "elements are read one by one",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Func("Item") },
	Tip:    "Item is for arrays of one element; Slice gives all elements of any array at once",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if !c.Func("Item") || len(c.Expr.Args) != 2 || p.InTest(c.Expr.Pos()) {
			continue
		}
		loop, ok := p.Loop(c.At)
		if !ok {
			continue
		}
		at := p.OriginCall(c.Expr.Args[1])
		if !at.Method("At", "SliceAxis", "Slice") {
			continue
		}
		// The loop chooses the place, and not the array.
		v := p.VarOf(at.Receiver())
		if v == nil || p.SetWithin(v, loop.Node()) {
			continue
		}
		for _, place := range at.Expr.Args {
			if !p.Invariant(place, loop.Node()) {
				p.Found(c.Expr, nil, "every turn evaluates and copies one element of %s: read all of them with Slice, before the loop", v.Name())
				break
			}
		}
	}
}
