// Package counted names how many of a thing there are.
package counted

import "fmt"

// Of is "1 sample", "2 samples". The form for any number but 1 is given where it is not that of 1
// with an s: Of(n, "sample is", "samples are").
func Of[N ~int | ~int64 | ~uint64](n N, one string, many ...string) string {
	switch {
	case n == 1:
		return "1 " + one
	case len(many) > 0:
		return fmt.Sprintf("%d %s", n, many[0])
	}
	return fmt.Sprintf("%d %ss", n, one)
}
