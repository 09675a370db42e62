package rules_test

import (
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")
	ours    = regexp.MustCompile(`^(nd|signal|fft|audio|npy|npz|wav|pcm|chart|picture|learn|layer|loss|linalg|mixer|measure|kernels|live)\.[A-Z]`)
)

// TestDocsCode compiles the Go code in the documents: whole blocks, and expressions in a
// line that begin with a package of ours. Fragments use names that the text around them
// explains, so these may be undefined; what packages have has to be there, with these types.
func TestDocsCode(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: lists and compiles packages")
	}
	imports := newImports(t)
	documents, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range append(documents, "README.md") {
		text := read(t, name)
		if name == "docs/FROM-SCIPY.md" {
			continue // names with options, which the script that makes it checks
		}
		for _, m := range goBlock.FindAllStringSubmatch(text, -1) {
			found++
			if err := imports.check(m[1]); err != nil {
				t.Errorf("%s: %v in\n%s", name, err, m[1])
			}
		}
		for _, m := range code.FindAllStringSubmatch(blocks.ReplaceAllString(text, ""), -1) {
			if _, err := parser.ParseExpr(m[1]); err != nil || !ours.MatchString(m[1]) || !strings.ContainsAny(m[1], "({") {
				continue // a name, or several: TestDocs and the lists' own scripts check them
			}
			found++
			if err := imports.check("use(" + m[1] + ")"); err != nil {
				t.Errorf("%s: %s: %v", name, m[1], err)
			}
		}
	}
	if found < 50 {
		t.Errorf("%d pieces of code in all documents", found)
	}
	for _, wrong := range []string{"y := nd.Nothing(x)", "use(nd.Zeros(nd.Float32, 3).Summ())", "s := signal.STFT{NFTT: 3}", "nd.Zeros(", "x, err := nd.Zeros(nd.Float32)"} {
		if imports.check(wrong) == nil {
			t.Errorf("nothing is wrong with %s", wrong)
		}
	}
}

// docImports finds packages by the names that code calls them.
type docImports struct {
	fset  *token.FileSet
	paths map[string]string // by name
	types types.Importer
}

func newImports(t *testing.T) *docImports {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Name}} {{.Export}}", "./...")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	i := &docImports{fset: token.NewFileSet(), paths: map[string]string{}}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 3 {
			continue // it has no code
		}
		at, name := fields[0], fields[1]
		exports[at] = fields[2]
		if strings.Contains(at, "internal") || strings.Contains(at, "vendor/") || name == "main" {
			continue
		}
		// Of two packages of a name ours is meant, else that of the standard library.
		rank := func(at string) int {
			switch {
			case strings.HasPrefix(at, module):
				return 0
			case !strings.Contains(at, "."):
				return 1 + strings.Count(at, "/")
			}
			return 9
		}
		if old, ok := i.paths[name]; !ok || rank(at) < rank(old) {
			i.paths[name] = at
		}
	}
	i.types = importer.ForCompiler(i.fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no package %s", path)
		}
		return os.Open(exports[path])
	})
	return i
}

// check is nil, or what is wrong with a piece of code.
func (i *docImports) check(text string) error {
	text = strings.ReplaceAll(text, "\t...\n", "\n")
	file, err := parser.ParseFile(i.fset, "", text, parser.SkipObjectResolution)
	for _, form := range []string{"package p\n%s", "package p\nfunc _() {\n%s\n}"} {
		if err != nil {
			file, err = parser.ParseFile(i.fset, "", i.imported(fmt.Sprintf(form, text)), parser.SkipObjectResolution)
		}
	}
	if err != nil {
		return err
	}
	var wrong []error
	c := types.Config{Importer: i.types, Error: func(err error) {
		if text := err.(types.Error).Msg; !explained(text) {
			wrong = append(wrong, errors.New(text))
		}
	}}
	_, _ = c.Check("p", i.fset, []*ast.File{file}, nil) // Error has been told
	return errors.Join(wrong...)
}

// explained reports whether a fault is that of a fragment: a name that the text explains, or
// one that is not used any more.
func explained(fault string) bool {
	name, undefined := strings.CutPrefix(fault, "undefined: ")
	return undefined && !strings.Contains(name, ".") || strings.Contains(fault, " and not used") || strings.Contains(fault, "could not import github.com/golangci/")
}

var selected = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]`)

// imported is a text in package p with imports of what it names.
func (i *docImports) imported(text string) string {
	paths := map[string]bool{}
	for _, m := range selected.FindAllStringSubmatch(text, -1) {
		if at := i.paths[m[1]]; at != "" && !regexp.MustCompile(`\b`+m[1]+`\b[^=\n]*:=`).MatchString(text) {
			paths[at] = true
		}
	}
	var b strings.Builder
	for _, at := range slices.Sorted(maps.Keys(paths)) {
		fmt.Fprintf(&b, "import %q\n", at)
	}
	return strings.Replace(text, "package p\n", "package p\n"+b.String(), 1)
}
