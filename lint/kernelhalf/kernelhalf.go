package kernelhalf

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/bodies"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TWK05.
var Rule = bodies.Rule(rule.Def{
	Code:   kernlint.MixedHalf,
	Name:   "kernelhalf",
	Kind:   rule.Warn,
	Title:  "half numbers are mixed with a float literal",
	Lesson: lesson,
})
