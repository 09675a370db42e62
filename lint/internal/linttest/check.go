package linttest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"sync"

	"golang.org/x/tools/go/analysis"
)

var shared = sync.OnceValue(func() *stubImporter { return newStubImporter(token.NewFileSet()) })

// Check runs an analyzer on one source, which need neither parse nor
// type-check, and gives what it found. A pass that fails, or reports a place
// outside the source, is an error.
func Check(a *analysis.Analyzer, src string) ([]analysis.Diagnostic, error) {
	found, _, err := check(a, src)
	return found, err
}

// CheckAll is Check for several analyzers.
func CheckAll(list []*analysis.Analyzer, src string) ([]analysis.Diagnostic, error) {
	found, _, err := check(&analysis.Analyzer{Name: "all", Requires: list, Run: func(*analysis.Pass) (any, error) { return nil, nil }}, src)
	return found, err
}

// check is Check that also gives the faults of the source.
func check(a *analysis.Analyzer, src string) (found []analysis.Diagnostic, faults []error, err error) {
	fset := token.NewFileSet()
	file, bad := parser.ParseFile(fset, "a.go", src, parser.ParseComments|parser.AllErrors|parser.SkipObjectResolution)
	if bad != nil {
		faults = append(faults, bad)
	}
	if file == nil {
		return nil, faults, nil // the parser gave up: drivers have nothing to analyse either
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: shared(), Error: func(err error) { faults = append(faults, err) }}
	pkg, _ := conf.Check("a", fset, []*ast.File{file}, info)
	r := &runner{fset: fset, file: file, pkg: pkg, info: info, src: src, results: map[*analysis.Analyzer]any{}}
	if _, err := r.run(a); err != nil {
		return nil, faults, err
	}
	for _, d := range r.found {
		if d.Pos < file.FileStart || d.Pos > file.FileEnd || d.End.IsValid() && (d.End < d.Pos || d.End > file.FileEnd) {
			return nil, faults, fmt.Errorf("%q is reported from %d to %d, in a file from %d to %d", d.Message, d.Pos, d.End, file.FileStart, file.FileEnd)
		}
	}
	return r.found, faults, nil
}

type runner struct {
	fset    *token.FileSet
	file    *ast.File
	pkg     *types.Package
	info    *types.Info
	src     string
	results map[*analysis.Analyzer]any
	found   []analysis.Diagnostic
}

func (r *runner) run(a *analysis.Analyzer) (any, error) {
	if v, ok := r.results[a]; ok {
		return v, nil
	}
	pass := &analysis.Pass{
		Analyzer: a, Fset: r.fset, Files: []*ast.File{r.file}, Pkg: r.pkg, TypesInfo: r.info, TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf: map[*analysis.Analyzer]any{},
		Report:   func(d analysis.Diagnostic) { r.found = append(r.found, d) },
		ReadFile: func(name string) ([]byte, error) {
			if name == "a.go" {
				return []byte(r.src), nil
			}
			return nil, os.ErrNotExist
		},
	}
	for _, req := range a.Requires {
		v, err := r.run(req)
		if err != nil {
			return nil, err
		}
		pass.ResultOf[req] = v
	}
	v, err := a.Run(pass)
	r.results[a] = v
	return v, err
}
