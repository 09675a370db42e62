package graphbreak

import (
	_ "embed"
	"go/ast"
	"strings"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW001.
var Rule = rule.New(rule.Def{
	Code:   "TW001",
	Name:   "graphbreak",
	Kind:   rule.Warn,
	Title:  "an array goes to the host and comes back",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Reads() },
	Tip:    "reading ends the graph: keep values that more operations need as arrays, also single numbers, which broadcast",
})

func run(p *rule.Pass) {
	reported := map[*arrays.Call]bool{} // reads: one break is told once
	for _, c := range p.Calls {
		for _, e := range fed(c) {
			read := p.HostRead(e)
			if read == nil || reported[read] || c.Func("From") && !untouched(p, e) || !arrays.SameFunction(read, c) || onceForLoop(p, read, c) {
				continue
			}
			reported[read] = true
			report(p, read, c)
		}
	}
}

// onceForLoop reports a value read before a loop and used in it: as an array it would
// be computed in every turn.
func onceForLoop(p *rule.Pass, read, back *arrays.Call) bool {
	loop, ok := p.Loop(back.At)
	return ok && !(loop.Node().Pos() <= read.Expr.Pos() && read.Expr.End() <= loop.Node().End())
}

// fed lists the host values that a call makes part of the graph.
func fed(c *arrays.Call) []ast.Expr {
	args := c.Expr.Args
	switch {
	case c.Func("From", "Scalar", "Full") && len(args) > 0:
		return args[:1]
	case c.Func("FullLike") && len(args) == 2:
		return args[1:]
	case c.Pkg == "nd" && c.Recv == "Array" && (strings.HasSuffix(c.Name, "Scalar") || c.Name == "Clip"):
		return args
	}
	return nil
}

// untouched reports that a slice goes back as it came.
func untouched(p *rule.Pass, e ast.Expr) bool {
	e = ast.Unparen(e)
	for range 4 {
		s, ok := e.(*ast.SliceExpr)
		if !ok {
			break
		}
		e = ast.Unparen(s.X)
	}
	v := p.VarOf(e)
	return v != nil && p.Untouched(v)
}

func report(p *rule.Pass, read, back *arrays.Call) {
	array := "the array"
	if len(read.Expr.Args) == 2 {
		array = p.Text(read.Expr.Args[1])
	}
	how := "use the array itself"
	switch name, scalar := strings.CutSuffix(back.Name, "Scalar"); {
	case scalar && name != "" && back.Recv == "Array":
		how = "use " + name + " with the array itself, which broadcasts"
	case back.Func("From"):
		how = "use the array itself, or a Slice or Reshape of it"
	}
	if loop, ok := p.Loop(back.At); ok {
		if first, ok := p.Loop(read.At); ok && first == loop && !p.Measures(loop) {
			p.Found(back.NamePos(), nil, "%s is read to the host and fed back in every turn of the loop, which waits each time: %s", array, how)
			return
		}
	}
	p.Found(back.NamePos(), nil, "%s is read to the host and fed back: %s, and the graph stays whole", array, how)
}
