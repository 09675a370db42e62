package kerneldiverge

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/bodies"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TWK04.
var Rule = bodies.Rule(rule.Def{
	Code:   kernlint.Divergent,
	Name:   "kerneldiverge",
	Kind:   rule.Error,
	Title:  "a barrier that not all threads reach",
	Lesson: lesson,
})
