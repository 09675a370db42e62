package linttest

import (
	"embed"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os/exec"
	"path"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
)

//go:embed testdata/stub
var stubs embed.FS

// stubFiles maps import paths of stubs to their files.
func stubFiles() map[string]map[string]string {
	files := map[string]map[string]string{}
	err := fs.WalkDir(stubs, "testdata/stub", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := stubs.ReadFile(p)
		pkg := arrays.Module + path.Base(path.Dir(p))
		if files[pkg] == nil {
			files[pkg] = map[string]string{}
		}
		files[pkg][path.Base(p)] = string(data)
		return err
	})
	if err != nil {
		panic(err) // the embedded files are there or the build failed
	}
	return files
}

// stubImporter imports stubs from their text and anything else as the
// compiler left it.
type stubImporter struct {
	mu       sync.Mutex
	fset     *token.FileSet
	files    map[string]map[string]string
	packages map[string]*types.Package
	std      types.Importer
}

func newStubImporter(fset *token.FileSet) *stubImporter {
	if build.Default.GOROOT == "" { // as in a test built with -trimpath
		out, err := exec.Command("go", "env", "GOROOT").Output()
		if err != nil {
			panic(fmt.Errorf("go env GOROOT, for the standard library: %w", err))
		}
		build.Default.GOROOT = strings.TrimSpace(string(out))
	}
	return &stubImporter{fset: fset, files: stubFiles(), packages: map[string]*types.Package{}, std: importer.Default()}
}

func (s *stubImporter) Import(pkg string) (*types.Package, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.load(pkg)
}

// inside lets the checker of one stub import another while the lock is held.
type inside struct{ s *stubImporter }

func (i inside) Import(pkg string) (*types.Package, error) { return i.s.load(pkg) }

func (s *stubImporter) load(pkg string) (*types.Package, error) {
	if p, ok := s.packages[pkg]; ok {
		if p == nil {
			return nil, fmt.Errorf("no package %s", pkg)
		}
		return p, nil
	}
	files, ok := s.files[pkg]
	if !ok {
		if strings.Contains(pkg, ".") || !allowedStd[pkg] {
			return nil, fmt.Errorf("no package %s", pkg)
		}
		p, err := s.std.Import(pkg)
		s.packages[pkg] = p
		return p, err
	}
	var syntax []*ast.File
	for name, text := range files {
		f, err := parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		syntax = append(syntax, f)
	}
	conf := types.Config{Importer: inside{s}, IgnoreFuncBodies: true}
	p, err := conf.Check(pkg, s.fset, syntax, nil)
	s.packages[pkg] = p
	return p, err
}

// allowedStd are the packages of the standard library that sources of tests
// import; asking for one that does not exist is slow.
var allowedStd = map[string]bool{"context": true, "errors": true, "fmt": true, "math": true, "strconv": true, "testing": true, "time": true, "embed": true, "unsafe": true}
