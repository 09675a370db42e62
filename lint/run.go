package lint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

// Options say what to look at.
type Options struct {
	Dir      string   // where patterns are relative to; the working directory if empty
	Patterns []string // packages as the go command takes them, and .metal files; the current package if empty
	Disable  []string // codes to leave out
	Teach    bool     // explain idioms where they are first met
}

// ErrNothing is wrapped by the error of a run whose patterns match nothing.
var ErrNothing = errors.New("nothing to look at")

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest

// Run analyses packages and their tests, and the .metal files in their folders. Code that
// does not compile is analysed as far as possible, and the report says so.
func Run(ctx context.Context, o Options) (*Report, error) {
	rules, err := o.rules()
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("lint: %w", err)
	}
	r := &run{dir: dir, report: &Report{Findings: []Finding{}}, rules: rules}
	files, err := r.metalFiles(&o)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 || len(o.Patterns) > 0 {
		if err := r.goCode(ctx, o); err != nil && !(errors.Is(err, ErrNothing) && len(files) > 0) {
			return nil, err
		}
	}
	for _, f := range files {
		if err := r.metal(f); err != nil {
			return nil, err
		}
	}
	r.report.summarise()
	return r.report, nil
}

// rules are those that are not disabled.
func (o Options) rules() ([]*Rule, error) {
	off := map[string]bool{}
	for _, code := range o.Disable {
		r := Find(code)
		if r == nil {
			return nil, fmt.Errorf("lint: disable: there is no rule %s", code)
		}
		off[r.Code] = true
	}
	var rules []*Rule
	for _, r := range Rules() {
		if !off[r.Code] {
			rules = append(rules, r)
		}
	}
	return rules, nil
}

// run is one run under way.
type run struct {
	dir    string
	report *Report
	rules  []*Rule
}

func (r *run) goCode(ctx context.Context, o Options) error {
	cfg := &packages.Config{Context: ctx, Mode: loadMode, Dir: r.dir, Tests: true}
	loaded, err := packages.Load(cfg, o.Patterns...)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	pkgs, err := r.selectPackages(loaded, o.Patterns)
	if err != nil {
		return err
	}
	byAnalyzer := map[*analysis.Analyzer]*Rule{}
	var analyzers []*analysis.Analyzer
	for _, rl := range r.rules {
		a := rl.Analyzer
		if o.Teach {
			a = rl.Teaching()
		}
		analyzers = append(analyzers, a)
		byAnalyzer[a] = rl
	}
	graph, err := checker.Analyze(analyzers, pkgs, nil)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	for _, act := range graph.Roots {
		if act.Err != nil {
			r.skip(act.Package.PkgPath+" for "+byAnalyzer[act.Analyzer].Code, act.Err.Error())
			continue
		}
		for _, d := range act.Diagnostics {
			r.add(act.Package.Fset, byAnalyzer[act.Analyzer], d)
		}
	}
	return nil
}

// selectPackages drops what go list adds for tests where a fuller version of
// the same package is there, and notes what cannot be looked at.
func (r *run) selectPackages(loaded []*packages.Package, patterns []string) ([]*packages.Package, error) {
	tested := map[string]bool{}
	for _, p := range loaded {
		if p.ForTest == p.PkgPath && p.ForTest != "" {
			tested[p.PkgPath] = true
		}
	}
	var pkgs []*packages.Package
	seen := map[string]bool{}
	for _, p := range loaded {
		if strings.HasSuffix(p.ID, ".test") && p.Name == "main" || p.ForTest == "" && tested[p.PkgPath] {
			continue
		}
		if !seen[strings.TrimSuffix(p.PkgPath, "_test")] {
			seen[strings.TrimSuffix(p.PkgPath, "_test")] = true
			r.report.Packages++
		}
		if r.note(p) {
			pkgs = append(pkgs, p)
		}
	}
	if len(pkgs) == 0 {
		why := "no package with Go files matches " + cmp.Or(strings.Join(patterns, " "), ".")
		if len(r.report.Skipped) > 0 {
			why = r.report.Skipped[0].What + ": " + r.report.Skipped[0].Why
		}
		return nil, fmt.Errorf("lint: %w: %s", ErrNothing, why)
	}
	return pkgs, nil
}

