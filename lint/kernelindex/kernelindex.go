package kernelindex

import (
	_ "embed"

	"github.com/twiddle-go/twiddle/lint/internal/bodies"
	"github.com/twiddle-go/twiddle/lint/internal/kernlint"
	"github.com/twiddle-go/twiddle/lint/internal/rule"
)

//go:embed lesson.md
var lesson string

// Rule is TWK02.
var Rule = bodies.Rule(rule.Def{
	Code:   kernlint.LocalRAM,
	Name:   "kernelindex",
	Kind:   rule.Warn,
	Title:  "a local array is indexed by a value that is not constant",
	Lesson: lesson,
})
