package scalar

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/elem"
)

// Arg is a run-time constant of a launch: a scalar operand or a random key.
// Constants are not part of a program, so a graph that differs from an earlier
// one only in its constants reuses its plan.
//
// Integers and bool are held as an int64 in the first word, floats as float64
// bits in the first word, complex numbers as float64 bits of both parts.
type Arg [2]uint64

// ArgOf encodes v, converted to type t by the rules of Cast.
func ArgOf(t elem.Type, v complex128) Arg {
	switch {
	case t.IsComplex():
		return Arg{math.Float64bits(real(v)), math.Float64bits(imag(v))}
	case t.IsFloat():
		return Arg{math.Float64bits(real(v))}
	case t == elem.Bool:
		if v != 0 {
			return Arg{1}
		}
		return Arg{}
	}
	return IntArg(int64(real(v)))
}

// IntArg encodes an integer exactly.
func IntArg(v int64) Arg { return Arg{uint64(v)} }

// Int is the value of an integer or bool argument.
func (a Arg) Int() int64 { return int64(a[0]) }

// Float is the value of a float argument.
func (a Arg) Float() float64 { return math.Float64frombits(a[0]) }

// Complex is the value of a complex argument.
func (a Arg) Complex() complex128 {
	return complex(math.Float64frombits(a[0]), math.Float64frombits(a[1]))
}
