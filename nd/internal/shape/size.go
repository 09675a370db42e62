package shape

import (
	"fmt"
	"math"
)

// MaxElems bounds the elements of one array: the bytes of any element type
// (16 at most) must be countable in an int.
const MaxElems = math.MaxInt / 16

// SizeError says that dimensions do not describe an array: one is negative,
// or together they hold more elements than can be counted.
type SizeError struct {
	Shape    []int
	Negative bool // otherwise too large
}

func (e *SizeError) Error() string {
	if e.Negative {
		return fmt.Sprintf("negative dimension in shape %v", e.Shape)
	}
	return fmt.Sprintf("shape %v has too many elements", e.Shape)
}

// Size is the number of elements of an array of these dimensions. Dimensions
// of 0 count as 1 towards the limit, so that the strides of an accepted shape
// never overflow either.
func Size(dims []int) (int, error) {
	n, empty := 1, false
	for _, d := range dims {
		switch {
		case d < 0:
			return 0, &SizeError{Shape: clone(dims), Negative: true}
		case d == 0:
			empty = true
		case n > MaxElems/d:
			return 0, &SizeError{Shape: clone(dims)}
		default:
			n *= d
		}
	}
	if empty {
		// A negative or oversized dimension after the zero was still refused.
		return 0, nil
	}
	return n, nil
}

// clone copies a list that an error keeps, so that the fast paths do not make
// their arguments escape.
func clone(s []int) []int { return append(make([]int, 0, len(s)), s...) }
