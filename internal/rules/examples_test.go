package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	exampleRow = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| .* \\| (\\d+) \\| (\\d*) *\\|$")
	goImports  = regexp.MustCompile(`(?ms)^import (\(.*?^\)|[^\n]*)\n`)
	pyImport   = regexp.MustCompile(`(?m)^(import|from) .*$`)
)

// TestExamples compares the table of examples with their lines, of which Go has at most
// twice as many as the same program in Python.
func TestExamples(t *testing.T) {
	listed := map[string]bool{}
	for _, row := range exampleRow.FindAllStringSubmatch(read(t, "docs/EXAMPLES.md"), -1) {
		name := row[1]
		listed[name] = true
		lines := codeLines(goImports.ReplaceAllString(read(t, filepath.Join("examples", name, "main.go")), ""), "//")
		if row[2] != strconv.Itoa(lines) {
			t.Errorf("%s has %d lines of Go, the table %s", name, lines, row[2])
		}
		twin := filepath.Join("examples", name, "twin.py")
		if _, err := os.Stat(twin); err != nil {
			if row[3] != "" {
				t.Errorf("%s has no twin in Python", name)
			}
			continue
		}
		python := codeLines(pyImport.ReplaceAllString(read(t, twin), ""), "#")
		if row[3] != strconv.Itoa(python) {
			t.Errorf("%s has %d lines of Python, the table %s", name, python, row[3])
		}
		if lines > 2*python {
			t.Errorf("%s has %d lines of Go, more than twice the %d of Python", name, lines, python)
		}
	}
	folders, err := os.ReadDir("examples")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() && !listed[f.Name()] {
			t.Errorf("%s is not in the table", f.Name())
		}
	}
}

// codeLines counts lines that are neither blank nor comments.
func codeLines(text, comment string) int {
	n := 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, comment) {
			n++
		}
	}
	return n
}
