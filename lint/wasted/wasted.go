package wasted

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

// Rule is TW007.
var Rule = rule.New(rule.Def{
	Code:   "TW007",
	Name:   "wasted",
	Kind:   rule.Warn,
	Title:  "a transform computes more than is used",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Method("FFT", "RFFT") },
	Tip:    "real samples have a mirrored spectrum: RFFT computes the n/2+1 bins that matter in half the time and memory",
})

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		switch {
		case c.Method("Real"):
			realRoundTrip(p, c)
		case c.Method("SliceAxis", "Slice"):
			firstHalf(p, c)
		case c.IsInverse():
			undone(p, c)
		}
	}
}

// isReal reports an element type without imaginary part that transforms take.
func isReal(t string) bool { return t == "Float32" || t == "Float64" }

// hermitian are the maps that keep a mirrored spectrum mirrored.
var hermitian = map[string]bool{"Mul": true, "Add": true, "Sub": true, "Div": true, "Conj": true, "Neg": true, "MulScalar": true, "DivScalar": true, "On": true}

// realRoundTrip reports x.FFT()...IFFT().Real() where everything in between is
// the spectrum of something real.
func realRoundTrip(p *rule.Pass, c *arrays.Call) {
	inv := p.OriginCall(c.Receiver())
	if !inv.Method("IFFT") {
		return
	}
	var forwards []*arrays.Call
	keeps := true
	closed := p.Behind(inv.Receiver(), func(b *arrays.Call) bool {
		if b.Method("FFT") {
			forwards = append(forwards, b)
			keeps = keeps && isReal(p.DType(b.Receiver()))
			return false
		}
		keeps = keeps && b.Pkg == "nd" && b.Recv == "Array" && hermitian[b.Name]
		return keeps
	})
	if !closed || !keeps || len(forwards) == 0 || !realNumbers(p, inv) {
		return
	}
	for _, f := range forwards {
		if !sameAxes(p, f, inv) {
			return
		}
	}
	p.Found(forwards[0].NamePos(), nil, "FFT of real numbers whose inverse is real again: RFFT and IRFFT do half the work")
}

// realNumbers reports that the scalar operations behind inv have real numbers:
// a complex one would break the mirror.
func realNumbers(p *rule.Pass, inv *arrays.Call) bool {
	ok := true
	p.Behind(inv.Receiver(), func(b *arrays.Call) bool {
		if b.Method("MulScalar", "DivScalar") && len(b.Expr.Args) == 1 {
			_, real := p.Float(b.Expr.Args[0])
			ok = ok && real
		}
		return !b.IsForward()
	})
	return ok
}

// sameAxes reports that two transforms are seen to be along the same axes.
func sameAxes(p *rule.Pass, a, b *arrays.Call) bool {
	for _, field := range []string{"Axis", "Axes"} {
		x, known := p.Option(a, field)
		y, alsoKnown := p.Option(b, field)
		if !known || !alsoKnown || (x == nil) != (y == nil) || x != nil && p.Source(x) != p.Source(y) {
			return false
		}
	}
	return true
}

// firstHalf reports a full spectrum of which only the first half is kept.
func firstHalf(p *rule.Pass, c *arrays.Call) {
	t := p.OriginCall(c.Receiver())
	if !t.Method("FFT") || !isReal(p.DType(t.Receiver())) || len(c.Expr.Args) == 0 || usedElsewhere(p, c.Receiver()) {
		return
	}
	if axis, known := p.Option(t, "Axis"); !known || axis != nil {
		return
	}
	if c.Name == "SliceAxis" {
		if axis, ok := p.Int(c.Expr.Args[0]); !ok || axis != -1 {
			return
		}
	}
	last := c.Expr.Args[len(c.Expr.Args)-1]
	if c.Name == "Slice" && len(c.Expr.Args) != len(p.Shape(t.Receiver())) {
		return // which axis that is cannot be seen
	}
	r, _ := p.Origin(last)
	start, known := p.Field(r, "Start")
	stop, alsoKnown := p.Field(r, "Stop")
	step, stepKnown := p.Field(r, "Step")
	if !known || !alsoKnown || !stepKnown || start != nil || stop == nil || step != nil {
		return
	}
	if !isHalf(p, stop, t) {
		return
	}
	p.Found(t.NamePos(), nil, "FFT of real numbers of which only the first half is kept: RFFT computes just those bins")
}

