package rules_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The compiler stays one compiler by a few rules. Each test below holds one of
// them, with a list of the functions, or the folders, that may do what others may
// not. The lists are to become shorter.

// programKinds are the kinds of package ir.
var programKinds = []string{"Map", "Reduce", "Scan", "Sort", "Gather", "Scatter", "Gemm", "FFT", "Butterfly", "Overlap", "Custom", "Batch", "Line"}

// maySwitch are the functions that may switch over the kind of a program. What
// all kinds have is a method of theirs.
var maySwitch = map[string]string{
	"nd/internal/device/cpu tableBytes": "which kinds keep tables on this device",
	"nd/internal/ir Verify":             "of a batch: what can be in one",
	"nd/internal/ir Long":               "a chain of three stages",
	"nd/internal/ir Shifted":            "only code has arguments",
	"nd/internal/cost compute":          "each kind has a price of its own",
	"nd/internal/cost onGPU":            "what only some kinds wait for on a GPU",
	"nd/internal/cost walking":          "what only maps and reductions go through",
	"nd/internal/cost pieces":           "what the cores of a CPU share of some kinds",
	"nd/internal/cost betweenPasses":    "what only transforms send through memory",

	"nd/internal/plan isTransform": "where line programs grow from",
	"nd/internal/plan axesOf":      "how lines run through a program",
	"nd/internal/plan knowsPlace":  "which programs ask for positions",
	"nd/internal/plan stage":       "a step as a stage",
	"nd/internal/plan isSmall":     "what can be in a batch",
	"nd/internal/plan canFail":     "which programs find bad indices",
	"nd/internal/sched report":     "what is inside a program",

	"nd/internal/linepass stage": "a stage on planes",

	"nd/internal/reference Run":                 "what each kind means",
	"nd/internal/device/cpu compileWork":        "a kernel for each kind",
	"nd/internal/device/cpu compileBesideStage": "a kernel for each kind of stage",
	"nd/internal/kgen/...":                      "a kernel for each kind",
	"nd/internal/device/cuda/...":               "a kernel for each kind",
}

// mayBuild are the functions of devices that still make programs or parts of
// them. Rewrites belong to linepass.
var mayBuild = map[string]string{}

// mayWriteCode are the functions outside of package ir that write instructions
// by hand. Others use ir.Rewriter.
var mayWriteCode = map[string]string{
	"nd/internal/kgen/...": "terms of compensated products",
}

// source is a parsed file of the module.
type source struct {
	pkg  string
	file *ast.File
}

func sources(t *testing.T, under string) []source {
	var list []source
	for _, name := range goFiles(t) {
		pkg := path.Dir(filepath.ToSlash(name))
		if !strings.HasPrefix(pkg, under) || strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{pkg, f})
	}
	return list
}

// irName is the name that an expression has in package ir, "" if it is of another.
func (s source) irName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return s.irName(e.X)
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok && x.Name == "ir" {
			return e.Sel.Name
		}
	case *ast.Ident:
		if s.pkg == "nd/internal/ir" {
			return e.Name
		}
	}
	return ""
}

// found lists what functions of some files do, as "package function".
func found(list []source, does func(s source, n ast.Node) bool) map[string]bool {
	out := map[string]bool{}
	for _, s := range list {
		for _, d := range s.file.Decls {
			name := "var"
			if f, ok := d.(*ast.FuncDecl); ok {
				name = f.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if n != nil && does(s, n) {
					out[s.pkg+" "+name] = true
				}
				return true
			})
		}
	}
	return out
}

// hold reports functions that break a rule, and entries of its list that nothing
// needs any more.
func hold(t *testing.T, rule string, got map[string]bool, may map[string]string) {
	t.Helper()
	for name := range got {
		pkg, _, _ := strings.Cut(name, " ")
		_, ok := may[name]
		for folder := range may {
			ok = ok || matches([]string{folder}, pkg)
		}
		if !ok {
			t.Errorf("%s: %s", name, rule)
		}
	}
	for name := range may {
		if !got[name] && !strings.HasSuffix(name, "/...") {
			t.Errorf("%s no longer needs to be in the list: %s", name, rule)
		}
	}
}

func TestSwitchesOverProgramKinds(t *testing.T) {
	got := found(sources(t, "nd"), func(s source, n ast.Node) bool {
		w, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			return false
		}
		kinds := 0
		for _, c := range w.Body.List {
			for _, e := range c.(*ast.CaseClause).List {
				if _, pointer := e.(*ast.StarExpr); pointer && slices.Contains(programKinds, s.irName(e)) {
					kinds++
				}
			}
		}
		return kinds > 1
	})
	hold(t, "switches over the kind of a program: make it a method of every kind", got, maySwitch)
}

