package graph

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// NewFFT transforms along a.Axis, which may count from the end.
func NewFFT(x *Node, a FFTAttr) (*Node, error) {
	if len(x.Shape) == 0 {
		return nil, fmt.Errorf("0-d array has no axis to transform")
	}
	var err error
	if a.Axis, err = shape.Axis(a.Axis, x.Shape); err != nil {
		return nil, err
	}
	return apply(Def{Op: FFT, Attr: a}, x)
}

func inferFFT(d *Def, in []*Node) (elem.Type, []int, error) {
	a, x, err := unary[FFTAttr](d, in)
	if err == nil {
		err = inAxes(a.Axis, x.Shape)
	}
	if err != nil {
		return wrong(err)
	}
	if x.Shape[a.Axis] == 0 {
		return wrongf("axis %d of shape %v is empty", a.Axis, x.Shape)
	}
	if a.N < 1 || a.N > shape.MaxElems {
		return wrongf("n %d is not a length, for shape %v", a.N, x.Shape)
	}
	if math.IsNaN(a.Scale) || math.IsInf(a.Scale, 0) {
		return wrongf("scale %g is not finite", a.Scale)
	}
	if !a.Mode.Valid() {
		return wrongf("there is no accumulation %d", a.Mode)
	}
	t, n := x.Type, a.N
	switch a.Kind {
	case FFTComplex:
		if !t.IsComplex() {
			return wrong(typeFact(t, "a complex dtype"))
		}
	case FFTRealForward:
		if a.Inverse || t.Complex() == elem.Invalid {
			return wrong(typeFact(t, "float32 or float64"))
		}
		t, n = t.Complex(), a.N/2+1
	case FFTRealInverse:
		if !t.IsComplex() {
			return wrong(typeFact(t, "a complex dtype"))
		}
		t = t.Real()
	default:
		return wrongf("transform kind %d is not known", a.Kind)
	}
	return sized(t, with(x.Shape, a.Axis, n))
}
