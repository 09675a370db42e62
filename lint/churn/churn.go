package churn

import (
	_ "embed"
	"go/ast"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW004.
var Rule = rule.New(rule.Def{
	Code:   "TW004",
	Name:   "churn",
	Kind:   rule.Warn,
	Title:  "a kernel or plan is made again in every turn of a loop",
	Lesson: lesson,
	Run:    run,
	Idiom:  isPlan,
	Tip:    "make a plan once per length and share it: plans are immutable and safe for any number of goroutines",
})

func isPlan(c *arrays.Call) bool {
	return c.Is("fft", "", "NewPlan", "NewRealPlan", "NewNDPlan", "NewRealNDPlan", "NewTrigPlan")
}

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if isPlan(c) && !p.InTest(c.Expr.Pos()) {
			plan(p, c)
		}
	}
	for _, k := range p.Kernels {
		if !p.InTest(k.Lit.Pos()) {
			kernel(p, k)
		}
	}
}

// plan reports a plan that every turn of a loop makes with the same arguments.
func plan(p *rule.Pass, c *arrays.Call) {
	loop, ok := p.Loop(c.At)
	if !ok || p.Measures(loop) || arrays.Breaks(loop.Node()) {
		return
	}
	for _, a := range c.Expr.Args {
		if !p.Invariant(a, loop.Node()) {
			return
		}
	}
	p.Found(c.Expr, nil, "%s with the same arguments in every turn of the loop: make the plan before it", c.Name)
}

// kernel reports a kernel made in a loop: for nothing if it is the same each
// time, and with a compilation each time if its source is printed.
func kernel(p *rule.Pass, k *arrays.Kernel) {
	loop, ok := p.Loop(k.At)
	if !ok || p.Measures(loop) {
		return
	}
	for _, text := range []ast.Expr{k.Source, k.Header} {
		if text == nil {
			continue
		}
		o, _ := p.Origin(text)
		call, ok := o.(*ast.CallExpr)
		if !ok || !p.StdFunc(call, "fmt", "Sprintf", "Sprint") {
			continue
		}
		for _, a := range call.Args {
			if !p.Invariant(a, loop.Node()) {
				p.Found(text, nil, "a kernel source printed from %s, which the loop changes, is compiled in every turn: pass template constants or a small buffer", p.Text(a))
				return
			}
		}
	}
	if p.Invariant(k.Lit, loop.Node()) {
		p.Found(k.Lit.Type, nil, "the same kernel is made in every turn of the loop: make it before it")
	}
}
