package linttest

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// fewest is how many functions with, and without, a finding the test data of
// a pass must have.
const fewest = 6

// Run checks a pass against the files in testdata: lines with a "// want"
// comment get those findings, others none, and where there is a .golden file
// the fixes give it.
func Run(t *testing.T, a *analysis.Analyzer) {
	t.Helper()
	sources := readSources(t)
	var with, without int
	for name, text := range sources {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		y, n := countCases(t, name, text)
		with, without = with+y, without+n
		found, faults, err := check(a, text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range faults {
			t.Errorf("%s does not type-check: %v", name, f)
		}
		compare(t, name, text, found)
		fixed := applyFixes(t, text, found)
		if golden, ok := sources[name+".golden"]; ok && fixed != golden {
			t.Errorf("%s: the fixes give\n%s", name, difference(golden, fixed))
		} else if !ok && fixed != text {
			t.Errorf("%s has fixes and no .golden file; they give\n%s", name, difference(text, fixed))
		}
	}
	if with < fewest || without < fewest {
		t.Errorf("%d cases with findings and %d without: want %d of each", with, without, fewest)
	}
}

// readSources reads what is in testdata, folders excepted.
func readSources(t testing.TB) map[string]string {
	t.Helper()
	entries, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	sources := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join("testdata", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		sources[e.Name()] = string(data)
	}
	return sources
}

// countCases counts the declarations that hold a "// want" comment, and those
// that do not.
func countCases(t *testing.T, name, text string) (with, without int) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		if _, ok := d.(*ast.FuncDecl); !ok {
			continue
		}
		end := int(d.End() - f.FileStart)
		if i := strings.IndexByte(text[end:], '\n'); i >= 0 {
			end += i
		}
		if strings.Contains(text[d.Pos()-f.FileStart:end], "// want ") {
			with++
		} else {
			without++
		}
	}
	return with, without
}

var quoted = regexp.MustCompile("`[^`]*`|\"(?:[^\"\\\\]|\\\\.)*\"")

// compare checks findings against the "// want" comments of their lines.
func compare(t *testing.T, name, text string, found []analysis.Diagnostic) {
	t.Helper()
	lines := strings.Split(text, "\n")
	wants := make([][]string, len(lines))
	for i, l := range lines {
		if _, w, ok := strings.Cut(l, "// want "); ok {
			for _, q := range quoted.FindAllString(w, -1) {
				pattern, err := strconv.Unquote(q)
				if err != nil {
					t.Fatalf("%s:%d: %v", name, i+1, err)
				}
				wants[i] = append(wants[i], pattern)
			}
			if len(wants[i]) == 0 {
				t.Errorf("%s:%d: a want without a pattern", name, i+1)
			}
		}
	}
	for _, d := range found {
		line := strings.Count(text[:d.Pos-1], "\n")
		k := slices.IndexFunc(wants[line], func(w string) bool { return regexp.MustCompile(w).MatchString(d.Message) })
		if k < 0 {
			t.Errorf("%s:%d: unexpected: %s", name, line+1, d.Message)
			continue
		}
		wants[line] = slices.Delete(wants[line], k, k+1)
	}
	for i, w := range wants {
		for _, pattern := range w {
			t.Errorf("%s:%d: nothing matches %s", name, i+1, pattern)
		}
	}
}

// applyFixes applies the first fix of each finding.
func applyFixes(t *testing.T, text string, found []analysis.Diagnostic) string {
	t.Helper()
	var edits []analysis.TextEdit
	for _, d := range found {
		if len(d.SuggestedFixes) > 0 {
			edits = append(edits, d.SuggestedFixes[0].TextEdits...)
		}
	}
	if len(edits) == 0 {
		return text
	}
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) })
	last := len(text) + 1
	for _, e := range edits {
		if int(e.End) > last {
			t.Fatalf("edits overlap at offset %d", e.Pos-1)
		}
		text = text[:e.Pos-1] + string(e.NewText) + text[e.End-1:]
		last = int(e.Pos)
	}
	out, err := format.Source([]byte(text))
	if err != nil {
		t.Fatalf("fixed source: %v\n%s", err, text)
	}
	return string(out)
}

// difference shows the lines where two texts differ.
func difference(want, got string) string {
	var b strings.Builder
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, c string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			c = g[i]
		}
		if a != c {
			b.WriteString("line " + strconv.Itoa(i+1) + "\n- " + a + "\n+ " + c + "\n")
		}
	}
	return b.String()
}
