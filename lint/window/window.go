package window

import (
	_ "embed"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW012.
var Rule = rule.New(rule.Def{
	Code:   "TW012",
	Name:   "window",
	Kind:   rule.Warn,
	Title:  "a symmetric window where a periodic one belongs",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Method("Frames") },
	Tip:    "frames for a spectrum take a periodic window, one period of n samples; symmetric ones are for designing filters",
})

// analyses are the options of signal whose window should be periodic: of STFT,
// and of Welch, Periodogram and their kin.
var analyses = []string{"STFT", "Spectral"}

func run(p *rule.Pass) {
	for _, c := range p.Calls {
		if c.Method("RFFT", "FFT") {
			framed(p, c)
		}
	}
	for at := range p.Root.Preorder((*ast.CompositeLit)(nil)) {
		options(p, at.Node().(*ast.CompositeLit))
	}
}

// options reports a symmetric window in the options of an analysis.
func options(p *rule.Pass, lit *ast.CompositeLit) {
	for _, name := range analyses {
		if !arrays.IsType(p.TypeOf(lit), "signal", name) {
			continue
		}
		if w, known := p.Field(lit, "Window"); known && w != nil {
			if why := symmetric(p, w); why != "" {
				p.Found(w, nil, "%s: spectra take a periodic one", why)
			}
		}
	}
}

// framed reports the transform of frames times a symmetric window.
func framed(p *rule.Pass, t *arrays.Call) {
	mul := p.OriginCall(t.Receiver())
	if !mul.Method("Mul") || len(mul.Expr.Args) != 1 {
		return
	}
	frames, w := mul.Receiver(), mul.Expr.Args[0]
	if !isFrames(p, frames) {
		frames, w = w, frames
		if !isFrames(p, frames) {
			return
		}
	}
	if why := symmetric(p, w); why != "" {
		p.Found(w, nil, "%s: frames for a spectrum take a periodic one", why)
	}
}

// isFrames reports an array of frames, perhaps with their mean taken off.
func isFrames(p *rule.Pass, e ast.Expr) bool {
	c := p.OriginCall(e)
	if c.Method("Sub") {
		c = p.OriginCall(c.Receiver())
	}
	return c.Method("Frames")
}

// symmetric says why e is a symmetric window; "" if it is not, or nobody knows.
func symmetric(p *rule.Pass, e ast.Expr) string {
	o, _ := p.Origin(e)
	if flag, known := p.Field(o, "Symmetric"); known && flag != nil && isTrue(p, flag) {
		return "this window is symmetric"
	}
	c := p.CallOf(o)
	switch {
	case c == nil:
		return ""
	case c.Is("signal", "Window", "Array"):
		return symmetric(p, c.Receiver())
	case c.Is("signal", "", "CustomWindow") && len(c.Expr.Args) == 1:
		if v := p.VarOf(c.Expr.Args[0]); v != nil && filledSymmetric(p, v) {
			return "this window divides by n-1, so it is symmetric"
		}
	case c.Func("From") && len(c.Expr.Args) > 0:
		if v := p.VarOf(c.Expr.Args[0]); v != nil && filledSymmetric(p, v) {
			return "this window divides by n-1, so it is symmetric"
		}
	default:
		return arraySymmetric(p, e)
	}
	return ""
}

func isTrue(p *rule.Pass, e ast.Expr) bool {
	tv, ok := p.TypesInfo.Types[e]
	return ok && tv.Value != nil && tv.Value.Kind() == constant.Bool && constant.BoolVal(tv.Value)
}

// filledSymmetric reports whether a loop fills v with cosines of i/(n-1).
func filledSymmetric(p *rule.Pass, v *types.Var) bool {
	for _, use := range p.Uses(v) {
		index, ok := use.Parent().Node().(*ast.IndexExpr)
		if !ok {
			continue
		}
		assign, ok := use.Parent().Parent().Node().(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || len(assign.Lhs) != 1 || assign.Lhs[0] != ast.Expr(index) {
			continue
		}
		cosine, minusOne := false, false
		ast.Inspect(assign.Rhs[0], func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				cosine = cosine || p.StdFunc(n, "math", "Cos")
			case *ast.BinaryExpr:
				minusOne = minusOne || n.Op == token.QUO && lessOne(p, n.Y)
			}
			return true
		})
		if cosine && minusOne {
			return true
		}
	}
	return false
}

// lessOne reports n-1, through conversions.
func lessOne(p *rule.Pass, e ast.Expr) bool {
	e = ast.Unparen(e)
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 {
		if tv, ok := p.TypesInfo.Types[call.Fun]; ok && tv.IsType() {
			return lessOne(p, call.Args[0])
		}
	}
	o, _ := p.Origin(e)
	b, ok := ast.Unparen(o).(*ast.BinaryExpr)
	if !ok || b.Op != token.SUB {
		return false
	}
	one, ok := p.Float(b.Y)
	return ok && one == 1
}

// arraySymmetric reports a cosine of Linspace, which includes both ends, or of
// a count divided by n-1.
func arraySymmetric(p *rule.Pass, e ast.Expr) string {
	cosine, why := false, ""
	p.Behind(e, func(c *arrays.Call) bool {
		switch {
		case c.Method("Cos"):
			cosine = true
		case c.Func("Linspace"):
			why = "this window includes both ends of Linspace, so it is symmetric"
		case c.Method("MulScalar", "DivScalar") && len(c.Expr.Args) == 1:
			if divides(p, c) {
				why = "this window divides by n-1, so it is symmetric"
			}
		}
		return c.IsMap()
	})
	if !cosine {
		return ""
	}
	return why
}

func divides(p *rule.Pass, c *arrays.Call) bool {
	if c.Name == "DivScalar" {
		return lessOne(p, c.Expr.Args[0])
	}
	found := false
	ast.Inspect(c.Expr.Args[0], func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.QUO && lessOne(p, b.Y) {
			found = true
		}
		return !found
	})
	return found
}
