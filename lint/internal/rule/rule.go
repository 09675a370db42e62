package rule

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
)

// Kind is how serious a finding is.
type Kind string

const (
	Error Kind = "error" // the program is wrong or measures nothing
	Warn  Kind = "warn"  // it works, and wastes time or precision
	Teach Kind = "teach" // an idiom, explained where it is first met
)

// Rule is one thing that twiddle lint knows.
type Rule struct {
	Code     string // stable: TW001
	Kind     Kind   // of most of its findings
	Title    string
	Lesson   string // Markdown: why, before and after, what it costs
	Analyzer *analysis.Analyzer

	def Def
}

// Def defines a rule.
type Def struct {
	Code     string
	Name     string // of the analyzer
	Kind     Kind
	Title    string
	Lesson   string
	Requires []*analysis.Analyzer
	Run      func(*Pass)
	// Idiom is the call that Tip explains when teaching is on.
	Idiom func(*arrays.Call) bool
	Tip   string
}

// New makes a rule with its analyzer.
func New(d Def) *Rule {
	r := &Rule{Code: d.Code, Kind: d.Kind, Title: d.Title, Lesson: d.Lesson, def: d}
	r.Analyzer = r.analyzer()
	teach := r.Analyzer.Flags.Bool("teach", false, "explain the idiom where it is first met")
	r.Analyzer.Run = func(pass *analysis.Pass) (any, error) { return nil, r.run(pass, *teach) }
	return r
}

// Teaching is the rule's analyzer with teaching on, whatever the flag says.
func (r *Rule) Teaching() *analysis.Analyzer {
	a := r.analyzer()
	a.Run = func(pass *analysis.Pass) (any, error) { return nil, r.run(pass, true) }
	return a
}

func (r *Rule) analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             r.def.Name,
		Doc:              fmt.Sprintf("%s: %s\n\nRun 'twiddle lint explain %s' for the lesson.", r.Code, r.Title, r.Code),
		URL:              "https://github.com/twiddle-go/twiddle/blob/main/lint/" + r.def.Name + "/lesson.md",
		Requires:         append([]*analysis.Analyzer{arrays.Analyzer}, r.def.Requires...),
		RunDespiteErrors: true,
	}
}

func (r *Rule) run(pass *analysis.Pass, teach bool) (err error) {
	// A fault of a rule costs that rule, on that package, and says so.
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("lint: %s: fault in package %s: %v", r.Code, pass.Pkg.Path(), v)
		}
	}()
	p := &Pass{Pass: pass, Index: pass.ResultOf[arrays.Analyzer].(*arrays.Index), rule: r}
	r.def.Run(p)
	if teach && r.def.Idiom != nil {
		p.teach(r.def)
	}
	return nil
}

// Pass is one rule at work on one package.
type Pass struct {
	*analysis.Pass
	*arrays.Index
	rule    *Rule
	ignores map[string]Ignores // by file
}

// Found reports a finding of the rule's own kind.
func (p *Pass) Found(at ast.Node, fix []analysis.SuggestedFix, format string, args ...any) {
	p.Report(p.rule.Kind, at.Pos(), at.End(), fix, format, args...)
}

// Report reports a finding, unless the code at pos is generated or says to
// ignore it.
func (p *Pass) Report(kind Kind, pos, end token.Pos, fix []analysis.SuggestedFix, format string, args ...any) {
	if p.generated(pos) || p.ignored(pos) {
		return
	}
	if f := p.file(pos); f != nil && end > f.FileEnd {
		end, fix = f.FileEnd, nil // broken syntax: the parser invents an end
	}
	p.Pass.Report(analysis.Diagnostic{
		Pos: pos, End: end,
		Category:       p.rule.Code,
		Message:        fmt.Sprintf("[%s %s] ", kind, p.rule.Code) + fmt.Sprintf(format, args...),
		SuggestedFixes: fix,
		URL:            p.rule.Analyzer.URL,
	})
}

// teach explains the idiom at the first call that shows it.
func (p *Pass) teach(d Def) {
	for _, c := range p.Calls {
		if d.Idiom(c) && !p.generated(c.Expr.Pos()) {
			at := c.NamePos()
			p.Report(Teach, at.Pos(), at.End(), nil, "%s (twiddle lint explain %s)", d.Tip, d.Code)
			return
		}
	}
}

// file is the syntax that holds pos; nil for text that is not Go.
func (p *Pass) file(pos token.Pos) *ast.File {
	for _, f := range p.Files {
		if f.FileStart <= pos && pos <= f.FileEnd {
			return f
		}
	}
	return nil
}

// InTest reports whether pos is in a test file. Tests do on purpose what other
// code should not: they build things again and look at how values round.
func (p *Pass) InTest(pos token.Pos) bool {
	f := p.Fset.File(pos)
	return f != nil && strings.HasSuffix(f.Name(), "_test.go")
}

func (p *Pass) generated(pos token.Pos) bool {
	f := p.file(pos)
	return f != nil && Generated(p.Fset, f)
}

// Generated reports a file that no author edits. What cgo makes of a file is
// generated too, but says whose lines it has, and those have an author.
func Generated(fset *token.FileSet, f *ast.File) bool {
	return ast.IsGenerated(f) && fset.Position(f.Package).Filename == fset.PositionFor(f.Package, false).Filename
}

func (p *Pass) ignored(pos token.Pos) bool {
	f := p.file(pos)
	if f == nil {
		return false // who reports text that is not Go looks at its comments
	}
	name := p.Fset.File(f.FileStart).Name()
	in, ok := p.ignores[name]
	if !ok {
		in = IgnoresOf(p.Fset, f)
		if p.ignores == nil {
			p.ignores = map[string]Ignores{}
		}
		p.ignores[name] = in
	}
	return in.Cover(p.rule.Code, p.Fset.PositionFor(pos, false).Line)
}

// Text is the source of a node on one line, shortened to what fits a message.
func (p *Pass) Text(n ast.Node) string {
	text := p.Source(n)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > 60 {
		text = text[:57] + "..."
	}
	return text
}

// Source is the text of a node as it is in its file, or "" if that cannot be
// read.
func (p *Pass) Source(n ast.Node) string {
	f := p.Fset.File(n.Pos())
	if f == nil || !n.End().IsValid() {
		return ""
	}
	data, err := p.ReadFile(f.Name())
	if err != nil || f.Size() != len(data) || int(n.End()) > f.Base()+f.Size() {
		return ""
	}
	return string(data[f.Offset(n.Pos()):f.Offset(n.End())])
}

// Replace is a fix that puts text in the place of everything from pos to end.
func Replace(message string, pos, end token.Pos, text string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{Message: message, TextEdits: []analysis.TextEdit{{Pos: pos, End: end, NewText: []byte(text)}}}}
}
