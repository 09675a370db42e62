// Package choice names the values of types that are a choice among a few constants,
// counted from 0.
package choice

import (
	"fmt"
	"slices"
	"strings"
)

// Name is the name of a value, or Kind(7) of one that has none.
func Name[T ~uint8](v T, kind string, names []string) string {
	if int(v) < len(names) {
		return names[v]
	}
	return fmt.Sprintf("%s(%d)", kind, uint8(v))
}

// Parse is the value of a name. The error is pkg's, of what there is to choose.
func Parse[T ~uint8](pkg, what, name string, names []string) (T, error) {
	if i := slices.Index(names, name); i >= 0 {
		return T(i), nil
	}
	return 0, fmt.Errorf("%s: unknown %s %q%s: want one of %s", pkg, what, name, Hint(name, names), strings.Join(names, ", "))
}
