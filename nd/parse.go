package nd

import (
	"fmt"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/elem"
)

// ParseDType is the element type of a name: float32, complex128 and so on, as DType
// prints them.
func ParseDType(name string) (DType, error) { return parse("dtype", name, elem.All[:]) }

// ParseAccumulation is the mode of a name: pairwise, fast, compensated or exact.
func ParseAccumulation(name string) (Accumulation, error) {
	return parse("accumulation", name, []Accumulation{Pairwise, Fast, Compensated, Exact})
}

// ParsePadMode is the mode of a name: constant, reflect, edge or wrap.
func ParsePadMode(name string) (PadMode, error) {
	return parse("pad mode", name, []PadMode{PadConstant, PadReflect, PadEdge, PadWrap})
}

// ParseNorm is the norm of a name: backward, ortho or forward.
func ParseNorm(name string) (Norm, error) {
	return parse("norm", name, []Norm{fft.NormBackward, fft.NormOrtho, fft.NormForward})
}

// parse is the value that prints as name.
func parse[T fmt.Stringer](what, name string, values []T) (T, error) {
	for _, v := range values {
		if v.String() == name {
			return v, nil
		}
	}
	var none T
	return none, fmt.Errorf("nd: unknown %s %q: want one of %v", what, name, values)
}
