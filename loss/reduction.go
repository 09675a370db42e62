package loss

import (
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Reduction says how the elements of a loss are combined. Each loss documents its elements
// and the loss of an item.
type Reduction uint8

const (
	Mean Reduction = iota // one number: the mean over what there is
	Sum                   // one number: the sum of it
	Item                  // one number for each item of the batch
	None                  // all of them
)

var reductionNames = [...]string{"mean", "sum", "item", "none"}

func (r Reduction) String() string { return choice.Name(r, "Reduction", reductionNames[:]) }

// ParseReduction is the reduction of a name.
func ParseReduction(name string) (Reduction, error) {
	return choice.Parse[Reduction]("loss", "reduction", name, reductionNames[:])
}

// Distance is how a difference counts.
type Distance uint8

const (
	DefaultDistance Distance = iota // what the loss says
	L1                              // its absolute value
	L2                              // its square
)

var distanceNames = [...]string{"default", "l1", "l2"}

func (d Distance) String() string { return choice.Name(d, "Distance", distanceNames[:]) }

// ParseDistance is the distance of a name.
func ParseDistance(name string) (Distance, error) {
	return choice.Parse[Distance]("loss", "distance", name, distanceNames[:])
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

// ofLogs is the distances of the logarithms of elements that are positive, L1 by default.
func (d Distance) ofLogs(a, b *nd.Array) *nd.Array {
	if d == L2 {
		return d.of(a.Log(), b.Log(), L2)
	}
	return logDistance(a, b)[0]
}

// logDistance is |log a - log b|. Its gradient asks which of the two is larger, and that
// the numbers tell themselves: where only the gradient is computed there are no
// logarithms, which are most of the arithmetic between two transforms.
var logDistance = nd.Custom(
	func(in []*nd.Array) []*nd.Array { return []*nd.Array{in[0].Log().Sub(in[1].Log()).Abs()} },
	func(in, _, grads []*nd.Array) []*nd.Array {
		g := in[0].Sub(in[1]).Sign().Mul(grads[0])
		return []*nd.Array{g.Div(in[0]), g.Neg().Div(in[1])}
	})

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
