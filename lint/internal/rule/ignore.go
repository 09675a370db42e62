package rule

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
)

// Ignore is one //twiddle:ignore comment. It covers the line it is on and the
// one below.
type Ignore struct {
	Pos    token.Pos
	Line   int
	Codes  []string
	Reason string
}

// Ignores are the comments of one file.
type Ignores []Ignore

// Directive is how an ignore starts.
const Directive = "//twiddle:ignore"

var codePattern = regexp.MustCompile(`^TWK?\d+$`)

// IgnoresOf finds the ignores of a file.
func IgnoresOf(fset *token.FileSet, f *ast.File) Ignores {
	var list Ignores
	for _, group := range f.Comments {
		for _, c := range group.List {
			if in, ok := ParseIgnore(c.Text); ok {
				in.Pos, in.Line = c.Pos(), fset.PositionFor(c.Pos(), false).Line
				list = append(list, in)
			}
		}
	}
	return list
}

// ParseIgnore reads a comment. Codes come first, separated by commas or
// spaces; the rest is the reason.
func ParseIgnore(text string) (Ignore, bool) {
	rest, ok := strings.CutPrefix(text, Directive)
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return Ignore{}, false
	}
	var in Ignore
	rest, _, _ = strings.Cut(rest, "//") // a comment on the comment
	words := strings.Fields(strings.ReplaceAll(rest, ",", " "))
	for len(words) > 0 && codePattern.MatchString(words[0]) {
		in.Codes = append(in.Codes, words[0])
		words = words[1:]
	}
	in.Reason = strings.Join(words, " ")
	return in, true
}

// Cover reports whether a finding of a code on a line is ignored. An ignore
// without a reason ignores nothing.
func (list Ignores) Cover(code string, line int) bool {
	for _, in := range list {
		if in.Reason == "" || line != in.Line && line != in.Line+1 {
			continue
		}
		for _, c := range in.Codes {
			if c == code {
				return true
			}
		}
	}
	return false
}

// The codes are TW000 to TW014 and TWK01 to TWK05.
const lastArray, lastKernel = 18, 5

// Known reports whether there is a rule with this code. A test of package lint
// compares it with the rules.
func Known(code string) bool {
	var n int
	if _, err := fmt.Sscanf(code, "TWK%d", &n); err == nil {
		return code == fmt.Sprintf("TWK%02d", n) && n >= 1 && n <= lastKernel
	}
	_, err := fmt.Sscanf(code, "TW%d", &n)
	return err == nil && code == fmt.Sprintf("TW%03d", n) && n <= lastArray
}
