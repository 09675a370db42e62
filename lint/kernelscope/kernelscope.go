package kernelscope

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/bodies"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TWK03.
var Rule = bodies.Rule(rule.Def{
	Code:   kernlint.WideScope,
	Name:   "kernelscope",
	Kind:   rule.Warn,
	Title:  "a barrier orders more memory than is shared",
	Lesson: lesson,
})
