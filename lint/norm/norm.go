package norm

import (
	_ "embed"
	"go/ast"
	"go/token"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW005.
var Rule = rule.New(rule.Def{
	Code:   "TW005",
	Name:   "norm",
	Kind:   rule.Error,
	Title:  "forward and inverse transform scale differently",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.IsInverse() },
	Tip:    "by default only the inverse scales, by 1/n; give both directions the same Norm and never divide by hand",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		switch {
		case c.IsInverse():
			mismatch(p, c)
		case c.Method("MulScalar", "DivScalar"):
			byHand(p, c)
		}
	}
}

// powers of n that the two directions multiply by, times two.
var powers = map[string][2]int{"Backward": {0, -2}, "Ortho": {-1, -1}, "Forward": {-2, 0}}

// normOf is the norm of a transform, or "" if it cannot be seen.
func normOf(p *rule.Pass, c *arrays.Call) string {
	v, known := p.Option(c, "Norm")
	if !known {
		return ""
	}
	if v == nil {
		return "Backward"
	}
	return p.TypeName(v)
}

// mismatch reports an inverse whose norm none of its transforms has.
func mismatch(p *rule.Pass, inv *arrays.Call) {
	back := normOf(p, inv)
	found, scaled, _ := p.Forwards(inv.Receiver())
	if back == "" || scaled || len(found) == 0 || scaledAfter(inv) {
		return
	}
	for _, f := range found {
		if n := normOf(p, f); n == back || n == "" || inv.Name != "I"+f.Name {
			return
		}
	}
	there := normOf(p, found[0])
	factor := map[int]string{-2: "1/n", -1: "1/sqrt(n)", 1: "sqrt(n)", 2: "n"}[powers[there][0]+powers[back][1]+2]
	at := inv.NamePos()
	p.Found(at, nil, "%s has norm %s and %s norm %s: the result is off by a factor of %s", found[0].Name, there, inv.Name, back, factor)
}

// scaledAfter reports whether the result is scaled by hand, to make up for
// norms that differ on purpose.
func scaledAfter(inv *arrays.Call) bool {
	sel, ok := inv.At.Parent().Node().(*ast.SelectorExpr)
	return ok && (sel.Sel.Name == "MulScalar" || sel.Sel.Name == "DivScalar" || sel.Sel.Name == "Mul" || sel.Sel.Name == "Div")
}

// byHand reports a division by the length of a transform that already divides.
func byHand(p *rule.Pass, c *arrays.Call) {
	if len(c.Expr.Args) != 1 {
		return
	}
	t := p.OriginCall(c.Receiver())
	if t.Method("Real") {
		t = p.OriginCall(t.Receiver())
	}
	if !t.IsInverse() && !t.IsForward() {
		return
	}
	norm := normOf(p, t)
	scales := t.IsInverse() && (norm == "Backward" || norm == "Ortho") || t.IsForward() && (norm == "Forward" || norm == "Ortho")
	n := divisor(c)
	if !scales || n == nil || !p.IsLength(n, t) || t.IsInverse() && !simple(p, t) {
		return
	}
	p.Found(c.NamePos(), nil, "%s with norm %s already divides by the length: this divides again", t.Name, norm)
}

// divisor is what a scalar operation divides by: n in DivScalar(n) and in
// MulScalar(1/n).
func divisor(c *arrays.Call) ast.Expr {
	arg := ast.Unparen(c.Expr.Args[0])
	if c.Name == "DivScalar" {
		return arg
	}
	b, ok := arg.(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO {
		return nil
	}
	if lit, ok := ast.Unparen(b.X).(*ast.BasicLit); !ok || lit.Value != "1" && lit.Value != "1.0" {
		return nil
	}
	return b.Y
}

// simple reports that the spectrum given to an inverse comes from one forward
// transform and is not multiplied by another: a correlation divided by n is an
// estimate, not a mistake.
func simple(p *rule.Pass, inv *arrays.Call) bool {
	forwards := 0
	e := inv.Receiver()
	for range 32 {
		c := p.OriginCall(e)
		switch {
		case c == nil:
			return false
		case c.IsForward():
			return forwards == 0
		case !c.IsMap() || c.Recv == "":
			return false
		}
		for _, a := range c.Expr.Args {
			if p.IsArray(a) {
				p.Behind(a, func(c *arrays.Call) bool {
					if c.IsForward() {
						forwards++
					}
					return true
				})
			}
		}
		e = c.Receiver()
	}
	return false
}
