package choice

import (
	"fmt"
	"math"
	"strings"
)

// Near is the name that a typed one was probably meant to be, or "" if none is near.
// Letters may be capitals, and underscores stand for dashes.
func Near(typed string, names []string) string {
	best, distance, same := "", math.MaxInt, 0
	for _, n := range names {
		d, near := slip(plain(typed), plain(n))
		if s := alike(plain(typed), plain(n)); near && (d < distance || d == distance && s > same) {
			best, distance, same = n, d, s
		}
	}
	return best
}

// Hint is ` (did you mean "name"?)` for the name that a typed one is near to, or nothing.
func Hint(typed string, names []string) string {
	if n := Near(typed, names); n != "" {
		return fmt.Sprintf(" (did you mean %q?)", n)
	}
	return ""
}

// alike is how many letters two names begin with in common.
func alike(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func plain(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// slip is how far typed is from name, and whether that is near enough to be meant: a part of
// its words, its words with more behind them, or, roughly, an edit for every three letters, two at most.
// Names of two letters are all near one another.
func slip(typed, name string) (d int, near bool) {
	switch {
	case len(typed) > 2 && strings.HasPrefix(name, typed):
		return 0, true // the beginning of a name is no slip at all
	case len(typed) > 2 && strings.HasSuffix(name, "-"+typed), strings.HasPrefix(typed, name+"-"):
		return 1, true
	}
	d = edits(typed, name)
	if len(typed) > 2 && d <= min(2, (len(typed)+1)/3) {
		return d, true
	}
	return 2, len(name) > 3 && strings.HasPrefix(typed, name) // hanning
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
