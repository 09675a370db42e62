package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/twiddle-go/twiddle/internal/choice"
)

// suggestVerb is " (did you mean ...?)" for a verb near to typed, or nothing.
func suggestVerb(c *cobra.Command, typed string) string {
	var names []string
	for _, v := range c.Commands() {
		if v.IsAvailableCommand() {
			names = append(names, v.Name())
		}
	}
	return didYouMean(typed, "", names)
}

// unknownFlag names a flag that there is not, and one near to it. A dash too few makes letters
// of a name, and a number below zero is no flag at all.
func unknownFlag(c *cobra.Command, err *pflag.NotExistError) string {
	name, dashes := err.GetSpecifiedName(), "--"
	if letters := err.GetSpecifiedShortnames(); letters != "" {
		if _, bad := strconv.ParseFloat(letters, 64); bad == nil {
			return fmt.Sprintf("unexpected number -%s", letters)
		}
		name, dashes = letters, "-"
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	word, _, _ := strings.Cut(name, "=")
	return fmt.Sprintf("unknown flag: %s%s%s", dashes, word, didYouMean(word, "--", names))
}

func didYouMean(typed, prefix string, names []string) string {
	best := choice.Near(typed, names)
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, best)
}
