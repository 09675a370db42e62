package lostlength

import (
	_ "embed"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW008.
var Rule = rule.New(rule.Def{
	Code:   "TW008",
	Name:   "lostlength",
	Kind:   rule.Warn,
	Title:  "an inverse real transform forgets the length",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Method("IRFFT") },
	Tip:    "n/2+1 bins fit two lengths: give IRFFT the N you want back",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if c.Method("IRFFT") {
			lost(p, c)
		}
	}
}

func lost(p *rule.Pass, inv *arrays.Call) {
	if n, known := p.Option(inv, "N"); !known || n != nil {
		return
	}
	found, _, _ := p.Forwards(inv.Receiver())
	for _, f := range found {
		if f.Name != "RFFT" {
			continue
		}
		n, what := length(p, f)
		if n > 0 && n%2 == 0 || evenGiven(p, f) {
			return // one of even length is enough: they have the same bins
		}
		at := inv.NamePos()
		if n > 0 {
			p.Report(rule.Error, at.Pos(), at.End(), fix(p, inv, f), "IRFFT without N gives %d samples of the %d that RFFT took", n-1, n)
		} else {
			p.Found(at, fix(p, inv, f), "IRFFT without N drops a sample if %s is odd: give it N", what)
		}
		return
	}
}

// evenGiven reports a transform whose N is even whatever its variables are.
func evenGiven(p *rule.Pass, f *arrays.Call) bool {
	given, known := p.Option(f, "N")
	return known && given != nil && even(p, given)
}

// even reports products and sums that are even whatever their variables are:
// 2*l, l<<1, l&^1, 2*l+4.
func even(p *rule.Pass, e ast.Expr) bool {
	e, _ = p.Origin(e)
	if n, ok := p.Int(e); ok {
		return n%2 == 0
	}
	b, ok := e.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.MUL:
		return even(p, b.X) || even(p, b.Y)
	case token.ADD, token.SUB:
		return even(p, b.X) && even(p, b.Y)
	case token.SHL:
		n, ok := p.Int(b.Y)
		return even(p, b.X) || ok && n > 0
	case token.AND_NOT:
		n, ok := p.Int(b.Y)
		return ok && n%2 == 1
	}
	return false
}

// length is how many samples a transform takes, 0 if that cannot be seen, and
// what to call it.
func length(p *rule.Pass, f *arrays.Call) (n int, what string) {
	given, known := p.Option(f, "N")
	switch {
	case !known:
		return 0, "the length"
	case given != nil:
		n, _ := p.Int(given)
		return n, p.Text(given)
	}
	if axis, known := p.Option(f, "Axis"); !known || axis != nil {
		return 0, "the length of the axis"
	}
	return max(p.LineLen(f.Receiver()), 0), "the length of " + p.Text(f.Receiver())
}

// fix gives the inverse the length its transform had, where that can be
// written down.
func fix(p *rule.Pass, inv, f *arrays.Call) []analysis.SuggestedFix {
	nd := p.ImportName(inv.At, "nd")
	if nd == "" || len(inv.Expr.Args) != 0 {
		return nil
	}
	n := ""
	switch len(f.Expr.Args) {
	case 0:
		v := p.VarOf(f.Receiver())
		if v == nil || len(p.Defs(v)) > 1 {
			return nil
		}
		n = v.Name() + ".Dim(-1)"
	case 1:
		given, _ := p.Option(f, "N")
		axis, _ := p.Option(f, "Axis")
		norm, _ := p.Option(f, "Norm")
		if given == nil || axis != nil || norm != nil {
			return nil
		}
		if _, ok := given.(*ast.BasicLit); !ok {
			v := p.VarOf(given)
			if v == nil || len(p.Defs(v)) > 1 {
				return nil
			}
		}
		n = p.Source(given)
	}
	if n == "" || !arrays.SameFunction(inv, f) {
		return nil
	}
	return rule.Replace("give IRFFT the length", inv.Expr.Rparen, inv.Expr.Rparen, nd+".FFT{N: "+n+"}")
}
