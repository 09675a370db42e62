package rules_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	goFile    = regexp.MustCompile(`^[\w/-]+\.go$`)
	qualified = regexp.MustCompile(`^([a-z]\w*)\.([A-Z]\w*)$`)
)

// TestNamesInNotes finds files and exported names in the notes that are no longer there,
// where they are named as people do: plan/repeat.go, order.FrameGroup.
func TestNamesInNotes(t *testing.T) {
	var files []string
	names := map[string]map[string]bool{} // of packages with this name
	for _, path := range goFiles(t) {
		files = append(files, "/"+filepath.ToSlash(path))
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		of := names[parsed.Name.Name]
		if of == nil {
			of = map[string]bool{}
			names[parsed.Name.Name] = of
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				of[id.Name] = true
			}
			return true
		})
	}
	notes, err := filepath.Glob("docs/notes/*.md")
	if err != nil || len(notes) < 10 {
		t.Fatal(len(notes), err)
	}
	for _, note := range append(notes, "docs/ARCHITECTURE.md", "docs/RELIABILITY.md", "CONTRIBUTING.md") {
		for _, m := range code.FindAllStringSubmatch(blocks.ReplaceAllString(read(t, note), ""), -1) {
			if name := m[1]; goFile.MatchString(name) && !slices.ContainsFunc(files, func(f string) bool { return strings.HasSuffix(f, "/"+name) }) {
				t.Errorf("%s: there is no %s", note, name)
			}
			if q := qualified.FindStringSubmatch(m[1]); q != nil && names[q[1]] != nil && !names[q[1]][q[2]] {
				t.Errorf("%s: package %s has no %s", note, q[1], q[2])
			}
		}
	}
}

// TestArchitectureNamesFolders finds packages that the map of folders leaves out. A rule of
// the coach, an example and a package for tests need no row.
func TestArchitectureNamesFolders(t *testing.T) {
	named := map[string]bool{}
	for _, m := range code.FindAllStringSubmatch(read(t, "docs/ARCHITECTURE.md"), -1) {
		named[m[1]] = true
	}
	seen := map[string]bool{}
	for _, path := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(path))
		above, base, _ := strings.Cut(folder, "/")
		if seen[folder] || folder == "." || strings.HasSuffix(folder, "test") || above == "examples" && base != "" || above == "lint" && !strings.Contains(base, "internal") {
			continue
		}
		seen[folder] = true
		if !named[folder] && !named[filepath.Base(folder)] {
			t.Errorf("docs/ARCHITECTURE.md does not name %s", folder)
		}
	}
}
