package shape

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// BroadcastError names two shapes that have no common broadcast.
type BroadcastError struct{ A, B []int }

func (e *BroadcastError) Error() string {
	return fmt.Sprintf("shapes %v and %v do not broadcast", e.A, e.B)
}

// Broadcast is the shape two operands meet in: aligned at the last axis, equal
// lengths stay, and a length of 1 or a missing axis gives way. The result may
// share memory with an argument.
func Broadcast(a, b []int) ([]int, error) {
	if slices.Equal(a, b) {
		return a, nil
	}
	if len(a) < len(b) {
		a, b = b, a
	}
	// b often gives way entirely (a scalar, a bias): a is then the answer.
	lead := len(a) - len(b)
	same := true
	for i, d := range b {
		if d == a[lead+i] || d == 1 {
			continue
		}
		if a[lead+i] != 1 {
			return nil, &BroadcastError{A: clone(a), B: clone(b)}
		}
		same = false
	}
	if same {
		return a, nil
	}
	out := clone(a)
	for i, d := range b {
		if d != 1 {
			out[lead+i] = d
		}
	}
	if _, err := Size(out); err != nil {
		return nil, err
	}
	return out, nil
}

// CanBroadcast reports whether from broadcasts to exactly to.
func CanBroadcast(from, to []int) bool {
	lead := len(to) - len(from)
	if lead < 0 {
		return false
	}
	return !lists.Any(len(from), func(i int) bool { return from[i] != 1 && from[i] != to[lead+i] })
}