func TestDevicesDoNotBuildPrograms(t *testing.T) {
	parts := append(slices.Clone(programKinds), "Stage", "Slot", "Code", "Instr", "Margin")
	got := found(sources(t, "nd/internal/device"), func(s source, n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		return ok && c.Type != nil && !strings.HasPrefix(s.pkg, "nd/internal/device/devicetest") && slices.Contains(parts, s.irName(c.Type))
	})
	hold(t, "devices do not build programs: write a pass of linepass", got, mayBuild)
}

func TestCodeIsWrittenByTheRewriter(t *testing.T) {
	got := found(sources(t, "nd"), func(s source, n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || s.pkg == "nd/internal/ir" || s.pkg == "nd/internal/device/devicetest" {
			return false
		}
		for _, e := range a.Lhs {
			if x, ok := e.(*ast.IndexExpr); ok {
				e = x.X
			}
			if x, ok := e.(*ast.SelectorExpr); ok && x.Sel.Name == "Instrs" {
				return true
			}
		}
		return false
	})
	hold(t, "writes instructions by hand: use ir.Rewriter", got, mayWriteCode)
}

// Data does not import engines: what a graph and a program are can be known
// without what runs them.
func TestDataImportsNoEngine(t *testing.T) {
	rows := map[string][]string{}
	for _, l := range layers {
		rows[l.pkg] = strings.Fields(l.imports)
	}
	for _, data := range []string{"nd/internal/graph", "nd/internal/ir", "nd/internal/linepass"} {
		seen := map[string]bool{}
		var reach func(pkg string)
		reach = func(pkg string) {
			if seen[pkg] {
				return
			}
			seen[pkg] = true
			for _, i := range rows[pkg] {
				folder, all := strings.CutSuffix(i, "/...")
				for other := range rows {
					if other == i || all && strings.HasPrefix(other, folder+"/") && !strings.HasPrefix(pkg, folder) {
						reach(other)
					}
				}
			}
		}
		reach(data)
		for pkg := range seen {
			if strings.HasPrefix(pkg, "internal/simd") || strings.HasSuffix(pkg, "/machine") || strings.HasPrefix(pkg, "nd/internal/device") && !strings.HasSuffix(pkg, "/driver") {
				t.Errorf("%s may import %s, an engine", data, pkg)
			}
		}
	}
}

// A change is seen by the tests above.
func TestRulesFindWhatBreaksThem(t *testing.T) {
	text := `package cpu
func bad(p ir.Program) {
	switch p.(type) { case *ir.Map: case *ir.FFT: }
	m := &ir.Map{}
	m.Instrs = append(m.Instrs, ir.Instr{})
}`
	f, err := parser.ParseFile(token.NewFileSet(), "bad.go", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	s := source{"nd/internal/device/cpu", f}
	for i, n := range []func(source, ast.Node) bool{
		func(s source, n ast.Node) bool { _, ok := n.(*ast.TypeSwitchStmt); return ok },
		func(s source, n ast.Node) bool {
			c, ok := n.(*ast.CompositeLit)
			return ok && s.irName(c.Type) == "Map"
		},
	} {
		if got := found([]source{s}, n); !got["nd/internal/device/cpu bad"] {
			t.Error(fmt.Sprint("rule ", i, " finds ", got))
		}
	}
}

// Exported names of the engine keep to docs/GLOSSARY.md: they have none of the
// words that it lists as not used.
func TestNamesKeepToTheGlossary(t *testing.T) {
	text, err := os.ReadFile("docs/GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| instead of | say |\n|---|---|\n")
	if !ok {
		t.Fatal("docs/GLOSSARY.md has no table of words that are not used")
	}
	var banned []string
	for row := range strings.Lines(table) {
		cell, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " |")
		for word := range strings.SplitSeq(cell, ", ") {
			word, _, _ = strings.Cut(word, " (")
			if word = strings.TrimSpace(word); word != "" {
				banned = append(banned, word)
			}
		}
	}
	if len(banned) < 5 {
		t.Fatalf("words that are not used: %q", banned)
	}
	for _, pkg := range []string{"nd/internal/ir", "nd/internal/plan", "nd/internal/linepass", "nd/internal/cost", "nd/internal/sched", "nd/internal/graph"} {
		for _, s := range sources(t, pkg) {
			for _, name := range exported(s.file) {
				for _, w := range wordsOf(name) {
					if slices.Contains(banned, w) {
						t.Errorf("%s: %s: %q is not a word of docs/GLOSSARY.md", s.pkg, name, w)
					}
				}
			}
		}
	}
}

// exported lists the exported names that a file declares.
func exported(f *ast.File) []string {
	var names []string
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names = append(names, id.Name)
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Name)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
					if st, ok := spec.Type.(*ast.StructType); ok {
						for _, field := range st.Fields.List {
							for _, id := range field.Names {
								add(id)
							}
						}
					}
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// wordsOf divides a name at its capitals.
func wordsOf(name string) []string {
	var words []string
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || unicode.IsUpper(rune(name[i])) {
			words = append(words, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return words
}
