package lint

import (
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/twiddle-go/twiddle/lint/again"
	"github.com/twiddle-go/twiddle/lint/churn"
	"github.com/twiddle-go/twiddle/lint/clock"
	"github.com/twiddle-go/twiddle/lint/dropped"
	"github.com/twiddle-go/twiddle/lint/dtypehop"
	"github.com/twiddle-go/twiddle/lint/emptyrange"
	"github.com/twiddle-go/twiddle/lint/graphbreak"
	"github.com/twiddle-go/twiddle/lint/hostloop"
	"github.com/twiddle-go/twiddle/lint/hotsync"
	"github.com/twiddle-go/twiddle/lint/ignore"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
	"github.com/twiddle-go/twiddle/lint/kerneldiv"
	"github.com/twiddle-go/twiddle/lint/kerneldiverge"
	"github.com/twiddle-go/twiddle/lint/kernelhalf"
	"github.com/twiddle-go/twiddle/lint/kernelindex"
	"github.com/twiddle-go/twiddle/lint/kernelscope"
	"github.com/twiddle-go/twiddle/lint/lostlength"
	"github.com/twiddle-go/twiddle/lint/nograd"
	"github.com/twiddle-go/twiddle/lint/norm"
	"github.com/twiddle-go/twiddle/lint/numbers"
	"github.com/twiddle-go/twiddle/lint/peritem"
	"github.com/twiddle-go/twiddle/lint/streams"
	"github.com/twiddle-go/twiddle/lint/unused"
	"github.com/twiddle-go/twiddle/lint/wasted"
	"github.com/twiddle-go/twiddle/lint/window"
)

// Rule is one thing the coach knows: a code, a lesson and an analyzer. Its fields are
//
//	Code     string // stable: TW001
//	Kind     Kind   // of most of its findings
//	Title    string
//	Lesson   string // Markdown: why, before and after, what it costs
//	Analyzer *analysis.Analyzer
type Rule = rule.Rule

// Kind is how serious a finding is.
type Kind = rule.Kind

// The kinds of findings.
const (
	Error = rule.Error
	Warn  = rule.Warn
	Teach = rule.Teach
)

// Rules lists all rules, by code.
func Rules() []*Rule {
	return []*Rule{
		ignore.Rule,     // TW000
		graphbreak.Rule, // TW001
		hotsync.Rule,
		dropped.Rule,
		churn.Rule,
		norm.Rule, // TW005
		dtypehop.Rule,
		wasted.Rule,
		lostlength.Rule,
		hostloop.Rule,
		streams.Rule, // TW010
		clock.Rule,
		window.Rule,
		numbers.Rule,
		nograd.Rule,
		again.Rule, // TW015
		peritem.Rule,
		unused.Rule,
		emptyrange.Rule, // TW018
		kerneldiv.Rule,  // TWK01
		kernelindex.Rule,
		kernelscope.Rule,
		kerneldiverge.Rule,
		kernelhalf.Rule, // TWK05
	}
}

// Find is the rule with a code, or nil.
func Find(code string) *Rule {
	for _, r := range Rules() {
		if strings.EqualFold(r.Code, code) {
			return r
		}
	}
	return nil
}

// Analyzers are the analyzers of all rules, for drivers such as unitchecker,
// multichecker and golangci-lint.
func Analyzers() []*analysis.Analyzer {
	var list []*analysis.Analyzer
	for _, r := range Rules() {
		list = append(list, r.Analyzer)
	}
	return list
}
