package kernlint

import (
	"regexp"
	"slices"

	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// The codes of findings.
const (
	Division  = "TWK01" // integer division by something that is not constant
	LocalRAM  = "TWK02" // a local array with an index that is not constant
	WideScope = "TWK03" // a barrier that orders more than is shared
	Divergent = "TWK04" // a barrier that not all threads reach
	MixedHalf = "TWK05" // half numbers with float literals
)

// Finding is one habit at one place.
type Finding struct {
	Code       string
	InHeader   bool // the place is in the header, not the body
	Start, End int  // offsets in that text
	Message    string
	Fix        *Fix // nil where no rewrite is certain
}

// Fix replaces the bytes from Start to End of the same text.
type Fix struct {
	Start, End int
	Text       string
}

// Check looks at a kernel. The error says that the text could not be read to
// its end; findings are then of what was read.
func Check(header, body string) ([]Finding, error) {
	src := source.NewSource(source.File{Name: "header", Text: header}, source.File{Name: "body", Text: body})
	reporter := &source.Reporter{Source: src}
	types := typeNames(header + "\n" + body)
	tree := syntax.Parse(reporter, syntax.Options{IsType: func(name string) bool {
		_, ok := ktree.ValueType(name)
		return ok || types[name]
	}})
	k := resolve(tree)
	k.divisions()
	k.localArrays()
	k.barriers()
	k.divergence()
	k.halves()
	slices.SortStableFunc(k.found, func(a, b Finding) int {
		if a.InHeader != b.InHeader {
			if a.InHeader {
				return -1
			}
			return 1
		}
		return a.Start - b.Start
	})
	return k.found, reporter.Err()
}

// declared matches a declaration with a type that is given as a template
// argument, which by custom starts with a capital letter.
var declared = regexp.MustCompile(`\b([A-Z]\w*)\s+[a-z_]\w*\s*[=;\[,)]`)

func typeNames(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range declared.FindAllStringSubmatch(text, -1) {
		names[m[1]] = true
	}
	return names
}

// report adds a finding about the word at p.
func (k *kernel) report(code string, p source.Pos, fix *Fix, message string) {
	text := k.text(p)
	start := int(p.Offset)
	end := start
	for end < len(text) && isWord(text[end]) {
		end++
	}
	if end == start && end < len(text) {
		end++
	}
	k.found = append(k.found, Finding{Code: code, InHeader: p.File == 0, Start: start, End: end, Message: message, Fix: fix})
}

func (k *kernel) text(p source.Pos) string {
	if int(p.File) < len(k.tree.Source.Files) {
		return k.tree.Source.Files[p.File].Text
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
