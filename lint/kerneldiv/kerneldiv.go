package kerneldiv

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/bodies"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TWK01.
var Rule = bodies.Rule(rule.Def{
	Code:   kernlint.Division,
	Name:   "kerneldiv",
	Kind:   rule.Warn,
	Title:  "an integer is divided by a value that is not constant",
	Lesson: lesson,
})
