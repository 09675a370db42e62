package streams

import (
	_ "embed"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW010.
var Rule = rule.New(rule.Def{
	Code:   "TW010",
	Name:   "streams",
	Kind:   rule.Warn,
	Title:  "a stream does nothing, or there are too many",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Method("On") || c.Is("nd", "Device", "NewStream") },
	Tip:    "On gives a new array whose operations run on the stream; edges between streams wait by themselves, so nothing else is to be synchronised",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		switch {
		case c.Method("On"):
			dropped(p, c)
			tooMany(p, c)
		case c.Is("nd", "Device", "NewStream"):
			inLoop(p, c)
		case c.Is("signal", "Pipeline", "Apply") && len(c.Expr.Args) > 0:
			bands(p, c)
		}
	}
}

// dropped reports x.On(s) as a statement.
func dropped(p *rule.Pass, c *arrays.Call) {
	if _, ok := c.At.Parent().Node().(*ast.ExprStmt); !ok {
		return
	}
	var fix []analysis.SuggestedFix
	if v := p.VarOf(c.Receiver()); v != nil && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
		fix = rule.Replace("keep the array on the stream", c.Expr.Pos(), c.Expr.Pos(), v.Name()+" = ")
	}
	p.Report(rule.Error, c.Expr.Pos(), c.Expr.End(), fix, "the result of On is dropped: %s stays on its stream", p.Text(c.Receiver()))
}

// inLoop reports a stream that lives for one turn of a loop.
func inLoop(p *rule.Pass, c *arrays.Call) {
	loop, ok := p.Loop(c.At)
	if !ok || p.Measures(loop) {
		return
	}
	assign, ok := c.At.Parent().Node().(*ast.AssignStmt)
	if !ok {
		return
	}
	v := p.VarOf(assign.Lhs[0])
	if v == nil || v.Pos() < loop.Node().Pos() || v.Pos() > loop.Node().End() {
		return // kept for after the loop
	}
	for _, use := range p.Uses(v) {
		if !onlyOn(p, v, use.Parent().Node()) {
			return
		}
	}
	if !serial(p, loop, v) {
		return // one stream for each part, which then overlap
	}
	p.Found(c.Expr, nil, "a new stream in every turn of the loop: make the streams once, before it")
}

// serial reports that the turns of a loop cannot overlap: each evaluates, or
// closes its stream, or goes on with what the one before made.
func serial(p *rule.Pass, loop inspector.Cursor, stream *types.Var) bool {
	for at := range loop.Preorder((*ast.CallExpr)(nil)) {
		c := p.CallOf(at.Node().(*ast.CallExpr))
		if c == nil {
			continue
		}
		if c.Evaluates() && !c.Func("Async", "Explain") {
			return true
		}
		if c.Is("nd", "Stream", "Close") && p.VarOf(c.Receiver()) == stream {
			if _, deferred := at.Parent().Node().(*ast.DeferStmt); !deferred {
				return true
			}
		}
		if v := p.VarOf(c.Receiver()); c.Method("On") && v != nil && v.Pos() < loop.Node().Pos() && p.SetWithin(v, loop.Node()) {
			return true
		}
	}
	return false
}

// onlyOn reports that parent does nothing with the stream v but run arrays on
// it or close it.
func onlyOn(p *rule.Pass, v *types.Var, parent ast.Node) bool {
	switch n := parent.(type) {
	case *ast.CallExpr:
		return p.CallOf(n).Method("On")
	case *ast.SelectorExpr:
		return n.Sel.Name == "Close" || n.Sel.Name == "Device"
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if p.VarOf(l) == v {
				return true
			}
		}
	case *ast.BinaryExpr:
		return true // a comparison
	}
	return false
}

// bands reports a pipeline with more streams than channels, where the array
// it is applied to has a visible shape.
func bands(p *rule.Pass, c *arrays.Call) {
	o, _ := p.Origin(c.Receiver())
	streams, known := p.Field(o, "Streams")
	if !known || streams == nil {
		return
	}
	n, ok := p.Int(streams)
	if channels := channelsOf(p, c.Expr.Args[0]); ok && channels > 0 && n > channels {
		p.Found(streams, nil, "%d streams for %d channels: there are no more bands than channels", n, channels)
	}
}

// channelsOf is the length of the last axis but one, or -1.
func channelsOf(p *rule.Pass, x ast.Expr) int {
	if s := p.Shape(x); len(s) >= 2 {
		return s[len(s)-2]
	}
	return -1
}

// tooMany reports parts.On(streams[i]) in a loop over fewer parts than streams.
func tooMany(p *rule.Pass, c *arrays.Call) {
	index, ok := ast.Unparen(argument(c)).(*ast.IndexExpr)
	if !ok {
		return
	}
	streams := count(p, index.X)
	loop, ok := p.Loop(c.At)
	if !ok {
		return
	}
	r, ok := loop.Node().(*ast.RangeStmt)
	if !ok || p.VarOf(index.Index) == nil || r.Key == nil || p.VarOf(index.Index) != p.VarOf(r.Key) {
		return
	}
	split := p.OriginCall(r.X)
	if !split.Func("Split") || len(split.Expr.Args) != 3 {
		return
	}
	if parts, ok := p.Int(split.Expr.Args[1]); ok && streams > parts {
		p.Found(index, nil, "%d streams for %d bands: the others stay idle", streams, parts)
	}
}

func argument(c *arrays.Call) ast.Expr {
	if len(c.Expr.Args) == 1 {
		return c.Expr.Args[0]
	}
	return nil
}

// count is the length of a slice of streams that is made with a constant one.
func count(p *rule.Pass, e ast.Expr) int {
	o, _ := p.Origin(e)
	call, ok := o.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return -1
	}
	if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "make" {
		return -1
	}
	n, ok := p.Int(call.Args[1])
	if !ok {
		return -1
	}
	return n
}
