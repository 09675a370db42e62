package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// suggestFlag does the same for an unknown flag.
func suggestFlag(c *cobra.Command, err error) string {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return didYouMean(unknown.GetSpecifiedName(), "--", names)
}

func didYouMean(typed, prefix string, names []string) string {
	best, distance := "", 3 // further than two edits is no longer a slip
	for _, n := range names {
		d := edits(typed, n)
		if len(typed) > 2 && strings.HasPrefix(n, typed) {
			d = 0 // the beginning of a name is no slip at all
		}
		if d < distance && d < len(n) {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, best)
}

// edits is the Levenshtein distance between a and b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substituted := diagonal
			if a[i] != b[j] {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(substituted, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