// isHalf reports whether stop is at most n/2+1.
func isHalf(p *rule.Pass, stop ast.Expr, t *arrays.Call) bool {
	if k, ok := p.Int(stop); ok {
		n := p.LineLen(t.Expr)
		return k > 0 && n > 0 && k <= n/2+1
	}
	if b, ok := ast.Unparen(stop).(*ast.BinaryExpr); ok && b.Op == token.ADD {
		if one, ok := p.Int(b.Y); !ok || one != 1 {
			return false
		}
		stop = b.X
	}
	b, ok := ast.Unparen(stop).(*ast.BinaryExpr)
	if !ok || b.Op != token.QUO {
		return false
	}
	two, ok := p.Int(b.Y)
	return ok && two == 2 && p.IsLength(b.X, t)
}

// usedElsewhere reports whether an array in a variable has further uses, which
// may need the rest of it.
func usedElsewhere(p *rule.Pass, e ast.Expr) bool {
	v := p.VarOf(e)
	return v != nil && len(p.Uses(v)) > 1
}

// undone reports a transform that is inverted at once.
func undone(p *rule.Pass, inv *arrays.Call) {
	there := p.OriginCall(inv.Receiver())
	if there == nil || !there.IsForward() || inv.Name != "I"+there.Name {
		return
	}
	if !sameAxes(p, there, inv) {
		return
	}
	if store, known := p.Option(inv, "Store"); !known || store != nil {
		return // it rounds
	}
	if usedElsewhere(p, inv.Receiver()) {
		return // the spectrum is wanted too; the time signal is still there, but under another name
	}
	// A transform of another length is a way to resample or cut.
	for _, c := range []*arrays.Call{there, inv} {
		n, known := p.Option(c, "N")
		if c.Name == "FFTN" || c.Name == "RFFTN" || c.Name == "IFFTN" || c.Name == "IRFFTN" {
			n, known = p.Option(c, "Shape")
		}
		if !known || n != nil && !isDim(p, n, there) {
			return
		}
	}
	var fix []analysis.SuggestedFix
	if certain(p, there, inv) {
		if x := p.Source(there.Receiver()); x != "" && there.Expr == ast.Unparen(inv.Receiver()) {
			fix = rule.Replace("use the array itself", inv.Expr.Pos(), inv.Expr.End(), x)
		}
	}
	p.Found(inv.NamePos(), fix, "%s undoes %s with nothing between: the result is the array itself", inv.Name, there.Name)
}

// isDim reports whether n asks the transformed array for its length.
func isDim(p *rule.Pass, n ast.Expr, t *arrays.Call) bool {
	o, _ := p.Origin(n)
	c := p.CallOf(o)
	v := p.VarOf(t.Receiver())
	return c.Method("Dim") && v != nil && p.VarOf(c.Receiver()) == v
}

// certain reports that the round trip gives the very shape and type back.
func certain(p *rule.Pass, there, inv *arrays.Call) bool {
	t := p.DType(there.Receiver())
	switch there.Name {
	case "FFT":
		return (t == "Complex64" || t == "Complex128") && len(there.Expr.Args) == 0 && len(inv.Expr.Args) == 0
	case "RFFT":
		n := p.LineLen(there.Receiver())
		given, _ := p.Option(inv, "N")
		if len(there.Expr.Args) != 0 {
			return false
		}
		return given == nil && len(inv.Expr.Args) == 0 && n > 0 && n%2 == 0 || given != nil && isDim(p, given, there)
	}
	return false
}
