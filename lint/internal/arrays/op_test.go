package arrays

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryMethod looks at the source of nd for methods of Array that the passes
// were never told of.
func TestEveryMethod(t *testing.T) {
	known := []map[string]bool{unary, binary, compare, part, view, reduce, positions, asks, toComplex, toReal}
	// Of these nothing is asked but that they build graph.
	others := words(`BitCast Beside Butterfly Cast Device Dot Keep MatMul Norm NormWith OverlapAdd Std SumWith TopK Var VarDDof`)
	files, err := filepath.Glob("../../../nd/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	fset := token.NewFileSet()
	seen := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || !m.Name.IsExported() {
				continue
			}
			star, ok := m.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			if of, ok := star.X.(*ast.Ident); !ok || of.Name != "Array" {
				continue
			}
			seen++
			in := func(set map[string]bool) bool { return set[m.Name.Name] }
			if !slices.ContainsFunc(known, in) && !others[m.Name.Name] {
				t.Errorf("%s: say in op.go what it does to elements, or here that nothing is asked of it", m.Name.Name)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d methods", seen)
	}
}
