package lint

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/counted"
)

// Finding is one thing found.
type Finding struct {
	File      string `json:"file"` // relative to where the run started, where it is below
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	EndLine   int    `json:"end_line"`
	EndColumn int    `json:"end_column"`
	Kind      Kind   `json:"kind"`
	Code      string `json:"code"`
	Message   string `json:"message"`
	Fixes     []Fix  `json:"fixes,omitempty"`
}

// Fix is a rewrite that removes a finding and changes nothing else.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Skip is code that could not be analysed, in whole or in part.
type Skip struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Why single files are skipped.
const (
	Generated = "generated"
	Excluded  = "excluded by build constraints"
)

// Report is the outcome of a run.
type Report struct {
	Packages int       `json:"packages"`
	Kernels  int       `json:"kernels"` // .metal files
	Findings []Finding `json:"findings"`
	Skipped  []Skip    `json:"skipped,omitempty"`
	Summary  Summary   `json:"summary"`
	// Fixed counts the findings that fixes have removed.
	Fixed int `json:"fixed,omitempty"`
}

// Summary counts findings by kind and by code.
type Summary struct {
	Errors int            `json:"errors"`
	Warns  int            `json:"warns"`
	Teach  int            `json:"teach"`
	Codes  map[string]int `json:"codes"`
}

// summarise sorts the findings and counts them.
func (r *Report) summarise() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		if a.Column != b.Column {
			return a.Column - b.Column
		}
		return strings.Compare(a.Code+a.Message, b.Code+b.Message)
	})
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Code == b.Code && a.Message == b.Message
	})
	r.Summary = Summary{Codes: map[string]int{}}
	taught := map[string]bool{}
	kept := r.Findings[:0]
	for _, f := range r.Findings {
		switch f.Kind {
		case Error:
			r.Summary.Errors++
		case Warn:
			r.Summary.Warns++
		case Teach:
			if taught[f.Code] {
				continue // once is enough, however many packages there are
			}
			taught[f.Code] = true
			r.Summary.Teach++
		}
		r.Summary.Codes[f.Code]++
		kept = append(kept, f)
	}
	r.Findings = kept
	slices.SortStableFunc(r.Skipped, func(a, b Skip) int { return strings.Compare(a.What, b.What) })
	r.Skipped = slices.Compact(r.Skipped)
}

// WriteText prints findings one a line, what was skipped, and a summary.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s:%d:%d: [%s %s] %s\n", f.File, f.Line, f.Column, f.Kind, f.Code, f.Message)
	}
	files := map[string]int{}
	for _, s := range r.Skipped {
		if s.Why == Generated || s.Why == Excluded {
			files[s.Why]++
			continue
		}
		fmt.Fprintf(&b, "skipped %s: %s\n", s.What, s.Why)
	}
	for _, why := range []string{Generated, Excluded} {
		if n := files[why]; n > 0 {
			fmt.Fprintf(&b, "skipped %s: %s\n", counted.Of(n, "file"), why)
		}
	}
	if r.Fixed > 0 {
		fmt.Fprintf(&b, "fixed %s\n", counted.Of(r.Fixed, "finding"))
	}
	b.WriteString(r.Summary.text(r.looked()))
	_, err := io.WriteString(w, b.String())
	return err
}

// looked says what the run looked at.
func (r *Report) looked() string {
	switch {
	case r.Kernels == 0:
		return counted.Of(r.Packages, "package")
	case r.Packages == 0:
		return counted.Of(r.Kernels, "kernel")
	}
	return counted.Of(r.Packages, "package") + " and " + counted.Of(r.Kernels, "kernel")
}

func (s Summary) text(looked string) string {
	if s.Errors+s.Warns+s.Teach == 0 {
		return fmt.Sprintf("%s, nothing to report\n", looked)
	}
	parts := []string{counted.Of(s.Errors, "error"), counted.Of(s.Warns, "warning")}
	if s.Teach > 0 {
		parts = append(parts, counted.Of(s.Teach, "lesson"))
	}
	var codes []string
	for c := range s.Codes {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	example := codes[0]
	for i, c := range codes {
		codes[i] = fmt.Sprintf("%s %d", c, s.Codes[c])
	}
	return fmt.Sprintf("%s: %s (%s); twiddle lint explain %s tells more\n", looked, strings.Join(parts, ", "), strings.Join(codes, ", "), example)
}
