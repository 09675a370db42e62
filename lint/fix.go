package lint

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/replace"
)

// Fix applies the first fix of every finding to the files below dir and takes
// those findings out of the report. Where two fixes touch the same text the
// later one waits for another run. Nothing is written unless every changed
// file is still Go.
func (r *Report) Fix(dir string) error {
	edits := map[string][]Edit{}
	var left []Finding
	fixed := 0
	for _, f := range r.Findings {
		if len(f.Fixes) == 0 || overlaps(edits, f.Fixes[0].Edits) {
			left = append(left, f)
			continue
		}
		for _, e := range f.Fixes[0].Edits {
			edits[e.File] = append(edits[e.File], e)
		}
		fixed++
	}
	changed := map[string][]byte{}
	for file, list := range edits {
		text, err := edited(filepath.Join(dir, file), file, list)
		if err != nil {
			return err
		}
		changed[file] = text
	}
	for file, text := range changed {
		if err := replace.Bytes(pathOf(dir, file), text); err != nil {
			return fmt.Errorf("lint: fix: %w", err)
		}
	}
	r.Findings, r.Fixed = left, fixed
	r.summarise()
	return nil
}

func pathOf(dir, file string) string {
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(dir, file)
}

// overlaps reports whether some of the edits touch what others already change.
func overlaps(taken map[string][]Edit, edits []Edit) bool {
	for _, e := range edits {
		for _, t := range taken[e.File] {
			if e.Start <= t.End && t.Start <= e.End {
				return true
			}
		}
	}
	return false
}

// edited is the text of a file with the edits made.
func edited(path, name string, edits []Edit) ([]byte, error) {
	if filepath.IsAbs(name) {
		path = name
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("lint: fix: %w", err)
	}
	slices.SortFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var out bytes.Buffer
	last := 0
	for _, e := range edits {
		if e.Start < last || e.End < e.Start || e.End > len(data) {
			return nil, fmt.Errorf("lint: fix: %s changed since it was looked at", name)
		}
		out.Write(data[last:e.Start])
		out.WriteString(e.Text)
		last = e.End
	}
	out.Write(data[last:])
	if !strings.HasSuffix(name, ".go") {
		return out.Bytes(), nil
	}
	text, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("lint: fix: %s would no longer be Go: %w", name, err)
	}
	if was, err := format.Source(data); err != nil || !bytes.Equal(was, data) {
		return out.Bytes(), nil // its author formats it otherwise
	}
	return text, nil
}
