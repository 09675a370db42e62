package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Every exported type that is a choice among named constants can be made from a name:
// package x has x.ParseKind for x.Kind.
func TestEnumsHaveParse(t *testing.T) {
	packages := map[string]*enums{}
	err := filepath.WalkDir(".", func(folder string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name := d.Name()
		if folder != "." && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
			return fs.SkipDir
		}
		e, err := enumsOf(folder)
		packages[filepath.ToSlash(folder)] = e
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for folder, e := range packages {
		if strings.Contains("/"+folder+"/", "/internal/") || strings.HasPrefix(folder, "cmd/") || strings.HasPrefix(folder, "bench") {
			continue
		}
		for name := range e.numbers {
			if !ast.IsExported(name) || !e.constants[name] {
				continue
			}
			found++
			if !e.functions["Parse"+name] {
				t.Errorf("%s.%s has no Parse%s", folder, name, name)
			}
		}
		for name, of := range e.aliases {
			other := packages[strings.TrimPrefix(of.folder, "github.com/twiddle-go/twiddle/")]
			if !ast.IsExported(name) || other == nil || !other.numbers[of.name] || !other.constants[of.name] {
				continue
			}
			found++
			if !e.functions["Parse"+name] {
				t.Errorf("%s.%s, which is %s.%s, has no Parse%s", folder, name, of.folder, of.name, name)
			}
		}
	}
	if found < 25 {
		t.Errorf("%d such types: the test does not find them", found)
	}
}

// enums is what a folder declares.
type enums struct {
	numbers   map[string]bool // types that are integers
	constants map[string]bool // types that constants are of
	functions map[string]bool
	aliases   map[string]alias
}

// alias is the type that another package's name stands for.
type alias struct{ folder, name string }

func enumsOf(folder string) (*enums, error) {
	e := &enums{numbers: map[string]bool{}, constants: map[string]bool{}, functions: map[string]bool{}, aliases: map[string]alias{}}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		imports := map[string]string{}
		for _, i := range f.Imports {
			at := strings.Trim(i.Path.Value, `"`)
			imports[path.Base(at)] = at
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					e.functions[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					e.note(s, imports)
				}
			}
		}
	}
	return e, nil
}

func (e *enums) note(s ast.Spec, imports map[string]string) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		switch of := s.Type.(type) {
		case *ast.Ident:
			if !s.Assign.IsValid() && (strings.HasPrefix(of.Name, "int") || strings.HasPrefix(of.Name, "uint")) {
				e.numbers[s.Name.Name] = true
			}
		case *ast.SelectorExpr:
			if pkg, ok := of.X.(*ast.Ident); ok && s.Assign.IsValid() {
				e.aliases[s.Name.Name] = alias{imports[pkg.Name], of.Sel.Name}
			}
		}
	case *ast.ValueSpec:
		if of, ok := s.Type.(*ast.Ident); ok {
			e.constants[of.Name] = true
		}
	}
}
