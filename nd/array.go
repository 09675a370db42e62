package nd

import (
	"slices"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Array is an immutable handle on a node of the lazy graph: a shape, an
// element type, and a promise of elements. Operations on it build more graph;
// nothing runs until Eval, Async, Slice or Item. Arrays are safe for use from
// any number of goroutines.
//
// An operation on bad input gives an Array that carries an *OpError. Later
// operations pass it on, evaluating returns it, and Err shows it early.
type Array struct {
	node *graph.Node // nil exactly when err is set
	err  error
}

// DType is the element type of an Array: one of the constants below. Its methods are
//
//	String() string     // "float32"
//	Size() int          // bytes of an element
//	Valid() bool        // whether it is one of the constants
//	IsFloat() bool      // Float16, BFloat16, Float32, Float64
//	IsHalf() bool       // Float16, BFloat16
//	IsComplex() bool    // Complex64, Complex128
//	IsInteger() bool    // Uint8, Int8, Int16, Int32, Int64, Uint32
//	IsSigned() bool     // what has negative numbers
//	IsOrdered() bool    // what can be compared: all but complex numbers
//	Compute() DType     // what arithmetic is done in: Float32 for the halves
//	Real() DType        // of the parts of complex numbers
//	Complex() DType     // of complex numbers with such parts
type DType = elem.Type

// The element types. Float16 and BFloat16 are for storage: arithmetic on them
// is done in float32 and rounded back. Nothing is promoted implicitly.
const (
	Bool       = elem.Bool
	Uint8      = elem.Uint8
	Int8       = elem.Int8
	Int16      = elem.Int16
	Int32      = elem.Int32
	Int64      = elem.Int64
	Uint32     = elem.Uint32
	Float16    = elem.Float16
	BFloat16   = elem.BFloat16
	Float32    = elem.Float32
	Float64    = elem.Float64
	Complex64  = elem.Complex64
	Complex128 = elem.Complex128
)

// F16 and BF16 are the host forms of Float16 and BFloat16 elements.
type (
	F16  = elem.F16
	BF16 = elem.BF16
)

// Element is the set of Go types an Array can be made from and read into. An
// int is an Int64, and an Int32 on platforms of 32 bits.
type Element interface {
	bool | uint8 | int8 | int16 | int | int32 | int64 | uint32 | F16 | BF16 | float32 | float64 | complex64 | complex128
}

// Err is the error this Array carries, or nil. Evaluation can still fail.
func (a *Array) Err() error {
	if a.isNil() {
		return errNilArray
	}
	return a.err
}

// isNil reports a nil Array, or one that no function of this package made.
func (a *Array) isNil() bool { return a == nil || a.node == nil && a.err == nil }

// Shape is a copy of the dimensions; nil if the Array carries an error.
func (a *Array) Shape() []int {
	if a.Err() != nil {
		return nil
	}
	return slices.Clone(a.node.Shape)
}

// NDim is the number of axes; 0 for a scalar.
func (a *Array) NDim() int {
	if a.Err() != nil {
		return 0
	}
	return len(a.node.Shape)
}

// Dim is the length of an axis; a negative axis counts from the end. It is 0
// if there is no such axis.
func (a *Array) Dim(axis int) int {
	n := a.NDim()
	if axis < 0 {
		axis += n
	}
	if axis < 0 || axis >= n {
		return 0
	}
	return a.node.Shape[axis]
}

// Len is the number of elements.
func (a *Array) Len() int {
	if a.Err() != nil {
		return 0
	}
	return a.node.Len()
}

// DType is the element type.
func (a *Array) DType() DType {
	if a.Err() != nil {
		return elem.Invalid
	}
	return a.node.Type
}
