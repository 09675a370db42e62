package main

import (
	"fmt"
	"math"
	"strconv"
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
	best, distance := "", math.MaxInt
	for _, n := range names {
		if d, near := slip(strings.ReplaceAll(typed, "_", "-"), n); near && d < distance {
			best, distance = n, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s%s?)", prefix, best)
}

// slip is how far typed is from name, and whether that is near enough to be meant: a part of
// its words, its words with more behind them, or, roughly, an edit for every three letters, two at most.
func slip(typed, name string) (d int, near bool) {
	switch {
	case len(typed) > 2 && strings.HasPrefix(name, typed):
		return 0, true // the beginning of a name is no slip at all
	case len(typed) > 2 && strings.HasSuffix(name, "-"+typed), strings.HasPrefix(typed, name+"-"):
		return 1, true
	}
	d = edits(typed, name)
	return d, d <= min(2, (len(typed)+1)/3)
}

// edits is how many letters have to be added, left out, replaced or exchanged with their
// neighbour to make b of a, none of them twice.
func edits(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, next[j]+1, row[j+1]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
