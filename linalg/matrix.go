package linalg

import (
	"errors"
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd"
)

// matrices is an argument that passed: a batch (batch, rows, columns), and the
// axes that stood in its batch's place.
type matrices struct {
	*nd.Array
	lead []int
}

// argument is what an operation asks of one of its arguments.
type argument struct {
	op, name string
	square   bool
	complex  bool // complex64 and complex128 will do as well
}

// matrices checks an argument and joins its leading axes. bad is what a lazy
// operation has to return, and nil if all is well.
func (g argument) matrices(a *nd.Array) (m matrices, bad *nd.Array) {
	fail := func(err error) (matrices, *nd.Array) { return m, nd.Fail("linalg", g.op, err, a) }
	if a == nil {
		return m, nd.Fail("linalg", g.op, errors.New(g.name+" is a nil Array"))
	}
	if a.Err() != nil {
		return m, a
	}
	s := a.Shape()
	switch t := a.DType(); {
	case t == nd.Float32 || t == nd.Float64:
	case g.complex && t.IsComplex():
	case g.complex:
		return fail(fmt.Errorf("%s is %s: want float32, float64, complex64 or complex128", g.name, t))
	default:
		return fail(fmt.Errorf("%s is %s: want float32 or float64", g.name, t))
	}
	if len(s) < 2 {
		return fail(&ShapeError{Name: g.name, Shape: s, Want: "rows and columns"})
	}
	m.lead = s[:len(s)-2]
	rows, columns := s[len(s)-2], s[len(s)-1]
	if g.square && rows != columns {
		return fail(&ShapeError{Name: g.name, Shape: s, Want: "as many rows as columns"})
	}
	m.Array = a.Reshape(count(m.lead), rows, columns)
	return m, nil
}

// back gives a batch the leading axes of m again.
func (m matrices) back(a *nd.Array) *nd.Array {
	if a.Err() != nil { // it has no axes
		return a
	}
	return a.Reshape(append(slices.Clone(m.lead), a.Shape()[1:]...)...)
}

// empty reports matrices without elements, or none at all.
func (m matrices) empty() bool { return m.Len() == 0 }

func count(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// onCPU reports whether the CPU computes a. Its name tells: tests put GPUs in the CPU's place.
func onCPU(a *nd.Array) bool {
	d, err := a.Device()
	return err == nil && d.Name() == "cpu"
}

// tuned is a choice of the device of a; 0 if it has none.
func tuned(a *nd.Array, key string) int {
	d, err := a.Device()
	if err != nil {
		return 0
	}
	return int(d.Tuned(key))
}
