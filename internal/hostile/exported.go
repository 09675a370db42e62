package hostile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const module = "github.com/twiddle-go/twiddle"

// Program is the source of a program that calls everything that the packages in
// these folders, below root, export.
func Program(root string, folders []string) (string, error) {
	var imports, functions, types strings.Builder
	for _, folder := range folders {
		alias := strings.ReplaceAll(folder, "/", "_")
		names, err := exportedOf(path.Join(root, folder))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&imports, "\t%s %q\n", alias, module+"/"+folder)
		for _, f := range names.functions {
			name := folder + "." + f.name
			if f.parameters == 0 {
				fmt.Fprintf(&functions, "\t%q: %s.%s,\n", name, alias, f.name)
				continue
			}
			for _, t := range f.instances() {
				fmt.Fprintf(&functions, "\t%q: %s.%s[%s],\n", name+"["+t+"]", alias, f.name, t)
			}
		}
		for _, t := range names.types {
			fmt.Fprintf(&types, "\treflect.TypeFor[%s.%s](),\n", alias, t)
		}
		fmt.Fprintf(&types, "\treflect.TypeFor[struct{ %s_ int }](),\n", alias) // the import is used
	}
	return fmt.Sprintf(`package main

import (
	"reflect"

%s
	"%s/internal/hostile"
)

var functions = map[string]any{
%s}

var types = []reflect.Type{
%s}

func main() { hostile.Main(functions, types) }
`, imports.String(), module, functions.String(), types.String()), nil
}

type function struct {
	name       string
	parameters int // type parameters
	constraint string
}

// instances are the type arguments a function is tried with.
func (f function) instances() []string {
	if f.parameters == 2 { // a real type, and the complex one of its precision
		return []string{"float32, complex64", "float64, complex128"}
	}
	switch f.constraint {
	case "Complex":
		return []string{"complex64", "complex128"}
	case "Element":
		return []string{"float32", "float64", "complex64", "int64"}
	}
	return []string{"float32", "float64"}
}

type exported struct {
	functions []function
	types     []string // with methods or fields; without type parameters
}

// exportedOf lists what the package in a folder exports, on this platform and
// others alike.
func exportedOf(folder string) (exported, error) {
	var out exported
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return out, err
	}
	for _, name := range files {
		n := strings.TrimSuffix(name, ".go")
		if strings.HasSuffix(n, "_test") || strings.HasSuffix(n, "_windows") || strings.HasSuffix(n, "_darwin") || strings.HasSuffix(n, "_arm64") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return out, err
		}
		for _, d := range f.Decls {
			out.add(d)
		}
	}
	slices.SortFunc(out.functions, func(a, b function) int { return strings.Compare(a.name, b.name) })
	slices.Sort(out.types)
	return out, nil
}

func (e *exported) add(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil || !d.Name.IsExported() {
			return
		}
		f := function{name: d.Name.Name}
		if list := d.Type.TypeParams; list != nil {
			f.parameters = list.NumFields()
			f.constraint = text(list.List[0].Type)
		}
		e.functions = append(e.functions, f)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && t.Name.IsExported() && t.TypeParams == nil && !isConstraint(t.Type) {
				e.types = append(e.types, t.Name.Name)
			}
		}
	}
}

func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return text(e.X) + "." + e.Sel.Name
	}
	return ""
}

// isConstraint reports an interface that no value has as its type.
func isConstraint(e ast.Expr) bool {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name == "Value" || s.Sel.Name == "Element"
	}
	i, ok := e.(*ast.InterfaceType)
	return ok && slices.ContainsFunc(i.Methods.List, func(f *ast.Field) bool { return len(f.Names) == 0 })
}
