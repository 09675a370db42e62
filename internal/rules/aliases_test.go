package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestAliasesSayTheirFields: go doc prints of a type that is another name for an internal
// one only its comment, so that the comment has to name the fields.
func TestAliasesSayTheirFields(t *testing.T) {
	found := 0
	for _, file := range goFiles(t) {
		if dir := filepath.ToSlash(filepath.Dir(file)); strings.Contains(dir, "internal") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok || decl.Tok != token.TYPE {
				continue
			}
			for _, s := range decl.Specs {
				spec := s.(*ast.TypeSpec)
				from, ok := spec.Type.(*ast.SelectorExpr)
				if !ok || !spec.Assign.IsValid() || !spec.Name.IsExported() {
					continue
				}
				dir := importedFrom(parsed, from.X.(*ast.Ident).Name)
				if !strings.Contains(dir, "internal/") {
					continue
				}
				found++
				for _, field := range fieldsOf(t, dir, from.Sel.Name) {
					if spec.Name.Name == "Group" && field == "Template" {
						continue // Constant gives what is in it
					}
					if !regexp.MustCompile(`\b` + field + `\b`).MatchString(decl.Doc.Text() + spec.Doc.Text()) {
						t.Errorf("%s: the comment of %s does not name its field %s", file, spec.Name, field)
					}
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("%d aliases of internal types", found)
	}
}

// importedFrom is the folder of a package that a file imports, in this module.
func importedFrom(file *ast.File, name string) string {
	for _, i := range file.Imports {
		if at, err := strconv.Unquote(i.Path.Value); err == nil && (path.Base(at) == name || i.Name != nil && i.Name.Name == name) {
			return strings.TrimPrefix(at, module+"/")
		}
	}
	return ""
}

// fieldsOf is the exported fields of a struct, and of those that it embeds and of which it is
// another name; none of another type.
func fieldsOf(t *testing.T, dir, name string) (fields []string) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			if other, ok := spec.Type.(*ast.SelectorExpr); ok {
				fields = append(fields, fieldsOf(t, importedFrom(parsed, other.X.(*ast.Ident).Name), other.Sel.Name)...)
			}
			if s, ok := spec.Type.(*ast.StructType); ok {
				for _, f := range s.Fields.List {
					if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 {
						fields = append(fields, fieldsOf(t, dir, id.Name)...)
					}
					for _, n := range f.Names {
						if n.IsExported() {
							fields = append(fields, n.Name)
						}
					}
				}
			}
			return false
		})
	}
	return fields
}
