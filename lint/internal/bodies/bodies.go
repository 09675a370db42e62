package bodies

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

// Analyzer checks the kernels of a package, once for all kernel rules.
var Analyzer = &analysis.Analyzer{
	Name:             "twiddlekernels",
	Doc:              "check custom kernels, for the passes of twiddle lint",
	Requires:         []*analysis.Analyzer{arrays.Analyzer},
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[[]Found](),
	Run: func(pass *analysis.Pass) (any, error) {
		c := &collector{pass: pass, index: pass.ResultOf[arrays.Analyzer].(*arrays.Index)}
		c.literals()
		c.embedded()
		return c.found, nil
	},
}

// Found is a finding at a place of the package.
type Found struct {
	kernlint.Finding
	Pos, To token.Pos
	Fixes   []analysis.SuggestedFix
}

// Rule makes the rule for one code of kernlint.
func Rule(d rule.Def) *rule.Rule {
	d.Requires = []*analysis.Analyzer{Analyzer}
	d.Run = func(p *rule.Pass) {
		for _, f := range p.ResultOf[Analyzer].([]Found) {
			// Kernels of tests are there to be right, not fast.
			if f.Code == d.Code && (d.Kind == rule.Error || !p.InTest(f.Pos)) {
				p.Report(d.Kind, f.Pos, f.To, f.Fixes, "%s", f.Message)
			}
		}
	}
	return rule.New(d)
}

type collector struct {
	pass  *analysis.Pass
	index *arrays.Index
	found []Found
}

// literals checks the kernels that are written as literals with constant
// text.
func (c *collector) literals() {
	for _, k := range c.index.Kernels {
		body, ok := c.index.Const(k.Source)
		if !ok {
			continue
		}
		header, _ := c.index.Const(k.Header)
		findings, _ := kernlint.Check(header, body) // a text that is not a kernel is the compiler's business
		for _, f := range findings {
			text, where := body, k.Source
			if f.InHeader {
				text, where = header, k.Header
			}
			if Ignored(text, f) {
				continue
			}
			c.add(f, where, text)
		}
	}
}

// add places a finding: inside the literal where its text is the source's, on
// the literal or name otherwise.
func (c *collector) add(f kernlint.Finding, where ast.Expr, text string) {
	out := Found{Finding: f, Pos: where.Pos(), To: where.End()}
	if lit := c.literal(where); lit != nil && len(lit.Value) == len(text)+2 && lit.Value[1:len(lit.Value)-1] == text {
		start := lit.Pos() + 1
		out.Pos, out.To = start+token.Pos(f.Start), start+token.Pos(f.End)
		if f.Fix != nil {
			out.Fixes = rule.Replace("rewrite it", start+token.Pos(f.Fix.Start), start+token.Pos(f.Fix.End), f.Fix.Text)
		}
	}
	c.found = append(c.found, out)
}

// literal is the string literal that an expression is or names.
func (c *collector) literal(e ast.Expr) *ast.BasicLit {
	o, _ := c.index.Origin(e)
	switch o := o.(type) {
	case *ast.BasicLit:
		return o
	case *ast.Ident:
		obj := c.pass.TypesInfo.ObjectOf(o)
		if obj == nil {
			return nil
		}
		for at := range c.index.Root.Preorder((*ast.ValueSpec)(nil)) {
			spec := at.Node().(*ast.ValueSpec)
			for i, name := range spec.Names {
				if name.Pos() == obj.Pos() && i < len(spec.Values) {
					lit, _ := ast.Unparen(spec.Values[i]).(*ast.BasicLit)
					return lit
				}
			}
		}
	}
	return nil
}

// embedded checks the .metal files that the package embeds by name.
func (c *collector) embedded() {
	seen := map[string]bool{}
	for _, f := range c.pass.Files {
		file := c.pass.Fset.File(f.FileStart)
		if file == nil {
			continue
		}
		for _, group := range f.Comments {
			for _, comment := range group.List {
				patterns, ok := strings.CutPrefix(comment.Text, "//go:embed ")
				if !ok {
					continue
				}
				for _, name := range strings.Fields(patterns) {
					path := filepath.Join(filepath.Dir(file.Name()), strings.Trim(name, "\"`"))
					if strings.HasSuffix(path, ".metal") && !strings.ContainsAny(path, "*?[") && !seen[path] {
						seen[path] = true
						c.file(path)
					}
				}
			}
		}
	}
}

// file checks one .metal file, which becomes part of the file set.
func (c *collector) file(path string) {
	data, err := c.pass.ReadFile(path)
	if err != nil {
		return // go build says so
	}
	findings, _ := CheckFile(string(data))
	if len(findings) == 0 {
		return
	}
	file := c.pass.Fset.AddFile(path, -1, len(data))
	file.SetLinesForContent(data)
	for _, f := range findings {
		if Ignored(string(data), f) {
			continue
		}
		out := Found{Finding: f, Pos: file.Pos(f.Start), To: file.Pos(f.End)}
		if f.Fix != nil {
			out.Fixes = rule.Replace("rewrite it", file.Pos(f.Fix.Start), file.Pos(f.Fix.End), f.Fix.Text)
		}
		c.found = append(c.found, out)
	}
}

// CheckFile checks the text of a .metal file, which is a body or the header of
// one.
func CheckFile(text string) ([]kernlint.Finding, error) {
	findings, err := kernlint.Check("", text)
	if err == nil {
		return findings, nil
	}
	if asHeader, bad := kernlint.Check(text, ""); bad == nil {
		return asHeader, nil
	}
	return findings, err
}

// Ignored reports whether a comment in the kernel's own text covers a finding.
func Ignored(text string, f kernlint.Finding) bool {
	var list rule.Ignores
	for i, line := range strings.Split(text, "\n") {
		if at := strings.Index(line, rule.Directive); at >= 0 {
			if in, ok := rule.ParseIgnore(line[at:]); ok {
				in.Line = i + 1
				list = append(list, in)
			}
		}
	}
	return len(list) > 0 && list.Cover(f.Code, 1+strings.Count(text[:f.Start], "\n"))
}
