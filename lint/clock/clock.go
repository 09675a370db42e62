package clock

import (
	_ "embed"
	"go/ast"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW011.
var Rule = rule.New(rule.Def{
	Code:   "TW011",
	Name:   "clock",
	Kind:   rule.Error,
	Title:  "a clock around lazy code measures nothing",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Builds() },
	Tip:    "operations only build graph; work starts at Eval, Async, Slice or Item, and that is what to time",
})

func run(p *rule.Pass) {
	if len(p.Calls) == 0 {
		return
	}
	for at := range p.Root.Preorder((*ast.BlockStmt)(nil)) {
		timed(p, at.Node().(*ast.BlockStmt))
	}
	for at := range p.Root.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		benchmark(p, at)
	}
}

// timed reports time.Since(start) where all between start and it is lazy.
func timed(p *rule.Pass, block *ast.BlockStmt) {
	for i, s := range block.List {
		start := clockStart(p, s)
		if start == nil {
			continue
		}
		built := 0
		for _, next := range block.List[i+1:] {
			if read := clockRead(p, next, start); read != nil {
				if built > 0 {
					p.Found(read, nil, "this measures how long it takes to build the graph: nothing between start and here evaluates")
				}
				break
			}
			sure, b := p.Lazy(next)
			if !sure {
				break
			}
			built += b
		}
	}
}

// clockStart is the variable of "start := time.Now()", or nil.
func clockStart(p *rule.Pass, s ast.Stmt) *ast.Ident {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return nil
	}
	call, ok := a.Rhs[0].(*ast.CallExpr)
	if !ok || !p.StdFunc(call, "time", "Now") {
		return nil
	}
	id, _ := a.Lhs[0].(*ast.Ident)
	return id
}

// clockRead is the call in s that reads the time since start, or nil: a
// time.Since(start) or time.Now().Sub(start).
func clockRead(p *rule.Pass, s ast.Stmt, start *ast.Ident) ast.Node {
	v := p.VarOf(start)
	var found ast.Node
	ast.Inspect(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || found != nil || len(call.Args) != 1 || v == nil || p.VarOf(call.Args[0]) != v {
			return found == nil
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if ok && (p.StdFunc(call, "time", "Since") || sel.Sel.Name == "Sub") {
			found = call
		}
		return true
	})
	return found
}

// benchmark reports the loop of a benchmark that builds graph and evaluates
// nothing.
func benchmark(p *rule.Pass, at inspector.Cursor) {
	var body *ast.BlockStmt
	var head ast.Expr
	switch n := at.Node().(type) {
	case *ast.ForStmt:
		body, head = n.Body, n.Cond
	case *ast.RangeStmt:
		body, head = n.Body, n.X
	}
	if head == nil || body == nil || !counts(p, head) {
		return
	}
	if sure, built := p.Lazy(body); sure && built > 0 {
		p.Found(head, nil, "this benchmark measures how long it takes to build the graph: its loop evaluates nothing")
	}
}

// counts reports whether a loop's head is b.Loop(), or has b.N in it.
func counts(p *rule.Pass, head ast.Expr) bool {
	found := false
	ast.Inspect(head, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && (sel.Sel.Name == "N" || sel.Sel.Name == "Loop") && p.IsBenchmark(sel.X) {
			found = true
		}
		return !found
	})
	return found
}
