package hotsync

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

// Rule is TW002.
var Rule = rule.New(rule.Def{
	Code:   "TW002",
	Name:   "hotsync",
	Kind:   rule.Warn,
	Title:  "an evaluation in every turn of a loop, of which only the last is used",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Is("nd", "Pending", "Wait") || c.Func("Async") },
	Tip:    "Async starts work and returns: queue what follows and wait once, at the end",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if !c.Func("Eval", "Slice", "Item") && !c.Is("nd", "Pending", "Wait") {
			continue
		}
		loop, ok := p.Loop(c.At)
		if !ok || p.Measures(loop) || arrays.Breaks(loop.Node()) {
			continue
		}
		switch c.Name {
		case "Slice", "Item":
			overwritten(p, c, loop)
		case "Eval":
			evaluated(p, c, loop, c.Expr.Args[min(1, len(c.Expr.Args)):])
		case "Wait":
			if start := p.OriginCall(c.Receiver()); start.Func("Async") {
				evaluated(p, c, loop, start.Expr.Args)
			}
		}
	}
}

// overwritten reports a read whose value no turn uses and the next overwrites.
func overwritten(p *rule.Pass, c *arrays.Call, loop inspector.Cursor) {
	assign, ok := c.At.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 {
		return
	}
	v := p.VarOf(assign.Lhs[0])
	if v == nil || !outside(v, loop.Node()) || len(p.Defs(v)) > 2 {
		return
	}
	after := false
	for _, use := range p.Uses(v) {
		n := use.Node()
		switch {
		case n == ast.Node(assign.Lhs[0]):
		case within(loop.Node(), n):
			return
		default:
			after = after || n.Pos() > loop.Node().End()
		}
	}
	if after {
		p.Found(c.Expr, nil, "every turn waits and copies, and only the last %s is used: call %s once, after the loop", v.Name(), c.Name)
	}
}

// evaluated reports an evaluation of arrays that each turn makes anew and only
// what follows the loop reads.
func evaluated(p *rule.Pass, c *arrays.Call, loop inspector.Cursor, args []ast.Expr) {
	if len(args) == 0 {
		return
	}
	for _, a := range args {
		v := p.VarOf(a)
		if v == nil || !outside(v, loop.Node()) || !onlyLast(p, v, a, loop.Node()) {
			return
		}
	}
	p.Found(c.Expr, nil, "every turn waits for %s, and only the last is used: evaluate once, after the loop", p.Text(args[0]))
}

// onlyLast reports that in the loop v is set, without its old value, and
// evaluated, and that what comes after uses it.
func onlyLast(p *rule.Pass, v *types.Var, arg ast.Expr, loop ast.Node) bool {
	set, after := false, false
	for _, use := range p.Uses(v) {
		n := use.Node()
		switch {
		case !within(loop, n):
			after = after || n.Pos() > loop.End()
		case n == ast.Node(ast.Unparen(arg)):
		case isTarget(use):
			set = true
		default:
			return false
		}
	}
	return set && after
}

// isTarget reports whether a use of a variable is the left side of an
// assignment.
func isTarget(use inspector.Cursor) bool {
	assign, ok := use.Parent().Node().(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN {
		return false
	}
	for _, l := range assign.Lhs {
		if ast.Node(l) == use.Node() {
			return true
		}
	}
	return false
}

func outside(v *types.Var, loop ast.Node) bool {
	return v.Pos() < loop.Pos() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

func within(outer, n ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }
