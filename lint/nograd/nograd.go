package nograd

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW014.
var Rule = rule.New(rule.Def{
	Code:   "TW014",
	Name:   "nograd",
	Kind:   rule.Error,
	Title:  "the loss does not depend on an array it is differentiated by",
	Lesson: lesson,
	Run:    run,
	Idiom:  isGrad,
	Tip:    "a gradient is with respect to an array of the graph, not to a variable: an array that was rebuilt after the loss is another one",
})

func isGrad(c *arrays.Call) bool { return c.Func("Grad", "ValueAndGrad") }

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if !isGrad(c) || len(c.Expr.Args) < 2 || c.Expr.Ellipsis.IsValid() || !p.IsArray(c.Expr.Args[0]) {
			continue
		}
		for _, wrt := range c.Expr.Args[1:] {
			id, ok := ast.Unparen(wrt).(*ast.Ident)
			if !ok || p.VarOf(id) == nil {
				continue
			}
			s := search{p: p, target: p.VarOf(id), use: id, seen: map[ast.Expr]bool{}}
			s.walk(c.Expr.Args[0], 0)
			switch {
			case s.found || s.opaque:
			case s.blocked != "":
				p.Found(wrt, nil, "the gradient is zero: the loss depends on %s only through %s, which passes none on", id.Name, s.blocked)
			default:
				p.Found(wrt, nil, "the gradient is zero: the loss does not depend on this %s", id.Name)
			}
		}
	}
}

// search looks for an array behind a loss.
type search struct {
	p       *rule.Pass
	target  *types.Var
	use     *ast.Ident // where Grad names it
	seen    map[ast.Expr]bool
	found   bool
	opaque  bool   // something cannot be looked behind
	blocked string // an operation without gradient that the array is behind
}

// without are the operations that pass no gradient on.
var without = map[string]bool{"StopGradient": true, "ArgMax": true, "ArgMin": true, "ArgSort": true, "ArgSortDescending": true,
	"Floor": true, "Ceil": true, "Round": true, "BitCast": true, "Equal": true, "NotEqual": true, "Less": true, "LessEqual": true,
	"Greater": true, "GreaterEqual": true, "IsNaN": true, "IsInf": true}

// walk goes through expressions and variables one step at a time, because a
// variable may be the one that is looked for.
func (s *search) walk(e ast.Expr, depth int) {
	e = ast.Unparen(e)
	if s.seen[e] || s.found || depth > 1<<12 {
		return
	}
	s.seen[e] = true
	if id, ok := e.(*ast.Ident); ok {
		s.variable(id, depth)
		return
	}
	c := s.p.CallOf(e)
	if c == nil || !c.Builds() && !c.Func("StopGradient") {
		s.opaque = true
		return
	}
	inputs, all := s.p.Inputs(c)
	if without[c.Name] {
		behind := search{p: s.p, target: s.target, use: s.use, seen: map[ast.Expr]bool{}}
		for _, in := range inputs {
			behind.walk(in, depth+1)
		}
		if behind.found {
			s.blocked = c.Name
		}
		return
	}
	s.opaque = s.opaque || !all
	for _, in := range inputs {
		s.walk(in, depth+1)
	}
}

func (s *search) variable(id *ast.Ident, depth int) {
	v := s.p.VarOf(id)
	def, known := s.p.Reaching(id)
	if v == s.target {
		now, alsoKnown := s.p.Reaching(s.use)
		if !known || !alsoKnown || def.Value == now.Value {
			s.found = true
			return
		}
		// Another array was in the variable then: go on behind it.
	}
	if v == nil || !known || def.Value == nil {
		s.opaque = true
		return
	}
	if def.Index > 0 && s.p.CallOf(def.Value) == nil {
		s.opaque = true
		return
	}
	s.walk(def.Value, depth+1)
}