// note records what of a package cannot be looked at, and reports whether
// anything is left.
func (r *run) note(p *packages.Package) bool {
	name := p.PkgPath
	if len(p.Syntax) == 0 && len(p.Errors) == 0 && len(p.IgnoredFiles) == 0 {
		return false // a folder of tests only
	}
	if len(p.Syntax) == 0 {
		why := "it has no Go files here"
		switch {
		case len(p.Errors) > 0:
			why = oneLine(p.Errors[0].Msg)
		case len(p.IgnoredFiles) > 0:
			why = "build constraints leave no Go files"
		}
		r.skip(name, why)
		return false
	}
	if faults := distinct(p.Errors); len(faults) > 0 {
		first := faults[0]
		where := r.relative(first.Pos)
		r.skip("parts of "+name, fmt.Sprintf("%s, the first at %s: %s", counted.Of(len(faults), "error"), where, oneLine(first.Msg)))
	}
	for _, f := range p.Syntax {
		if file := p.Fset.File(f.FileStart); file != nil && rule.Generated(p.Fset, f) && slices.Contains(p.GoFiles, file.Name()) {
			r.skip(r.relative(file.Name()), Generated)
		}
	}
	for _, f := range p.IgnoredFiles {
		if strings.HasSuffix(f, ".go") {
			r.skip(r.relative(f), Excluded)
		}
	}
	return true
}

// distinct drops what the go command repeats of the errors that parser and
// type checker gave with a place.
func distinct(faults []packages.Error) []packages.Error {
	var own []packages.Error
	for _, f := range faults {
		if f.Kind == packages.ParseError || f.Kind == packages.TypeError {
			own = append(own, f)
		}
	}
	if len(own) == 0 {
		return faults
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(own, func(f packages.Error) bool {
		key := f.Pos + f.Msg
		again := seen[key]
		seen[key] = true
		return again
	})
}

func oneLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text
}

func (r *run) skip(what, why string) {
	r.report.Skipped = append(r.report.Skipped, Skip{what, why})
}

// relative shortens a path that is below the run's folder; a position may
// follow it.
func (r *run) relative(path string) string {
	if path == "" || path == "-" {
		return "an unknown place"
	}
	if rel, ok := strings.CutPrefix(path, r.dir+string(os.PathSeparator)); ok {
		return rel
	}
	return path
}

// add records a diagnostic as a finding.
func (r *run) add(fset *token.FileSet, by *Rule, d analysis.Diagnostic) {
	from := fset.Position(d.Pos)
	to := from
	if d.End.IsValid() {
		to = fset.Position(d.End)
	}
	f := Finding{File: r.relative(from.Filename), Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column,
		Code: by.Code, Kind: by.Kind, Message: d.Message}
	// Messages start with "[kind code] ", for drivers that print nothing else.
	if head, rest, ok := strings.Cut(d.Message, "] "); ok && strings.HasPrefix(head, "[") {
		kind, _, _ := strings.Cut(head[1:], " ")
		f.Kind, f.Message = Kind(kind), rest
	}
	for _, fix := range d.SuggestedFixes {
		if converted, ok := r.fix(fset, fix); ok {
			f.Fixes = append(f.Fixes, converted)
		}
	}
	r.report.Findings = append(r.report.Findings, f)
}

// fix converts a suggested fix. Files that are not what the author edits, such
// as those cgo makes, are not fixed.
func (r *run) fix(fset *token.FileSet, fix analysis.SuggestedFix) (Fix, bool) {
	out := Fix{Message: fix.Message}
	for _, e := range fix.TextEdits {
		file := fset.File(e.Pos)
		if file == nil || fset.Position(e.Pos).Filename != file.Name() {
			return Fix{}, false
		}
		end := e.End
		if !end.IsValid() {
			end = e.Pos
		}
		out.Edits = append(out.Edits, Edit{File: r.relative(file.Name()), Start: file.Offset(e.Pos), End: file.Offset(end), Text: string(e.NewText)})
	}
	return out, len(out.Edits) > 0
}
