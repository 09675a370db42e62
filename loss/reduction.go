package loss

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// Reduction is what becomes of the numbers of a loss. Each loss says what its
// numbers are and how an item's are put together.
type Reduction uint8

const (
	Mean Reduction = iota // one number: the mean over what there is
	Sum                   // one number: the sum of it
	Item                  // one number for each item of the batch
	None                  // all of them
)

var reductionNames = [...]string{"mean", "sum", "item", "none"}

func (r Reduction) String() string { return nameOf("Reduction", uint8(r), reductionNames[:]) }

// ParseReduction is the reduction of a name.
func ParseReduction(name string) (Reduction, error) {
	return parse[Reduction]("reduction", name, reductionNames[:])
}

// Distance is how a difference counts.
type Distance uint8

const (
	DefaultDistance Distance = iota // what the loss says
	L1                              // its absolute value
	L2                              // its square
)

var distanceNames = [...]string{"default", "l1", "l2"}

func (d Distance) String() string { return nameOf("Distance", uint8(d), distanceNames[:]) }

// ParseDistance is the distance of a name.
func ParseDistance(name string) (Distance, error) {
	return parse[Distance]("distance", name, distanceNames[:])
}

// of is the distances of elements; other is the default.
func (d Distance) of(a, b *nd.Array, other Distance) *nd.Array {
	if d == DefaultDistance {
		d = other
	}
	diff := a.Sub(b)
	if d == L1 {
		return diff.Abs()
	}
	return diff.AbsSquared()
}

// ofItems reduces one number per item.
func (r Reduction) ofItems(items *nd.Array) *nd.Array {
	switch r {
	case Mean:
		return items.Mean()
	case Sum:
		return items.Sum()
	}
	return items
}

func nameOf(kind string, i uint8, names []string) string {
	if int(i) >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, i)
	}
	return names[i]
}

func parse[T ~uint8](kind, name string, names []string) (T, error) {
	for i, n := range names {
		if n == name {
			return T(i), nil
		}
	}
	return 0, fmt.Errorf("loss: unknown %s %q: want one of %v", kind, name, names)
}
