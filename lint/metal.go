package lint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/lint/internal/bodies"
)

// metalFiles lists the kernels that the patterns name or whose folders they
// match, and takes the former out of the patterns.
func (r *run) metalFiles(o *Options) ([]string, error) {
	var files, rest []string
	for _, p := range o.Patterns {
		if strings.HasSuffix(p, ".metal") {
			if _, err := os.Stat(pathOf(r.dir, p)); err != nil {
				return nil, fmt.Errorf("lint: %w: %w", ErrNothing, err)
			}
			files = append(files, pathOf(r.dir, p))
		} else {
			rest = append(rest, p)
		}
	}
	o.Patterns = slices.Clip(rest)
	if len(rest) == 0 && len(files) == 0 {
		rest = []string{"."}
	}
	for _, p := range rest {
		if !strings.HasPrefix(p, ".") && !filepath.IsAbs(p) {
			continue // an import path: its embedded kernels are looked at with it
		}
		dir, deep := strings.CutSuffix(filepath.ToSlash(p), "...")
		found, err := metalIn(pathOf(r.dir, filepath.FromSlash(dir)), deep)
		if err != nil {
			return nil, fmt.Errorf("lint: %w", err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// metalIn lists the kernels in a folder, and with deep in those below that the
// go command would look at.
func metalIn(dir string, deep bool) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission):
			return nil // the go command says so
		case err != nil:
			return err
		case d.IsDir() && path != dir && path != filepath.Clean(dir):
			name := d.Name()
			if !deep || name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		case !d.IsDir() && strings.HasSuffix(path, ".metal"):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// mostText bounds the file of a kernel; people write kilobytes.
const mostText = 16 << 20

// metal checks one kernel.
func (r *run) metal(path string) error {
	data, err := hostmem.ReadFile(path, mostText)
	if err != nil {
		return fmt.Errorf("lint: %w", err)
	}
	r.report.Kernels++
	name := r.relative(path)
	text := string(data)
	findings, err := bodies.CheckFile(text)
	if err != nil {
		r.skip("parts of "+name, oneLine(err.Error()))
	}
	for _, f := range findings {
		i := slices.IndexFunc(r.rules, func(rule *Rule) bool { return rule.Code == f.Code })
		if i < 0 || bodies.Ignored(text, f) {
			continue
		}
		out := Finding{File: name, Code: f.Code, Kind: r.rules[i].Kind, Message: f.Message}
		out.Line, out.Column = place(text, f.Start)
		out.EndLine, out.EndColumn = place(text, f.End)
		if f.Fix != nil {
			out.Fixes = []Fix{{Message: "rewrite it", Edits: []Edit{{File: name, Start: f.Fix.Start, End: f.Fix.End, Text: f.Fix.Text}}}}
		}
		r.report.Findings = append(r.report.Findings, out)
	}
	return nil
}

// place is the line and column of an offset.
func place(text string, offset int) (line, column int) {
	before := text[:offset]
	return 1 + strings.Count(before, "\n"), offset - strings.LastIndexByte(before, '\n')
}
