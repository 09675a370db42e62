package numbers

import (
	_ "embed"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TW013.
var Rule = rule.New(rule.Def{
	Code:   "TW013",
	Name:   "numbers",
	Kind:   rule.Warn,
	Title:  "kernel sources differ only in numbers",
	Lesson: lesson,
	Run:    run,
	Idiom:  func(c *arrays.Call) bool { return c.Is("nd", "Kernel", "Call") },
	Tip:    "a kernel is compiled once for its text: keep numbers out of the text and pass them as template constants or in a small buffer",
})

func run(p *rule.Pass) {
	seen := map[string]string{} // source without numbers to source
	for _, k := range p.Kernels {
		for _, text := range []ast.Expr{k.Source, k.Header} {
			if text != nil && printed(p, k, text) {
				break
			}
		}
		text, ok := p.Const(k.Source)
		if !ok {
			continue
		}
		header, _ := p.Const(k.Header)
		text = header + "\n" + text
		form := number.ReplaceAllString(text, "#")
		if first, ok := seen[form]; ok && first != text {
			p.Found(k.Source, nil, "this kernel differs from an earlier one only in numbers: one kernel with template constants is compiled once")
		} else {
			seen[form] = text
		}
	}
}

// number is a literal of the dialect that stands by itself, not as a part of
// a name such as float4.
var number = regexp.MustCompile(`\b\d[\w.]*`)

// printed reports a text that has numbers printed into it. In a loop that
// changes them it is TW004's business.
func printed(p *rule.Pass, k *arrays.Kernel, text ast.Expr) bool {
	n := numberIn(p, text, 0)
	if n == nil {
		return false
	}
	if loop, ok := p.Loop(k.At); ok && !p.Invariant(n, loop.Node()) {
		return false
	}
	p.Found(text, nil, "the number %s is printed into the kernel's source, so each value is compiled anew: pass it as a template constant or in a small buffer", p.Text(n))
	return true
}

// numberIn is a number that varies and is printed into a text, or nil.
func numberIn(p *rule.Pass, e ast.Expr, depth int) ast.Expr {
	o, _ := p.Origin(e)
	if tv, ok := p.TypesInfo.Types[o]; depth > 16 || ok && tv.Value != nil {
		return nil
	}
	switch o := o.(type) {
	case *ast.BinaryExpr:
		if o.Op != token.ADD {
			return nil
		}
		if n := numberIn(p, o.X, depth+1); n != nil {
			return n
		}
		return numberIn(p, o.Y, depth+1)
	case *ast.CallExpr:
		if len(o.Args) == 0 {
			return nil
		}
		if p.StdFunc(o, "strconv", "Itoa", "FormatInt", "FormatUint", "FormatFloat") {
			return varying(p, o.Args[0])
		}
		if p.StdFunc(o, "fmt", "Sprintf", "Sprint", "Sprintln") {
			for _, a := range o.Args {
				if n := varying(p, a); n != nil {
					return n
				}
			}
		}
	}
	return nil
}

// varying is e if it is a number and no constant.
func varying(p *rule.Pass, e ast.Expr) ast.Expr {
	tv, ok := p.TypesInfo.Types[e]
	if !ok || tv.Value != nil || tv.Type == nil {
		return nil
	}
	if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsNumeric == 0 {
		return nil
	}
	return e
}
