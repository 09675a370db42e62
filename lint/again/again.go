package again

import (
	_ "embed"
	"go/ast"
	"go/types"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW015.
var Rule = rule.New(rule.Def{
	Code:   "TW015",
	Name:   "again",
	Kind:   rule.Warn,
	Title:  "a lazy array made before a loop is computed again in every turn",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Func("Compile") },
	Tip:    "what no input of a compiled function reaches is computed once and kept",
})

func run(p *rule.Pass) {
	reported := map[*types.Var]bool{}
	for _, c := range p.Calls {
		if !evaluates(c) || p.InTest(c.Expr.Pos()) {
			continue
		}
		loop, ok := p.Loop(c.At)
		if !ok || p.Measures(loop) {
			continue
		}
		inputs, _ := p.Inputs(c)
		for _, in := range inputs {
			p.Behind(in, func(made *arrays.Call) bool {
				if inside(loop.Node(), made.Expr) {
					return !evaluates(made)
				}
				v := variable(p, made)
				if v == nil || reported[v] || !arrays.SameFunction(made, c) || p.SetWithin(v, loop.Node()) || !costly(p, made) || !onlyBuilds(p, v) {
					return false
				}
				reported[v] = true
				p.Found(c.NamePos(), nil, "%s is lazy: every turn computes it again; evaluate it once, before the loop", v.Name())
				return false
			})
		}
	}
}

func evaluates(c *arrays.Call) bool {
	return c.Func("Eval", "Slice", "Item", "Read", "Look", "Async")
}

func inside(outer, n ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// variable is what the array of a call is assigned to, or nil.
func variable(p *rule.Pass, c *arrays.Call) *types.Var {
	assign, ok := c.At.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 || len(assign.Lhs) != 1 {
		return nil
	}
	return p.VarOf(assign.Lhs[0])
}

// costly reports what is worth keeping: a transform, a product of matrices, a sum
// or order of many elements, random numbers, or an operation of a package above nd.
func costly(p *rule.Pass, made *arrays.Call) bool {
	found := false
	p.Behind(made.Expr, func(c *arrays.Call) bool {
		switch {
		case c.IsForward() || c.IsInverse() || c.Method("MatMul", "Sort", "SortDescending", "ArgSort", "CumSum", "CumProd", "Sum", "Mean", "Median", "Quantile"),
			c.Func("Normal", "Uniform", "Randint", "Permutation"),
			c.Pkg != "nd" && c.Builds():
			found = true
		}
		return !found && c.Builds()
	})
	return found
}

// onlyBuilds reports that an array only ever goes into other arrays: nobody
// evaluates it, and no code that cannot be seen could.
func onlyBuilds(p *rule.Pass, v *types.Var) bool {
	if len(p.Defs(v)) != 1 {
		return false
	}
	for _, use := range p.Uses(v) {
		around := use.Parent()
		if _, ok := around.Node().(*ast.SelectorExpr); ok {
			around = around.Parent()
		}
		call, ok := around.Node().(*ast.CallExpr)
		if !ok {
			return false
		}
		c := p.CallOf(call)
		if c == nil || !c.Builds() && !c.Method("Dim", "Shape", "Len", "NDim", "DType", "Err", "String") {
			return false
		}
	}
	return true
}
